"""From what was found out to one word."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.audit.model import (
    Alarm,
    Answer,
    AuditPlan,
    Check,
    Criterion,
    Found,
    Opinion,
    Outcome,
    Quote,
    Verdict,
)
from ppgp_tui.audit.verdict import combine

OUTCOMES: tuple[Outcome, ...] = ("pass", "fail", "cannot_check")
RANK = {"rejected": 0, "inconclusive": 1, "approved_with_notes": 2, "approved": 3}


def criterion(number: int, said: str = "done") -> Criterion:
    return Criterion(f"dod:{number}", "dod", number, f"condition {number}", number, said)


def check(number: int, kind: str = "command", about: tuple[str, ...] = ("dod:1",)) -> Check:
    argv = ("make",) if kind in ("command", "tests") else ()
    return Check(f"c{number}", kind, about, f"claim {number}", argv=argv)  # type: ignore[arg-type]


def found(number: int, outcome: Outcome = "pass") -> Found:
    return Found(f"c{number}", outcome, f"found {outcome}")


def plan(*checks: Check, criteria: int = 1, said: str = "done", **more: object) -> AuditPlan:
    return AuditPlan(
        "goal", "docs/ACTIVE_GOAL.md", {}, tuple(criterion(n + 1, said) for n in range(criteria)),
        checks, **more,  # type: ignore[arg-type]
    )  # fmt: skip


def said(*outcomes: Outcome, **more: object) -> Answer:
    opinions = (
        Opinion(f"dod:{n}", outcome, f"auditor: {outcome}", (Quote("a.md", "words in it"),))
        for n, outcome in enumerate(outcomes, 1)
    )
    return Answer(True, opinions=tuple(opinions), **more)  # type: ignore[arg-type]


def word(verdict: Verdict) -> str:
    return verdict.word


def test_a_condition_whose_command_passes_is_approved() -> None:
    verdict = combine(plan(check(1)), [found(1)], None)
    assert (verdict.word, verdict.by) == ("approved", "mechanical")


def test_one_failing_check_rejects_and_says_what_fails() -> None:
    verdict = combine(plan(check(1), check(2)), [found(1), found(2, "fail")], None)
    assert verdict.word == "rejected"
    assert verdict.objections == ("condition 1: found fail",)


def test_a_condition_that_its_own_document_calls_open_rejects() -> None:
    verdict = combine(plan(check(1), said="open"), [found(1)], said("pass"))
    assert verdict.word == "rejected"
    assert "the document itself says that it is open" in verdict.objections[0]


def test_a_condition_nobody_checked_leaves_it_undecided() -> None:
    assert word(combine(plan(), [], None)) == "inconclusive"
    assert word(combine(plan(check(1)), [], None)) == "inconclusive"
    assert word(combine(plan(check(1, "nobody")), [found(1, "cannot_check")], None)) == (
        "inconclusive"
    )


def test_that_a_file_is_there_shows_no_more_than_that_whatever_else_passes() -> None:
    there, tests = check(1, "file"), check(2, about=())
    assert word(combine(plan(there), [found(1)], None)) == "inconclusive"
    verdict = combine(plan(there, tests), [found(1), found(2)], None)
    assert verdict.word == "inconclusive"
    assert "no more than that" in verdict.judged[0].why
    assert word(combine(plan(there, tests), [found(1), found(2)], said("pass"))) == "approved"


def test_no_auditor_answers_for_a_command_that_nobody_ran() -> None:
    left = check(1)._replace(left_out="no person has let it run here")
    assert word(combine(plan(left), [], said("pass"))) == "inconclusive"
    assert word(combine(plan(check(1)), [found(1, "cannot_check")], said("pass"))) == (
        "inconclusive"
    )
    assert word(combine(plan(left), [], said("fail"))) == "rejected"


def test_a_command_for_the_whole_goal_that_did_not_run_leaves_it_undecided() -> None:
    whole = check(2, about=())
    left = whole._replace(left_out="takes a day")
    for more, results in (
        (left, [found(1)]), (whole, [found(1)]), (whole, [found(1), found(2, "cannot_check")]),
    ):  # fmt: skip
        assert word(combine(plan(check(1), more), results, said("pass"))) == "inconclusive"


def test_what_is_about_production_only_a_person_takes() -> None:
    made = plan(check(1))
    about = made.criteria[0]._replace(text="Imports resume in production")
    made = made._replace(criteria=(about,))
    assert word(combine(made, [found(1)], said("pass"))) == "inconclusive"
    assert word(combine(made, [found(1)], None)) == "inconclusive"
    assert word(combine(made, [found(1, "fail")], None)) == "rejected"
    taken = combine(made, [found(1)], said("pass"), taken={"dod:1": "user:ann: saw it"})
    assert taken.word == "approved_with_notes"


def test_what_was_agreed_and_is_gone_only_a_person_lets_go() -> None:
    gone = Criterion("narrowed:1", "dod", 1, "As frozen: “speed”, which is gone", None, "")
    made = plan(check(1))
    made = made._replace(criteria=(*made.criteria, gone))
    assert word(combine(made, [found(1)], None)) == "inconclusive"
    assert word(combine(made, [found(1)], said("pass"))) == "inconclusive"
    taken = combine(made, [found(1)], said("pass"), taken={"narrowed:1": "user:ann: agreed"})
    assert taken.word == "approved_with_notes"


def test_without_git_nothing_is_verified_because_nothing_can_tell_when_it_moves() -> None:
    made = plan(check(1))._replace(bound={"code": None})
    assert word(combine(made, [found(1)], said("pass"))) == "inconclusive"
    assert word(combine(made, [found(1, "fail")], None)) == "rejected"


def test_a_failing_command_of_the_whole_goal_rejects() -> None:
    verdict = combine(plan(check(1), check(2, about=())), [found(1), found(2, "fail")], None)
    assert verdict.objections == ("claim 2: found fail",)


def test_an_auditor_decides_what_checks_cannot_but_never_what_they_found_wrong() -> None:
    unseen = plan(check(1, "nobody"))
    assert word(combine(unseen, [found(1, "cannot_check")], said("pass"))) == "approved"
    wrong = plan(check(1))
    assert word(combine(wrong, [found(1, "fail")], said("pass"))) == "rejected"


@pytest.mark.parametrize(
    ("outcome", "expected"), [("fail", "rejected"), ("cannot_check", "inconclusive")]
)
def test_an_auditor_can_take_away_what_the_checks_gave(outcome: Outcome, expected: str) -> None:
    assert word(combine(plan(check(1)), [found(1)], said(outcome))) == expected


def test_an_answer_that_cannot_be_used_decides_nothing() -> None:
    verdict = combine(plan(check(1)), [found(1)], Answer(False, "cut off"))
    assert verdict.word == "inconclusive"
    assert "cut off" in verdict.why
    rejected = combine(plan(check(1)), [found(1, "fail")], Answer(False, "cut off"))
    assert rejected.word == "rejected"


def test_a_person_takes_what_nobody_can_check_but_not_what_fails() -> None:
    unseen = plan(check(1, "nobody"))
    verdict = combine(unseen, [found(1, "cannot_check")], None, taken={"dod:1": "user:ann"})
    assert verdict.word == "approved_with_notes"
    assert verdict.judged[0].taken_by == "user:ann"
    assert any("user:ann" in note for note in verdict.notes)
    failing = combine(plan(check(1)), [found(1, "fail")], None, taken={"dod:1": "user:ann"})
    assert failing.word == "rejected"


def test_what_was_narrowed_left_out_or_less_isolated_is_noted() -> None:
    one = plan(check(1), alarms=(Alarm("criterion_removed", "speed"),))
    assert word(combine(one, [found(1)], None)) == "approved_with_notes"
    assert word(combine(plan(check(1)), [found(1)], None, isolation="copy")) == (
        "approved_with_notes"
    )
    noted = combine(plan(check(1)), [found(1)], said("pass", notes=("short runbook",)))
    assert noted.notes == ("short runbook",)


def test_a_check_left_out_cannot_approve_its_condition() -> None:
    left = check(1)._replace(left_out="takes a day")
    verdict = combine(plan(left), [], None)
    assert verdict.word == "inconclusive"
    assert "left out: claim 1 (takes a day)" in verdict.notes


def test_uncommitted_changes_are_noted_and_do_not_decide() -> None:
    clean = Check("c2", "clean", (), "committed")
    verdict = combine(plan(check(1), clean), [found(1), found(2, "fail")], None)
    assert (verdict.word, verdict.notes) == ("approved_with_notes", ("found fail",))


def test_without_a_criterion_nothing_is_approved() -> None:
    assert word(combine(plan(criteria=0), [], said())) == "inconclusive"


@given(
    st.lists(st.sampled_from(OUTCOMES), min_size=1, max_size=4),
    st.lists(st.sampled_from(OUTCOMES), min_size=1, max_size=4),
    st.booleans(),
)
def test_worse_findings_never_make_a_better_verdict(
    checks: list[Outcome], opinions: list[Outcome], asked: bool
) -> None:
    count = min(len(checks), len(opinions))
    made = plan(*(check(n + 1, about=(f"dod:{n + 1}",)) for n in range(count)), criteria=count)

    def verdict(found_out: list[Outcome], heard: list[Outcome]) -> int:
        results = [found(n, one) for n, one in enumerate(found_out[:count], 1)]
        return RANK[combine(made, results, said(*heard[:count]) if asked else None).word]

    base = verdict(checks, opinions)
    for at, worse in itertools.product(range(count), ("fail", "cannot_check")):
        if checks[at] == "pass":
            assert verdict([*checks[:at], worse, *checks[at + 1 :]], opinions) <= base  # type: ignore[list-item]
        if opinions[at] == "pass":
            assert verdict(checks, [*opinions[:at], worse, *opinions[at + 1 :]]) <= base  # type: ignore[list-item]
