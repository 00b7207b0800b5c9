"""How old a line of the goal document is while Git has yet to be asked about the newest text."""

from __future__ import annotations

from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.picture.line_ages import carried

PATH = "docs/ACTIVE_GOAL.md"
BEFORE = """\
## DEFINITION_OF_DONE
- [ ] The importer resumes
- [ ] Old imports give the same rows
## BLOCKERS
- B. The window opens tonight. Scope: T11.
## HUMAN_AUTHORITY_REQUIRED
- Owner decides: drop the old column?
- Owner decides: rename the table?
"""
RESUMES, SAME_ROWS, WINDOW, DROP, RENAME = 2, 3, 5, 7, 8
AGES = {line: line * 1000 for line in (RESUMES, SAME_ROWS, WINDOW, DROP, RENAME)}


def read(text: str) -> GoalReading:
    return read_goal(text.encode(), PATH, 8192)


def ages_after(text: str) -> dict[int, int]:
    return carried(AGES, read(BEFORE), read(text))


def test_lines_that_moved_keep_their_ages() -> None:
    moved = ages_after("# A title\n\n" + BEFORE)
    assert moved == {line + 2: since for line, since in AGES.items()}


def test_a_line_that_says_something_else_has_no_age_and_takes_none_from_its_place() -> None:
    other = ages_after(BEFORE.replace("rename the table", "delete the table"))
    assert RENAME not in other
    assert other[DROP] == AGES[DROP]


def test_a_condition_that_was_met_meanwhile_has_no_age() -> None:
    done = ages_after(BEFORE.replace("[ ] The importer", "[x] The importer"))
    assert RESUMES not in done
    assert done[SAME_ROWS] == AGES[SAME_ROWS]


def test_a_decision_that_was_taken_meanwhile_has_no_age() -> None:
    taken = ages_after(BEFORE.replace("- Owner decides: drop", "- [granted] Owner decides: drop"))
    assert DROP not in taken
    assert taken[RENAME] == AGES[RENAME]


def test_what_stands_there_twice_has_no_age() -> None:
    twice = ages_after(BEFORE + "- Owner decides: rename the table?\n")
    assert RENAME not in twice
    assert RENAME + 1 not in twice


def test_another_document_takes_over_nothing() -> None:
    other = read(BEFORE)._replace(path="ACTIVE_GOAL.md")
    assert carried(AGES, read(BEFORE), other) == {}
