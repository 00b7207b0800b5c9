"""Seven outcomes as one verdict: the worst first, and nothing unknown taken for known."""

from __future__ import annotations

import pytest

from ppgp_tui.session.picture.conformance import (
    NUMBERS,
    SHOWN,
    Checked,
    CheckState,
    Conformance,
    Finding,
    Outcome,
    Standing,
    conformance_now,
)

PASSED = Outcome("passed")
NOTHING = Conformance()


def failed(check: int, findings: int = 1) -> Outcome:
    first = tuple(Finding(check, f"finding {n}", "p", n) for n in range(min(findings, SHOWN)))
    return Outcome("failed", findings, first)


def verdict(*others: tuple[int, Outcome], history: Outcome = PASSED) -> Conformance:
    log = {number: PASSED for number in NUMBERS if number != 4}
    return conformance_now(Checked({**log, **dict(others)}), history, NOTHING, 1_000)


def test_all_passed_is_ok() -> None:
    assert verdict().state == "ok"


def test_before_anything_was_looked_at_nothing_is_known_and_since_no_time() -> None:
    now = conformance_now(Checked(), Outcome(), NOTHING, 1_000)
    assert (now.state, now.since_ms) == ("unknown", None)


@pytest.mark.parametrize("state", ["unknown", "checking"])
def test_while_one_check_has_no_outcome_the_log_is_not_called_sound(state: CheckState) -> None:
    assert verdict(history=Outcome(state)).state == "checking"


def test_a_long_log_that_somebody_asked_to_have_checked_is_being_checked() -> None:
    left_out = Outcome("unchecked", why="long")
    assert verdict(history=left_out).state == "unchecked"
    assert verdict((1, Outcome("checking")), history=left_out).state == "checking"


def test_a_finding_counts_at_once_whatever_else_is_still_unknown() -> None:
    now = verdict((5, failed(5)), history=Outcome("unknown"))
    assert (now.state, now.findings) == ("failed", 1)


@pytest.mark.parametrize(
    ("lacking", "state"),
    [
        (Outcome("failed", 1, lacks="manifest"), "incomplete"),
        (Outcome("failed", 1), "failed"),
    ],
)
def test_what_was_never_begun_is_no_fault_of_the_log(lacking: Outcome, state: Standing) -> None:
    assert verdict((6, lacking)).state == state


def test_a_lack_hides_no_finding_of_another_check() -> None:
    now = verdict((6, Outcome("failed", 1, lacks="manifest")), (3, failed(3)))
    assert (now.state, now.lacks) == ("failed", ("manifest",))


def test_the_first_findings_are_kept_check_by_check_and_all_are_counted() -> None:
    now = verdict((1, failed(1, 15)), (7, failed(7, 1_000)))
    assert now.findings == 1_015
    assert [one.check for one in now.first] == [1] * 15 + [7] * 5


def test_since_stands_until_state_checks_or_findings_differ() -> None:
    begun = verdict()
    longer = conformance_now(
        Checked({n: PASSED for n in NUMBERS if n != 4}, lines=12), PASSED, begun, 2_000
    )
    assert (longer.since_ms, longer.lines) == (1_000, 12)
    worse = conformance_now(Checked(), failed(4), longer, 3_000)
    assert worse.since_ms == 3_000


def test_where_there_is_no_log_the_lamp_has_nothing_to_say() -> None:
    checked = Checked({1: failed(1)}, is_absent=True)
    assert conformance_now(checked, PASSED, NOTHING, 1).state == "absent"
