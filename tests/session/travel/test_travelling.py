"""Going through a log: where things stand, what a growing log changes, and long ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.travel import past as ways
from ppgp_tui.session.travel.destination import Destination, parse_destination, place_of
from ppgp_tui.session.travel.past import COARSE, FINE, Past, StoppedError
from ppgp_tui.session.travel.traveller import Traveller
from tests.session.travel.logs import (
    BEGUN,
    LOG,
    STORY,
    lay,
    line,
    live,
    plan,
    view_of,
)
from tests.waiting import until


@pytest.fixture
def now(tmp_path: Path) -> SessionSnapshot:
    return live(lay(tmp_path / "root", STORY))


def moment(now: SessionSnapshot, index: int) -> SessionSnapshot:
    made = Traveller(lambda: now, lambda _: None).moment(Destination(at=index))
    assert made is not None
    return made


def test_a_moment_knows_nothing_that_came_later(now: SessionSnapshot) -> None:
    first = moment(now, 0)
    assert first.goal.value.goal == "Make it resumable"
    assert (first.goal.value.phase, first.plan.value.source) == (None, "none")
    assert (first.inbox.value, first.agents.value) == ((), ())
    asked = moment(now, 4)
    assert asked.goal.value.phase == "EXECUTE"
    assert [one.state for one in asked.inbox.value] == ["waiting"]
    assert [task.status for task in asked.plan.value.tasks] == ["pending", "pending"]
    answered = moment(now, 7)
    assert [one.state for one in answered.inbox.value] == ["answered"]
    assert [task.status for task in answered.plan.value.tasks] == ["completed", "pending"]


def test_a_moment_says_which_one_it_is(now: SessionSnapshot) -> None:
    found = moment(now, 4).moment
    assert found is not None
    assert found.event is not None
    assert (found.at, found.of, found.ts_ms) == (4, 12, BEGUN + 4000)
    assert found.event.kind == "authority.requested"


def test_agents_of_the_past_are_what_their_events_say(now: SessionSnapshot) -> None:
    states = {at: moment(now, at).agents.value[0].state for at in (1, 4, 7, 9, 10, 11)}
    assert states == {
        1: "working", 4: "waiting_for_you", 7: "working", 9: "held", 10: "violated", 11: "ended",
    }  # fmt: skip


def test_a_pause_of_the_past_is_asked_then_held_then_broken(now: SessionSnapshot) -> None:
    shaken = {at: moment(now, at).control.value.handshake for at in (7, 8, 9, 10)}
    assert shaken[7] == ()
    assert [shaken[at][0].state for at in (8, 9, 10)] == ["requested", "held", "violated"]
    assert shaken[10][0].count == 1


def test_an_agent_of_which_nothing_was_recorded_for_long_is_not_said_to_work(
    tmp_path: Path,
) -> None:
    later = line(99, "observation.created", {"id": "obs_2"}, actor="dev")
    now = live(lay(tmp_path / "root", [*STORY[:3], later]))
    agent = moment(now, 3).agents.value[0]
    assert (agent.state, agent.since_ms) == ("quiet", BEGUN + 2000)


@pytest.mark.parametrize(
    ("wanted", "at"),
    [
        (Destination(at=3), 3),
        (Destination(at=99), 11),
        (Destination(offset=0), 0),
        (Destination(event=f"event_{6:032x}"), 6),
        (Destination(event="event_nowhere"), None),
        (Destination(ts_ms=BEGUN + 6500), 6),
        (Destination(ts_ms=BEGUN - 1), 0),
        (Destination(task="a"), 7),
        (Destination(task="b"), 2),
        (Destination(task="z"), None),
        (Destination(session="claude-1"), 1),
        (Destination(session="nobody"), None),
        (Destination(node="req_1"), 4),
    ],
)
def test_a_thing_stands_where_it_was_told(
    now: SessionSnapshot, wanted: Destination, at: int | None
) -> None:
    assert place_of(view_of(now), wanted) == at


def test_a_place_is_written_as_a_number_an_id_or_a_time() -> None:
    assert parse_destination("12") == Destination(at=11)
    assert parse_destination("event_01") == Destination(event="event_01")
    assert parse_destination("2026-09-21T14:13:21+00:00") == Destination(ts_ms=1_790_000_001_000)
    assert parse_destination("yesterday") is None


@pytest.mark.parametrize("words", ["9" * 5_000, "0001-01-01T00:00", "9999-12-31T23:59:59-23:59"])
def test_what_no_log_can_hold_ends_in_no_mistake(words: str) -> None:
    wanted = parse_destination(words)
    assert wanted is None or wanted.ts_ms is not None


def test_a_log_that_grows_changes_no_moment_before(tmp_path: Path) -> None:
    root = lay(tmp_path / "root", STORY[:6])
    travelling = Past(LOG, 0)
    before = travelling.at(view_of(live(root)), 5).says()
    lay(root, STORY)
    after = live(root)
    assert travelling.at(view_of(after), 5).says() == before
    assert moment(after, 5).moment is not None
    assert travelling.at(view_of(after), 11).count == 12


def test_a_log_that_was_rewritten_is_read_anew(tmp_path: Path) -> None:
    root = lay(tmp_path / "root", STORY)
    travelling = Past(LOG, 0)
    travelling.at(view_of(live(root)), 11)
    lay(root, [line(1, "todo.revised", plan(8, z="pending"))])
    says = travelling.at(view_of(live(root)), 0).says()
    assert says.plan is not None
    assert says.plan.revision == 8


def test_lines_that_vanish_while_one_travels_tell_nothing(tmp_path: Path) -> None:
    root = lay(tmp_path / "root", STORY)
    now = live(root)
    with (root / LOG).open("r+b") as file:
        file.write(b"x" * sum(map(len, STORY[:3])))
    seen = moment(now, 7)
    assert seen.lifecycle.value.objective is None
    assert seen.plan.value.revision == 3


def calls(count: int) -> list[bytes]:
    return [line(at, "tool.called", {"run_id": "run_1"}, actor="claude-1") for at in range(count)]


def test_what_is_kept_of_a_long_log_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ways, "CLOSE", 4)
    monkeypatch.setattr(ways, "_FIRST_STEP", 8)
    view = view_of(live(lay(tmp_path / "root", calls(3000))))
    travelling = Past(LOG, 0)
    for index in (2999, 10, 1500, 1499, 2998):
        assert travelling.at(view, index).count == index + 1
        assert len(travelling._coarse) <= COARSE
        assert len(travelling._fine) <= FINE


def test_one_step_back_reads_a_few_lines_only(tmp_path: Path) -> None:
    view = view_of(live(lay(tmp_path / "root", calls(9000))))
    travelling = Past(LOG, 0)
    travelling.at(view, 8999)
    taken = 0
    read = ways.lines_from

    def counted(*args: int) -> object:
        nonlocal taken
        taken += args[2] - args[1]
        return read(*args)  # type: ignore[arg-type]

    ways.lines_from = counted  # type: ignore[assignment]
    try:
        for index in range(8998, 8900, -1):
            travelling.at(view, index)
    finally:
        ways.lines_from = read
    assert taken <= 98 * ways.CLOSE


def test_a_long_way_can_be_broken_off_and_gone_on_with(tmp_path: Path) -> None:
    view = view_of(live(lay(tmp_path / "root", calls(3000))))
    travelling = Past(LOG, 0)
    with pytest.raises(StoppedError):
        travelling.at(view, 2999, lambda _gathered, part: part < 0.5)
    assert travelling.at(view, 2999).count == 3000


def test_an_event_that_is_not_there_is_refused(now: SessionSnapshot) -> None:
    for index in (-1, 12):
        with pytest.raises(IndexError):
            Past(LOG, 0).at(view_of(now), index)


def test_the_last_journey_asked_for_is_the_one_that_arrives(now: SessionSnapshot) -> None:
    arrived: list[int] = []
    lost: list[Destination] = []
    traveller = Traveller(
        lambda: now, lambda seen: arrived.append(seen.moment.at if seen.moment else -1), lost.append
    )
    for at in range(12):
        traveller.go(Destination(at=at))
    until(lambda: arrived and arrived[-1] == 11)
    traveller.go(Destination(task="z"))
    until(lambda: lost)
    assert lost == [Destination(task="z")]
    traveller.close()


def test_there_is_nothing_to_travel_in_without_a_log(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    now = live(tmp_path / "root")
    assert Traveller(lambda: now, lambda _: None).moment(Destination(at=0)) is None
