"""Settings of the repository (`.ppgp/config.toml`) and of the user (`config.toml`).

Who wins: the user's word for this root, then the repository's, then the user's word for all roots.
A value that cannot be used is refused with file and line and the default stays; unknown keys are
named and ignored. Nothing but what the repository may decide is taken from its file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any, Final, Literal

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.files.own import read_at_once
from ppgp_tui.session.files.reading import CannotReadError, read_inside
from ppgp_tui.session.model import Problem
from ppgp_tui.session.settings import values

REPOSITORY_FILE: Final = ".ppgp/config.toml"
_LARGEST = 1024 * 1024


class Settings(NamedTuple):
    """Every setting this release knows; None means chosen by circumstances."""

    goal: str | None = None
    """Path of the goal document; None means the first candidate that exists."""
    roadmap: str | None = None
    memory: str | None = None
    constitution: str | None = None
    todo: str = ".ppgp/todo.json"
    log: str = "state/events.jsonl"
    plan_max_bytes: int = 16384
    plan_max_tasks: int = 200
    goal_max_bytes: int = 8192
    events_tools: bool = False
    """Each tool call is recorded as an event."""
    hold_limit_s: int = 28800
    """So long a call is held at most; then it is refused once."""
    permission_mode: str = "ask"
    """`ask`: permission prompts of agents come to the inbox; `off`: they stay with the agent."""
    permission_codex_wait_s: int = 60
    """So long Codex's own prompt waits for an answer given here."""
    continue_on: bool = True
    continue_limit: int = 25
    """Rounds an agent goes on by itself after a person's prompt."""
    continue_no_progress: int = 3
    """Rounds without a new event, commit or change of the document, after which it stops."""
    poll_s: float = 1.0
    ascii: bool | None = None
    theme: str | None = None
    fps: int | None = None
    """How often a changing picture is painted in a second, up to ten times."""
    keys: str | None = None
    """File with a user's keys; None means `keys.toml` beside the user's settings."""
    density: Literal["compact", "normal", "roomy"] = "normal"
    motion: Literal["full", "reduced"] = "full"
    """`reduced`: ages change once a minute, nothing stands out for a moment."""
    reader: bool = False
    """Text for screen readers instead of the screen."""
    ribbon: bool = False
    """Below 40 columns a ribbon, not one line."""
    links: bool | None = None
    """Files and commits are links that the terminal opens."""
    authority_key: str = "file"
    """What answers are signed with: our own `file`, the SSH `agent`, or the path of a key."""
    authority_askpass: str | None = None
    """Program that may ask for a passphrase; None means that nothing ever asks."""
    authority_scripted: bool = False
    """A person's scripts may grant, without a terminal."""
    notify_bell: bool = True
    notify_osc: bool = True
    """Notifications and the window's title by escape codes."""
    notify_command: tuple[str, ...] = ()
    """Program and arguments that get each new question as one more argument."""
    notify_gap_s: float = 10.0
    verify_commands: tuple[tuple[str, ...], ...] = ()
    """What proves that the goal is done; each runs only after a person has let it."""
    audit_auditor: tuple[str, ...] = ()
    """Program and arguments of an independent auditor, or the name of a known one."""
    audit_timeout_s: int = 900
    audit_network: bool = False
    """Verification commands may use the network."""
    audit_on_claim: bool = False
    """A claim begins the audit by itself, which may cost money, where its commands may run."""
    persist_limit_phrases: tuple[str, ...] = ()
    """How agents say that a rate limit was met, instead of the phrases that are known."""
    sessions_paths: tuple[str, ...] = ()
    """Patterns of further folders for the list of all sessions, such as `~/src/*`."""
    problems: tuple[Problem, ...] = ()


class _Key(NamedTuple):
    """One key: the member it sets, how its value is read, whether the repository may set it."""

    member: str
    read: Callable[[Any], Any]
    repository: bool = False


