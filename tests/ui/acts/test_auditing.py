"""What keys do with an audit: nothing runs, counts or ends without the person having seen it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppgp_tui.audit.trust import fingerprint
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.model import Part, SessionSnapshot
from ppgp_tui.session.picture.audit_state import Audit
from ppgp_tui.ui.acts import confirming, deeds
from ppgp_tui.ui.looks.audit_words import lamp
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.seat.stay import OpenSheet
from tests.ui import picture, picture_agents, picture_audit
from tests.ui.desk import Person
from tests.ui.stand_in import told
from tests.ui.views.drawn import PLAIN


def person(shown: SessionSnapshot, width: int = 80, height: int = 30) -> Person:
    return Person(width=width, height=height).show(shown).look()


def with_report(shown: SessionSnapshot, word: str = "rejected", width: int = 80) -> Person:
    of = person(shown, width).press("A")
    of.seat.audits.reports.update(picture_audit.reports(word))  # type: ignore[arg-type]
    of.paint()
    return of.press("home")


def over_plan(of: Person, **given: object) -> Person:
    """The plan is looked at, the cursor on its start."""
    of.seat.audits = picture_audit.looked_at(**given)  # type: ignore[arg-type]
    of.seat.sheet = OpenSheet("audit")
    of.paint()
    while of.seat.sheet.rows.cursor != "audit:start":
        of.press("j")
    return of


def planned(trusts: int = 2) -> Result:
    made = picture_audit.looked_at(trusts=trusts)
    data = {"plan": made.plan, "trusted": made.trusted, "sandbox": ""}
    return Result("audit", "done", "nothing runs before you start it", data=data)


# --- showing ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("height", "begins"), [(40, "audit:start"), (14, "narrowed:")])
def test_the_cursor_begins_on_the_start_where_what_was_narrowed_stays_in_sight_above_it(
    height: int, begins: str
) -> None:
    of = person(picture_audit.claimed(), 80, height).press("A")
    confirming.done(of.seat, deeds.PlanAudit(), planned())
    of.paint()
    assert of.seat.sheet is not None
    rows = of.seat.sheet.rows
    assert rows.cursor.startswith(begins)
    assert rows.top == 0
    assert rows.row is not None
    assert "gone since FREEZE" in of.screen


@pytest.mark.parametrize("state", [picture_audit.none, picture_audit.claimed])
def test_where_nobody_has_looked_the_key_asks_for_the_plan_at_once(state: object) -> None:
    of = person(state()).press("A")  # type: ignore[operator]
    assert of.seat.view.name == "audit"
    assert of.deeds == [deeds.PlanAudit()]
    confirming.done(of.seat, deeds.PlanAudit(), planned())
    of.paint()
    assert of.sheet == "audit"
    assert "Plan of the audit" in of.screen


def test_where_there_is_a_verdict_the_key_shows_it_and_again_asks_for_a_plan() -> None:
    of = person(picture_audit.rejected()).press("A")
    assert (of.deeds, "REJECTED" in of.screen) == ([], True)
    of.press("A")
    assert of.deeds == [deeds.PlanAudit()]


def test_one_under_way_is_shown_whoever_makes_it_and_no_second_one_begins() -> None:
    of = person(picture_audit.running()).press("A")
    assert "check 3 of 7" in of.screen
    of.press("A")
    assert of.deeds == []
    assert of.toast == "this is the audit under way: X cancels it"


def test_esc_goes_back_to_where_the_person_was() -> None:
    of = person(picture_audit.rejected()).press("5", "A", "esc")
    assert of.seat.view.name == "goal"
    of.press("A", "2")
    assert of.seat.view.name == "plan"


def test_a_plan_that_comes_late_covers_nothing_else() -> None:
    of = person(picture_audit.none()).press("A", "1")
    confirming.done(of.seat, deeds.PlanAudit(), planned())
    assert of.sheet == ""


def test_the_report_is_read_once_and_again_when_the_view_is_entered_anew() -> None:
    of = person(picture_audit.rejected()).press("A").look().look()
    assert told(of.seat).reports == [(picture_audit.NEWEST, "sha256:r")]
    of.press("1", "A")
    assert len(told(of.seat).reports) == 2


def test_of_the_past_nothing_is_read_and_nothing_begins() -> None:
    of = person(picture_audit.rejected()).press("<")
    of.press("A", "A")
    assert told(of.seat).reports == []
    assert of.deeds == []


# --- the plan -----------------------------------------------------------------------------------


def test_an_audit_of_known_commands_begins_with_enter() -> None:
    of = over_plan(person(picture_audit.none()).press("A"), trusts=2)
    plan = of.seat.audits.plan
    assert plan is not None
    of.press("enter")
    assert of.deeds[1:] == [deeds.StartAudit(plan, ())]
    assert of.sheet == ""


def test_unknown_commands_are_let_run_by_a_yes_that_names_exactly_these() -> None:
    of = over_plan(person(picture_audit.none()).press("A"), trusts=1)
    plan = of.seat.audits.plan
    assert plan is not None
    of.press("enter")
    assert "pytest tests/crash -k 'no row'" in of.screen
    assert "pytest tests/batch" not in of.screen
    of.press("y")
    assert of.deeds[1:] == [
        deeds.StartAudit(plan, (("pytest", "tests/crash", "-k", "no row"),))
    ]  # fmt: skip


@pytest.mark.parametrize("keys", [("enter",), ("n",), ("esc",)])
def test_no_is_where_it_rests_and_leads_back_to_the_plan(keys: tuple[str, ...]) -> None:
    of = over_plan(person(picture_audit.none()).press("A"), trusts=0).press("enter", *keys)
    assert of.deeds == [deeds.PlanAudit()]
    assert of.sheet == "audit"


def test_a_yes_counts_only_once_the_whole_was_on_the_screen() -> None:
    of = over_plan(person(picture_audit.none(), 48, 14).press("A"), trusts=0)
    of.press("enter", "y")
    assert of.deeds == [deeds.PlanAudit()]
    assert "read it to its end first" in of.toast
    for _ in range(6):
        of.press("pagedown")
    of.press("y")
    assert isinstance(of.deeds[-1], deeds.StartAudit)


def test_a_check_is_left_out_with_a_reason_and_put_back() -> None:
    of = over_plan(person(picture_audit.none(), 80, 60).press("A"))
    while of.seat.sheet is not None and of.seat.sheet.rows.cursor != "check:c3:dod:3":
        of.press("j")
    of.press("-").type("the machine is too small").press("enter")
    plan = of.seat.audits.plan
    assert plan is not None
    assert [one.left_out for one in plan.checks if one.id == "c3"] == ["the machine is too small"]
    assert of.sheet == "audit"
    assert "because: the machine is too small" in of.screen
    of.press("-")
    assert all(not one.left_out for one in of.seat.audits.plan.checks)  # type: ignore[union-attr]


def test_a_command_is_changed_and_a_changed_one_is_new_here() -> None:
    of = over_plan(person(picture_audit.none()).press("A"), trusts=2)
    while of.seat.sheet is not None and of.seat.sheet.rows.cursor != "check:c3:dod:3":
        of.press("j")
    of.press("enter")
    assert "pytest tests/batch" in of.screen
    of.type(" -x 'a b'").press("enter")
    plan = of.seat.audits.plan
    assert plan is not None
    assert next(one.argv for one in plan.checks if one.id == "c3") == (
        "pytest", "tests/batch", "-x", "a b",
    )  # fmt: skip
    assert "new here" in of.screen


def test_a_command_is_added_for_the_criterion_under_the_cursor() -> None:
    of = over_plan(person(picture_audit.none()).press("A"))
    while of.seat.sheet is not None and of.seat.sheet.rows.cursor != "criterion:dod:5":
        of.press("j")
    of.press("+").type("make compare").press("enter")
    plan = of.seat.audits.plan
    assert plan is not None
    added = plan.checks[-1]
    assert (added.argv, added.criteria, added.source) == (("make", "compare"), ("dod:5",), "person")


def test_words_that_are_no_command_change_nothing_and_say_so() -> None:
    of = over_plan(person(picture_audit.none()).press("A"))
    before = of.seat.audits.plan
    of.press("+").type("make 'compare").press("enter")
    assert of.seat.audits.plan == before
    assert "is no command" in of.toast
    assert of.sheet == "audit"


def test_esc_while_typing_comes_back_to_the_plan() -> None:
    of = over_plan(person(picture_audit.none()).press("A")).press("+").type("ma").press("esc")
    assert of.sheet == "audit"


def test_hidden_words_of_a_command_are_shown_as_they_are() -> None:
    of = over_plan(person(picture_audit.none()).press("A"))
    plan = of.seat.audits.plan
    assert plan is not None
    odd = plan.checks[2]._replace(argv=("sh", "-c", "make\n\x1b[2Jrm -rf /", ""))
    of.seat.audits.plan = plan._replace(checks=(*plan.checks[:2], odd, *plan.checks[3:]))
    of.press("enter")
    assert r"sh -c 'make\n\x1b[2Jrm -rf /' ''" in of.screen


# --- under way ----------------------------------------------------------------------------------


def test_cancelling_asks_first() -> None:
    of = person(picture_audit.running()).press("A", "X")
    assert "the claim stays a claim" in of.screen
    of.press("enter")
    assert of.deeds == []
    of.press("X", "y")
    assert of.deeds == [deeds.CancelAudit()]


def test_the_live_view_survives_going_elsewhere_and_back() -> None:
    of = person(picture_audit.running()).press("A", "4", "2")
    of.show(picture_audit.running(done=4, output=("tests/batch: 41 passed",)))
    of.press("A")
    assert "check 5 of 7" in of.screen
    assert "tests/batch: 41 passed" in of.screen


def test_leaving_with_an_audit_under_way_asks_and_cancels() -> None:
    of = person(picture_audit.running())
    told(of.seat).audits = ("importer",)
    of.press("q")
    assert "Leave and cancel the audit?" in of.screen
    assert told(of.seat).left == 0
    of.press("n", "q", "y")
    assert told(of.seat).left == 1


def test_leaving_asks_nothing_of_an_audit_that_somebody_else_makes() -> None:
    of = person(picture_audit.running()).press("q")
    assert told(of.seat).left == 1


# --- a verdict ----------------------------------------------------------------------------------


def on_criterion(of: Person, name: str) -> Person:
    for _ in range(40):
        if of.cursor == f"criterion:{name}":
            return of
        of.press("j")
    raise AssertionError(of.screen)


def test_what_nothing_can_check_is_taken_with_a_reason_and_a_yes() -> None:
    of = on_criterion(with_report(picture_audit.undecided(), "inconclusive"), "dod:5")
    of.press("y").type("compared by hand").press("enter")
    assert "counts as done because you say so: compared by hand" in " ".join(of.screen.split())
    assert of.deeds == []
    of.press("y")
    assert of.deeds == [deeds.Take(picture_audit.NEWEST, "sha256:r", "dod:5", "compared by hand")]


def test_what_was_checked_cannot_be_taken() -> None:
    of = on_criterion(with_report(picture_audit.rejected()), "dod:4").press("y")
    assert of.deeds == []
    assert of.sheet == ""


def test_of_a_stale_verdict_nothing_can_be_taken() -> None:
    of = on_criterion(with_report(picture_audit.stale()), "dod:5").press("y")
    assert of.sheet == ""


def test_enter_on_evidence_opens_the_file_at_its_line() -> None:
    of = on_criterion(with_report(picture_audit.rejected()), "dod:4").press("enter")
    while of.cursor != "file:0":
        of.press("j")
    of.press("enter")
    assert told(of.seat).edited == [("src/importer/batch.py", 88)]
    of.press("e")
    assert told(of.seat).edited[1:] == [("src/importer/batch.py", 88)]


def test_enter_on_a_commit_shows_it_and_esc_comes_back() -> None:
    of = on_criterion(with_report(picture_audit.rejected()), "dod:2").press("enter")
    while of.cursor != "made:c2":
        of.press("j")
    of.press("enter")
    assert told(of.seat).commits == ["4e1f09c"]
    assert of.seat.view.name == "events"
    of.press("esc")
    assert of.seat.view.name == "audit"


def test_objections_go_to_the_agents_that_can_be_told() -> None:
    of = with_report(
        replace(
            picture_audit.rejected(),
            agents=picture_agents.crowd(picture_agents.claude()).agents,
        )
    )
    of.press("s")
    (note,) = of.deeds
    assert isinstance(note, deeds.Note)
    assert "row 812 written twice" in note.text


def test_a_report_that_was_changed_shows_none_of_its_words() -> None:
    of = person(picture_audit.rejected()).press("A")
    of.seat.audits.reports[picture_audit.NEWEST] = "the report was changed since: what the log says"
    of.paint()
    assert "the report was changed since" in of.screen
    assert "A killed import resumes" not in of.screen
    assert "2 things fail" in of.screen


# --- closing ------------------------------------------------------------------------------------


def foreseen(**given: str) -> Result:
    data = {"goal": "It resumes", "why_not": "", "document": "docs/ACTIVE_GOAL.md", "kept": ""}
    return Result("close", "unchanged", "", data=data | given)


def test_a_verified_goal_is_closed_after_its_exact_effect_was_stated() -> None:
    of = person(picture_audit.approved()).press("D")
    assert of.deeds == [deeds.Close(dry_run=True)]
    confirming.done(of.seat, deeds.Close(dry_run=True), foreseen())
    of.paint()
    assert "docs/ACTIVE_GOAL.md is removed; Git keeps it" in of.screen
    of.press("y")
    assert of.deeds[1:] == [deeds.Close()]


def test_a_goal_that_is_not_verified_needs_a_reason_before_it_is_closed() -> None:
    of = person(picture_audit.stale()).press("D")
    why = "the verdict is stale: the plan changed since"
    confirming.done(
        of.seat, deeds.Close(dry_run=True), foreseen(why_not=why, kept="it is in no commit")
    )
    of.paint()
    assert "The verdict is stale" in of.screen
    of.press("enter")
    assert of.sheet == "form"
    of.type("the customer waits").press("enter")
    assert "stays: it is in no commit" in of.screen
    of.press("enter")
    assert of.deeds == [deeds.Close(dry_run=True)]
    of.press("D")
    confirming.done(of.seat, deeds.Close(dry_run=True), foreseen(why_not=why))
    of.paint()
    of.press("enter", "y")
    assert of.deeds[-1] == deeds.Close("the customer waits")


# --- lamps and words ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("audit", "wide", "narrow"),
    [
        (Audit(), "no audit", "A -"),
        (Audit("claimed"), "claimed", "A ◌"),
        (picture_audit.running().audit.value, "audit 3/7", "A 3/7"),
        (Audit("verified", False), "✓✓ verified", "A ✓✓"),
        (Audit("rejected", False), "audit rejected", "A ✗"),
        (Audit("stale", True), "audit stale", "A old"),
        (Audit("unsure", False), "audit unsure", "A ?"),
        (Audit("taken", False), "audit taken", "A /"),
    ],
)
def test_the_lamp_of_every_state(audit: Audit, wide: str, narrow: str) -> None:
    assert lamp(audit, False, PLAIN).text == wide
    assert lamp(audit, True, PLAIN).text == narrow


def test_a_verdict_of_which_nobody_knows_whether_it_fits_verifies_nothing() -> None:
    look: Look = PLAIN
    assert "verified" not in lamp(Audit("verified", None), False, look).text
    of = person(replace(picture.full(), audit=Part(Audit("verified", None))))
    assert "verified" not in of.screen


def test_what_is_done_is_verified_only_while_a_verdict_fits() -> None:
    of = person(picture_audit.approved())
    assert "✓✓" in of.screen.splitlines()[of.line_with("Checkpoint format")]
    assert of.screen.count("verified") == 3
    of.show(picture_audit.stale())
    assert "verified" not in of.screen


def test_a_fingerprint_is_of_the_exact_words() -> None:
    assert fingerprint(["a", "b c"]) != fingerprint(["a", "b", "c"])
