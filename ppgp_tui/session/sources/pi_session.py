"""The newest Pi session of a root: its plan and its goal, read while Pi writes it, never written.

Pi opens, appends and closes for every entry, so there is no lock to see (Pi reference section 1.2).
A file that got shorter, or begins otherwise, is read anew.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from ppgp_tui.pi.block_proof import decode, label_of
from ppgp_tui.pi.goal_reading import read_state as read_goal_state
from ppgp_tui.pi.plan import read_state
from ppgp_tui.pi.session_file import GOAL, TODO, Entry, NoSessionError, SessionFile
from ppgp_tui.pi.todo import read_todo
from ppgp_tui.session.canonical import UnserialisableError, digest
from ppgp_tui.session.files.reading import CannotReadError, is_folder, open_inside
from ppgp_tui.session.members import text
from ppgp_tui.session.picture.goal_state import Lifecycle
from ppgp_tui.session.picture.origin import Origin
from ppgp_tui.session.plan_history.gathering import RevisionLog
from ppgp_tui.session.plan_history.history import Decoded, PlanHistory
from ppgp_tui.session.plan_history.revision import Revision
from ppgp_tui.session.sources.pi_look import AUTHOR, PiLook, PiPlan

_CHUNK: Final = 1024 * 1024
_HEAD: Final = 512
"""Bytes at the start of a file by which it is known again."""
_LOOKED_AT: Final = 20
"""Sessions of a folder, the newest first, of which the header is read."""
_LONGEST: Final = 64 * 1024 * 1024
"""Bytes one line may have."""


class PiSource:
    """Follows the newest session file that belongs to one root. Not thread-safe."""

    def __init__(
        self, root: Path, clock: Callable[[], int], environ: Mapping[str, str] = os.environ
    ) -> None:
        self._root = root
        self._clock = clock
        self.folder = sessions_folder(root, environ)
        self._begin("")
        self._look = PiLook()

    def look(self) -> PiLook:
        """Read what is new in the newest session of the root, whichever that is by now."""
        name = self._newest()
        if name is None:
            self._begin("")
            self._look = PiLook()
            return self._look
        if name != self._name:
            self._begin(name)
        try:
            found = self._read()
        except (CannotReadError, OSError, NoSessionError) as error:
            why = getattr(error, "why", "") or str(error)
            return self._look._replace(state="unread", why=why)
        self._look = found
        return found

    def _begin(self, name: str) -> None:
        self._name = name
        self._file = SessionFile()
        self._end = 0
        self._head = b""
        self._inode = 0
        self._log = RevisionLog()
        self._taken: tuple[str, ...] = ()
        """Ids of the plans gathered."""

    # Finding

    def _newest(self) -> str | None:
        """The name of the newest session file in the folder whose work was done in this root."""
        if not is_folder(self.folder):
            return None
        found: list[tuple[int, str]] = []
        try:
            with os.scandir(self.folder) as entries:
                found += [
                    (entry.stat(follow_symlinks=False).st_mtime_ns, entry.name)
                    for entry in entries
                    if entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False)
                ]
        except OSError:
            return None
        found.sort(reverse=True)
        own = os.path.realpath(self._root)
        for _, name in found[:_LOOKED_AT]:
            if os.path.realpath(self._cwd(name) or "/nowhere") == own:
                return name
        return None

    def _cwd(self, name: str) -> str:
        """The working directory in the header; empty where the file has none."""
        if name == self._name and self._file.header is not None:
            return self._file.header.cwd
        try:
            descriptor = open_inside(self.folder, name)
        except CannotReadError:
            return ""
        if descriptor is None:
            return ""
        with os.fdopen(descriptor, "rb") as file:
            line = file.readline(_CHUNK)
        probe = SessionFile()
        try:
            probe.take(line, 0)
        except NoSessionError:
            return ""
        return probe.header.cwd if probe.header else ""

    # Reading

    def _read(self) -> PiLook:
        descriptor = open_inside(self.folder, self._name)
        if descriptor is None:
            return self._look._replace(state="unread", why=f"{self._name} is gone")
        with os.fdopen(descriptor, "rb") as file:
            stat = os.fstat(descriptor)
            head = file.read(len(self._head))
            if stat.st_ino != self._inode or stat.st_size < self._end or head != self._head:
                self._begin(self._name)
                file.seek(0)
                self._head, self._inode = file.read(_HEAD), stat.st_ino
            elif len(self._head) < _HEAD:
                file.seek(0)
                self._head = file.read(_HEAD)
            for line, offset in self._lines(file):
                self._file.take(line, offset)
            return self._found(file, stat.st_mtime_ns // 1_000_000)

    def _lines(self, file: Any) -> Iterator[tuple[bytes, int]]:
        """The new whole lines with their offsets; a last one without line end if it is whole."""
        file.seek(self._end)
        rest = b""
        while chunk := file.read(_CHUNK):
            *whole, rest = (rest + chunk).split(b"\n")
            for line in whole:
                yield line, self._end
                self._end += len(line) + 1
            if len(rest) > _LONGEST:
                why = f"a line of {self._name} has more than {_LONGEST:,} bytes"
                raise CannotReadError("line-too-long", why, "")
        if rest and _is_whole(rest):
            yield rest, self._end
            self._end += len(rest)

    def _found(self, file: Any, changed_ms: int) -> PiLook:
        path = str(self.folder / self._name)
        if self._file.header is None:
            return PiLook(path=path, state="found", seen_ms=self._clock(), changed_ms=changed_ms)
        self._gather(file)
        goal = self._file.newest(GOAL)
        lifecycle = None if goal is None else self._lifecycle(_data_at(file, goal.offset), path)
        newest = self._file.newest(TODO)
        return PiLook(
            path=path,
            plan=None if newest is None else self._plan(_data_at(file, newest.offset), newest),
            history=PlanHistory("pi session", self._log.now, path, states=self._states()),
            lifecycle=lifecycle,
            invalid_goal=goal is not None and lifecycle is None,
            state="found",
            seen_ms=self._clock(),
            changed_ms=changed_ms,
        )

    def _gather(self, file: Any) -> None:
        """Bring the revisions up to the plans on the branch; another branch is gathered anew."""
        plans = self._file.plans()
        ids = tuple(plan.entry for plan in plans)
        if ids[: len(self._taken)] != self._taken:
            self._log, self._taken = RevisionLog(), ()
        elif self._taken and plans[len(self._taken) - 1].removals:
            self._explain(plans[len(self._taken) - 1].removals)
        for plan in plans[len(self._taken) :]:
            state = _data_at(file, plan.offset)
            revision = Revision(
                number=plan.revision,
                at=plan.offset,
                id=plan.entry,
                ts_ms=_ms(plan.timestamp),
                by=AUTHOR,
                origin="pi",
                digest=(_digest(state) or "").removeprefix("sha256:")[:16],
                reasons=plan.removals,
            )
            self._log.add(revision, state)
        self._taken = ids

    def _explain(self, reasons: Any) -> None:
        """The result of a call comes after its plan: add the reasons that are known only now."""
        last = self._log.now[-1]
        if last.reasons != reasons:
            self._log.replace_last(last._replace(reasons=reasons))

    def _states(self) -> Decoded:
        """The plans of revisions, read again from their lines in the file of now."""
        folder, name = self.folder, self._name

        def read(revision: Revision) -> Any:
            try:
                descriptor = open_inside(folder, name)
            except CannotReadError:
                return None
            if descriptor is None:
                return None
            with os.fdopen(descriptor, "rb") as file:
                return _data_at(file, revision.at)

        return Decoded(read)

    def _plan(self, state: Any, entry: Entry) -> PiPlan | None:
        reading = read_todo(state)
        if reading is None:
            return None
        changed: dict[str, int] = {}
        for revision in self._log.now:
            if revision.ts_ms is not None:
                changed.update(dict.fromkeys(revision.keys, revision.ts_ms))
        last = self._log.now[-1].ts_ms if len(self._log.now) else _ms(entry.timestamp)
        return PiPlan(reading, _digest(state), last, changed, read_state(state) is not None)

    def _lifecycle(self, data: Any, path: str) -> Lifecycle | None:
        """The goal as the session's newest snapshot has it; None where Pi would not take it."""
        state = read_goal_state(data)
        if state is None:
            return None
        origin = Origin(path, seen_ms=self._clock())
        goal = state.goal
        if goal is None:
            return Lifecycle(state_revision=state.revision, origin=origin, source="pi session")
        status = label_of(goal)
        proof = decode(goal.pause) if goal.status == "paused" else None
        return Lifecycle(
            id=goal.id,
            status=status,
            state_revision=state.revision,
            objective=goal.objective,
            created_ms=_ms(goal.created_at),
            since_ms=None,
            pause_reason=goal.pause.reason if goal.pause and status == "paused" else None,
            block={} if proof is None else dict(proof._asdict()),
            origin=origin,
            source="pi session",
        )


