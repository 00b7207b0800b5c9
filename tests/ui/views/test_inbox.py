"""View 3: the inbox."""

from __future__ import annotations

from dataclasses import replace

from ppgp_tui.ppgp.reading import Authority, Item
from ppgp_tui.session.model import Part, Request, SessionSnapshot
from ppgp_tui.ui.views.inbox.inbox import InboxView
from tests.ui import picture
from tests.ui.views.drawn import frame, screen

VIEW = InboxView()


def with_requests(*requests: Request) -> SessionSnapshot:
    return replace(picture.full(), inbox=Part(requests))


def lines(
    snapshot: SessionSnapshot, width: int = 48, height: int = 60, **given: object
) -> list[str]:
    return screen(VIEW, snapshot, frame(width, height, **given))


def from_document(**changed: object) -> Request:
    """A request as a pending bullet gives it: nobody said since when, or what it frees."""
    bare = picture.requests()[0]._replace(
        why=None, evidence=None, options=(), recommended=None, irreversible=False,
        frees=(), asker=None, created_ms=None,
    )  # fmt: skip
    return bare._replace(**changed)  # type: ignore[arg-type]


def test_a_pending_bullet_is_shown_with_what_is_known_and_no_more() -> None:
    assert lines(with_requests(from_document())) == [
        " For you",
        " ? Drop the old cursor column now?",
        "",
        " Drop the old cursor column now?",
        " C authority, scope T8                    waits",
        "",
        " asked in docs/ACTIVE_GOAL.md:85",
        " bound to request 17171717, digest 9c41e0",
    ]


def test_the_whole_question_is_on_screen_however_long_it_is() -> None:
    question = " ".join(f"word{at}" for at in range(60)) + "?"
    shown = " ".join(lines(with_requests(from_document(question=question)))[3:])
    assert " ".join(shown.split()).startswith(question)


def test_letters_beside_the_list_are_names_and_no_keys() -> None:
    shown = "\n".join(lines(picture.full(), 120))
    assert "a  Drop it in this release" in shown
    for key in (", then Y", "your own words", "Enter"):
        assert key not in shown
    detail = VIEW.layout(picture.full(), frame(120, 40))[1][0]
    letters = [span for row in detail.rows for line in row.lines for span in line.left[:1]]
    assert all(not span.bold for span in letters if span.text.strip() in ("a", "b", "c"))


def test_what_cannot_be_undone_and_what_is_advised_is_said() -> None:
    shown = lines(picture.full())
    assert " cannot be undone" in shown
    assert "   b  Drop it next release              advised" in shown


def test_it_is_said_where_a_request_was_asked() -> None:
    asked = from_document(kind="question", origin=picture.answered()[0].origin)
    shown = "\n".join(lines(with_requests(asked)))
    assert "asked in state/events.jsonl:1100" in shown


def test_while_one_has_the_focus_the_order_stays_and_the_answered_one_too() -> None:
    first, second = picture.requests()
    answered = first._replace(state="answered")
    shown = lines(with_requests(second, answered), order=(first.id, second.id))
    assert shown[1].startswith(" ✓ Drop the old cursor column")
    assert shown[2].startswith(" ? Run the soak script")
    assert " Answered" not in shown
    later = lines(with_requests(second, answered), order=(second.id,))
    assert later[1].startswith(" ? Run the soak script")
    assert " Answered" in later


def test_a_changed_request_says_so_where_its_age_was() -> None:
    first, _ = picture.requests()
    shown = lines(picture.full(), 80, changed=first.id)
    assert shown[1].endswith("changed, read it again")
    assert shown[4] == (
        " Drop the old cursor column now?                         changed, read it again"
    )


def test_requests_that_are_over_stand_below_with_how_they_ended() -> None:
    shown = lines(with_requests(*picture.requests(), *picture.answered()), 80)
    start = shown.index(" Answered")
    assert [" ".join(line.split()) for line in shown[start + 1 : start + 5]] == [
        "✓ Use 500 rows per batch? acted on 40m",
        "✓ Touch the schema file? delivered 52m",
        "/ Install a profiler? withdrawn 55m",
        ". Restart the worker? expired, nobody answered 1h01",
    ]


def test_an_expired_request_is_never_called_declined() -> None:
    shown = "\n".join(lines(with_requests(*picture.answered()), 80))
    assert "nobody answered" in shown
    assert "declined" not in shown


def test_permissions_given_and_limits_that_stand_are_told_apart_from_questions() -> None:
    authority = Authority((), (Item("Never push to main", 88),), (Item("Staging may be used", 89),))
    goal = picture.goal()._replace(authority=authority)
    shown = lines(replace(picture.full(), goal=Part(goal), inbox=Part(())))
    assert shown[:8] == [
        " For you",
        " nothing waits for you",
        "",
        " Granted                                      1",
        " ✓ Staging may be used                       89",
        "",
        " Standing limits                              1",
        " - Never push to main                        88",
    ]
    limit = lines(replace(picture.full(), goal=Part(goal)), opened="standing:0")
    assert limit[:2] == [" Never push to main", " this is  a limit that stands"]


def test_the_list_keeps_its_place_when_the_cursor_moves_through_it() -> None:
    first, second = picture.requests()
    for width, height in ((48, 24), (80, 24), (80, 50)):
        layouts = [
            VIEW.layout(picture.full(), frame(width, height, cursor={"inbox.list": f"req:{key}"}))
            for key in (first.id, second.id)
        ]
        assert layouts[0][0][0].height == layouts[1][0][0].height


def test_finding_words_says_when_nothing_has_them() -> None:
    assert lines(picture.full(), filter="soak")[:2] == [
        " For you                       frees most first",
        " ? Run the soak script on the…     frees 2   2m",
    ]
    assert lines(picture.full(), filter="zzz")[0] == " nothing here says that"


def test_what_was_opened_and_is_gone_leaves_the_list_and_no_empty_screen() -> None:
    opened = lines(with_requests(from_document()), opened="req:gone")
    assert opened[0] == " For you"
