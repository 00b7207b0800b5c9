"""What starts a section and what is only text, syntax by syntax."""

import pytest

from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.ppgp.reading import GoalReading


def read(text: str) -> GoalReading:
    return read_goal(text.encode(), "docs/ACTIVE_GOAL.md")


def names(text: str) -> list[str]:
    return [field.name for field in read(text).fields]


@pytest.mark.parametrize(
    "text",
    [
        "## GOAL\nShip it now.\n",
        "###### goal ######\nShip it now.\n",
        "   ## GOAL\nShip it now.\n",
        "GOAL\n====\nShip it now.\n",
        "Goal\n----\n\nShip it now.\n",
        "> ## GOAL\n> Ship it now.\n",
        "**GOAL**\nShip it now.\n",
        "**GOAL:**\nShip it now.\n",
        "**GOAL**:\nShip it now.\n",
        "__Goal__\nShip it now.\n",
        "**GOAL:** Ship it now.\n",
        "**Goal**: Ship it now.\n",
        "GOAL: Ship it now.\n",
        "GOAL (final): Ship it now.\n",
        "Goal: Ship it now.\n",
        "- GOAL: Ship it now.\n",
        "- **GOAL:** Ship it now.\n",
        "* Goal: Ship it now.\n",
        "| GOAL | Ship it now. |\n|---|---|\n",
        "| Field | Value |\n|---|---|\n| **GOAL** | Ship it now. |\n",
        "---\ngoal: Ship it now.\n---\n",
        '---\nGOAL: "Ship it now."\n---\n',
        "---\ngoal: >\n  Ship it\n  now.\n---\n",
        "## GOAL: Ship it now.\n",
        "# Goal: Ship it now.\n",
        "# GOAL\n\nShip it now.\n",
        "## 🎯 1. GOAL（目标）\nShip it now.\n",
        "**PHASE:** THINK · **GOAL:** Ship it now. · **Owner:** Dana\n",
        "Phase: THINK · Goal: Ship it now.\n",
    ],
)
def test_every_syntax_of_a_label_gives_the_same_goal(text: str) -> None:
    reading = read(text)

    assert reading.goal == "Ship it now."
    assert reading.goal_source == "field"
    assert reading.health == "PARTIAL"


@pytest.mark.parametrize(
    "text",
    [
        "```\n## GOAL\nNo.\n```\n",
        "~~~\n## GOAL\nNo.\n~~~\n",
        "````\n```\n## GOAL\n```\n````\n",
        "<!-- ## GOAL -->\n<!--\nGOAL: No.\n-->\n",
        "    ## GOAL\n    No.\n",
        "#GOAL\nNo.\n",
        "####### GOAL\nNo.\n",
        "see ## GOAL here\n",
        "`GOAL: No.`\n",
        "- [ ] GOAL: No.\n",
        "https://example.invalid/GOAL:No\n",
        "The GOAL: label in the middle.\n",
    ],
)
def test_what_only_quotes_a_label_starts_nothing(text: str) -> None:
    assert names("# Notes\n\n" + text) == []


def test_labels_inside_the_list_of_a_field_are_text() -> None:
    text = "## COMPLETED\n- PHASE: was THINK\n- **Blockers:** looked at\n\nNext: nothing.\n"
    assert names(text) == ["COMPLETED"]


def test_a_known_name_deeper_than_the_open_field_starts_its_own() -> None:
    assert names("## GOAL\nShip it.\n\n#### PHASE\nSHIP\n") == ["GOAL", "PHASE"]


def test_unknown_deeper_headings_stay_inside_and_equal_ones_are_kept_apart() -> None:
    reading = read("## GOAL\nShip it.\n\n### Detail\nx\n\n## Remarks\ny\n")

    assert "### Detail" in reading.fields[0].text
    assert [section.title for section in reading.sections] == ["Remarks"]


def test_the_first_of_two_wins_and_the_second_is_reported_and_kept() -> None:
    reading = read("## GOAL\nFirst.\n\n## goal\nSecond.\n")

    assert reading.goal == "First."
    assert reading.sections[0].text == "Second."
    duplicate = next(r for r in reading.reasons if r.code == "duplicate-section")
    assert duplicate.text == ("duplicate section GOAL at line 4 ignored (first occurrence kept)")


