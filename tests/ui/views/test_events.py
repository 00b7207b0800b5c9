"""View 4: the event log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ppgp_tui.session.model import Event, Events, Part, SessionSnapshot, SourceState, TornTail
from ppgp_tui.ui.views.log.event_rows import EventRows
from ppgp_tui.ui.views.log.events import EventsView
from tests.ui import picture
from tests.ui.picture import NOW, ListLog, ago
from tests.ui.views.drawn import PLAIN, frame, screen


def lines(
    snapshot: SessionSnapshot, width: int = 48, height: int = 40, **given: object
) -> list[str]:
    return screen(EventsView(), snapshot, frame(width, height, **given))


def with_events(*events: Event, **changed: object) -> SessionSnapshot:
    log = ListLog(events)
    value = Events(log=log, count=len(log), **changed)  # type: ignore[arg-type]
    return replace(picture.full(), events=Part(value, 1, picture.full().events.origin))


def event(index: int, **changed: object) -> Event:
    plain = Event(
        index, index + 1, index * 100, f"event_{index}", ago(minutes=9 - index), "agent",
        "claude-5f1e", "run.started", {"run_id": "run_1", "task": "todo:T5"},
    )  # fmt: skip
    return replace(plain, **changed)  # type: ignore[arg-type]


@dataclass(frozen=True)
class HugeLog:
    """A million events that nobody wants to see made."""

    count: int = 1_000_000
    asked: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return self.count

    def event(self, index: int) -> Event:
        self.asked.append(index)
        return event(index, ts_ms=NOW)

    def raw(self, index: int) -> bytes:
        return b"%d" % index

    def index_of(self, event_id: str) -> int | None:
        return int(event_id.removeprefix("event_"))

    def matching(
        self,
        text: str,
        newest_first: bool = True,
        *,
        cancelled: Callable[[], bool] | None = None,
    ) -> Sequence[int]:
        assert (text, newest_first, cancelled is None) == ("x", True, False)
        return range(self.count - 1, -1, -1000)


def huge() -> tuple[SessionSnapshot, HugeLog]:
    log = HugeLog()
    return replace(picture.full(), events=Part(Events(log=log, count=len(log)))), log


def test_a_million_events_are_decoded_only_where_they_are_looked_at() -> None:
    snapshot, log = huge()
    shown = lines(snapshot, 80)
    assert shown[0].startswith(" Events  1,000,000")
    assert len(set(log.asked)) < 40


def test_the_place_of_an_event_is_known_without_looking_at_the_others() -> None:
    snapshot, log = huge()
    listed = EventsView().layout(snapshot, frame(80, 24))[0][1]
    assert isinstance(listed.rows, EventRows)
    log.asked.clear()
    assert listed.rows.place("event:999999") == 0
    assert listed.rows.place("event:0") == 999_999
    assert listed.rows.place("event:1000000") is None
    assert log.asked == []


def test_what_is_found_is_listed_newest_first_and_keeps_its_keys() -> None:
    snapshot, _ = huge()
    found = EventsView().layout(snapshot, frame(80, 24, filter="x"))[0][1].rows
    assert isinstance(found, EventRows)
    assert len(found) == 1_000
    assert found[1].key == "event:998999"
    assert found.place("event:998999") == 1
    assert found.place("event:998998") is None


def test_the_newest_event_stands_on_top_and_the_heading_says_it_is_followed() -> None:
    shown = lines(picture.full())
    assert shown[0] == " Events  1,204               follows the newest"
    assert shown[1].startswith(" ▸ Edit src/importer/batch.py")


def test_once_the_cursor_has_left_the_top_the_heading_counts_what_arrived() -> None:
    away = lines(picture.full(), newer={"events.list": 12})
    assert away[0] == " Events  1,204                      12 newer, G"


def test_a_wide_row_also_says_kind_and_what_it_is_about() -> None:
    assert lines(picture.full(), 80)[4] == (
        " ⊘ A test_batch flaky under load           blocker.raised      T5   claude   3m"
    )


def test_the_causes_of_an_event_are_followed_upwards() -> None:
    snapshot = with_events(
        event(0, kind="goal.created", payload={"title": "Make it so"}),
        event(1, causation_id="event_0"),
        event(2, kind="agent.held", payload={"tool": "Bash"}, causation_id="event_1"),
    )
    shown = lines(snapshot, 60)
    start = shown.index(" How it came about")
    assert shown[start + 1 : start + 4] == [
        " + goal: Make it so                                      9m",
        "   ↳ ▸ run on T5                                         8m",
        "     ↳ = before Bash                                     7m",
    ]


def test_a_long_chain_of_causes_is_cut_and_says_so() -> None:
    chain = [event(at, causation_id=f"event_{at - 1}" if at else None) for at in range(20)]
    shown = lines(with_events(*chain), 120)
    assert any("earlier causes are not shown" in line for line in shown)
    assert sum("↳" in line for line in shown) == 6


def test_a_cause_that_is_missing_or_circles_is_said() -> None:
    missing = lines(with_events(event(0, causation_id="event_gone")), 120)
    assert any("its cause event_gone is not in this log" in line for line in missing)
    circle = with_events(event(0, causation_id="event_1"), event(1, causation_id="event_0"))
    assert any("it names itself as a cause" in line for line in lines(circle, 120))


def test_the_payload_is_readable_json_with_its_blanks() -> None:
    snapshot = with_events(event(0, payload={"task": "todo:T5", "deep": {"list": [1, 2]}}))
    shown = lines(snapshot, opened="event:0")
    start = shown.index(" {")
    assert shown[start : start + 9] == [
        " {",
        '   "task": "todo:T5",',
        '   "deep": {',
        '     "list": [',
        "       1,",
        "       2",
        "     ]",
        "   }",
        " }",
    ]


def test_the_detail_names_the_line_of_the_file_and_every_member() -> None:
    shown = lines(with_events(event(0, correlation_id="run_1")), opened="event:0")
    assert shown[3] == " The event                 state/events.jsonl:1"
    assert shown[4:9] == [
        " kind    run.started",
        " id      event_0",
        " actor   agent claude-5f1e",
        " cause   none",
        " part of run_1",
    ]


def test_a_damaged_line_is_shown_as_damaged_with_its_bytes_made_harmless() -> None:
    @dataclass(frozen=True)
    class Damaged(ListLog):
        def raw(self, index: int) -> bytes:
            assert index == 0
            return b'{"id": "event_0", \x1b[2J\xff'

    broken = Event(0, 7, 600, "", None, "", "", "", error="not JSON: cut off")
    log = Damaged((broken,))
    part = Part(Events(log=log, count=1), 1, picture.full().events.origin)
    shown = lines(replace(picture.full(), events=part))
    assert shown[1].startswith(" ! damaged line: not JSON: cut off")
    assert " A damaged line            state/events.jsonl:7" in shown
    assert ' {"id": "event_0", ␛[2J\ufffd' in shown


def test_a_line_that_is_still_being_written_is_in_flight() -> None:
    torn = TornTail(900, 1_200, ago(seconds=3))
    shown = lines(with_events(event(0), torn=torn))
    assert shown[1] == " ⋯ a line of 1,200 bytes so far    in flight 3s"


def test_while_the_log_is_being_read_the_heading_says_how_far() -> None:
    reading = SourceState("events", "state/events.jsonl", "reading", progress=0.4)
    shown = lines(replace(with_events(event(0)), sources=(reading,)), 80)
    assert "reading 40 %  follows the newest" in shown[0]


def test_without_a_log_it_says_where_one_was_looked_for() -> None:
    assert lines(picture.empty()) == [" Events", " no events yet: looked for state/events.jsonl"]
    empty = SourceState("events", "state/events.jsonl", "found")
    shown = lines(replace(picture.empty(), sources=(empty,)))
    assert shown[1] == " no events yet: state/events.jsonl is empty"


def test_finding_words_counts_them_and_says_when_there_are_none() -> None:
    assert lines(picture.full(), filter="pytest")[0].startswith(" Events  2 of 1,204")
    assert lines(picture.full(), filter="zzz")[1] == " no event says that"


def test_an_event_without_a_time_has_no_age() -> None:
    shown = lines(with_events(event(0, ts_ms=None)))
    assert shown[1].rstrip() == " ▸ run on T5                        claude"


def test_the_look_decides_the_signs() -> None:
    rows = EventRows(picture.log(), {}, PLAIN, NOW, 48, "state/events.jsonl")
    assert rows[-1].key == "event:0"
    assert [row.key for row in rows[:2]] == ["event:1203", "event:1202"]
