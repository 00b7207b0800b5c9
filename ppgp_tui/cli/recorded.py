"""What is recorded, for commands that only look: no lock is taken and nothing is written."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from ppgp_tui.session.engine import projections
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import FOLDED_KINDS, Json, Ledger
from ppgp_tui.session.engine.projections import PlanFile
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.files import CannotReadError, open_inside, read_inside
from ppgp_tui.session.journal import MalformedEventError, RefusalError, event_of
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
    ledger = Ledger()
    for event in _events(engine, cut.lines, FOLDED_KINDS):
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


def events(engine: Engine, *kinds: str) -> Iterator[Json]:
    """The events of these kinds in the order they count; damaged lines are left out.

    Raises `RefusalError` where there is no log or it cannot be read.
    """
    return _events(engine, engine.journal.cut().lines, kinds)


def _events(engine: Engine, cut: tuple[bytes, ...], kinds: tuple[str, ...]) -> Iterator[Json]:
    concerns = re.compile(b'"(?:' + b"|".join(re.escape(kind.encode()) for kind in kinds) + b')"')
    for line in _lines(engine, (*engine.journal.waiting(), *cut)):
        if concerns.search(line):
            try:
                event = event_of(line)
            except MalformedEventError:
                continue
            if event["kind"] in kinds:
                yield event


def _lines(engine: Engine, beside: tuple[bytes, ...]) -> Iterator[bytes]:
    """Whole lines of the log, then those beside it."""
    try:
        descriptor = open_inside(engine.root, engine.settings.log)
    except CannotReadError as error:
        raise RefusalError("refused", error.why) from None
    if descriptor is None and not beside:
        text = f"no session here: run ppgp-tui init (creates {', '.join(engine.journal.missing())})"
        raise RefusalError("not_initialised", text)
    if descriptor is None:
        yield from beside
        return
    with os.fdopen(descriptor, "rb") as log:
        yield from chain((line[:-1] for line in log if line.endswith(b"\n")), beside)
