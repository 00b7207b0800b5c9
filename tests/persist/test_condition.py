"""Success is looked up outside: exit code, file, text (persist reference section 5, fault F15)."""

from __future__ import annotations

import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.persist.condition import FORMS, ConditionError, holds, parse


class Files:
    def __init__(self, **files: str) -> None:
        self.files = files

    def exists(self, path: str) -> bool:
        return path in self.files

    def text(self, path: str) -> str | None:
        return self.files.get(path)


def held(text: str, exit_code: int | None = 1, **files: str) -> bool:
    return holds(parse(text), exit_code, Files(**files)) is not None


def test_behaviour_4_exit_code_0_looks_at_the_run_alone() -> None:
    assert held("exit-code-0", 0)
    assert not held("exit-code-0", 1)
    assert not held("exit-code-0", None)
    assert not parse("exit-code-0").by_state


def test_behaviour_5_file_exists_before_and_after_it_is_made() -> None:
    assert not held("file-exists:DONE", 0)
    assert held("file-exists:DONE", DONE="")


def test_behaviour_6_grep_on_running_then_done() -> None:
    assert not held("grep:DONE:STATUS", STATUS="RUNNING\n")
    assert held("grep:DONE:STATUS", STATUS="DONE\n")


def test_behaviour_7_grep_on_a_missing_file_does_not_hold() -> None:
    assert not held("grep:DONE:STATUS", 0)


def test_grep_is_plain_text_and_the_file_may_hold_colons() -> None:
    assert not held("grep:D.NE:STATUS", STATUS="DONE")
    assert holds(parse("grep:a:b:c"), 1, Files(**{"b:c": "xay"})) == "b:c line 1"


def test_a_text_or_pattern_of_the_stricter_forms_may_hold_colons() -> None:
    assert held("line:STATUS: DONE:STATUS", STATUS="STATUS: DONE\n")
    assert held("regex:^(?:done|ready)$:STATUS", STATUS="ready\n")


def test_f15_stricter_forms_tell_done_from_not_done() -> None:
    """F15: `NOT DONE` matches `grep:DONE`."""
    assert held("grep:DONE:STATUS", STATUS="NOT DONE\n")
    assert not held("line:DONE:STATUS", STATUS="NOT DONE\n")
    assert held("line:DONE:STATUS", STATUS="NOT YET\n DONE \r\n")
    assert held("regex:^[Dd]one$:STATUS", STATUS="x\ndone\r\n")
    assert not held("regex:^[Dd]one$:STATUS", STATUS="not done\n")


def test_f15_why_it_held_names_file_and_line() -> None:
    assert holds(parse("line:DONE:S"), 1, Files(S="a\nb\nDONE")) == "S line 3"
    assert holds(parse("grep:DONE:S"), 1, Files(S="a\nDONE")) == "S line 2"


@pytest.mark.parametrize(
    "text",
    ["exit-code-zero", "", "file-exists:", "file-exists", "grep::STATUS", "grep:DONE", "grep:DONE:",
     "line:DONE", "regex:(:STATUS", "regex:a{99999999999}:STATUS",
     f"regex:{'(' * 9_000}{')' * 9_000}:STATUS", "goal-verified"],
)  # fmt: skip
def test_f15_a_mistyped_condition_is_refused(text: str) -> None:
    """F15: it was accepted and could never hold, or held at once."""
    with pytest.raises(ConditionError):
        parse(text)


def test_a_refusal_names_the_forms_there_are() -> None:
    with pytest.raises(ConditionError) as caught:
        parse("exit-code-zero", {"goal-verified": lambda _: None})
    assert all(form in str(caught.value) for form in (*FORMS, "goal-verified"))


def test_a_check_of_the_surroundings_is_asked_by_name() -> None:
    said: list[str | None] = [None, "audit 7 says so"]
    outside = {"goal-verified": lambda _: said.pop(0)}
    condition = parse("goal-verified", outside)
    assert holds(condition, 0, Files(), outside) is None
    assert holds(condition, 1, Files(), outside) == "audit 7 says so"


@given(st.text("ab \n\r\t", max_size=30), st.text("ab \r", min_size=1, max_size=4))
def test_a_line_is_found_wherever_it_stands(text: str, wanted: str) -> None:
    lines = [line.strip() for line in text.split("\n")]
    first = lines.index(wanted.strip()) + 1 if wanted.strip() in lines else None
    why = holds(parse(f"line:{wanted}:F"), 1, Files(F=text))
    assert why == (f"F line {first}" if first else None)


@pytest.mark.parametrize("condition", ["line:DONE:F", "regex:^DONE$:F"])
def test_a_file_of_many_short_lines_is_not_taken_apart(condition: str) -> None:
    """An agent can write any file, and a runner that has no memory left is gone."""
    text = "no\n" * 1_000_000
    tracemalloc.start()
    try:
        assert not held(condition, F=text)
        assert tracemalloc.get_traced_memory()[1] < len(text)
    finally:
        tracemalloc.stop()
