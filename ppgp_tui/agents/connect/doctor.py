"""The doctor's section on agents: installed, connected, trusted, and heard of.

Nothing is changed. Programs are asked for their version, and Codex, where it is connected, whether
it trusts our hooks; both with a time limit.
"""

from __future__ import annotations

import json
import os
import shlex
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from ppgp_tui.agents.adapters import NAMES, adapter
from ppgp_tui.agents.connect import merge, settings_file, targets
from ppgp_tui.agents.connect.connecting import place
from ppgp_tui.agents.connect.detect import Installed, compared, installed
from ppgp_tui.agents.connect.merge import Entry, UnfitError
from ppgp_tui.agents.connect.settings_file import RefusedFileError
from ppgp_tui.agents.connect.targets import SCOPES, Scope, hook_file
from ppgp_tui.agents.connect.trust import UnknownTrustError, codex_trust
from ppgp_tui.agents.hook import missed
from ppgp_tui.session.doctor.finding import Finding
from ppgp_tui.session.files.places import root_folder
from ppgp_tui.session.files.room import no_room
from ppgp_tui.session.sources.agents import AgentsLook, AgentsSource
from ppgp_tui.session.sources.heartbeat import Heartbeat, is_there

TRUST_S: Final = 6.0
RECENT_S: Final = 7 * 24 * 3600
_LISTED: Final = 8


class Connection(NamedTuple):
    """Hooks of ours in one settings file."""

    agent: str
    scope: Scope
    path: Path
    entries: tuple[Entry, ...]


def agents(root: Path) -> Iterator[Finding]:
    """What is known of every agent there is an adapter for, and of the sessions here."""
    environ = os.environ
    found = installed(root, environ)
    connections: list[Connection] = []
    for name in NAMES:
        here, problems = _connections(name, root, environ)
        connections += here
        yield from _program(name, found.get(name), bool(here))
        yield from problems
        yield from _connected(name, here, found)
    if not found and not connections:
        programs = " or ".join(targets.MANNERS[name].program for name in NAMES)
        text = f"no agent that can be connected was found (looked for {programs})"
        why = "others can be started by ppgp-tui run, and use ppgp-tui mcp or ppgp-tui ask"
        yield Finding("note", text, why, "put its program on PATH if there is one")
    if connections:
        yield from _hook_file()
    yield from _trust(root, environ, found, connections)
    yield from _sessions(root, connections)


def _program(name: str, found: Installed | None, is_connected: bool) -> Iterator[Finding]:
    known = adapter(name)
    title, tried = (known.title, known.tried) if known else (name, "")
    if found is None:
        if is_connected:
            why = "its hooks wait for it"
            mend = f"install it, or ppgp-tui disconnect {name}"
            yield Finding("note", f"{title} is connected but not installed", why, mend)
        return
    if found.version is None:
        why = "it did not tell its version within the time, so nothing is known of its hooks"
        yield Finding("note", f"{title} is at {found.program}", why, f"{found.program} --version")
    elif compared(name, found.version) == "older":
        text = f"{title} {found.version} is older than {tried}"
        why = f"everything was tried with {tried}; some hooks may be missing"
        yield Finding("warning", text, why, f"update {title}", str(found.program))
    else:
        newer = f", newer than {tried}" if compared(name, found.version) == "newer" else ""
        yield Finding("ok", f"{title} {found.version}{newer}, at {found.program}")


def _connections(
    name: str, root: Path, environ: Mapping[str, str]
) -> tuple[list[Connection], list[Finding]]:
    """The settings files with hooks of ours, and what is wrong with any of them."""
    here: dict[Path, Connection] = {}
    problems = []
    for scope in SCOPES:
        path = place(name, scope, root, environ)
        if path is None or path in here:
            continue
        try:
            file = settings_file.look(path)
            entries = merge.entries(file.text)
        except (RefusedFileError, UnfitError) as error:
            why = "the agent ignores the whole file then, and hooks in it do not run"
            said = str(error) if str(path) in str(error) else f"{path}, {error}"
            problems.append(Finding("warning", said, why, "mend it", str(path)))
            continue
        if entries:
            here[path] = Connection(name, scope, path, tuple(entries))
    return list(here.values()), problems


