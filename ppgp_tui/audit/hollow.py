"""Commands that end well whatever the work is like. Text in, a reason out.

Exit code 0 shows something only where another one could have come. A command that merely prints
or lists, a script in which the failure of its tests is heard by nobody, and a harness that decides
itself how tests end show nothing. What is said of them is where to look, never that somebody
cheats.
"""

from __future__ import annotations

import ast
import itertools
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from posixpath import basename, normpath
from typing import Final

from ppgp_tui.audit.claims import RUNNERS

_NEVER_FAILS: Final = frozenset(
    {":", "date", "echo", "env", "hostname", "printf", "pwd", "sleep", "true", "uname", "whoami"}
)
MAKEFILES: Final = ("GNUmakefile", "makefile", "Makefile")
"""In the order in which make looks for one."""
_SHELLS: Final = ("bash", "dash", "sh", "zsh")
_WRAPPERS: Final = frozenset(
    {"bundle", "exec", "hatch", "npm", "npx", "pdm", "pnpm", "poetry", "run", "rye", "uv", "yarn"}
)
_OF_PACKAGES: Final = ("npm", "pnpm", "yarn")
"""They run what a package calls by a name, too."""
_STARTS: Final = (RUNNERS | _WRAPPERS) - {"run", "task"}
_TELLS: Final = frozenset({"--help", "--version", "-V", "-h"})
_ONLY_LISTS: Final = frozenset(
    {"--co", "--collect-only", "--dry-run", "--exit-zero", "--just-print", "--list-tests",
     "--listTests", "--no-run", "--recon"}
)  # fmt: skip
"""Of any tool: it runs nothing, or ends well whatever it finds."""
_ONLY: Final[Mapping[str, frozenset[str]]] = {
    "bash": frozenset({"-n"}),
    "bats": frozenset({"--count", "-c"}),
    "cargo": frozenset({"--list"}),
    "ctest": frozenset({"--show-only", "-N"}),
    "go": frozenset({"-c", "-list", "-n", "env", "help", "list", "version"}),
    "gradle": frozenset({"-m", "tasks"}),
    "make": frozenset({"--ignore-errors", "--question", "--touch", "-i", "-n", "-p", "-q", "-t"}),
    "mvn": frozenset({"-DskipTests", "-DskipTests=true", "-Dmaven.test.skip=true"}),
    "npm": frozenset({"--if-present"}),
    "nox": frozenset({"--list", "-l"}),
    "pytest": frozenset({"--fixtures", "--markers", "--setup-plan"}),
    "sh": frozenset({"-n"}),
    "tox": frozenset({"-l", "l", "list"}),
    "vitest": frozenset({"list"}),
}
_TRY: Final = ("pack", "publish")
"""Here a dry run is the very thing that can fail."""
_BARE: Final = (
    ast.Module, ast.Expr, ast.Pass, ast.Constant, ast.Name, ast.Load, ast.JoinedStr, ast.Call,
)  # fmt: skip

