"""What a bug report holds: enough to find the fault, nothing of whose machine it was.

Everything here is texts by file name, already scrubbed, so a person can be shown what is in it
before anything is written (`scrub`). Of the environment only the names below are looked at.
"""

from __future__ import annotations

import json
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from ppgp_tui.session.doctor.finding import Report
from ppgp_tui.session.files.places import config_folder, root_folder, state_folder
from ppgp_tui.session.files.reading import CannotReadError
from ppgp_tui.session.log.whole import WholeLog
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.settings.settings import Settings, load_settings
from ppgp_tui.session.sharing.scrub import Private, scrubbed
from ppgp_tui.session.sharing.shapes import settings_shape, shapes
from ppgp_tui.session.text import safe
from ppgp_tui.version import __version__

TOLD: Final = (
    "TERM", "COLORTERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "VTE_VERSION", "LANG", "LC_ALL",
    "LC_CTYPE", "NO_COLOR", "PPGP_ASCII", "PPGP_NO_MOUSE", "TEXTUAL_COLOR_SYSTEM",
)  # fmt: skip
"""Variables whose values are told, if they look like what such a variable holds."""
ASKED: Final = (
    "TMUX", "STY", "SSH_CONNECTION", "DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "PPGP_ROOT",
    "PPGP_AGENT", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "EDITOR", "VISUAL", "CI",
)  # fmt: skip
"""Variables of which it is only told whether they are set."""
LIBRARIES: Final = (
    "textual", "rich", "click", "msgspec", "pydantic", "watchfiles", "GitPython", "platformdirs",
    "mcp",
)  # fmt: skip

CRASHES: Final = 5
"""So many of the newest crash logs are in it."""
LOG_LINES: Final = 2_000
"""So many of the newest lines of the log are in it, where it is asked for."""
_CRASH_MOST: Final = 64 * 1024
_LINE_MOST: Final = 16 * 1024
_PLAIN = re.compile(r"[\w.@:+-]{1,40}", re.ASCII)
_ESCAPE = re.compile(r"\\[nrtbf]")
_VERSION_S: Final = 2.0

WHAT: Final[Mapping[str, str]] = {
    "about.json": "versions of the program, of Python, of its libraries; the platform",
    "terminal.json": "what the terminal says of itself, from a fixed list of variables",
    "settings.json": "which settings are not as usual, without their words",
    "doctor.txt": "what ppgp-tui doctor finds",
    "files.json": "sizes and counts of the session's files, kinds of events, checks; no text",
    "log.jsonl": f"the newest {LOG_LINES:,} lines of the log, with what is said in them",
}
"""What each file is for; crash logs say it by their names."""


def bug_texts(
    snapshot: SessionSnapshot,
    reports: Iterable[Report],
    environ: Mapping[str, str],
    private: Private,
    *,
    with_log: bool = False,
) -> dict[str, str]:
    """The files of the bundle by name: of the root of `snapshot`, and what the doctor reports."""
    root = snapshot.root
    settings = load_settings(root, config_folder() / "config.toml")
    log = _whole_log(root, settings)

    def clean(text: str) -> str:
        return scrubbed(safe(text), private)

    texts = {
        "about.json": _json(about(), clean),
        "terminal.json": _json(terminal(environ), clean),
        "settings.json": _json(settings_shape(settings), clean),
        "doctor.txt": clean("\n".join(_doctor(reports)) + "\n"),
        "files.json": _json(shapes(snapshot, log), clean),
    }
    for path in _crash_logs(root):
        with suppress(OSError):
            texts[f"crashes/{path.name}"] = clean(path.read_text("utf-8", "replace")[-_CRASH_MOST:])
    if with_log and log is not None:
        newest = range(max(0, len(log) - LOG_LINES), len(log))
        texts["log.jsonl"] = "".join(f"{_log_line(log.raw(at), clean)}\n" for at in newest)
    return {"README.txt": _readme(texts), **texts}


def what(name: str) -> str:
    """What the file called `name` is for, in a few words."""
    return WHAT.get(name, "how the program crashed" if name.startswith("crashes/") else "this list")


def about() -> dict[str, Any]:
    """Versions and platform."""
    return {
        "ppgp-tui": __version__,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "encoding": sys.getfilesystemencoding(),
        "libraries": {name: _library(name) for name in LIBRARIES},
        "git": _said("git", "--version"),
        "tmux": _said("tmux", "-V"),
    }


def terminal(environ: Mapping[str, str]) -> dict[str, Any]:
    """What is known of the terminal: values only of `TOLD`, and only plain ones."""
    size = shutil.get_terminal_size((0, 0))
    told = {name: environ[name] for name in TOLD if name in environ}
    return {
        "values": {k: v if _PLAIN.fullmatch(v) else "[set]" if v else "" for k, v in told.items()},
        "set": [name for name in ASKED if environ.get(name)],
        "is_terminal": {"in": _is_terminal(sys.stdin), "out": _is_terminal(sys.stdout)},
        "size": [size.columns, size.lines],
    }


def _is_terminal(stream: Any) -> bool:
    return stream is not None and bool(stream.isatty())


def _doctor(reports: Iterable[Report]) -> Iterator[str]:
    for report in reports:
        yield report.name
        for finding in report.findings:
            where = f" ({finding.path}, line {finding.line})" if finding.line else ""
            yield f"  {finding.state:<8} {finding.text}{where}"


def _crash_logs(root: Path) -> list[Path]:
    found = {*root_folder(root).glob("crash-*.log"), *state_folder().glob("crash-*.log")}
    return sorted(found, key=lambda path: path.name)[-CRASHES:]


def _whole_log(root: Path, settings: Settings) -> WholeLog | None:
    try:
        return WholeLog(root, settings.log).read_all()
    except (CannotReadError, OSError):
        return None


def _library(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _said(*words: str) -> str | None:
    """The first line that a program says; None when it is not there or does not answer."""
    try:
        done = subprocess.run(
            words, capture_output=True, stdin=subprocess.DEVNULL, timeout=_VERSION_S, cwd="/"
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    return safe(lines[0])[:80] if done.returncode == 0 and lines else None


def _readme(texts: Mapping[str, str]) -> str:
    lines = [f"{name}: {what(name)}" for name in texts]
    return "\n".join((
        "A bug report of ppgp-tui. What is in it:", "", *lines, "",
        "Secrets, people, machines, addresses and the home folder were replaced by words in",
        "brackets, as far as they can be told. Read it before you give it to anybody.", "",
    ))  # fmt: skip


def _log_line(raw: bytes, clean: Callable[[str], str]) -> str:
    """A line of the log: every text in it by itself, then the names that stand before them."""
    line = raw[:_LINE_MOST].decode("utf-8", "replace")
    try:
        line = json.dumps(_cleaned(json.loads(line), clean), ensure_ascii=False)
    except (ValueError, RecursionError):
        line = _ESCAPE.sub(" ", line)
    return clean(line)


def _json(value: Any, clean: Callable[[str], str]) -> str:
    return json.dumps(_cleaned(value, clean), indent=2, ensure_ascii=False) + "\n"


def _cleaned(value: Any, clean: Callable[[str], str]) -> Any:
    """`value` with every text in it cleaned."""
    if isinstance(value, dict):
        return {clean(name): _cleaned(member, clean) for name, member in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(item, clean) for item in value]
    return clean(value) if isinstance(value, str) else value
