"""View 5: the goal document."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from ppgp_tui.ppgp.reading import (
    NOTHING_LEFT,
    Authority,
    Blocker,
    Field,
    Finding,
    GoalReading,
    Item,
    NextAction,
    Section,
)
from ppgp_tui.session.model import Part, Problem, Repo, SessionSnapshot
from ppgp_tui.ui.views.goal.fields import FIELDS
from ppgp_tui.ui.views.goal.goal import GoalView
from ppgp_tui.ui.views.goal.text import TextRows
from tests.ui import picture
from tests.ui.views.drawn import frame, screen

VIEW = GoalView()


def with_goal(goal: GoalReading) -> SessionSnapshot:
    return replace(picture.full(), goal=Part(goal))


def lines(
    snapshot: SessionSnapshot, width: int = 48, height: int = 50, **given: object
) -> list[str]:
    return screen(VIEW, snapshot, frame(width, height, **given))


def changed(name: str, **what: Any) -> GoalReading:
    goal = picture.goal()
    fields = tuple(field._replace(**what) if field.name == name else field for field in goal.fields)
    return goal._replace(fields=fields, reasons=())


def test_the_thirteen_fields_stand_in_canonical_order_whatever_the_document_does() -> None:
    goal = picture.goal()
    turned = goal._replace(fields=goal.fields[::-1])
    names = [line[3:].split("  ")[0].rstrip() for line in lines(with_goal(turned))[1:14]]
    assert names == list(FIELDS.values())


def test_a_missing_field_is_named_missing_and_a_present_empty_one_empty() -> None:
    goal = picture.goal()
    fewer = goal._replace(
        fields=tuple(field for field in goal.fields if field.name != "WHY"), reasons=()
    )
    assert lines(with_goal(fewer))[:3] == [
        " Goal document  12 of 13 sound          partial",
        " ✓ Goal                             1 line   14",
        " - Why                             missing",
    ]
    empty = changed("WHY", text="  ", items=())
    assert lines(with_goal(empty))[2] == " ! Why                               empty   18"


def row_of(goal: GoalReading, name: str, width: int = 80) -> str:
    return next(line for line in lines(with_goal(goal), width) if name in line[:30])


def test_where_no_goal_is_stated_the_title_is_named_as_what_it_is() -> None:
    goal = picture.goal()
    fields = tuple(field for field in goal.fields if field.name != "GOAL")
    stated = goal._replace(fields=fields, goal=None, goal_source=None, title="Product Active Goal")
    assert 'missing, title "Product Active Goal"' in row_of(stated, "Goal  ")
    read = stated._replace(goal="x", goal_source="title")
    assert "missing, read from the title" in row_of(read, "Goal  ")


@pytest.mark.parametrize(
    ("blockers", "said"),
    [
        ((Blocker("C", False, None, None, "x", 1), Blocker("B", True, None, None, "x", 1)),
         "C, B inferred"),
        ((Blocker("C", True, None, None, "x", 1),), "C inferred"),
        ((Blocker(None, False, None, None, "x", 1),), "1 of no class"),
        ((), "none"),
    ],
)  # fmt: skip
def test_a_class_that_was_only_concluded_says_so(blockers: tuple[Blocker, ...], said: str) -> None:
    goal = picture.goal()._replace(blockers=blockers, reasons=())
    assert f" {said} " in row_of(goal, "Blockers")


def test_limits_and_permissions_are_not_none() -> None:
    item = Item("x", 1)
    goal = picture.goal()._replace(reasons=(), authority=Authority((), (item, item), (item,)))
    assert "2 standing, 1 granted" in row_of(goal, "Human authority")


def test_an_action_that_says_none_does_not_wait() -> None:
    action = NextAction("None. Goal complete.", 1, False, NOTHING_LEFT)
    goal = picture.goal()._replace(reasons=(), next_action=action)
    assert "nothing left" in row_of(goal, "Next executable")


def test_a_field_found_under_another_name_shows_that_name_and_is_not_sound() -> None:
    mapped = changed("DEFINITION_OF_DONE", match="mapped", heading="Success criteria")
    assert lines(with_goal(mapped))[0].startswith(" Goal document  12 of 13 sound")
    assert lines(with_goal(mapped))[4] == ' ~ Definition of done   "Success criteria"   26'


def test_an_alias_counts_as_the_field_itself() -> None:
    assert lines(with_goal(changed("BLOCKERS", match="alias", heading="BLOCKER")))[10] == (
        " ✓ Blockers                          A B C   74"
    )


def test_a_finding_marks_its_field_and_is_listed_whole_with_its_mend() -> None:
    shown = lines(picture.full())
    assert shown[4] == " ! Definition of done    2 of 7, 1 claimed   26"
    assert shown[15:19] == [
        " Findings                                     2",
        " ! line 31 says done and shows no evidence   31",
        "   name the evidence under Verification",
        "   evidence",
    ]


def test_what_concerns_the_whole_document_stands_on_top() -> None:
    missing = Finding("missing-field", "canonical field(s) missing (2 of 13): WHY, PHASE", None)
    shown = lines(with_goal(picture.goal()._replace(reasons=(missing,))))
    assert shown[1:3] == [
        " ! canonical field(s) missing (2 of 13): WHY,",
        "   PHASE",
    ]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"phase": None, "phase_inferred": "HARDEN"}, "HARDEN, inferred"),
        ({"phase": None, "phase_raw": "odd"}, "no phase word"),
    ],
)
def test_the_phase_row_does_not_invent_one(said: dict[str, str | None], words: str) -> None:
    goal = picture.goal()._replace(reasons=(), **said)  # type: ignore[arg-type]
    assert words in lines(with_goal(goal))[3]


def test_other_sections_are_kept_and_listed() -> None:
    more = picture.goal()._replace(sections=(Section("Notes", 110, 120, "…"),), reasons=())
    assert lines(with_goal(more))[14:] == [
        "",
        " Also in the document                         1",
        " . Notes                                    110",
    ]


def test_a_document_without_a_goal_shows_the_headings_it_has_and_no_field() -> None:
    decoy = GoalReading(
        "docs/ACTIVE_GOAL.md",
        "MALFORMED",
        (Finding("no-field", "no field of a goal document was found", None),),
        sections=(Section("How to write a goal", 3, 9, "…"), Section("Rules", 10, 20, "…")),
    )
    assert lines(with_goal(decoy)) == [
        " Goal document  docs/ACTIVE_GOAL.md   malformed",
        " ! no field of a goal document was found",
        "",
        " Headings seen                                2",
        " . How to write a goal                        3",
        " . Rules                                     10",
    ]


def test_a_document_with_names_of_its_own_shows_what_was_read_from_them() -> None:
    field = Field("GOAL", "Objective", "mapped", 3, 5, "Ship it", ())
    mapped = GoalReading("docs/ACTIVE_GOAL.md", "MALFORMED", (), goal="Ship it", fields=(field,))
    assert lines(with_goal(mapped)) == [
        " Goal document  docs/ACTIVE_GOAL.md   malformed",
        ' ~ Goal                        "Objective"    3',
    ]


def test_goals_on_other_refs_are_listed_where_there_is_none_here() -> None:
    other = Repo(git=True, other_goals=("feat/x:docs/ACTIVE_GOAL.md (last change 2026-09-01)",))
    shown = lines(replace(picture.empty(), repo=Part(other)), document=b"")
    assert " On other refs  not switched to" in shown
    assert " feat/x:docs/ACTIVE_GOAL.md (last change" in shown


def test_findings_in_other_files_can_be_read_here() -> None:
    problem = Problem("settings", ".ppgp/config.toml", 3, "unknown key `colour`", "remove it")
    shown = lines(replace(picture.full(), problems=(problem,)))
    start = next(at for at, line in enumerate(shown) if line.startswith(" In other files"))
    assert shown[start + 1 : start + 3] == [
        " ! unknown key `colour`",
        "   .ppgp/config.toml:3, remove it",
    ]


def test_beside_the_list_stands_the_text_scrolled_to_the_field_under_the_cursor() -> None:
    room = frame(120, 24, cursor={"goal.list": "field:BLOCKERS"})
    head, text = VIEW.layout(picture.full(), room)[1]
    assert head.rows[0].lines[0].left[0].text == "docs/ACTIVE_GOAL.md"
    assert text.reveal == "line:74"
    assert isinstance(text.rows, TextRows)
    at = text.rows.place("line:75")
    assert at is not None
    forward = text.rows[at].lines[0].left[1]
    aside = text.rows[0].lines[0].left[1]
    assert (forward.role, aside.role) == ("ink", "soft")


def test_where_it_is_narrow_enter_opens_the_text_at_the_finding() -> None:
    key = "finding:stale-next-action:105:next action names T4, done 37m ago"
    panes = VIEW.layout(picture.full(), frame(48, 24, opened=key))[0]
    assert [pane.id for pane in panes] == ["goal.text.head", "goal.text"]
    assert panes[1].reveal == "line:105"


def rows_of(document: bytes, width: int = 40) -> TextRows:
    return TextRows(document, width, "goal.md", found={2: "odd"})


def drawn(rows: TextRows) -> list[str]:
    return ["".join(span.text for span in row.lines[0].left) for row in rows]


def test_text_keeps_its_blanks_and_wraps_instead_of_losing_words() -> None:
    document = b"a    b\n" + b"word " * 12 + b"\n  indented\n"
    assert drawn(rows_of(document)) == [
        "  1  a    b",
        "  2  word word word word word word ",
        "     word word word word word word ",
        "  3    indented",
    ]


def test_lines_are_numbered_as_the_reader_numbers_them() -> None:
    for document in (b"a\nb\nc", b"a\r\nb\r\nc\r\n", b"\xef\xbb\xbfa\rb\rc"):
        assert drawn(rows_of(document)) == ["  1  a", "  2  b", "  3  c"]


def test_a_line_with_a_finding_is_marked_once_and_every_row_has_its_own_key() -> None:
    rows = rows_of(b"one\n" + b"x" * 100 + b"\nthree\n")
    assert [row.lines[0].sign for row in rows] == [None, "finding", None, None, None, None]
    keys = [row.key for row in rows]
    assert keys == ["line:1", "line:2", "line:2.1", "line:2.2", "line:2.3", "line:3"]
    assert [rows.place(key) for key in keys] == list(range(6))
    assert rows.place("line:9") is None
    assert rows.place("field:GOAL") is None


def test_a_huge_document_is_not_laid_out_before_it_is_looked_at() -> None:
    huge = b"".join(b"line %d %s\n" % (at, b"x" * 90) for at in range(20_000))
    rows = rows_of(huge)
    assert len(rows) == 20_000
    assert rows[19_999].key == "line:20000"
    assert rows.place("line:12345") == 12_344
    assert rows.place("line:20001") is None


def test_finding_words_looks_into_the_fields() -> None:
    shown = lines(picture.full(), filter="staging")
    assert [line.split("  ")[0].strip() for line in shown] == [
        "Goal document",
        "✓ Blockers",
        "✓ Human authority required",
    ]
    assert isinstance(picture.goal().fields[0], Field)


def test_what_is_looked_for_is_marked_in_the_text_and_its_lines_are_counted() -> None:
    document = b"Staging is open.\nNothing.\nThe staging copy, on STAGING.\n"
    rows = TextRows(document, 60, "goal.md", found={}, wanted="staging")
    assert rows.matching() == 2
    marked = [[span.text for span in row.lines[0].left if span.underline] for row in rows]
    assert marked == [["Staging"], [], ["staging", "STAGING"]]
    words = "".join(span.text for span in rows[2].lines[0].left[1:])
    assert words == "The staging copy, on STAGING."


def test_the_heading_of_the_text_says_in_how_many_lines_it_was_found() -> None:
    document = b"staging\nproduction\nstaging again\n"
    room = frame(120, 40, filter="staging", document=document)
    assert any("found in 2 lines" in line for line in screen(VIEW, picture.full(), room))
