"""The document as lines: every byte has its place, and what is no text is told apart."""

import pytest

from ppgp_tui.ppgp.document import Document, why_unreadable
from ppgp_tui.ppgp.goal import read_goal


def texts(data: bytes) -> list[str]:
    return [line.text for line in Document(data).lines]


def test_a_byte_order_mark_belongs_to_no_line() -> None:
    document = Document(b"\xef\xbb\xbf# Goal\n")

    assert document.bom == b"\xef\xbb\xbf"
    assert document.lines[0].text == "# Goal"
    assert document.lines[0].start == 3


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\r\nb\nc", ["a", "b", "c"]),
        (b"a\n\r\n\nb", ["a", "", "", "b"]),
        (b"a\rb\rc", ["a", "b", "c"]),
        (b"a\rb\nc", ["a\rb", "c"]),
        (b"caf\xc3\xa9 \xff\xfe\n", ["café ��"]),
    ],
)
def test_lines_end_at_lf_and_crlf_and_at_cr_alone_only_without_lf(
    data: bytes, lines: list[str]
) -> None:
    assert texts(data) == lines
    assert Document(data).to_bytes() == data


def test_a_span_is_exactly_the_bytes_of_its_lines() -> None:
    data = b"\xef\xbb\xbfone\r\ntwo\nthree"
    document = Document(data)

    start, stop = document.span(2, 3)
    assert data[start:stop] == b"two\nthree"
    with pytest.raises(IndexError, match="no lines 3 to 4"):
        document.span(3, 4)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (bytes(range(32)) * 4, "control characters"),
        (b"\x89PNG\r\n\x1a\n" + bytes(200), "control characters"),
        (b"\xff\xd8\xff\xe0" + b"\xd8\xc4" * 60, "no UTF-8"),
        ("# Goal".encode("utf-16"), "UTF-16"),
    ],
)
def test_what_is_no_text_is_malformed_with_a_reason(data: bytes, reason: str) -> None:
    reading = read_goal(data, "docs/ACTIVE_GOAL.md")

    assert reading.health == "MALFORMED"
    assert reason in reading.reasons[0].text


def test_a_stray_nul_and_bad_bytes_are_found_with_their_lines_and_the_rest_is_read() -> None:
    text = b"## GOAL\nKeep it safe.\n\nA long enough line so that one byte is no picture.\n"
    reading = read_goal(text + b"here \x00 it is\nand \xff there\n", "x")

    assert reading.goal == "Keep it safe."
    assert [(r.code, r.line) for r in reading.reasons if r.code in ("nul", "not-utf8")] == [
        ("nul", 5),
        ("not-utf8", 6),
    ]


def test_nothing_is_wrong_with_ordinary_text() -> None:
    assert why_unreadable("# Цель\n\tвкладка\f\n".encode()) is None


@pytest.mark.parametrize("data", [b"", b"\n\n", b"  \r\n\t\r\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_malformed(data: bytes) -> None:
    reading = read_goal(data, "x")

    assert reading.health == "MALFORMED"
    assert "empty" in reading.reasons[0].text or "no recognizable" in reading.reasons[0].text


def test_no_file_is_missing() -> None:
    reading = read_goal(None, "docs/ACTIVE_GOAL.md")

    assert reading.health == "MISSING"
    assert reading.reasons[0].text == "no goal document at docs/ACTIVE_GOAL.md"
