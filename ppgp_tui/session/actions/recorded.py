"""What is recorded, for commands that only look: no lock is taken and nothing is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePosixPath
from typing import Any

from ppgp_tui.session.engine import projections
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.fold import kept_fold
from ppgp_tui.session.engine.ledger import FOLDED_KINDS, Json, Ledger
from ppgp_tui.session.engine.projections import PlanFile
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.files.reading import CannotReadError, read_inside
from ppgp_tui.session.journal import MalformedEventError, RefusalError, checkpoint, event_of
from ppgp_tui.session.journal.log import Log
from ppgp_tui.session.model import Control
from ppgp_tui.session.sources.control import CONTROL_FILE, parse_control
from ppgp_tui.session.sources.document import DamagedError


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the log says now, together with what waits beside it or was cut out of it."""

    ledger: Ledger
    plan_file: PlanFile
    """How `todo.json` stands beside it."""
    control: Control
    """What the agents are ordered."""
    warnings: tuple[str, ...]

    def result(self, action: str, message: str, data: Json, *warnings: str) -> Result:
        """The receipt of a look: nothing changed."""
        revisions = {
            "goal": self.ledger.pi_revision,
            "plan": self.ledger.todo["revision"],
            "control": self.control.generation or 0,
        }
        told = (*self.warnings, *warnings)
        return Result(action, "unchanged", message, revisions=revisions, warnings=told, data=data)


def recorded(engine: Engine) -> Recorded:
    """Fold the log, the outbox and the cut lines. Raises `RefusalError` where there is no log."""
    cut = engine.journal.cut()
    warnings = []
    if cut.lines:
        count = f"{len(cut.lines)} recorded event{'s were' if len(cut.lines) > 1 else ' was'}"
        warnings.append(f"{count} cut out of the log; `restore` puts back what is missing")
    with _open(engine, cut.lines) as lines:
        ledger, since = kept_fold(_checkpoint(engine, lines.log))
        for event in lines.events(FOLDED_KINDS, since):
            ledger.apply(event)
    plan_file = projections.look_at_plan(engine.root, engine.todo, ledger)
    if plan_file.state in ("edited", "damaged"):
        text = f"{engine.todo} holds an edit that nobody recorded"
        warnings.append(f"{text}; see `todo diff`, then `todo adopt` it or `todo adopt --drop`")
    try:
        found = read_inside(engine.root, CONTROL_FILE)
        control = parse_control(found.data if found else None)
    except (CannotReadError, DamagedError) as error:
        control = Control()
        warnings.append(f"{error}; it holds nobody")
    return Recorded(ledger, plan_file, control, tuple(warnings))


def recorded_if_any(engine: Engine) -> Recorded:
    """As `recorded`; where there is no log nothing is recorded, and a warning says so."""
    try:
        return recorded(engine)
    except RefusalError as refusal:
        if refusal.refused.code != "not_initialised":
            raise
        return Recorded(Ledger(), PlanFile("missing"), Control(), (refusal.refused.message,))


def events(engine: Engine, *kinds: str) -> list[Json]:
    """The events of these kinds in the order they count; damaged lines are left out.

    Raises `RefusalError` where there is no log or it cannot be read.
    """
    with _open(engine, engine.journal.cut().lines) as lines:
        return list(lines.events(kinds))


@dataclass(frozen=True, slots=True)
class _Lines:
    """The open log, and the lines that count after its own."""

    log: Log | None
    beside: tuple[bytes, ...]

    def events(self, kinds: tuple[str, ...], since: int = 0) -> Iterator[Json]:
        """Events of these kinds; of the log only those from the offset `since` on."""
        words = b"|".join(re.escape(kind.encode()) for kind in kinds)
        concerns = re.compile(b'"(?:' + words + b')"')
        log = (line.raw for line in self.log.lines(since)) if self.log else ()
        for line in chain(log, self.beside):
            if concerns.search(line):
                try:
                    event = event_of(line)
                except MalformedEventError:
                    continue
                if event["kind"] in kinds:
                    yield event


@contextmanager
def _open(engine: Engine, cut: tuple[bytes, ...]) -> Iterator[_Lines]:
    """Everything that is recorded. Raises `RefusalError` where that is nothing at all."""
    beside = (*engine.journal.waiting(), *cut)
    with ExitStack() as stack:
        log: Log | None = None
        try:
            path = PurePosixPath(engine.settings.log)
            log = stack.enter_context(closing(Log(engine.root, path, writable=False)))
        except FileNotFoundError:
            if not beside:
                missing = ", ".join(engine.journal.missing())
                text = f"no session here: run ppgp-tui init (creates {missing})"
                raise RefusalError("not_initialised", text) from None
        except OSError as error:
            raise RefusalError("refused", f"{error.filename} {error.strerror}") from None
        yield _Lines(log, beside)


def _checkpoint(engine: Engine, log: Log | None) -> tuple[Any, int] | None:
    """The fold that an earlier writer kept, if the log still begins with what it read."""
    with suppress(OSError), engine.journal.open_state(create=False) as state:
        return checkpoint.load(state, checkpoint.NAME, log) if log else None
    return None
