"""Edits of a goal document change one span and leave every other byte, or are refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.ppgp.edits import NoSuchSpanError, mark_item, set_phase, unmark_item
from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.ppgp.vocabulary import PHASES

PATH = "docs/ACTIVE_GOAL.md"

PHASE_STYLES = {
    "heading": "# G\n\n## PHASE\nEXECUTE\n\n## GOAL\nx\n",
    "with a remark": "## GOAL\nx\n\n## PHASE\nEXECUTE — step 3, was EXECUTE before\n",
    "key": "GOAL: x\nPHASE: EXECUTE\nWHY: y\n",
    "bold label": "**GOAL:** x\n\n**PHASE:** EXECUTE\n",
    "bold word": "## GOAL\nx\n\n## PHASE\n**EXECUTE**\n",
    "code": "## GOAL\nx\n\n## PHASE\n`EXECUTE`\n",
    "list": "## GOAL\nx\n\n## PHASE\n- EXECUTE\n",
    "small letters": "## GOAL\nx\n\n## PHASE\nExecute\n",
    "table": "| GOAL | x |\n|---|---|\n| PHASE | EXECUTE |\n| WHY | y |\n",
    "front matter": "---\nphase: EXECUTE\n---\n## GOAL\nx\n",
    "quoted": "> ## GOAL\n> x\n>\n> ## PHASE\n> EXECUTE\n",
    "CRLF": "## GOAL\r\nx\r\n\r\n## PHASE\r\nEXECUTE\r\n",
    "BOM": "\ufeff## GOAL\nx\n\n## PHASE\nEXECUTE\n",
    "no newline": "## GOAL\nx\n\n## PHASE\nEXECUTE",
}


@pytest.mark.parametrize("style", PHASE_STYLES)
def test_the_phase_word_is_replaced_and_nothing_else(style: str) -> None:
    text = PHASE_STYLES[style]
    if read_goal(text.encode(), PATH).phase is None:
        pytest.fail(f"no phase is read in {text!r}")
    changed = set_phase(text.encode(), PATH, "HARDEN").decode()
    word = "Execute" if style == "small letters" else "EXECUTE"
    assert changed == text.replace(word, "HARDEN", 1)
    assert read_goal(changed.encode(), PATH).phase == "HARDEN"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no lifecycle phase"),
        ("## GOAL\nx\n\n## PHASE\nin progress\n", "names no lifecycle phase"),
        ("## GOAL\nx\n\n## STATUS\nEXECUTE\n", "names no lifecycle phase"),
        (
            "## GOAL\nx\n\n## PHASE\nTHINK → FREEZE → **EXECUTE** → HARDEN\n",
            "lists the phases; move its mark by hand",
        ),
    ],
    ids=["empty", "other words", "mapped", "list of all"],
)
def test_a_phase_that_is_not_one_word_is_left_to_its_author(text: str, said: str) -> None:
    with pytest.raises(NoSuchSpanError, match=said):
        set_phase(text.encode(), PATH, "HARDEN")


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_can_be_written(phase: str) -> None:
    data = PHASE_STYLES["heading"].encode()
    assert read_goal(set_phase(data, PATH, phase), PATH).phase == phase


ASKING_STYLES = {
    "bullets": "- Publish it?\n- Rename it?\n",
    "stars": "* Publish it?\n* Rename it?\n",
    "numbers": "1. Publish it?\n2. Rename it?\n",
    "brackets": "(1) Publish it?\n(2) Rename it?\n",
    "boxes": "- [ ] Publish it?\n- [ ] Rename it?\n",
    "bold": "- **Publish** it?\n- Rename it?\n",
    "state first": "- PENDING: Publish it?\n- Rename it?\n",
    "owner first": "- Owner: publish it\n- Owner: rename it\n",
    "quoted": "> - Publish it?\n> - Rename it?\n",
    "continued": "- Publish it\n  to the index?\n- Rename it?\n",
    "paragraph": "Publish it to the index?\n",
    "table": "| decision | by |\n|---|---|\n| Publish it? | owner |\n| Rename it? | owner |\n",
    "nested": "- Publish it?\n  - to the index\n- Rename it?\n",
    "wide bullet": "• Publish it?\n• Rename it?\n",
}


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("style", ASKING_STYLES)
def test_a_mark_makes_exactly_one_entry_decided_and_comes_off_again(
    style: str, ending: str
) -> None:
    text = f"# G\n\n## GOAL\nx\n\n## HUMAN_AUTHORITY_REQUIRED\n{ASKING_STYLES[style]}\n## WHY\ny\n"
    data = text.replace("\n", ending).encode()
    before = read_goal(data, PATH).authority.pending
    assert before, "the style asks something"
    marked = mark_item(data, PATH, before[0], "granted 2026-09-25")
    assert marked.replace(b"[granted 2026-09-25] ", b"", 1) == data
    after = read_goal(marked, PATH).authority
    assert after.pending == before[1:]
    assert any("Publish" in item.text or "publish" in item.text for item in after.granted)

    def stands(reading) -> bool:
        return before[0].text in [item.text for item in reading.authority.pending]

    assert unmark_item(marked, PATH, stands) == data


def test_a_label_with_the_decision_on_its_line_is_marked_behind_the_label() -> None:
    data = b"GOAL: x\nHUMAN_AUTHORITY_REQUIRED: Publish it to the index?\n"
    (asked,) = read_goal(data, PATH).authority.pending
    marked = mark_item(data, PATH, asked, "refused 2026-09-25")
    assert marked == (
        b"GOAL: x\nHUMAN_AUTHORITY_REQUIRED: [refused 2026-09-25] Publish it to the index?\n"
    )


def test_of_two_equal_entries_the_one_asked_for_is_marked() -> None:
    data = b"## GOAL\nx\n\n## HUMAN_AUTHORITY_REQUIRED\n- Publish it?\n- Publish it?\n"
    first, second = read_goal(data, PATH).authority.pending
    marked = mark_item(data, PATH, second, "granted 2026-09-25")
    assert read_goal(marked, PATH).authority.pending == (first,)
    assert marked.splitlines()[-1] == b"- [granted 2026-09-25] Publish it?"


def test_an_entry_that_no_longer_stands_there_is_not_marked() -> None:
    data = b"## GOAL\nx\n\n## HUMAN_AUTHORITY_REQUIRED\n- Publish it?\n"
    (asked,) = read_goal(data, PATH).authority.pending
    with pytest.raises(NoSuchSpanError):
        mark_item(data.replace(b"Publish it?", b"Rename it?"), PATH, asked, "granted 2026-09-25")
    with pytest.raises(NoSuchSpanError, match="no line 5 any more"):
        mark_item(b"## GOAL\nx\n", PATH, asked, "granted 2026-09-25")


def test_a_mark_is_taken_off_only_where_there_is_one_that_fits() -> None:
    data = b"## GOAL\nx\n\n## HUMAN_AUTHORITY_REQUIRED\n- [granted 2026-09-25] Publish it?\n"

    def stands(word: str):
        return lambda reading: any(word in item.text for item in reading.authority.pending)

    with pytest.raises(NoSuchSpanError, match="0 marks"):
        unmark_item(data, PATH, stands("Rename"))
    twice = data + b"- [granted 2026-09-25] Publish it too?\n"
    with pytest.raises(NoSuchSpanError, match="2 marks"):
        unmark_item(twice, PATH, stands("Publish"))


BROKEN = st.lists(
    st.sampled_from(
        [
            b"## GOAL", b"## PHASE", b"EXECUTE", b"## HUMAN_AUTHORITY_REQUIRED", b"- Publish it?",
            b"- [ ] Owner: sign", b"```", b"<!--", b"-->", b"\xff\xfe", b"\xed\xa0\x80", b"",
            b"| a | b |", b"|---|---|", b"- [granted 2026-01-01] done", b"PHASE: SHIP",
            "Größe ✓".encode(), b"\r",
        ]
    ),
    max_size=14,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(BROKEN, st.sampled_from([b"\n", b"\r\n"]), st.booleans())
def test_in_any_document_an_edit_adds_or_replaces_one_span_or_is_refused(
    lines: list[bytes], ending: bytes, bom: bool
) -> None:
    data = (b"\xef\xbb\xbf" if bom else b"") + ending.join(lines)
    reading = read_goal(data, PATH)
    try:
        changed = set_phase(data, PATH, "HARDEN")
    except NoSuchSpanError:
        pass
    else:
        assert read_goal(changed, PATH).phase == "HARDEN"
        assert changed.count(ending) == data.count(ending)
        assert len(changed) - len(data) == len("HARDEN") - len(reading.phase or "")
    for item in reading.authority.pending:
        try:
            changed = mark_item(data, PATH, item, "granted 2026-09-25")
        except NoSuchSpanError:
            continue
        assert changed.replace(b"[granted 2026-09-25] ", b"", 1) == data
        assert len(read_goal(changed, PATH).authority.pending) == len(reading.authority.pending) - 1