def _connected(
    name: str, here: list[Connection], found: Mapping[str, Installed]
) -> Iterator[Finding]:
    known = adapter(name)
    title = known.title if known else name
    if not here:
        if name in found:
            why = "it cannot be held, answered or continued from here, and leaves no heartbeat"
            mend = f"ppgp-tui connect {name}"
            yield Finding("note", f"{title} is not connected", why, mend)
        return
    if len(here) > 1:
        where = " and ".join(str(one.path) for one in here)
        why = "its settings add up, so every hook runs more than once"
        mend = f"ppgp-tui disconnect {name} --{here[0].scope}"
        yield Finding("warning", f"{title} is connected in {where}", why, mend)
    for one in here:
        yield from _entries(one, title)


def _entries(one: Connection, title: str) -> Iterator[Finding]:
    known = adapter(one.agent)
    if known is None:
        return
    words = _words(one.entries[0].handler)
    strict = "--strict" in words
    again = f"ppgp-tui connect {one.agent} --{one.scope}{' --strict' if strict else ''}"
    python = Path(words[0]) if words else Path()
    if not (python.is_file() and os.access(python, os.X_OK)):
        why = "the hooks cannot run, and the agent takes that for a yes"
        text = f"{title}: {python}, which the hooks are run with, is not there"
        yield Finding("error", text, why, again, str(one.path))
        return
    program = next((word for word in words if word.endswith("hook.py")), "")
    if not Path(program).is_file():
        why = "the hooks cannot run, and the agent takes that for a yes"
        yield Finding("error", f"{title}: {program} is not there", why, again, str(one.path))
        return
    wanted = targets.groups(known, words)
    standing = {entry.event for entry in one.entries}
    missing = [event for event in wanted if event not in standing]
    text = f"{title} is connected for {_whom(one.scope)}, in {one.path}"
    if missing:
        why = f"there is no hook for {', '.join(missing)}"
        yield Finding("warning", f"{text}, but not wholly", why, again)
    elif len(one.entries) > len(wanted) or any(
        not _is_wanted(entry, wanted) for entry in one.entries
    ):
        why = "the entries are not those this version writes"
        yield Finding("warning", f"{text}, but otherwise than now", why, again)
    else:
        yield Finding("ok", f"{text}{', strict' if strict else ''} ({len(wanted)} hooks)")


def _is_wanted(entry: Entry, wanted: Mapping[str, Any]) -> bool:
    group = wanted.get(entry.event)
    if group is None or not isinstance(entry.group, dict) or set(entry.group) != {"hooks"}:
        return False
    handler = {name: value for name, value in entry.handler.items() if name != "onFailure"}
    return bool(handler == group["hooks"][0])


def _whom(scope: Scope) -> str:
    return {
        "local": "this repository and you",
        "shared": "everybody in this repository",
        "user": "all your repositories",
    }[scope]


def _words(handler: Mapping[str, Any]) -> list[str]:
    command, args = handler.get("command"), handler.get("args")
    if not isinstance(command, str):
        return []
    if isinstance(args, list):
        return [command, *(word for word in args if isinstance(word, str))]
    return shlex.split(command)


def _hook_file() -> Iterator[Finding]:
    from ppgp_tui.agents.hook import fast

    path = hook_file()
    try:
        same = path.read_bytes() == Path(fast.__file__).read_bytes()
    except OSError:
        return  # that it is missing is told with the entries that name it
    if same:
        yield Finding("ok", f"the hook program {path} is that of this version")
    else:
        why = "it was put there by another version; agents bring it up to date when they start"
        yield Finding("note", f"{path} is of another version", why, "ppgp-tui connect again")