def load_settings(root: Path, user_file: Path) -> Settings:
    """Return the settings for `root`; never raises, problems are members of the result."""
    repository, damage = _repository_file(root)
    user, more = _user_file(user_file)
    problems = [*damage, *more]
    mine, for_roots = _split_roots(user)
    settings = Settings()
    for tables, source, own in (
        (mine, user, True),
        (repository.tables, repository, False),
        (for_roots.get(str(root), {}), user, True),
    ):
        for name, value in _flat(tables):
            settings = _set(settings, name, value, source, own, root, problems)
    return settings._replace(problems=tuple(problems))


class _File(NamedTuple):
    path: str
    text: str = ""
    tables: Mapping[str, Any] = MappingProxyType({})

    def line_of(self, name: str) -> int | None:
        """The line on which the dotted `name` is set, as far as a look at the text can tell."""
        table = ""
        best: int | None = None
        for number, line in enumerate(self.text.splitlines(), 1):
            header = re.match(r"\s*\[\[?(.+?)\]\]?\s*(#.*)?$", line)
            if header:
                table = _bare(header[1])
                if name == table or name.startswith(table + "."):
                    best = best or number
                continue
            key = re.match(r"""\s*([\w.\-"' ]+?)\s*=""", line)
            if key:
                full = f"{table}.{_bare(key[1])}" if table else _bare(key[1])
                if full == name or full.endswith("." + name):
                    return number
        return best


def _bare(key: str) -> str:
    return re.sub(r"[\"'\s]", "", key)


def _repository_file(root: Path) -> tuple[_File, list[Problem]]:
    try:
        found = read_inside(root, REPOSITORY_FILE, _LARGEST)
    except CannotReadError as error:
        return _File(REPOSITORY_FILE), [_problem(REPOSITORY_FILE, None, error.why, error.mend)]
    return _parse(REPOSITORY_FILE, found.data) if found else (_File(REPOSITORY_FILE), [])


def _user_file(path: Path) -> tuple[_File, list[Problem]]:
    name = str(path)
    try:
        data = read_at_once(path)
    except (FileNotFoundError, NotADirectoryError):
        return _File(name), []
    except OSError as error:
        return _File(name), [_problem(name, None, f"{name} cannot be read: {error.strerror}", "")]
    return _parse(name, data)


def _parse(path: str, data: bytes) -> tuple[_File, list[Problem]]:
    import tomllib

    try:
        text = data.decode("utf-8-sig")
        return _File(path, text, tomllib.loads(text)), []
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return _File(path), [_problem(path, line, f"{path} is not UTF-8", "save it as UTF-8")]
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        place = re.search(r"\(at line (\d+)", str(error))
        said = str(error).partition(" (at ")[0].lower()
        text = f"{path} is not TOML: {said}; no setting of it is used"
        return _File(path), [
            _problem(path, int(place[1]) if place else None, text, "mend the line")
        ]


def verify_commands_of(text: str) -> tuple[tuple[str, ...], ...]:
    """`verify.commands` of a repository's file that was; none where nobody could have used it."""
    tables = _parse(REPOSITORY_FILE, text.encode())[0].tables
    verify = tables.get("verify")
    try:
        return values.commands(verify.get("commands", [])) if isinstance(verify, dict) else ()
    except ValueError:
        return ()


def _split_roots(user: _File) -> tuple[dict[str, Any], dict[str, Mapping[str, Any]]]:
    """The user's settings for all roots, and those for single ones by their real path."""
    general = {name: value for name, value in user.tables.items() if name != "roots"}
    roots = user.tables.get("roots")
    single = roots if isinstance(roots, dict) else {}
    return general, {
        os.path.realpath(os.path.expanduser(path)): tables  # noqa: PTH111
        for path, tables in single.items()
        if isinstance(tables, dict)
    }


