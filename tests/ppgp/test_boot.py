"""The boot packet: a fresh agent finds contract, hot state and evidence, and no invention."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.ppgp.boot import CONTRACT, EVIDENCE, HOT_STATE, Fact, boot_packet
from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.ppgp.vocabulary import CANONICAL

DATA = sorted((Path(__file__).parents[1] / "data/ppgp").glob("*.md"))

WHOLE = "".join(f"## {name}\n{name.lower()} text\n\n" for name in CANONICAL)
WHOLE = WHOLE.replace("phase text", "EXECUTE")


def packet(text: str, *facts: Fact, memory: str | None = None) -> str:
    return boot_packet(read_goal(text.encode(), "docs/ACTIVE_GOAL.md"), facts, memory)


def section(text: str, title: str) -> str:
    """What stands under the heading `### title`."""
    return text.split(f"### {title}\n", 1)[1].split("\n\n#", 1)[0].strip("\n")


def test_every_field_is_in_its_part_and_in_the_order_of_the_reference() -> None:
    text = packet(WHOLE)
    assert sorted((*CONTRACT, *HOT_STATE, *EVIDENCE)) == sorted(CANONICAL)
    headings = [line[4:] for line in text.splitlines() if line.startswith("### ")]
    assert headings == [*CONTRACT, *HOT_STATE, *EVIDENCE]
    parts = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert parts == ["GOAL_CONTRACT", "HOT_STATE", "RELEVANT_EVIDENCE", "RELEVANT_MEMORY"]
    assert section(text, "NEXT_EXECUTABLE_ACTION") == "next_executable_action text"
    assert text.startswith("# BOOT PACKET\nFrom docs/ACTIVE_GOAL.md: CONFORMANT.\n")


def test_lists_and_boxes_stay_as_they_were_written() -> None:
    items = "- [x] One\n  - [ ] within\n- [ ] Two `a|b`"
    text = packet(WHOLE.replace("definition_of_done text", items))
    assert section(text, "DEFINITION_OF_DONE") == items


def test_a_frozen_strategy_is_not_to_be_thought_over_again() -> None:
    said = "go on with EXECUTE, do not begin THINK again"
    assert said in packet(WHOLE)
    assert "do not begin THINK" not in packet(WHOLE.replace("EXECUTE", "THINK"))
    assert "do not begin THINK" not in packet(WHOLE.replace("frozen_decisions text", ""))


def test_what_the_document_does_not_say_is_not_made_up() -> None:
    text = packet("## GOAL\nMove the shop.\n\n## PHASE\n\n")
    assert section(text, "PHASE") == "(empty)"
    assert section(text, "INVARIANTS") == "(not in the document)"
    assert "canonical field(s) missing (11 of 13)" in text


def test_what_was_concluded_rather_than_read_is_marked() -> None:
    mapped = packet("## Objective\nMove the shop.\n\n## PHASE\nHARDENING\n\n## BLOCKERS\nNone.\n")
    assert section(mapped, "GOAL") == 'Move the shop.\n(under the heading "Objective")'
    assert section(mapped, "PHASE").endswith("the words suggest HARDEN)")
    titled = packet("# Active goal: move the shop\n\n## PHASE\nSHIP\n\n## BLOCKERS\nNone.\n")
    assert section(titled, "GOAL").endswith("(from the title; no GOAL is written)")


def test_sections_that_are_no_field_are_named_so_that_nobody_takes_the_packet_for_all() -> None:
    assert 'more than is repeated here: "Stop conditions".' in packet(
        WHOLE + "## Stop conditions\nAt night.\n"
    )


def test_without_a_document_the_packet_says_that_there_is_no_contract() -> None:
    text = boot_packet(read_goal(None, "docs/ACTIVE_GOAL.md"), [Fact("REPOSITORY", "branch main")])
    assert "there is no contract to go on with" in text
    assert "GOAL_CONTRACT" not in text
    assert section(text, "REPOSITORY") == "branch main"


def test_facts_follow_the_documents_own_evidence_and_memory_is_named_not_quoted() -> None:
    text = packet(WHOLE, Fact("REPOSITORY", "branch main\n"), memory="docs/PROJECT_MEMORY.md")
    assert text.index("### VERIFICATION_EVIDENCE") < text.index("### REPOSITORY")
    assert text.endswith(
        "## RELEVANT_MEMORY\ndocs/PROJECT_MEMORY.md: read the entries that touch this goal, "
        "not the whole history.\n"
    )
    assert packet(WHOLE).endswith("No document plays the role MEMORY here.\n")


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.stem)
def test_documents_of_every_kind_give_a_packet_with_their_goal_and_next_action(path: Path) -> None:
    reading = read_goal(path.read_bytes(), path.name)
    text = boot_packet(reading)
    assert text == boot_packet(read_goal(path.read_bytes(), path.name))
    for found in reading.fields:
        assert found.text.strip("\n").rstrip() in text


@settings(max_examples=60)
@given(st.binary(max_size=400))
def test_any_bytes_give_one_packet_that_ends_with_one_newline(data: bytes) -> None:
    text = boot_packet(read_goal(data, "a.md"))
    assert text == boot_packet(read_goal(data, "a.md"))
    assert text.endswith(".\n")
