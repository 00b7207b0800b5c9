"""The palette finds everything by a few letters, says how many there are, and goes there."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from subprocess import run
from threading import Event as Flag

import pytest

from ppgp_tui.session.model import Part, SessionSnapshot
from ppgp_tui.ui.finder import far
from ppgp_tui.ui.finder.candidate import KINDS
from ppgp_tui.ui.finder.near import EVENTS, FILES
from ppgp_tui.ui.rows.row import Line
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.seat.where import in_the_view
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture, picture_history
from tests.ui.picture_log import ListLog
from tests.ui.picture_log import log as made_log
from tests.ui.pressing import cursor, press, type_in, whole
from tests.ui.stand_in import seat, text, told
from tests.waiting import PATIENCE_S


@pytest.fixture(autouse=True)
def no_git(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file is tracked, unless a test says so."""
    monkeypatch.setattr("ppgp_tui.ui.finder.finder.tracked", lambda _: ())


def opened(words: str = "", **parts: object) -> Seat:
    of = press(seat(views=VIEWS, width=120, height=40, **parts), ":")  # type: ignore[arg-type]
    return type_in(of, words)


def listed(of: Seat) -> list[str]:
    """Kind and name of each line, from the top."""
    assert of.sheet is not None
    return [row.key for row in of.sheet.rows.pile.rows]


def bold(of: Seat, key: str) -> str:
    """The letters of a line that stand out."""
    assert of.sheet is not None
    row = next(row for row in of.sheet.rows.pile.rows if row.key == key)
    return "".join(span.text for span in row.lines[0].left if span.bold)


def test_every_action_has_its_key_and_what_cannot_act_comes_last_with_the_reason() -> None:
    of = opened()
    actions = {action.id for action in of.keymap.actions} - {"palette"}
    names = [key.partition(":")[2] for key in listed(of) if key.startswith(("action:", "view:"))]
    assert set(names) == actions
    place = in_the_view(of)
    assert of.sheet is not None
    by_key = {row.key: row.lines[0].right for row in of.sheet.rows.pile.rows}
    refused = []
    for action in of.keymap.actions:
        if action.id == "palette":
            continue
        right = "".join(span.text for span in by_key[key_of(action.id)])
        why = action.refuses(place)
        if why:
            assert why.startswith(right.removesuffix("…"))
        else:
            assert right == of.key(action.id)
        refused += [key_of(action.id)] if why else []
    assert set(listed(of)[-len(refused) :]) == set(refused)


def key_of(action_id: str) -> str:
    return f"view:{action_id}" if action_id.startswith("view.") else f"action:{action_id}"


def test_the_head_says_what_was_typed_and_how_many_of_all_fit() -> None:
    of = opened("pau")
    assert ": pau_" in whole(of)
    found = of.sheet.finder.found  # type: ignore[union-attr]
    plan, log = of.snapshot.plan.value.tasks, of.snapshot.events.value.log
    assert log is not None
    everything = (
        len(of.keymap.actions)
        - 1
        + len(of.snapshot.inbox.value)
        + len(plan)
        + len(log)
        + len(of.snapshot.history.value)
        + len(of.outside.themes())
    )
    assert found.of == everything
    assert f"{found.fitted} of {everything:,}" in whole(of)
    assert found.fitted == len(found.hits)


def test_a_beginning_comes_before_a_word_in_the_middle() -> None:
    keys = listed(opened("ch"))
    at = [keys.index(key) for key in ("action:log.check", "task:T2")]
    assert at == sorted(at)


def test_the_letters_that_fit_stand_out() -> None:
    assert bold(opened("check"), "task:T2").lower() == "check"


def test_the_order_stays_while_newer_pictures_come() -> None:
    of = opened("e")
    wait_for(of)
    before = listed(of)
    for _ in range(3):
        of.take(replace(of.snapshot))
        assert listed(of) == before


def test_the_cursor_is_on_the_best_one_after_each_letter() -> None:
    of = opened("write")
    assert of.sheet is not None
    assert of.sheet.rows.cursor == listed(of)[0]