_UNHEARD = re.compile(
    r"\|\|\s*(?:/bin/)?(?:true|:|exit 0|return 0|echo\b[^;&|]*|printf\b[^;&|]*)\s*(?:$|[;#)}])"
    r"|;\s*(?:true|:|exit 0)\s*$|(?<![&>])&\s*$"
)
_INTO = re.compile(r"(?<!\|)\|(?!\|)&?\s*(?:awk|cat|head|less|sed|sort|tail|tee|ts|wc)\b[^|]*$")
_LISTENS = re.compile(
    r"^\s*set\s+-\w*e|^\s*set\s.*\berrexit\b|^#!.*\s-\w*e|^\s*set\s+-\w*o\s+errexit", re.MULTILINE
)
_DEAF = re.compile(r"^\s*set\s+\+e\b|^\s*trap\s+['\"]?\s*(?:exit 0|true)\b", re.MULTILINE)
_LED = re.compile(r"^(?:[@+-]|\s|(?:[A-Za-z_]\w*=\S*\s)|(?:exec|time|env|command)\s)*")
_QUIET = re.compile(r"^\s*(?:#.*|(?:[A-Za-z_]\w*=\S*|set|cd|export|readonly|local)\b.*|[{}()]+)?$")
_COUNTED = re.compile(
    r"\b(?:echo|printf|print|console\.log)\b[^\n$%{]*?\b\d+ (?:\w+ ){0,2}pass(?:ed|ing)?\b"
)
_HARNESS = re.compile(
    r"(?:^|/)(?:conftest|sitecustomize|usercustomize)\.py$|(?:^|/)tests?/__init__\.py$"
    r"|(?:^|/)(?:jest|vitest|mocha|test)[\w.-]*setup[\w.-]*\.[cm]?[jt]s$|(?:^|/)setupTests\.[jt]sx?$"
)
_DECIDES = re.compile(
    r"\bos\._exit\(\s*0?\s*\)|\bsys\.exit\(\s*0?\s*\)|\bexitstatus\s*=(?!=)"
    r"|\boutcome\s*=\s*['\"]passed|\btestsfailed\s*=(?!=)|\bprocess\.exit\(\s*0?\s*\)"
    r"|\bprocess\.exitCode\s*=\s*0"
)
_REPLACES = re.compile(
    r"\bTest(?:Case|Result)\.\w+\s*=(?!=)|\bsetattr\([^)\n]*(?:assert|TestCase|TestResult)"
    r"|^\s*(?:builtins\.)?AssertionError\s*=(?!=)|\bpytest\.(?:fail|raises)\s*=(?!=)"
    r"|\b(?:global(?:This)?|window)\.(?:assert|describe|expect|it|test)\s*=(?!=)"
    r"|\bmonkeypatch\.setattr\([^)\n]*\bassert",
    re.MULTILINE,
)


def runs_nothing(argv: Sequence[str]) -> str:
    """Why a command could not have failed, whatever the work is like; empty where it could."""
    name, words = runner(argv)
    if name in _NEVER_FAILS:
        return f"{name} never fails"
    if name in _SHELLS and (code := _code(words, "c")) is not None:
        return "its shell code never fails" if _is_idle(code) else ""
    if name == "python" and (code := _code(words, "c")) is not None:
        return "its code only prints" if _only_prints(code) else ""
    if name == "node" and (code := _code(words, "e")) is not None:
        bare = re.fullmatch(r"(?:console\.log\([^()]*\)|\w+|[;\s]+)*+", code)
        return "its code only prints" if bare else ""
    if name not in RUNNERS and name != "unittest":
        return ""
    script = name in ("python", "node", "ruby", "php", "deno", "bun", *_SHELLS)
    own = [*itertools.takewhile(lambda word: word.startswith("-"), words)] if script else words
    for word in own[:1] if script or name == "go" else own:
        if word in _TELLS:
            return f"{word} only tells about {name}"
    for word in own:
        if word in _ONLY.get(name, ()) or (word in _ONLY_LISTS and not set(words) & {*_TRY}):
            return f"with {word} {name} runs no test, or ends well whatever comes of it"
    return ""


