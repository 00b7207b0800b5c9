"""View 4 as a story: runs, sentences, what is open, what is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from ppgp_tui.session.model import GraphLook, Part, SessionSnapshot
from ppgp_tui.ui.views.log import story_list
from ppgp_tui.ui.views.log.event_panes import STORY_UP_TO, is_raw
from ppgp_tui.ui.views.log.events import EventsView
from ppgp_tui.ui.views.log.story_rows import StoryRows
from tests.ui import picture_story as story
from tests.ui.picture_story import Teller, event, node, ops
from tests.ui.views.drawn import frame, screen


@pytest.fixture
def teller(tmp_path: Path) -> Teller:
    return Teller(tmp_path)


def shown(
    snapshot: SessionSnapshot, width: int = 80, height: int = 60, **given: object
) -> list[str]:
    return screen(EventsView(), snapshot, frame(width, height, **given))


def listed(snapshot: SessionSnapshot, width: int = 80, **given: object) -> list[str]:
    """The rows of the list alone."""
    lines = shown(snapshot, width, **given)
    end = next((at for at, line in enumerate(lines) if line == " How it came about"), len(lines))
    before = lines[1 : end - 1]
    return before[: before.index("")] if "" in before else before


def rows_of(snapshot: SessionSnapshot, width: int = 80, **given: object) -> StoryRows:
    rows = EventsView().layout(snapshot, frame(width, 40, **given))[0][1].rows
    assert isinstance(rows, StoryRows)
    return rows


def keys(rows: StoryRows) -> list[str]:
    return [rows[at].key for at in range(len(rows))]


def test_runs_stand_with_their_sentences_the_newest_activity_first(teller: Teller) -> None:
    assert [line[:40].rstrip() for line in listed(teller.snapshot())] == [
        " ▸ claude on T5",
        " ?   asked ‘Retry uploads too?’",
        " +   T5 Bound it",
        " ✓   Edit src/retry.py",
        " . outside of runs",
        " .   task T5 added",
        " . outside of runs",
        " .   ‘CI is slow’ tombstoned: it is not",
        " .   seen: CI is slow",
        " ✓ evolve session 1",
        " ✗   patch 8 proposed for ‘Make retry re",
        " ✓   patch 9 proposed for ‘Make retry re",
        " +   task ‘Retry with a limit’ added for",
        " . outside of runs",
        " +   goal: Make retry reliable",
    ]


def test_the_heading_of_a_run_was_read_where_the_run_starts(teller: Teller) -> None:
    shown = teller.snapshot()
    log = shown.events.value.log
    assert log is not None
    starts = {
        log.event(at).line: log.event(at).offset
        for at in range(len(log))
        if log.event(at).kind == "run.started"
    }
    rows = rows_of(shown)
    heads = [row for at in range(len(rows)) if (row := rows[at]).copy.startswith("run_")]
    assert heads
    for row in heads:
        assert row.origin is not None
        assert starts[row.origin.line or 0] == row.origin.offset


def test_a_graph_change_is_told_with_its_event_and_has_no_row(teller: Teller) -> None:
    rows = rows_of(teller.snapshot())
    log = teller.snapshot().events.value.log
    assert log is not None
    leading = [int(key[6:]) for key in keys(rows) if key.startswith("event:")]
    alone = [log.event(at).id for at in leading if log.event(at).kind == "state.ops_applied"]
    assert alone == ["t2p", "o1t"]
    assert len(rows) < len(log) / 2


def test_an_open_run_says_so_and_for_how_long(teller: Teller) -> None:
    head = listed(teller.snapshot())[0]
    assert head.startswith(" ▸ claude on T5")
    assert head.endswith("open 30m    6m")


def test_a_finished_run_says_how_it_ended_and_how_long_it_took(teller: Teller) -> None:
    head = next(line for line in listed(teller.snapshot()) if "evolve session 1" in line)
    assert head.startswith(" ✓ evolve session 1")
    assert head.endswith("promoted 1/2 tasks 50m  3h10")


@pytest.mark.parametrize(
    ("outcome", "narrow", "sign"),
    [
        ("promoted 1/2 tasks", "promoted", "✓"),
        ("completed", "completed", "✓"),
        ("social session complete (agent ran)", "finished", "✓"),
        ("loop_aborted:Bash", "loop", "✗"),
        ("error", "error", "✗"),
        ("interrupted", "interrupted", "✗"),
        ("", "finished", "✓"),
    ],
)
def test_a_narrow_list_has_one_word_for_how_a_run_ended(
    tmp_path: Path, outcome: str, narrow: str, sign: str
) -> None:
    made = [
        event("r", "run.started", {"run_id": "run_1", "task": "dream"}, 10, run="run_1"),
        event("f", "run.finished", {"run_id": "run_1", "outcome": outcome}, 4, run="run_1"),
    ]
    head = listed(Teller(tmp_path, made).snapshot(), 48)[0]
    assert head.startswith(f" {sign} dream")
    assert head.rstrip().endswith(f"{narrow} 6m    4m")


def test_a_run_whose_end_lies_before_its_start_has_no_duration(tmp_path: Path) -> None:
    made = [
        event("r", "run.started", {"run_id": "run_1", "task": "dream"}, 10, run="run_1"),
        event("f", "run.finished", {"run_id": "run_1", "outcome": "completed"}, 40, run="run_1"),
    ]
    assert listed(Teller(tmp_path, made).snapshot())[0].rstrip().endswith("completed   40m")


def test_a_run_that_began_in_the_future_is_open_for_no_time(tmp_path: Path) -> None:
    made = [event("r", "run.started", {"run_id": "run_1", "task": "dream"}, -40, run="run_1")]
    assert listed(Teller(tmp_path, made).snapshot())[0].rstrip().endswith("open    0s")


def test_a_run_that_is_only_mentioned_has_neither_begin_nor_end(tmp_path: Path) -> None:
    made = [event("c", "tool.called", {"id": "call_1", "tool": "Read"}, 3, run="run_lost")]
    assert (
        listed(Teller(tmp_path, made).snapshot())[0]
        .rstrip()
        .endswith("neither begin nor end seen    3m")
    )


def test_hiding_a_run_counts_its_events_and_showing_it_brings_them_back(teller: Teller) -> None:
    snapshot = teller.snapshot()
    hidden = listed(snapshot, turned=frozenset({"node:run_1"}))
    head = next(line for line in hidden if "evolve session 1" in line)
    assert "evolve session 1  24 events" in head
    assert not any("patch 9" in line for line in hidden)
    assert any("patch 9" in line for line in listed(snapshot))


def test_only_the_newest_part_of_a_long_story_is_told_until_a_run_is_opened(
    teller: Teller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(story_list, "SHOWN", 5)
    snapshot = teller.snapshot()
    assert not any("patch 9" in line for line in listed(snapshot))
    assert any("patch 9" in line for line in listed(snapshot, turned=frozenset({"node:run_1"})))


def test_of_a_very_long_run_the_newest_sentences_are_told_and_the_rest_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(story_list, "MOST", 4)
    calls = [
        event(f"c{at}", "tool.called", {"tool": "Read", "input_summary": f"part {at}"}, 90 - at,
              cause="r", run="run_1")
        for at in range(20)
    ]  # fmt: skip
    begun = event("r", "run.started", {"run_id": "run_1", "task": "dream"}, 99, run="run_1")
    told = listed(Teller(tmp_path, [begun, *calls]).snapshot())
    assert [line[5:40].split("  ")[0].strip() for line in told[1:]] == [
        "Read part 19", "Read part 18", "Read part 17", "Read part 16",
        "17 earlier events: v lists them",
    ]  # fmt: skip


def test_a_row_is_worded_only_when_it_is_looked_at(
    teller: Teller, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ppgp_tui.gasp.telling.chapters import Chapters

    asked: list[Sequence[int]] = []
    telling = Chapters.telling

    def counted(self: Chapters, events: list[int]) -> object:
        asked.append(events)
        return telling(self, events)

    monkeypatch.setattr(Chapters, "telling", counted)
    rows = rows_of(teller.snapshot())
    asked.clear()
    assert len(rows) > 10
    assert rows.place("event:0") == len(rows) - 1
    assert asked == []
    assert rows[1].key.startswith("event:")
    assert len(asked) == 1


def test_every_row_has_its_place_and_its_own_key(teller: Teller) -> None:
    rows = rows_of(teller.snapshot())
    assert [rows.place(key) for key in keys(rows)] == list(range(len(rows)))
    assert rows.place("event:999") is None


def test_new_events_come_on_top_and_old_rows_keep_their_keys(teller: Teller) -> None:
    view = EventsView()
    before = view.layout(teller.snapshot(), frame(80, 40))[0][1].rows
    old = [before[at].key for at in range(len(before))]
    teller.write(event("c9", "tool.called", {"tool": "Grep"}, 0, cause="r1", run="run_1"))
    after = view.layout(teller.snapshot(), frame(80, 40))[0][1].rows
    new = [after[at].key for at in range(len(after))]
    assert new[0] == "node:run_1"
    assert after[1].copy == "Grep"
    assert set(old) < set(new)


def test_while_the_log_is_folded_events_are_listed_and_the_heading_says_how_far(
    teller: Teller,
) -> None:
    plain = teller.snapshot(folded=False)
    reading = replace(plain, graph=Part(GraphLook("folding", 0.4)))
    lines = shown(reading)
    assert lines[0].startswith(" Events  37")
    assert "reading the story 40 %" in lines[0]
    assert shown(plain)[0].rstrip().endswith("follows the newest")


def test_a_person_may_choose_to_see_every_event(teller: Teller) -> None:
    lines = shown(teller.snapshot(), raw=True)
    assert lines[0].startswith(" Events  37")
    assert any("state.ops_applied" in line for line in lines)


def test_a_short_log_is_a_story_by_itself_and_a_long_one_when_asked() -> None:
    assert not is_raw(None, STORY_UP_TO)
    assert is_raw(None, STORY_UP_TO + 1)
    assert not is_raw(False, 1_000_000)
    assert is_raw(True, 1)


def test_what_is_found_stands_below_its_run(teller: Teller) -> None:
    lines = shown(teller.snapshot(), filter="kind:patch.* run:run_1")
    assert lines[0].startswith(" Story  4 of 37, kind patch.*, run run_1")
    assert [line[:12] for line in lines[1:5]] == [
        " ✓ evolve se", " ✗   patch 8", " ✓   patch 9", "",
    ]  # fmt: skip


def test_an_event_that_is_told_in_another_ones_sentence_finds_that_sentence(
    teller: Teller,
) -> None:
    found = rows_of(teller.snapshot(), filter="kind:eval.finished")
    assert [key for key in keys(found) if key.startswith("event:")] == ["event:15", "event:6"]


def test_a_filter_that_is_not_understood_is_said(teller: Teller) -> None:
    lines = shown(teller.snapshot(), filter="knd:patch since:later")
    assert lines[1] == " there is no knd:, did you mean kind:?"
    assert lines[2] == " since: wants 2h, 18:00 or 2026-09-30, not later"


def test_how_things_are_linked_is_asked_only_of_a_folded_log(teller: Teller) -> None:
    plain = teller.snapshot(folded=False)
    waiting = shown(replace(plain, graph=Part(GraphLook("folding", 0.2))), filter="goal:retry")
    assert "reading the story 20 %" in waiting[0]
    assert not any("no event says that" in line for line in waiting)
    found = shown(teller.snapshot(), filter="goal:retry")
    assert found[0].startswith(" Story  ")
    assert any("patch 9" in line for line in found)


def test_the_story_says_no_words_that_a_terminal_would_obey(tmp_path: Path) -> None:
    bad = "\x1b[2J\u202eevil\x07 \x9b31m"
    made = [
        event("r", "run.started", {"run_id": "run_1", "task": bad}, 10, run="run_1"),
        event("p", "patch.proposed", {"id": f"patch_{bad}", "title": bad}, 9, run="run_1"),
        ops("po", "p", 9, node(f"patch_{bad}", bad, title=bad, status=bad), run="run_1"),
        event("f", "run.finished", {"run_id": "run_1", "outcome": bad}, 8, run="run_1"),
    ]
    for width in (48, 80, 120, 160):
        lines = shown(Teller(tmp_path, made).snapshot(), width, cursor={"events.list": "event:1"})
        assert not set("".join(lines)) & set("\x1b\u202e\x07\x9b")


def test_the_made_up_log_is_one_the_story_is_about() -> None:
    assert len(story.lines()) == 37
    assert len(story.LONG) > 190
