"""What the status line says: a `Glance`, in a small part of the time the app takes for it.

Everything heavy happens only when the goal document, the settings or the commit have changed;
what was read then is kept in `status_cache` together with the stamps of those files. The log is
read from where the last call stopped. Agents and orders are small and read each time.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from ppgp_tui.session.files.root import (
    RootError,
    git_common_at,
    git_folder_at,
    git_top_at,
    must_list,
    root_at,
    stat_of,
)
from ppgp_tui.session.log import request_book as book
from ppgp_tui.session.picture.blocked import places, words
from ppgp_tui.session.picture.glance import Glance, glance
from ppgp_tui.session.status import cache as status_cache
from ppgp_tui.session.status.agents import agents_and_control
from ppgp_tui.session.status.audit import running_in
from ppgp_tui.session.status.files import stamp
from ppgp_tui.session.status.log import log_memory, with_outbox
from ppgp_tui.session.status.loops import loops_of
from ppgp_tui.session.status.requests import AskedOnDisk, asked_on_disk

if TYPE_CHECKING:
    from pathlib import Path

    from ppgp_tui.session.picture.loops import Loops

Json = dict[str, Any]

_RACY_NS, _COARSE_RACY_NS = 100_000_000, 2_000_000_000
"""A file written so recently may be written again without a new stamp.

The longer time is for file systems that keep whole seconds.
"""

_CANDIDATES = ("docs/ACTIVE_GOAL.md", "ACTIVE_GOAL.md")


class StatusError(Exception):
    """Nothing can be read at the path; the message says why."""


def read_status(
    path: str | None, root: str | None, environ: Mapping[str, str], now_ms: int
) -> Json:
    """Return the members of a `Glance`, and `root` and `at_ms`, as plain values.

    Args:
        path: A folder in the repository, or a file in one; the working directory if None.
        root: Value of `--root`.
        environ: The environment.
        now_ms: Unix milliseconds.

    Raises:
        StatusError: There is no such folder, or it may not be read.
    """
    top = _root(path, root, environ)
    cache = status_cache.place(top, environ)
    looked = look_at(top, environ, status_cache.load(cache, top), now_ms)
    if looked.is_news:
        status_cache.store(cache, top, looked.memory)
    return {"root": str(top), "at_ms": now_ms, **looked.glance._asdict()}


class Looked(NamedTuple):
    """What one look at a root found."""

    glance: Glance
    objective: str
    """The goal as the document words it, else its title; empty without either."""
    memory: Json
    """What the next look may be given, and the cache keeps."""
    is_news: bool
    """The memory differs from the one that was given."""


def look_at(top: str, environ: Mapping[str, str], memory: Json, now_ms: int) -> Looked:
    """Look at the root `top`, knowing the `memory` of the last look (or an empty one).

    Only what is new in the log is read, and the goal document only if it changed.
    """
    before = _mark(memory)
    ground = _ground(top, environ, memory.get("ground"))
    log = log_memory(top, ground["said"]["log"], memory.get("log"))
    kept = {"ground": ground if _settled(ground, now_ms) else None, "log": log}
    own = status_cache.own_folder(top, environ)
    told = with_outbox(log, own)
    loops, loops_known = loops_of(top, environ, memory.get("loops"))
    kept["loops"] = loops_known
    alone = asked_on_disk(top, told["book"]["requests"], has_log=log is not None)
    seen = _glance(top, own, ground["said"], told, list(alone), loops, now_ms)
    return Looked(seen, ground["said"]["objective"], kept, _mark(kept) != before)


def _mark(memory: Json) -> object:
    """What differs whenever a memory does."""
    ground, log, loops = memory.get("ground"), memory.get("log"), memory.get("loops")
    return (
        ground and ground["stamps"],
        log and (log["file"], log["offset"], log["proof"]),
        loops and (loops["home"], loops["log"]),
    )


def _root(path: str | None, root: str | None, environ: Mapping[str, str]) -> str:
    here = os.getcwd()
    try:
        if path is not None and root is None:
            named = os.path.join(here, os.path.expanduser(path))
            is_folder = stat.S_ISDIR(stat_of(named, "name a repository").st_mode)
            folder = named if is_folder else os.path.dirname(named)
            top = root_at(folder, None, {})
        else:
            top = root_at(here, root, environ)
        must_list(top)
    except (RootError, OSError) as error:
        raise StatusError(str(error)) from error
    return top


def _ground(top: str, environ: Mapping[str, str], known: Json | None) -> Json:
    """What the goal document says, by the settings and the commit it lies in."""
    stamps = {path: stamp(path) for path in read_from(top, environ, known)}
    if known is not None and known["stamps"] == stamps:
        return known
    said = _read_ground(top, environ)
    relied = read_from(top, environ, {"said": said})
    return {"stamps": {path: stamp(path) for path in relied}, "said": said}


def _settled(ground: Json, now_ms: int) -> bool:
    """Whether every file on which the ground rests has been left alone for a moment."""
    written = (found[3] for found in ground["stamps"].values() if found is not None)
    return all(
        now_ms * 1_000_000 - ns > (_RACY_NS if ns % 1_000_000_000 else _COARSE_RACY_NS)
        for ns in written
    )


def read_from(top: str, environ: Mapping[str, str], known: Json | None) -> Iterator[str]:
    """Every file on which the ground rests; `known` is what was read from them, if it was."""
    yield f"{top}/.ppgp/config.toml"
    yield _user_file(environ)
    for candidate in _CANDIDATES:
        yield f"{top}/{candidate}"
    if known is not None:
        yield f"{top}/{known['said']['goal']}"
    work_tree = git_top_at(top)
    git = git_folder_at(work_tree) if work_tree else None
    if git is None:
        return
    common = git_common_at(git)
    yield f"{git}/HEAD"
    yield f"{common}/packed-refs"
    try:
        with open(f"{git}/HEAD", "rb") as file:
            head = file.read(4096).decode("utf-8", "surrogateescape").strip()
    except OSError:
        return
    if head.startswith("ref: "):
        yield f"{common}/{head[5:]}"


def _user_file(environ: Mapping[str, str]) -> str:
    """`config.toml` in `places.config_folder`."""
    named = environ.get("XDG_CONFIG_HOME", "")
    folder = named if named.strip() else os.path.expanduser("~/.config")
    return f"{folder}/ppgp-tui/config.toml"


def _read_ground(top: str, environ: Mapping[str, str]) -> Json:
    """Read settings and document with the app's own readers."""
    from pathlib import Path

    from ppgp_tui.session.picture.inbox import inbox
    from ppgp_tui.session.settings.settings import load_settings
    from ppgp_tui.session.sources.goal import GoalSource

    settings = load_settings(Path(top), Path(_user_file(environ)))
    look = GoalSource(Path(top), lambda: 0).look(settings).look
    reading = look.value
    lines = _line_ages(Path(top), look.path) if reading.authority.pending else {}
    return {
        "goal": look.path,
        "log": settings.log,
        "objective": reading.goal or reading.title or "",
        "phase": reading.phase,
        "phase_inferred": reading.phase_inferred,
        "dod": [criterion.state for criterion in reading.dod],
        "blockers": [[one.klass, words(one.text)] for one in reading.blockers],
        "bullets": [[asked.id, asked.created_ms] for asked in inbox(reading, (), lines, 0, 0)],
    }