def runner(argv: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The tool that does the work, behind those that only start it, and its words."""
    words = list(argv)
    while words:
        name = re.sub(r"[\d.]+$", "", basename(words[0])) or words[0]
        rest = words[1:]
        if name == "python" and "-m" in rest[:4]:
            words = rest[rest.index("-m") + 1 :]
        elif name in _WRAPPERS and rest and rest[0] in (_STARTS if name in _OF_PACKAGES
                                                       else _STARTS | {"run"}):  # fmt: skip
            words = rest
        else:
            return name, rest
    return "", ()


def _code(words: Sequence[str], flag: str) -> str | None:
    """What stands behind `-c`, `-lc` and the like."""
    for word, after in itertools.pairwise(words):
        if re.fullmatch(rf"-[a-z]*{flag}", word):
            return after
        if not word.startswith("-"):
            break
    return None


def _is_idle(code: str) -> bool:
    """Whether shell code does nothing that could fail."""
    parts = [part.strip() for part in re.split(r"[;&|\n]+", code)]
    return all(
        not part or part.startswith("#") or _QUIET.match(part) or part in ("exit 0", "exit")
        or part.split()[0] in _NEVER_FAILS
        for part in parts
    )  # fmt: skip


def _only_prints(code: str) -> bool:
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
        return all(
            isinstance(node, _BARE)
            and not (isinstance(node, ast.Call) and getattr(node.func, "id", "") != "print")
            and not (isinstance(node, ast.Name) and node.id != "print")
            for node in ast.walk(ast.parse(code))
        )
    return False


# --- scripts ------------------------------------------------------------------------------------


def unheard(argv: Sequence[str], scripts: Mapping[str, str]) -> str:
    """Where a script of `argv` drops the failure of its tests, or could never fail; else empty.

    `scripts` are texts of the repository by path: those that commands name, and the files in which
    known tools have their recipes.
    """
    name, words = runner(argv)
    if name in _SHELLS and (code := _code(words, "c")) is not None:
        return _unheard_in("its shell code", code)
    if name == "make":
        return _unheard_in_recipes(words, scripts)
    if name in _OF_PACKAGES:
        return _unheard_in_package(words, scripts.get("package.json", ""))
    for word in argv[:3]:
        path = normpath(word)
        if path.endswith(".py") and path in scripts and _only_prints(scripts[path]):
            return f"{path} does nothing that could fail"
        if path in scripts and _is_shell(path, scripts[path], name):
            return _unheard_in(path, scripts[path])
    return ""


def _is_shell(path: str, text: str, name: str) -> bool:
    first = text.split("\n", 1)[0]
    if first.startswith("#!"):
        return re.search(r"\b(?:ba|da|z)?sh\b", first) is not None
    return name in _SHELLS or path.endswith((".sh", ".bash"))


def _unheard_in(path: str, text: str) -> str:
    lines = [*_lines(text)]
    told = [(number, line) for number, line in lines if not _QUIET.match(line)]
    if all(_is_idle(line) for _, line in told):
        return f"{path} never fails: it does nothing that could"
    for number, line in told:
        if _COUNTED.search(line):
            return f"{path} line {number} prints a count that nothing counted"
    listens = bool(_LISTENS.search(text)) and not _DEAF.search(text)
    piped = "pipefail" not in text
    heard, first = False, ""
    for at, (number, line) in enumerate(told):
        if not _runs(line):
            continue
        if _UNHEARD.search(line) or (piped and _INTO.search(line)):
            return f"{path} line {number} drops the failure of what it runs"
        after = "".join(words for _, words in told[at + 1 : at + 2])
        watched = "&&" in line or "||" in line or "$?" in after
        heard = heard or listens or not after or watched
        first = first or f"{path} line {number}"
    return f"{first} fails unheard: the script goes on and ends well" if first and not heard else ""


def _unheard_in_recipes(words: Sequence[str], scripts: Mapping[str, str]) -> str:
    path = next((one for one in MAKEFILES if one in scripts), "")
    if not path:
        return ""
    made = [*recipe_of(words, scripts[path])]
    for number, line in made:
        ignored = line.lstrip("@+ ").startswith("-")
        if _runs(line) and (ignored or _UNHEARD.search(line) or _INTO.search(line)):
            return f"{path} line {number} drops the failure of what it runs"
        if _COUNTED.search(line):
            return f"{path} line {number} prints a count that nothing counted"
    if re.search(r"^\.IGNORE\s*:", scripts[path], re.MULTILINE):
        return f"{path} ignores what fails (.IGNORE)"
    if made and all(_is_idle(line.lstrip("@+- ")) for _, line in made):
        return f"{path} has nothing for it that could fail"
    return ""


def recipe_of(words: Sequence[str], text: str) -> Iterator[tuple[int, str]]:
    """The lines that `make WORDS` comes to in a Makefile, with those of what it needs."""
    recipes, needs, first = _recipes(text)
    left = [word for word in words if not word.startswith("-") and "=" not in word] or [first]
    seen: set[str] = set()
    while left:
        target = left.pop()
        if target not in seen:
            seen.add(target)
            left.extend(needs.get(target, ()))
            yield from recipes.get(target, ())


def _recipes(
    text: str,
) -> tuple[dict[str, list[tuple[int, str]]], dict[str, list[str]], str]:
    """Recipe lines and prerequisites by target, and the first target."""
    recipes: dict[str, list[tuple[int, str]]] = {}
    needs: dict[str, list[str]] = {}
    now: list[str] = []
    first = ""
    for number, line in _lines(text):
        rule = re.match(r"([\w./%-]+(?: +[\w./%-]+)*)\s*::?(?!=)\s*([^#;=]*)(?:;(.*))?$", line)
        if line.startswith("\t"):
            for target in now:
                recipes.setdefault(target, []).append((number, line.strip()))
        elif rule:
            now = rule[1].split()
            first = first or next((one for one in now if not one.startswith(".")), "")
            for target in now:
                needs.setdefault(target, []).extend(rule[2].split())
                if rule[3]:
                    recipes.setdefault(target, []).append((number, rule[3].strip()))
    return recipes, needs, first


def _unheard_in_package(words: Sequence[str], text: str) -> str:
    try:
        scripts = json.loads(text)["scripts"]
        left = [word for word in words if word not in ("run", "run-script")][:1]
        seen: set[str] = set()
        while left:
            name = left.pop()
            line = scripts.get("test" if name == "t" else name)
            if name in seen or not isinstance(line, str):
                continue
            seen.add(name)
            if _UNHEARD.search(line) or _INTO.search(line):
                return f"the script {name} of package.json drops the failure of what it runs"
            if _COUNTED.search(line) or _is_idle(line):
                return f"the script {name} of package.json does nothing that could fail"
            left += re.findall(r"\b(?:npm|pnpm|yarn) (?:run )?([\w:-]+)", line)
    except (ValueError, KeyError, TypeError, AttributeError):
        return ""
    return ""


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, those that go on in the next one joined."""
    begun, words = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        begun = begun or number
        if line.endswith("\\"):
            words += line[:-1] + " "
            continue
        yield begun, words + line
        begun, words = 0, ""


def _runs(line: str) -> bool:
    """Whether a line of a script runs something that a failure could come from."""
    words = _LED.sub("", line, count=1).split()
    if not words:
        return False
    name = re.sub(r"[\d.]+$", "", basename(words[0].strip("\"';"))) or words[0]
    return name in RUNNERS or words[0].startswith(("./", "tests/", "scripts/"))


# --- what stands between a test and the exit code -----------------------------------------------


def is_harness(path: str) -> bool:
    """Whether a file of that name is run before or around tests."""
    return _HARNESS.search(path) is not None


def decided(harness: Mapping[str, str], tests: Mapping[str, str]) -> str:
    """Where the tests' own files decide how tests end; empty where none does.

    `harness` are the files around the tests, `tests` the tests themselves.
    """
    for path, text in harness.items():
        if found := _DECIDES.search(text) or _REPLACES.search(text):
            return _at(path, text, found.start())
    for path, text in tests.items():
        if path not in harness and (found := _REPLACES.search(text)):
            return _at(path, text, found.start())
    return ""


def _at(path: str, text: str, at: int) -> str:
    line = text.count("\n", 0, at) + 1 + (text[at : at + 1] == "\n")
    return f"{path} line {line} decides how tests end, whatever they find"
