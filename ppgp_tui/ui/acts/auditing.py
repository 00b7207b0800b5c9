"""What keys do with an audit: show, plan, start, cancel, take what nothing can check, close."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ppgp_tui.session.text import one_line
from ppgp_tui.ui.acts import confirming, deeds
from ppgp_tui.ui.acts.forms import Confirmation, Form
from ppgp_tui.ui.rows.linked import file_of
from ppgp_tui.ui.seat.audit_stay import VIEW, criterion_in_hand, here
from ppgp_tui.ui.seat.stay import OpenSheet
from ppgp_tui.ui.views.prose import wrapped

if TYPE_CHECKING:
    from ppgp_tui.audit.model import AuditPlan, Check
    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.ui.rows.row import Row
    from ppgp_tui.ui.rows.row_list import RowList
    from ppgp_tui.ui.seat.seat import Seat

START, ADD = "audit:start", "audit:add"


def show(seat: Seat) -> None:
    """Go to the view of the audit; there, or where nobody has looked yet, show a plan of one."""
    audit = seat.snapshot.audit.value
    was_here = here(seat)
    if not was_here:
        seat.audits.forget()
        seat.show_view([view.name for view in seat.views].index(VIEW))
        seat.arrange()
    if seat.journey is not None or not seat.can_act or audit.running is not None:
        return
    if was_here or audit.state in (None, "claimed"):
        seat.say("looking at what there is to audit")
        seat.outside.do(deeds.PlanAudit())


def planned(seat: Seat, result: Result) -> None:
    """The plan is there, or why there is none; it is shown unless something else is open."""
    if not result.ok:
        seat.say(one_line(result.message))
        return
    stay = seat.audits
    stay.plan, stay.trusted = result.data["plan"], result.data["trusted"]
    stay.sandbox = result.data["sandbox"]
    if seat.sheet is None and here(seat) and seat.journey is None:
        seat.sheet, seat.entry = OpenSheet("audit"), None
        seat.say(one_line(result.message))
        seat.arrange()
        _begin_where_one_acts(seat.sheet.rows)


def _begin_where_one_acts(rows: RowList) -> None:
    """The cursor begins on the start, unless what was narrowed would scroll out of sight then."""
    at = rows.pile.find(START)
    if at is not None and rows.pile.start(at) < rows.height:
        rows.go_to(START)


# --- the plan -----------------------------------------------------------------------------------


def chosen(seat: Seat) -> None:
    """Enter on a row of the plan."""
    row = seat.sheet.rows.row if seat.sheet is not None else None
    key = row.key if row is not None else ""
    if key == START:
        _start(seat)
    elif key == ADD:
        _add(seat)
    elif (check := _check(seat)) is not None:
        if check.argv and not check.left_out:
            _change(seat, check)
        else:
            _leave_out(seat)


def _check(seat: Seat) -> Check | None:
    """The check under the cursor of the plan."""
    row = seat.sheet.rows.row if seat.sheet is not None else None
    plan = seat.audits.plan
    if row is None or plan is None or not row.key.startswith("check:"):
        return None
    wanted = row.key.split(":")[1]
    return next((one for one in plan.checks if one.id == wanted), None)


def _ask_over_plan(seat: Seat, form: Form) -> None:
    """Ask something; Esc comes back to the plan."""
    plan = seat.sheet
    confirming.ask(seat, form)
    assert seat.sheet is not None
    seat.sheet.under = plan


def _edited(seat: Seat, edit: Callable[[AuditPlan], AuditPlan], sheet: OpenSheet | None) -> None:
    """Change the plan that is looked at, or say why that cannot be; then look at it again."""
    from ppgp_tui.audit.plan import PlanEditError

    assert seat.audits.plan is not None
    seat.sheet = sheet
    try:
        seat.audits.plan = edit(seat.audits.plan)
    except PlanEditError as error:
        seat.say(one_line(str(error)))
    seat.acting.said.clear()


def _leave_out(seat: Seat) -> None:
    """Leave a check out, with a reason; or put one back."""
    from ppgp_tui.audit import plan as planning

    check, sheet = _check(seat), seat.sheet
    if check is None:
        return
    if check.left_out:
        _edited(seat, lambda plan: _put_back(plan, check), sheet)
        return

    def made(said: Sequence[str]) -> Callable[[Seat], None]:
        return lambda of: _edited(
            of, lambda plan: planning.leave_out(plan, check.id, said[0]), sheet
        )

    _ask_over_plan(
        seat, Form(f"Leave out: {one_line(check.says)}", ("Why? The report keeps it:",), made)
    )


def _put_back(plan: AuditPlan, check: Check) -> AuditPlan:
    again = check._replace(left_out="")
    return plan._replace(checks=tuple(again if one is check else one for one in plan.checks))


def _change(seat: Seat, check: Check) -> None:
    """Give a check another command."""
    from ppgp_tui.audit import plan as planning

    sheet = seat.sheet

    def made(said: Sequence[str]) -> Callable[[Seat], None]:
        return lambda of: _edited(
            of, lambda plan: planning.change_command(plan, check.id, _words(said[0])), sheet
        )

    title = f"Another command for: {one_line(check.says)}"
    earlier = (shlex.join(check.argv),)
    _ask_over_plan(seat, Form(title, ("Program and arguments:",), made, earlier=earlier))


def _add(seat: Seat) -> None:
    """One more command, for the criterion under the cursor or for the whole goal."""
    from ppgp_tui.audit import plan as planning

    sheet, check = seat.sheet, _check(seat)
    row = sheet.rows.row if sheet is not None else None
    named = row.key.removeprefix("criterion:") if row and row.key.startswith("criterion:") else ""
    about = (named,) if named else check.criteria if check is not None else ()

    def made(said: Sequence[str]) -> Callable[[Seat], None]:
        return lambda of: _edited(
            of, lambda plan: planning.add_command(plan, _words(said[0]), about), sheet
        )

    title = f"One more command, for {', '.join(about) or 'the whole goal'}"
    _ask_over_plan(seat, Form(title, ("Program and arguments:",), made))


def _words(line: str) -> list[str]:
    from ppgp_tui.audit.plan import PlanEditError

    try:
        return shlex.split(line)
    except ValueError as error:
        raise PlanEditError(f"{line} is no command: {error}") from None


def unknown_commands(seat: Seat) -> tuple[tuple[str, ...], ...]:
    """The commands of the plan that no person has let run here, each once."""
    from ppgp_tui.audit.trust import fingerprint

    plan = seat.audits.plan
    if plan is None:
        return ()
    commands = dict.fromkeys(one.argv for one in plan.checks if one.argv and not one.left_out)
    return tuple(one for one in commands if fingerprint(one) not in seat.audits.trusted)


def _start(seat: Seat) -> None:
    """Begin; commands that nobody let run here yet are asked about first, exactly these."""
    from ppgp_tui.audit.words import command_words

    plan, unknown, sheet = seat.audits.plan, unknown_commands(seat), seat.sheet
    if plan is None:
        return
    if not unknown:
        seat.sheet = None
        _begin(seat, deeds.StartAudit(plan, ()))
        return
    one = len(unknown) == 1
    confirming.confirm(
        seat,
        Confirmation(
            "Let this command run here?" if one else f"Let these {len(unknown)} commands run here?",
            (
                f"{'It runs' if one else 'They run'} now, and without a question in later audits "
                "here. An agent may have written the words:",
            ),
            deeds.StartAudit(plan, unknown),
            (
                *(command_words(argv) for argv in unknown),
                "",
                *wrapped(_kept_from(seat), seat.sheet_width - 2),
            ),
            read_whole=True,
        ),
    )
    assert seat.sheet is not None
    seat.sheet.under = sheet


def _kept_from(seat: Seat) -> str:
    if seat.audits.sandbox:
        return (
            f"No sandbox: {one_line(seat.audits.sandbox)}. They run as you, in a throw-away copy "
            "of the work tree, and could reach your files and the network."
        )
    return (
        "In a sandbox: nothing of yours can be written to, the home is empty, and there is no "
        "network unless your settings say so."
    )


def _begin(seat: Seat, deed: deeds.StartAudit) -> None:
    seat.audits.plan = None
    seat.say("the audit begins")
    seat.outside.do(deed)


# --- the audit under way, and its verdict -------------------------------------------------------


def _cancel(seat: Seat) -> None:
    effects = (
        "What runs is ended, nothing is recorded, and the claim stays a claim.",
        "The work tree is as it was: commands never had it to write to.",
    )
    confirming.confirm(seat, Confirmation("Cancel the audit?", effects, deeds.CancelAudit()))


def _take(seat: Seat) -> None:
    """A person takes what nothing here can check."""
    verdict, criterion = seat.snapshot.audit.value.verdict, criterion_in_hand(seat)
    if verdict is None or not criterion:
        return

    def made(said: Sequence[str]) -> Confirmation:
        return Confirmation(
            "Take it as done?",
            (
                f"{criterion} counts as done because you say so: {said[0]}",
                "A new verdict is recorded from the same report; nothing runs again. Your name and "
                "your reason stand with it for ever.",
            ),
            deeds.Take(verdict.id, verdict.report_digest, criterion, said[0]),
        )

    title = f"Take {criterion} as done"
    confirming.ask(seat, Form(title, ("Why do you take it? Recorded for ever:",), made))


def _send_back(seat: Seat) -> None:
    """Tell the agents that are here what the audit objects to."""
    verdict = seat.snapshot.audit.value.verdict
    report = seat.audits.reports.get(verdict.id) if verdict is not None else None
    if report is None or isinstance(report, str):
        return
    there = [
        one for one in seat.snapshot.agents.value
        if one.state not in ("ended", "gone") and not seat.crew.kind(one.agent).why_not("note")
    ]  # fmt: skip
    if not there:
        seat.say("no agent is here that could be told: it gets them with its next claim")
        return
    text = "\n".join(["The audit rejects your claim:", *(
        f"- {one_line(one)}" for one in report.verdict.objections[:20]
    )])  # fmt: skip
    for agent in there:
        seat.outside.do(deeds.Note(agent.session, text))
    names = ", ".join(one.agent or one.session for one in there)
    seat.say(f"the objections go to {one_line(names)}")


def opens_row(seat: Seat, row: Row) -> bool:
    """Enter on a place in a file opens it in the editor."""
    if not here(seat) or not row.key.startswith("file:"):
        return False
    path, line = file_of(row)
    seat.outside.edit(path, line)
    return True


# --- leaving and closing ------------------------------------------------------------------------


def asks_before_leaving(seat: Seat) -> bool:
    """Whether leaving would cut audits short: then that is asked first."""
    names = seat.outside.under_way()
    if not names:
        return False
    whose = f"of {', '.join(map(one_line, names))} " if len(names) > 1 else ""
    held = seat.live.control.value.hold_id is not None
    effects = (
        f"The audit {whose}is under way here. Leaving cancels it: what runs is ended, nothing is "
        "recorded, and the claim stays a claim.",
        *(("Agents stay held.",) if held else ()),
    )
    confirming.confirm(seat, Confirmation("Leave and cancel the audit?", effects, deeds.Leave()))
    return True


def _close(seat: Seat) -> None:
    """Find out what closing would do before it is confirmed."""
    seat.say("looking at what closing would do")
    seat.outside.do(deeds.Close(dry_run=True))


def foreseen(seat: Seat, result: Result) -> None:
    """What closing would do is known: a goal that is not verified needs a reason first."""
    if not result.ok or seat.sheet is not None:
        seat.say(one_line(result.message))
        return
    seat.toast = ""
    why, data = result.data["why_not"], result.data
    goal = f"The goal: {one_line(data['goal'])}" if data["goal"] else ""
    if not data["document"]:
        document = ""
    elif data["kept"]:
        document = f"{data['document']} stays: {data['kept']}."
    else:
        document = f"{data['document']} is removed; Git keeps it as it was committed."

    def effects(*more: str) -> tuple[str, ...]:
        ends = "The goal ends here, in the log as satisfied. Nothing else is touched."
        return tuple(filter(None, (goal, *more, document, ends)))

    if not why:
        verified = "An audit verified it, and what it verified is what is here now."
        confirming.confirm(
            seat, Confirmation("Close the goal, verified?", effects(verified), deeds.Close())
        )
        return

    def made(said: Sequence[str]) -> Confirmation:
        return Confirmation(
            "Close it although it is not verified?",
            effects(
                f"{why[:1].upper()}{why[1:]}.",
                f"You take it because: {said[0]}",
                "That it was taken, by whom and why, is recorded and shown for ever.",
            ),
            deeds.Close(said[0]),
        )

    prompt = f"{why[:1].upper()}{why[1:]}. Why do you close it in spite of that?"
    confirming.ask(seat, Form("Close the goal without a verdict", (prompt,), made))


ACTS: dict[str, Callable[[Seat], None]] = {
    "audit": show,
    "audit.cancel": _cancel,
    "audit.take": _take,
    "audit.send_back": _send_back,
    "audit.leave_out": _leave_out,
    "audit.add": _add,
    "goal.close": _close,
}
"""By action id."""
