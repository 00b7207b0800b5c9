"""Reading what is recorded, without acting: nothing is appended, nobody is told that we went on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ppgp_tui.session.engine import orders, projections
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.fold import fold
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.engine.projections import PlanFile
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import RefusalError, Refused, View


@dataclass(frozen=True, slots=True)
class Recorded:
    """What the log says now, and how `todo.json` stands beside it."""

    ledger: Ledger
    plan_file: PlanFile
    revisions: dict[str, int]
    warnings: tuple[str, ...] = ()

    def result(self, action: str, message: str, data: Json, *warnings: str) -> Result:
        """The receipt of a look: nothing changed."""
        return Result(
            action,
            "unchanged",
            message,
            revisions=self.revisions,
            warnings=(*self.warnings, *warnings),
            data=data,
        )


def recorded(engine: Engine) -> Recorded:
    """Fold the log under the journal's lock. Raises `RefusalError` where that cannot be done."""
    seen: list[Recorded] = []

    def look(view: View) -> Sequence[Json]:
        ledger = fold(view)
        revisions = {
            "goal": ledger.pi_revision,
            "plan": ledger.todo["revision"],
            "control": orders.look(view.run, view.state).control["generation"],
        }
        plan_file = projections.look_at_plan(engine.root, engine.todo, ledger)
        seen[:] = [Recorded(ledger, plan_file, revisions)]
        return ()

    outcome = engine.journal.append(look)
    if isinstance(outcome, Refused):
        raise RefusalError(outcome.code, outcome.message)
    found = seen[0]
    return Recorded(found.ledger, found.plan_file, found.revisions, tuple(outcome.warnings))