def sessions_folder(root: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """Where Pi keeps the sessions of `root` (Pi reference section 1.1)."""
    own = environ.get("PI_CODING_AGENT_SESSION_DIR", "")
    if own:
        return Path(own).expanduser()
    agent = environ.get("PI_CODING_AGENT_DIR", "")
    folder = Path(agent).expanduser() if agent else Path.home() / ".pi" / "agent"
    if chosen := _chosen(folder):
        return Path(chosen).expanduser()
    path = os.path.abspath(root)  # noqa: PTH100  # as Pi does: links are not followed
    name = path[1:] if path[:1] in ("/", "\\") else path
    for separator in "/\\:":
        name = name.replace(separator, "-")
    return folder / "sessions" / f"--{name}--"


def _chosen(agent: Path) -> str:
    """The folder that the user's settings of Pi name, if any; `~` and absolute paths only."""
    try:
        with (agent / "settings.json").open("rb") as file:
            said = json.loads(file.read(_CHUNK))
    except (OSError, ValueError, RecursionError):
        return ""
    chosen = text(said.get("sessionDir")) if isinstance(said, dict) else ""
    return chosen if chosen.startswith(("/", "~")) else ""


def _data_at(file: Any, offset: int) -> Any:
    """The `data` of the entry whose line begins at `offset`; None where it is no longer there."""
    file.seek(offset)
    try:
        said = json.loads(file.readline(_LONGEST))
    except (ValueError, RecursionError):
        return None
    return said.get("data") if isinstance(said, dict) else None


def _is_whole(line: bytes) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _digest(state: Any) -> str | None:
    try:
        return digest(state)
    except UnserialisableError:
        return None


def _ms(timestamp: str) -> int | None:
    """Unix milliseconds of an ISO time; None for anything else."""
    try:
        return int(datetime.fromisoformat(timestamp).timestamp() * 1000)
    except (ValueError, OverflowError):
        return None