def _line_ages(top: Path, path: str) -> Mapping[int, int]:
    """When each committed line of the document was last changed, as `RepoSource` asks Git."""
    import subprocess

    from ppgp_tui.session.sources.repo import LONGEST_BLAMED, TIMEOUT_S, blame_command, blamed

    found = stamp(f"{top}/{path}")
    if git_top_at(str(top)) is None or found is None or found[2] > LONGEST_BLAMED:
        return {}
    command, environ = blame_command(top, path)
    try:
        done = subprocess.run(
            command, env=environ, stdin=subprocess.DEVNULL, capture_output=True,
            timeout=TIMEOUT_S, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return {}
    return blamed(done.stdout.decode("utf-8", "replace"))


def _glance(
    top: str, own: str, said: Json, log: Json, alone: list[AskedOnDisk], loops: Loops, now_ms: int
) -> Glance:
    """The glance at a snapshot that holds just what a glance asks for."""
    requests = [*_requests(said["bullets"], log["book"], now_ms), *alone]
    agents, control = agents_and_control(top, own, requests, log["pauses"], now_ms)
    goal = SimpleNamespace(
        phase=said["phase"],
        phase_inferred=said["phase_inferred"],
        dod=[SimpleNamespace(state=state) for state in said["dod"]],
        blockers=said["blockers"],
    )
    last = None if log["last_ms"] is None else SimpleNamespace(ts_ms=log["last_ms"])
    parts = {
        "goal": goal,
        "inbox": requests,
        "control": control,
        "agents": agents,
        "recorded_blockers": _blockers(said["blockers"], log["blockers"]),
        "events": SimpleNamespace(last=last),
        "audit": _audit(top, said["goal"], log["audit"]),
        "loops": loops,
    }
    snapshot: Any = SimpleNamespace(
        **{name: SimpleNamespace(value=value) for name, value in parts.items()}
    )
    return glance(snapshot)


def _audit(top: str, document: str, recorded: Json) -> SimpleNamespace:
    """As it was recorded; a goal that was settled is one only while its document is there."""
    running = running_in(top)
    has_goal = recorded["goal"] is not None or os.path.lexists(f"{top}/{document}")
    state = "running" if running is not None else recorded["state"] if has_goal else None
    return SimpleNamespace(state=state, running=running)


def _requests(bullets: list[Any], recorded: Json, now_ms: int) -> list[SimpleNamespace]:
    """As `inbox` joins them: a bullet that is also in the log is the log's."""
    by_id = {
        key: SimpleNamespace(
            **{
                **entry["asked"],
                "state": book.state_at(entry, entry["asked"]["expires_ms"], now_ms),
            }
        )
        for key, entry in recorded["requests"].items()
    }
    for key, created_ms in bullets:
        bullet = {"state": "waiting", "created_ms": created_ms, "asker": None}
        by_id.setdefault(key, SimpleNamespace(**bullet))
    return list(by_id.values())


def _blockers(written: list[Any], recorded: Json) -> list[SimpleNamespace]:
    """The recorded ones, as `blockers_now` joins them with those of the document."""
    stops = [tuple(one) for one in recorded.values()]
    return [SimpleNamespace(line=place) for place in places([tuple(w) for w in written], stops)]
