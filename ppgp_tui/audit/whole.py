"""An audit from the wish to the recorded verdict, whoever asks for it. An edge.

The command line, the app and the agents' `complete_goal` come through here, so that a verdict is
made the same way and by the same commands each time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from ppgp_tui.audit import machine
from ppgp_tui.audit import trust as trusting
from ppgp_tui.audit.auditor import auditor_of
from ppgp_tui.audit.model import AuditPlan, Verdict
from ppgp_tui.audit.plan import leave_out
from ppgp_tui.audit.recording import planned, record, reported
from ppgp_tui.audit.report import report
from ppgp_tui.audit.running import Audit
from ppgp_tui.audit.underway import begun
from ppgp_tui.audit.verdict import combine
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.picture.audit_state import Running

COMMAND: Final = "ppgp-tui audit"
NOT_LET: Final = "no person has let it run here"


class Ended(NamedTuple):
    """How an audit ended."""

    plan: AuditPlan
    verdict: Verdict | None
    """None: it was cancelled or not begun, and nothing was recorded."""
    result: Result
    report: dict[str, Any] | None = None
    """As it was kept; without a log it is kept nowhere, and its `eval` is empty."""


def planned_for(engine: Engine, *, mechanical: bool = False) -> AuditPlan:
    """The plan by the settings as they are. Raises `CannotAuditError`."""
    settings = engine.settings
    auditor = () if mechanical else settings.audit_auditor
    return planned(engine, commands=settings.verify_commands, auditor=auditor)


def untrusted(engine: Engine, plan: AuditPlan) -> list[tuple[str, ...]]:
    """Commands of the plan that no person has let run in this repository."""
    commands = [check.argv for check in plan.checks if check.argv and not check.left_out]
    return trusting.untrusted(commands, engine.state)


def trust(engine: Engine, commands: Iterable[tuple[str, ...]]) -> None:
    """A person lets these commands run from now on. Raises OSError."""
    trusting.trust(commands, engine.state, at_ms=engine.clock())


def without_untrusted(engine: Engine, plan: AuditPlan) -> AuditPlan:
    """The plan in which commands that nobody has let run are left out, and said to be."""
    unknown = set(untrusted(engine, plan))
    for check in plan.checks:
        if check.argv in unknown and not check.left_out:
            plan = leave_out(plan, check.id, NOT_LET)
    return plan


def make(
    engine: Engine,
    plan: AuditPlan,
    *,
    taken: Mapping[str, str] | None = None,
    tell: Callable[[Running], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
    command: str = COMMAND,
) -> Ended:
    """Make the audit and record its verdict. Raises `BusyError`, and OSError from `.ppgp/run`.

    `taken` gives, by criterion, why the person who asks takes what cannot be checked. A command
    that no person has let run here is left out, whoever made the plan.
    """
    if taken and engine.actor.kind != "user":
        text = f"only a person may take a criterion, not {engine.actor}"
        return Ended(plan, None, Result("audit", "refused", text))
    plan = without_untrusted(engine, plan)
    settings = engine.settings
    limits = machine.limits(settings.audit_timeout_s)
    with begun(engine.root) as underway:

        def told(progress: Running) -> None:
            underway.tell(progress)
            tell(progress)

        audit = Audit(
            engine.root,
            plan,
            limits=limits,
            network=settings.audit_network,
            auditor=auditor_of(plan.auditor, engine.root, limits),
            clock=engine.clock,
            tell=told,
            cancelled=lambda: cancelled() or underway.is_cancelled(),
        )
        started_ms = engine.clock()
        findings = audit.run()
        if findings.cancelled:
            text = "the audit was cancelled; nothing was recorded"
            return Ended(plan, None, Result("audit", "unchanged", text))
        verdict = combine(
            plan,
            findings.found,
            findings.answer,
            taken={one: f"{engine.actor}: {why}" for one, why in (taken or {}).items()},
            isolation=findings.isolation,
        )
        result = record(
            engine, plan, findings.found, findings.answer, verdict, started_ms=started_ms,
            command=command,
        )  # fmt: skip
        verdict = verdict._replace(stale=bool(result.data.get("stale")))
        kept = reported(engine.root, str(result.data.get("eval", "")))
        said = kept or report(
            plan, findings.found, findings.answer, verdict, eval_id="", started_ms=started_ms,
            ended_ms=engine.clock(), bound_after=plan.bound,
        )  # fmt: skip
        return Ended(plan, verdict, result, said)
