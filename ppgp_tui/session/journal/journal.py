"""The journal of one root: the only writer of its log.

Nothing here knows what an event means. The caller decides under the lock what to record, and gets
an acknowledgement that holds whatever is killed, filled up or reset afterwards.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final, Literal

from ppgp_tui.session.files.safe import Folder, components
from ppgp_tui.session.journal import cuts, history, lock, outbox, safecopy
from ppgp_tui.session.journal.cuts import Cut
from ppgp_tui.session.journal.desk import Desk, Mended
from ppgp_tui.session.journal.events import Event
from ppgp_tui.session.journal.lease import Lease
from ppgp_tui.session.journal.log import Log
from ppgp_tui.session.journal.results import Appended, RefusalError, Refused, refusing
from ppgp_tui.session.journal.safecopy import Verdict
from ppgp_tui.session.journal.view import View
from ppgp_tui.session.sessions.known import note_root

LOG: Final = PurePosixPath("state/events.jsonl")
Decide = Callable[[View], Sequence[Event] | Refused]
"""Looks at the log under the lock; returns the batch to append (perhaps empty) or a refusal."""
Then = Callable[[View, Appended], None]
"""Runs under the lock after the batch is recorded: projections, answer files, control."""

_TRIES: Final = 4
_IGNORED: Final = b"run/\ngoal.json\n"


def now_ms() -> int:
    """The time in Unix milliseconds."""
    return time.time_ns() // 1_000_000


class Journal:
    """The journal of `root`. It holds nothing open between two calls; any thread may use it."""

    def __init__(
        self,
        root: Path,
        state: Path,
        *,
        log: PurePosixPath = LOG,
        clock: Callable[[], int] = now_ms,
        wait_s: float = lock.WAIT_S,
    ) -> None:
        """`state` is the root's own folder `…/ppgp-tui/roots/KEY`, made when it is missing.

        Raises `UnsafePathError` for a `log` that is no path inside the root.
        """
        components(log)
        self.root = root
        self.log = log
        self._state = state
        self._clock = clock
        self._wait_s = wait_s

    def append(self, decide: Decide, then: Then | None = None) -> Appended | Refused:
        """Run `decide` under the lock and record the batch it returns: all of it or nothing.

        A returned `Appended` is the acknowledgement: the batch is on disk and survives a kill.
        `then` runs last, with the lock still held. Where it refuses or the disk does, a batch that
        is recorded stands, and the warnings say what could not be done beside it.
        """
        return self._turn(lambda desk: _act(desk, decide, then))

    def flush(self) -> Appended | Refused:
        """Mend what a killed writer left and empty the outbox, if the log is free."""
        return self.append(lambda _view: ())

    def restore(self) -> Appended | Refused:
        """Append the cut lines unchanged, in their old order. Only ever when a person asks.

        A line whose cause is gone stays cut, and the warnings say so.
        """
        found = self.cut()
        if found.unknown:
            return Refused("refused", f"cannot tell what is committed: {found.unknown}")
        if not found.lines:
            return Refused("refused", "nothing was cut out of the log")
        try:
            gone = not (self.root / self.log).exists()
            if found.committed or (gone and history.committed_size(self.root, self.log)):
                text = f"committed lines are missing too; first: git restore {self.log}"
                return Refused("stale", text)
        except history.GitUnknownError as error:
            return Refused("refused", f"cannot tell what is committed: {error}")
        if isinstance(made := self.create(), Refused):
            return made
        return self._turn(_restore)

    def cut(self) -> Cut:
        """Which recorded lines something took out of the log. Takes no lock and changes nothing."""
        verdict = self._ask_git()
        try:
            with ExitStack() as stack:
                state = stack.enter_context(self.open_state(create=False))
                found = cuts.cut(safecopy.check(state, self._log_if_any(stack)), verdict)
        except FileNotFoundError:
            return Cut()
        except OSError as error:
            return Cut(unknown=str(error))
        return found or Cut(unknown="the log is changing")

    def waiting(self) -> tuple[bytes, ...]:
        """The lines in the outbox. Takes no lock and changes nothing."""
        with suppress(OSError), self.open_state(create=False) as state:
            return tuple(line for batch in outbox.waiting(state) for line in batch)
        return ()

    def missing(self) -> tuple[str, ...]:
        """What `create` would make, as paths relative to the root."""
        wanted = (".ppgp/", ".ppgp/.gitignore", str(self.log))
        return tuple(path for path in wanted if not os.path.lexists(self.root / path))

    def create(self) -> tuple[str, ...] | Refused:
        """Make the folder `.ppgp` and the empty log where they are missing; return what was."""
        new = () if os.path.lexists(self.root / ".ppgp") else (".ppgp/",)
        parts = components(self.log)
        try:
            with self.lock(), refusing("the session could not be created"), ExitStack() as stack:
                made = self.missing()
                outer = stack.enter_context(Folder.open(self.root, ".ppgp"))
                inner = stack.enter_context(Folder.open(self.root, *parts[:-1], create=True))
                with suppress(FileExistsError):
                    outer.publish(".gitignore", _IGNORED, exclusive=True)
                with suppress(FileExistsError):
                    inner.publish(parts[-1], b"", exclusive=True)
        except RefusalError as refusal:
            return refusal.refused
        return (*new, *made) if made else ()

    def lock(self) -> AbstractContextManager[Folder]:
        """Hold the journal's lock alone, for run files where there is no log.

        Gives the open `.ppgp/run`, made where it is missing. Raises `RefusalError`.
        """
        return lock.locked(self.root, self._wait_s)

    # One turn under the lock --------------------------------------------------------------------

    def _turn(self, act: Callable[[Desk], Appended | Refused]) -> Appended | Refused:
        mended = Mended()
        verdict = Verdict(None)
        try:
            for _ in range(_TRIES):
                try:
                    with self._desk(verdict, mended) as desk:
                        result = act(desk)
                except _ChangedMeanwhileError:
                    verdict = self._ask_git()
                    continue
                warnings = (*mended.warnings, *self._committed_torn(mended))
                return replace(result, warnings=warnings)
        except RefusalError as refusal:
            return replace(refusal.refused, warnings=tuple(mended.warnings))
        return Refused("busy", "the log keeps being replaced; nothing was recorded, try again")

    @contextmanager
    def _desk(self, verdict: Verdict, mended: Mended) -> Iterator[Desk]:
        """Everything a turn needs, opened, locked and brought up to date."""
        self._must_be_initialised()
        with ExitStack() as stack:
            run = stack.enter_context(self.lock())
            with refusing("nothing was recorded, the journal could not be brought up to date"):
                with Folder.open(self.root, ".ppgp") as outer:
                    outer.sweep()
                run.sweep()
                log = self._log_if_any(stack)
                if log is None:
                    raise _ChangedMeanwhileError
                # `git clean` may delete the lock file under a writer, but this lock holds then.
                lock.wait_for(log.descriptor, time.monotonic() + self._wait_s)
                if not log.is_current():
                    raise _ChangedMeanwhileError
                lease = Lease(self.root, self._clock)
                stack.callback(lease.close)
                desk = Desk(log, run, self._state_if_usable(stack, mended), lease, mended)
                desk.put_right(self._clock())
                _find_cut(desk, verdict)
                desk.show()
            yield desk

    def _must_be_initialised(self) -> None:
        if (self.root / ".ppgp").exists() and os.path.lexists(self.root / self.log):
            return
        text = f"no session here: run ppgp-tui init (creates {', '.join(self.missing())})"
        raise RefusalError("not_initialised", text)

    def _ask_git(self) -> Verdict:
        """What Git says of lines that are missing now. No lock may be held."""
        try:
            with ExitStack() as stack:
                state = stack.enter_context(self.open_state(create=False))
                return cuts.judge(self.root, self.log, state, self._log_if_any(stack))
        except FileNotFoundError:
            return Verdict(None)
        except (OSError, history.GitUnknownError) as error:
            return Verdict(None, unknown=str(error))

    def _committed_torn(self, mended: Mended) -> tuple[str, ...]:
        """A warning when the bytes that were cut off as torn had been committed already."""
        if mended.torn_at is None:
            return ()
        with suppress(history.GitUnknownError):
            if (history.committed_size(self.root, self.log) or 0) > mended.torn_at:
                return ("the half line is in a commit: the log stays not append-only in Git",)
        return ()

    def _log_if_any(self, stack: ExitStack) -> Log | None:
        try:
            return stack.enter_context(closing(Log(self.root, self.log)))
        except FileNotFoundError:
            return None

    def open_state(self, *, create: bool) -> Folder:
        """Open this root's folder in the user's state folder. Raises OSErrors."""
        anchor, parts = self._state.parents[2], self._state.parts[-3:]
        if create:
            anchor.mkdir(0o700, parents=True, exist_ok=True)
        return Folder.open(anchor, *parts, create=create)

    def _state_if_usable(self, stack: ExitStack, mended: Mended) -> Folder | None:
        try:
            state = stack.enter_context(self.open_state(create=True))
            state.sweep()
            note_root(self.root, self._state)
        except OSError as error:
            text = f"no safe copy: {error.filename or self._state} {error.strerror}"
            mended.warnings.append(text)
            return None
        return state


class _ChangedMeanwhileError(Exception):
    """The log was replaced, or lines went missing, between asking Git and holding the lock."""


def _find_cut(desk: Desk, verdict: Verdict) -> None:
    """Fill in the cut lines. Raises `_ChangedMeanwhileError` for lines Git was not asked about."""
    if desk.state is None:
        return
    try:
        check = safecopy.check(desk.state, desk.log)
        found = cuts.cut(check, verdict)
        if found is None:
            raise _ChangedMeanwhileError
        if not found.unknown and (
            check.worth_keeping or (check.missing and check.verdict != verdict)
        ):
            safecopy.remember(desk.state, desk.log, check, verdict)
    except OSError as error:
        found = Cut(unknown=str(error))
    desk.cut = found.lines
    if found.unknown:
        desk.mended.warnings.append(f"cannot tell whether the log was cut: {found.unknown}")


def _act(desk: Desk, decide: Decide, then: Then | None) -> Appended | Refused:
    batch = decide(desk)
    if isinstance(batch, Refused):
        return batch
    recorded: Literal["log", "outbox", "none"] = "none"
    if batch:
        with refusing("nothing was recorded, the log could not be written"):
            recorded = desk.record(batch)
    desk.causes.keep()
    desk.lease.drop()
    ids = tuple(str(event["id"]) for event in batch)
    appended = Appended(ids, recorded, desk.size, desk.flushed)
    if then is not None:
        _follow(desk, appended, then)
    return appended


def _follow(desk: Desk, appended: Appended, then: Then) -> None:
    try:
        with refusing("what belongs to it could not be written"):
            then(desk, appended)
    except RefusalError as refusal:
        if appended.recorded == "none":
            raise
        desk.mended.warnings.append(f"recorded, but {refusal.refused.message}")


def _restore(desk: Desk) -> Appended | Refused:
    if desk.foreign is not None:
        return Refused("busy", f"the log is held by {desk.foreign}; try again later")
    with refusing("nothing was recorded, the log could not be written"):
        restored = desk.put_back()
    return Appended(restored, "log" if restored else "none", desk.size, desk.flushed)