def test_a_hundred_repetitions_are_not_a_hundred_findings() -> None:
    reading = read("## GOAL\nShip it.\n\n" * 100)
    duplicates = [r for r in reading.reasons if r.code == "duplicate-section"]

    assert len(duplicates) == 11
    assert duplicates[-1].text == "section GOAL is there 89 more times, all ignored"


def test_an_exact_name_beats_one_that_only_resembles_it() -> None:
    reading = read("## Next task in general\nMany.\n\n## NEXT_EXECUTABLE_ACTION\nOil the hinge.\n")
    assert reading.next_action is not None
    assert reading.next_action.text == "Oil the hinge."


def test_an_exact_name_beats_a_synonym_that_stands_before_it() -> None:
    reading = read("## Objective\nWrong.\n\n## GOAL\nRight.\n")

    assert reading.goal == "Right."
    assert [section.title for section in reading.sections] == ["Objective"]


def test_a_short_line_in_capitals_ends_the_list_before_it() -> None:
    reading = read(
        "DEFINITION_OF_DONE:\n- one\n- two\n\nNOT DONE HERE — OWNER ONLY (stop):\n- three\n"
    )
    assert [condition.text for condition in reading.dod] == ["one", "two"]


def test_wrapped_lines_belong_to_their_entry() -> None:
    reading = read("## INVARIANTS\n- one that\n  goes on\nand on\n- two\n\n  still two\n- three\n")
    assert [item.text for item in reading.fields[0].items] == [
        "one that goes on and on",
        "two still two",
        "three",
    ]


def test_text_before_the_first_section_is_kept() -> None:
    reading = read("# ACTIVE_GOAL\n\nSTATUS is explained below.\n\n## GOAL\nShip it.\n")

    assert reading.title == "ACTIVE_GOAL"
    assert reading.preamble == "STATUS is explained below."


def test_every_field_knows_its_lines() -> None:
    reading = read("# T\n\n## GOAL\nShip it.\n\n## PHASE\n\nSHIP\n\n\n")
    assert [(f.name, f.line, f.end_line) for f in reading.fields] == [
        ("GOAL", 3, 4),
        ("PHASE", 6, 8),
    ]


def test_an_unclosed_fence_is_reported_with_its_line() -> None:
    reading = read("## GOAL\nShip it.\n\n```\n## PHASE\nSHIP\n")

    assert [field.name for field in reading.fields] == ["GOAL"]
    assert ("open-fence", 4) in [(r.code, r.line) for r in reading.reasons]


def test_a_comment_that_is_never_closed_hides_nothing() -> None:
    assert names("## GOAL\nShip it. <!-- oops\n\n## PHASE\nSHIP\n") == ["GOAL", "PHASE"]


def test_tasks_in_one_file_are_not_taken_for_one_goal() -> None:
    text = "# Work\n\n## T1 — a\nGoal: one\nStatus: done\n\n## T2 — b\nGoal: two\nStatus: open\n"
    reading = read(text)

    assert reading.goal is None
    assert reading.phase_raw is None
    assert [r.line for r in reading.reasons if r.code == "several-goals"] == [4]


@pytest.mark.parametrize(
    ("title", "goal", "raw"),
    [
        ("# Active goal: a calm fan", "a calm fan", None),
        ("# Goal livré — démarrage plus rapide", "démarrage plus rapide", "livré"),
        ("# Current goal (paused): a calm fan", "a calm fan", "paused"),
        ("# 目标：让地图离线可用", "让地图离线可用", None),
        ("# CURRENT TASK — Replace the polling loop", "Replace the polling loop", None),
        ("# Product Active Goal", None, None),
        ("# Active Goal — 2026-09-18", None, None),
        ("# Active Goal — PAUSED", None, "PAUSED"),
        ("# Control packet v1 (frozen)", None, "frozen"),
        ("# active.agent.md", None, None),
    ],
)
def test_a_title_states_a_goal_only_where_it_says_one(
    title: str, goal: str | None, raw: str | None
) -> None:
    reading = read(f"{title}\n\n## NEXT\nDo it.\n")

    assert reading.goal == goal
    assert reading.goal_source == ("title" if goal else None)
    assert reading.phase_raw == raw