def _flat(tables: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in tables.items():
        full = f"{prefix}{name}"
        if isinstance(value, dict) and full not in _KEYS:
            yield from _flat(value, f"{full}.")
        else:
            yield full, value


def _set(
    settings: Settings,
    name: str,
    value: Any,
    source: _File,
    own: bool,
    root: Path,
    problems: list[Problem],
) -> Settings:
    def refuse(text: str, mend: str) -> Settings:
        problems.append(_problem(source.path, source.line_of(name), text, mend))
        return settings

    key = _KEYS.get(name)
    if key is None:
        return refuse(f"unknown setting {name}", "remove it or mend its name")
    if not own and not key.repository:
        return refuse(
            f"{name} is not for a repository to decide, so it is not used",
            "put it into your own config.toml",
        )
    try:
        read = key.read(value)
        if name.startswith("paths."):
            read = _inside(root, read)
    except ValueError as error:
        return refuse(f"{name}: {error}; the default is used", "mend the value")
    return settings._replace(**{key.member: read})


def _problem(path: str, line: int | None, text: str, mend: str) -> Problem:
    return Problem("settings", path, line, text, mend)


# Values


def _inside(root: Path, path: str) -> str:
    """`path` as a clean relative path; ValueError when it leads out of the root."""
    full = PurePosixPath(os.path.normpath(root / path))
    top = os.path.realpath(root)
    real = os.path.realpath(full)
    if not real.startswith(top.rstrip(os.sep) + os.sep):
        raise ValueError(f"{path} leads out of the repository")
    if not full.is_relative_to(root):
        raise ValueError(f"{path} is not below the repository")
    if ".git" in {part.casefold() for part in PurePosixPath(real).relative_to(top).parts}:
        raise ValueError(f"{path} is Git's own")
    return str(full.relative_to(root))


_KEYS: Final[Mapping[str, _Key]] = {
    "paths.goal": _Key("goal", values.path, True),
    "paths.roadmap": _Key("roadmap", values.path, True),
    "paths.memory": _Key("memory", values.path, True),
    "paths.constitution": _Key("constitution", values.path, True),
    "paths.todo": _Key("todo", values.path, True),
    "paths.log": _Key("log", values.path, True),
    "plan.max_bytes": _Key("plan_max_bytes", values.size, True),
    "plan.max_tasks": _Key("plan_max_tasks", values.size, True),
    "goal.max_bytes": _Key("goal_max_bytes", values.size, True),
    "events.tools": _Key("events_tools", values.switch, True),
    "hold.limit_s": _Key("hold_limit_s", values.size),
    "permission.mode": _Key("permission_mode", values.permission_mode),
    "permission.codex_wait_s": _Key("permission_codex_wait_s", values.size),
    "continue.on": _Key("continue_on", values.switch),
    "continue.limit": _Key("continue_limit", values.size),
    "continue.no_progress": _Key("continue_no_progress", values.size),
    "watch.poll_s": _Key("poll_s", values.seconds, True),
    "ui.ascii": _Key("ascii", values.auto(values.flag)),
    "ui.theme": _Key("theme", values.auto(values.word)),
    "ui.fps": _Key("fps", values.auto(values.size)),
    "ui.keys": _Key("keys", values.auto(values.file)),
    "ui.density": _Key("density", values.density),
    "ui.reader": _Key("reader", values.switch),
    "ui.ribbon": _Key("ribbon", values.switch),
    "ui.links": _Key("links", values.auto(values.flag)),
    "ui.motion": _Key("motion", values.motion),
    "authority.key": _Key("authority_key", values.key),
    "authority.askpass": _Key("authority_askpass", values.program),
    "authority.scripted": _Key("authority_scripted", values.switch),
    "persist.limit_phrases": _Key("persist_limit_phrases", values.phrases),
    "sessions.paths": _Key("sessions_paths", values.patterns),
    "notify.bell": _Key("notify_bell", values.switch),
    "notify.osc": _Key("notify_osc", values.switch),
    "notify.command": _Key("notify_command", values.command),
    "notify.min_gap_s": _Key("notify_gap_s", values.seconds),
    "verify.commands": _Key("verify_commands", values.commands, True),
    "audit.auditor": _Key("audit_auditor", values.command),
    "audit.timeout_s": _Key("audit_timeout_s", values.size),
    "audit.network": _Key("audit_network", values.switch),
    "audit.on_claim": _Key("audit_on_claim", values.switch),
}
