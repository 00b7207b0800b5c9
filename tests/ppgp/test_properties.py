"""What holds for every document whatsoever."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.ppgp.document import Document
from ppgp_tui.ppgp.goal import as_json, read_goal
from ppgp_tui.ppgp.reading import GoalReading

PIECES = st.sampled_from(
    [
        "# ", "## ", "### ", "#### ", "GOAL", "Goal", "PHASE", "phase", "DEFINITION_OF_DONE",
        "Definition of Done", "DoD", "COMPLETED", "REMAINING", "BLOCKERS",
        "HUMAN_AUTHORITY_REQUIRED", "VERIFICATION_EVIDENCE", "NEXT_EXECUTABLE_ACTION", "Next",
        "Status", "STATUS", "Objective", "Success criteria", "Goal candidates", "Recommendation",
        "Progress", "目标", "状态", "完成标准", "Цель", "ゴール候補", "推奨", ": ", "：", "**",
        "__", "*", "`", "```", "~~~", "<!--", "-->", "---", "===", "> ", "- ", "* ", "1. ",
        "2) ", "[x] ", "[ ] ", "[~] ", "[", "]", "(", ")", "|", "| ", "\\|", "EXECUTE",
        "CLOSED", "HARDENING", "DONE — ", "PARTIAL: ", "(done 2026-09-25)", "✅ ", "🔄 ", "⬜ ",
        "Type B ", "Class C", "(A)", "Step A", "Step B only: ", "DoD 1-3",
        "criteria 1 through 6", "DoD 9 (part)", "AC1: ", "until 2026-10-23", "None", "None.",
        "none", "owner must approve", "waiting", "TODO: ", "a1b2c3d", "3 passed", "tests/x.py",
        "→", ";", ",", ".", " ", "  ", "    ", "\t", "**A. x** y", "é", "漢", "\u202e", "\ufeff",
        "\x1b[31m", "\x00",
    ]
)  # fmt: skip
LINES = st.lists(PIECES, max_size=6).map("".join)
DOCUMENTS = st.one_of(
    st.lists(LINES, max_size=40).map("\n".join),
    st.lists(LINES, max_size=12).map(lambda lines: "---\n" + "\n".join(lines) + "\n---\n"),
    st.text(max_size=400),
)


def lines_named(reading: GoalReading) -> Iterator[int | None]:
    yield from (finding.line for finding in reading.reasons)
    for field in reading.fields:
        yield from (field.line, field.end_line, *(item.line for item in field.items))
    for section in reading.sections:
        yield from (section.line, section.end_line)
    for condition in reading.dod:
        yield from (condition.line, *(item.line for item in condition.evidence))
    yield from (blocker.line for blocker in reading.blockers)
    for kind in (reading.authority.pending, reading.authority.standing, reading.authority.granted):
        yield from (item.line for item in kind)
    yield reading.next_action.line if reading.next_action else None
    yield from (reading.goal_line, reading.phase_line)


@given(st.binary(max_size=300))
def test_any_bytes_come_back_as_they_were(data: bytes) -> None:
    assert Document(data).to_bytes() == data


@given(st.lists(st.sampled_from([b"a", b"\r", b"\n", b"\xff", b"\xef\xbb\xbf", b"\xc3\xa9"])))
def test_any_mix_of_line_endings_comes_back_as_it_was(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    document = Document(data)

    assert document.to_bytes() == data
    assert [line.number for line in document.lines] == list(range(1, len(document.lines) + 1))
    for line in document.lines:
        assert line.start <= line.end <= line.stop
        assert data[line.start : line.end].decode("utf-8", "replace") == line.text


@given(st.binary(max_size=600))
def test_reading_never_fails_on_any_bytes(data: bytes) -> None:
    as_json(read_goal(data, "docs/ACTIVE_GOAL.md"))


@given(DOCUMENTS)
def test_reading_never_fails_on_any_text(text: str) -> None:
    as_json(read_goal(text.encode("utf-8", "surrogatepass"), "docs/ACTIVE_GOAL.md"))


@given(DOCUMENTS)
def test_every_line_number_is_a_line_of_the_document(text: str) -> None:
    reading = read_goal(text.encode("utf-8", "replace"), "docs/ACTIVE_GOAL.md")

    for line in lines_named(reading):
        assert line is None or 1 <= line <= reading.line_count
    for field in reading.fields:
        assert field.line <= field.end_line


@given(DOCUMENTS)
def test_line_endings_do_not_change_the_reading(text: str) -> None:
    text = text.replace("\r", "")
    unix = as_json(read_goal(text.encode("utf-8", "replace"), "x", 1 << 30))
    dos = as_json(read_goal(text.replace("\n", "\r\n").encode("utf-8", "replace"), "x", 1 << 30))

    assert unix == dos


@given(DOCUMENTS)
def test_counts_are_the_counts_of_what_is_listed(text: str) -> None:
    read = as_json(read_goal(text.encode("utf-8", "replace"), "x"))
    states = [condition["state"] for condition in read["dod"]]  # type: ignore[attr-defined]

    assert read["dod_total"] == len(states)
    assert read["dod_done"] == states.count("done") + states.count("claimed")
    assert sum(read["blocker_counts"].values()) == len(read["blockers"])  # type: ignore[attr-defined, arg-type]
    assert read["next_executable_now"] in (True, False)
    assert not (read["next_action"] is None and read["next_executable_now"])