def test_a_kind_may_be_typed_first() -> None:
    keys = listed(opened("task check"))
    assert {key.partition(":")[0] for key in keys[:3]} == {"task"}


def test_the_beginning_of_a_kind_lists_all_of_it_the_newest_first() -> None:
    for typed in ("rev", "revision"):
        of = opened(typed, snapshot=picture_history.with_history())
        names = [key.partition(":")[2] for key in listed(of) if key.startswith("revision:")]
        newest = len(of.snapshot.history.value.revisions) - 1
        assert names == [str(at) for at in range(newest, -1, -1)]


def test_words_that_begin_so_come_before_things_of_a_kind_that_does() -> None:
    keys = listed(opened("the"))
    assert keys.index("action:go.unblocks") < keys.index("theme:harbor")


def test_two_letters_name_no_kind_yet() -> None:
    assert not [key for key in listed(opened("ta")) if key == "task:T12"]


def test_enter_on_a_task_shows_the_plan_with_the_cursor_on_it() -> None:
    of = press(opened("T8 drop"), "enter")
    assert of.views[of.current].name == "plan"
    assert cursor(of) == "task:T8"
    assert of.sheet is None
    assert of.entry is None


def test_a_task_that_a_filter_hides_is_shown_nevertheless() -> None:
    of = type_in(press(seat(views=VIEWS, height=40), "2", "/"), "map the")
    press(of, "enter")
    press(type_in(press(of, ":"), "T8 drop"), "enter")
    assert cursor(of) == "task:T8"


def test_enter_on_a_request_shows_the_inbox_with_the_cursor_on_it() -> None:
    request = picture.full().inbox.value[1]
    of = press(opened(f"request {request.question[:20]}"), "enter")
    assert of.views[of.current].name == "inbox"
    assert cursor(of) == f"req:{request.id}"


def test_enter_on_an_event_opens_it_and_esc_comes_back() -> None:
    of = opened("event commit")
    key = listed(of)[0]
    assert key.startswith("event:")
    press(of, "enter")
    assert of.views[of.current].name == "events"
    assert of.stay.opened == key
    assert press(of, "esc").current == 0


def test_enter_on_a_view_or_a_theme_takes_it() -> None:
    assert press(opened("view goal"), "enter").current == 4
    assert told(press(opened("theme paper"), "enter")).theme == "paper"


def test_enter_on_an_action_does_it_and_one_that_cannot_act_says_why() -> None:
    assert press(opened("density"), "enter").density == "normal"
    of = press(opened("compact, normal"), "enter")
    assert of.density == "roomy"
    of = press(opened("take the answer back"), "enter")
    assert of.toast == "no answer that can still be taken back is under the cursor"


def test_what_fits_nothing_is_said_and_enter_does_nothing() -> None:
    of = opened("qqqqzz")
    assert "nothing of that name" in whole(of)
    assert press(of, "enter").sheet is not None


# --- what is looked through beside the screen ------------------------------------------------


def test_the_tracked_files_are_there_once_git_has_listed_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "pause.py").write_text("")
    (tmp_path / "ignored.py").write_text("")
    run(["git", "-C", tmp_path, "add", "src/pause.py"], check=True)
    assert far.tracked_files(tmp_path) == ("src/pause.py",)
    monkeypatch.setattr("ppgp_tui.ui.finder.finder.tracked", far.tracked_files)
    of = opened("file pause.py", snapshot=replace(picture.full(), root=tmp_path))
    wait_for(of)
    assert listed(of)[0] == "file:src/pause.py"
    assert told(press(of, "enter")).edited == [("src/pause.py", 0)]


def test_a_kind_may_be_typed_first_also_for_what_is_looked_through_beside_the_screen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    many = [f"docs/page{number}.md" for number in range(FILES + 10)]
    monkeypatch.setattr("ppgp_tui.ui.finder.finder.tracked", lambda _: tuple(many))
    of = opened(f"file page{FILES + 5}.md")
    wait_for(of)
    assert listed(of) == [f"file:docs/page{FILES + 5}.md"]


def test_without_git_there_are_no_files(tmp_path: Path) -> None:
    assert far.tracked_files(tmp_path) == ()