def _trust(
    root: Path,
    environ: Mapping[str, str],
    found: Mapping[str, Installed],
    connections: list[Connection],
) -> Iterator[Finding]:
    if "codex" not in found or not any(one.agent == "codex" for one in connections):
        return
    mend = "start codex here and trust them when it asks, or type /hooks there"
    try:
        trust = codex_trust(found["codex"].program, root, environ, TRUST_S)
    except UnknownTrustError as error:
        why = "Codex runs no hook its user has not trusted, and says nothing of it"
        yield Finding("note", f"whether Codex trusts the hooks is unknown: {error}", why, mend)
        return
    if not trust.seen:
        why = "it does not trust this project, so it does not even read them"
        mend = "start codex here and trust the project, then the hooks"
        yield Finding("warning", "Codex does not see the hooks", why, mend)
    elif trust.trusted < trust.seen:
        off = f", {trust.disabled} are switched off" if trust.disabled else ""
        text = f"Codex trusts {trust.trusted} of {trust.seen} hooks{off}"
        why = "it runs no other, and says nothing of it"
        yield Finding("warning", text, why, mend)
    else:
        yield Finding("ok", f"Codex trusts all {trust.seen} hooks")


# Sessions -----------------------------------------------------------------------------------------


def _sessions(root: Path, connections: list[Connection]) -> Iterator[Finding]:
    look = AgentsSource(root, _now_ms).look()
    room = no_room(root)
    if room is not None:
        why = "orders, requests and heartbeats are kept there; what is missed now stays missed"
        yield Finding("warning", room.text, why, room.mend, room.path)
    yield from _folder(root, look, connections)
    newest = sorted(look.heartbeats, key=lambda beat: beat.contact_ms or 0, reverse=True)
    recent = [beat for beat in newest if _age_s(beat) < RECENT_S]
    for beat in recent[:_LISTED]:
        yield Finding("ok", f"session {beat.session}: {_state(beat)}, heard of {_ago(beat)}")
    if len(recent) > _LISTED:
        yield Finding("ok", f"and {len(recent) - _LISTED} more sessions of the last days")
    for beat in recent:
        yield from _missed(root, beat)


def _folder(root: Path, look: AgentsLook, connections: list[Connection]) -> Iterator[Finding]:
    if not (root / ".ppgp").is_dir() or look.heartbeats:
        return
    if not (root / ".ppgp" / "run").is_dir():
        why = (
            "it holds orders, requests and heartbeats; while it was gone no session was seen, and "
            "calls under way were not written down"
        )
        mend = "nothing: it is made again by the app, and by each agent at its next contact"
        yield Finding("note", ".ppgp/run is not there, deleted or never made", why, mend)
    elif connections:
        why = "no session has begun since it was connected, or its hooks do not run"
        mend = "start the agent in this repository; it is seen with its first session"
        yield Finding("note", "no agent has been heard of here", why, mend)


def _missed(root: Path, beat: Heartbeat) -> Iterator[Finding]:
    """What the session's own hooks could not do, in their words."""
    path = root / ".ppgp" / "run" / "agents" / f"{beat.session}.json"
    try:
        said = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return
    problems = said.get("problems") if isinstance(said, dict) else None
    told = problems if isinstance(problems, list) else []
    for problem in dict.fromkeys([*told, *missed.kept(root_folder(root), beat.session)]):
        if isinstance(problem, str):
            why = "its agent worked on; what its hook wanted to write or record there is missing"
            mend = "mend what it names (a full disk, missing rights); then nothing"
            yield Finding("warning", f"{beat.session}: {problem[:300]}", why, mend)


def _state(beat: Heartbeat) -> str:
    if beat.state == "ended":
        return "ended"
    if not is_there(beat):
        return "gone without goodbye"
    frozen = beat.launch is not None and beat.launch.frozen_ms is not None
    return "frozen" if frozen else beat.state or "there"


def _age_s(beat: Heartbeat) -> float:
    return max(0, _now_ms() - (beat.contact_ms or 0)) / 1000


def _ago(beat: Heartbeat) -> str:
    seconds = int(_age_s(beat))
    for name, length in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length} {name} ago"
    return f"{seconds} s ago"


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
