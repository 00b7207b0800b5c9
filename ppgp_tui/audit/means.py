"""By what a claim is checked: the part of each file that says how tests are run. Text in and out.

Scripts that commands name, the recipes behind `make` and `npm`, and the settings of test runners. A
change of these can make the same words of a command prove less.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from posixpath import normpath
from typing import Final

from ppgp_tui.audit.asserting import is_test_file
from ppgp_tui.audit.hollow import MAKEFILES, recipe_of, runner

_SECTIONS: Final[Mapping[str, str]] = {
    "pyproject.toml": r"tool\.pytest\b.*",
    "setup.cfg": r"tool:pytest",
    "tox.ini": r"pytest|testenv.*",
}
_WHOLE: Final = (
    ".mocharc.json", ".mocharc.yml", ".rspec", "conftest.py", "jest.config.cjs", "jest.config.js",
    "jest.config.mjs", "jest.config.ts", "phpunit.xml", "phpunit.xml.dist", "pytest.ini",
    "sitecustomize.py", "test/conftest.py", "tests/__init__.py", "tests/conftest.py",
    "vitest.config.js", "vitest.config.mjs", "vitest.config.ts",
)  # fmt: skip
_IN_PACKAGE: Final = ("jest", "mocha", "vitest")


def named_by(commands: Iterable[Sequence[str]]) -> list[str]:
    """The files that these commands may run: what they name, and their tools' recipes."""
    named = {
        normpath(word) for argv in commands for word in argv[:4]
        if not word.startswith(("-", "/", "..")) and ("." in word or "/" in word)
    }  # fmt: skip
    return sorted({*MAKEFILES, "package.json", *named})


def places(commands: Iterable[Sequence[str]]) -> list[str]:
    """The files that can say how these commands check, relative to the root."""
    named = (path for path in named_by(commands) if not is_test_file(path))
    return sorted({*_WHOLE, *_SECTIONS, *named})


def means(commands: Iterable[Sequence[str]], texts: Mapping[str, str]) -> dict[str, str]:
    """What of these files says how the commands check; nothing of a file that says nothing."""
    listed = [tuple(argv) for argv in commands]
    said = {path: _part(path, text, listed) for path, text in texts.items()}
    return {path: part for path, part in said.items() if part.strip()}


def _part(path: str, text: str, commands: Sequence[tuple[str, ...]]) -> str:
    if path in MAKEFILES:
        lines = {line: None for argv in commands if runner(argv)[0] == "make"
                 for _, line in recipe_of(runner(argv)[1], text)}  # fmt: skip
        return "\n".join(lines)
    if path == "package.json":
        return _of_package(
            text, any(argv[0] in ("npm", "pnpm", "yarn") for argv in commands if argv)
        )
    if path in _SECTIONS:
        return _of_sections(text, _SECTIONS[path])
    return text


def _of_package(text: str, is_run: bool) -> str:
    try:
        said = json.loads(text)
        kept = {name: said[name] for name in _IN_PACKAGE if name in said}
        if is_run and isinstance(said.get("scripts"), dict):
            kept |= {name: line for name, line in said["scripts"].items() if "test" in name}
    except (ValueError, TypeError, AttributeError):
        return ""
    return "\n".join(f"{name}: {json.dumps(value)}" for name, value in sorted(kept.items()))


def _of_sections(text: str, name: str) -> str:
    kept, inside = [], False
    for line in text.splitlines():
        if head := re.match(r"\s*\[+([^\]]+)\]+\s*$", line):
            inside = re.fullmatch(name, head[1].strip()) is not None
        if inside and line.strip():
            kept.append(line)
    return "\n".join(kept)