def test_of_a_long_log_the_newest_are_there_at_once_and_older_ones_soon() -> None:
    may_go_on = Flag()

    class Slow(ListLog):
        def matching(self, text: str, *more: object, **named: object) -> Sequence[int]:
            may_go_on.wait(PATIENCE_S)
            return super().matching(text, *more, **named)  # type: ignore[arg-type]

    of = opened(snapshot=long_log(5_000, Slow))
    type_in(of, "part_4")
    assert "searching" in whole(of)
    shown = [key for key in listed(of) if key.startswith("event:")]
    assert shown
    assert all(int(key[6:]) >= 5_000 - EVENTS for key in shown)
    may_go_on.set()
    wait_for(of)
    assert "searching" not in whole(of)
    assert any(int(key[6:]) < 5_000 - EVENTS for key in listed(of) if key.startswith("event:"))
    found = of.sheet.finder.found  # type: ignore[union-attr]
    assert found.fitted > 200


def test_closing_ends_what_is_looked_for() -> None:
    of = opened("part", snapshot=long_log(2_000))
    finder = of.sheet.finder  # type: ignore[union-attr]
    press(of, "esc")
    assert of.sheet is None
    assert finder is not None
    assert finder._closed


def wait_for(of: Seat) -> None:
    """Until nothing is looked through any more beside the screen."""
    from time import monotonic, sleep

    finder = of.sheet.finder  # type: ignore[union-attr]
    assert finder is not None
    until = monotonic() + 30
    asked = told(of).asked_again
    while monotonic() < until:
        of.arrange()
        if not finder.found.searching and told(of).asked_again > 0:
            return
        sleep(0.01)
    raise AssertionError(f"still searching after {told(of).asked_again - asked} answers")


def long_log(count: int, kind: type[ListLog] = ListLog) -> SessionSnapshot:
    """A picture with a log of that many events."""
    full = picture.full()
    log = kind(made_log(count).events)
    return replace(full, events=Part(replace(full.events.value, log=log, count=count)))


def test_a_reason_takes_only_what_the_words_of_an_action_leave() -> None:
    of = type_in(press(seat(views=VIEWS, width=48), ":"), "answer back")
    line = next(line for line in text(of) if "take the answer back" in line)
    assert line.strip().startswith("action")


def test_enter_on_a_revision_shows_what_it_changed() -> None:
    of = opened("revision r12", snapshot=picture_history.with_history())
    key = listed(of)[0]
    press(of, "enter")
    assert of.views[of.current].name == "plan"
    assert of.walk.mode == "step"
    assert of.walk.at.near == int(key.removeprefix("revision:"))


def test_every_kind_is_gone_to_somehow() -> None:
    from ppgp_tui.ui.finder import palette

    assert set(palette._GOES) == set(KINDS)


def test_letters_strewn_over_a_text_fit_only_where_nothing_has_them_together() -> None:
    assert all("zoom" in row for row in fitting_words(opened("zoom")))
    assert fitting_words(opened("zmts"))


def fitting_words(of: Seat) -> list[str]:
    """The words of the actions, tasks and requests that are listed."""
    assert of.sheet is not None
    kinds = ("action:", "task:", "request:")
    rows = (row for row in of.sheet.rows.pile.rows if row.key.startswith(kinds))
    return [told_row(row.lines[0]).lower() for row in rows]


def told_row(line: Line) -> str:
    return "".join(span.text for span in line.left)


def test_words_too_long_for_the_sheet_end_with_a_sign() -> None:
    of = type_in(press(seat(views=VIEWS, width=48, height=24), ":"), "o")
    assert of.sheet is not None
    for row in of.sheet.rows.pile.rows:
        line = row.lines[0]
        taken = sum(len(span.text) for span in (*line.left, *line.right))
        assert taken + 3 <= 48, line


def test_the_word_that_was_looked_for_is_not_the_one_that_is_cut_out() -> None:
    of = type_in(press(seat(views=VIEWS, width=48, height=24), ":"), "old")
    said = [word for word in fitting_words(of) if word.startswith("request")]
    assert said
    assert all("old" in word for word in said), said
