"""What a person wants of an audit, done: plan it, make it, cancel it, take, close. Blocks."""

from __future__ import annotations

from dataclasses import replace

from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from ppgp_tui.ui.acts import deeds


def do(engine: Engine, deed: deeds.OfAudit) -> Result:
    """Do `deed` and say how it went; never raises for anything that a person did."""
    from ppgp_tui.audit.plan import PlanEditError
    from ppgp_tui.audit.recording import CannotAuditError
    from ppgp_tui.audit.underway import BusyError
    from ppgp_tui.session.journal import RefusalError

    try:
        return _do(engine, deed)
    except (CannotAuditError, PlanEditError, BusyError) as error:
        return Result("audit", "refused", str(error))
    except RefusalError as error:
        return Result("audit", error.refused.code, error.refused.message)
    except OSError as error:
        said = f"{error.filename or 'the disk'}: {error.strerror or error}"
        return Result("audit", "disk", said)


def _do(engine: Engine, deed: deeds.OfAudit) -> Result:
    match deed:
        case deeds.PlanAudit():
            return _plan(engine)
        case deeds.StartAudit():
            return _make(engine, deed)
        case deeds.CancelAudit():
            return _cancel(engine)
        case deeds.Take(eval_id, digest, criterion, reason):
            from ppgp_tui.audit.taking import take

            return take(engine, eval_id, digest, {criterion: reason})
        case deeds.Close(override, dry_run):
            return _foreseen(engine) if dry_run else _close(engine, override)


def _plan(engine: Engine) -> Result:
    from ppgp_tui.audit import machine, trust, whole

    plan = whole.planned_for(engine)
    known = trust.trusted(engine.state)
    data = {"plan": plan, "trusted": known, "sandbox": machine.bubblewrap()[1]}
    return Result("audit", "done", "nothing runs before you start it", data=data)


def _make(engine: Engine, deed: deeds.StartAudit) -> Result:
    from ppgp_tui.audit import whole

    if deed.trusts:
        whole.trust(engine, deed.trusts)
    ended = whole.make(engine, whole.without_untrusted(engine, deed.plan))
    if ended.verdict is None or not ended.result.ok:
        return ended.result
    word = ended.verdict.word.replace("_", " ")
    stale = ", but something moved meanwhile: it counts for nothing" if ended.verdict.stale else ""
    return replace(ended.result, message=f"{word}: {ended.verdict.why}{stale}")


def _cancel(engine: Engine) -> Result:
    from ppgp_tui.audit.underway import cancel

    if cancel(engine.root):
        return Result("audit", "done", "the audit is asked to end; nothing is recorded")
    return Result("audit", "unchanged", "no audit is under way any more")


def _foreseen(engine: Engine) -> Result:
    from ppgp_tui.session.actions.closing import outlook

    now = outlook(engine)
    there = now.document.data is not None
    data = {
        "goal": now.goal,
        "why_not": now.why_not,
        "document": now.document.path if there else "",
        "kept": now.kept,
    }
    if not now.goal and not there:
        return Result("close", "refused", "there is no goal here that could be closed")
    return Result("close", "unchanged", "closing asks first", data=data)


def _close(engine: Engine, override: str | None) -> Result:
    from ppgp_tui.session.actions.closing import close

    return close(engine, override=override)
