"""A night in a minute: one loop, its person's app beside it, and nobody tells another story."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.acting import PROGRAM, Place, Server, odd_seconds
from tests.e2e.persist.night import (
    LAST,
    LIMITED,
    TIMEOUT_S,
    WAITS_S,
    Ended,
    Night,
    expected,
    said_of,
    shown,
)
from tests.waiting import PATIENCE_S, until

pytestmark = [
    pytest.mark.terminal,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
REST_AFTER = 10
"""From this run on the person wants a rest: no run soon after it meets a limit or hangs."""


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    place = Place(tmp_path)
    server = Server(place.root, place.environ, "night")
    try:
        yield Night(place, server, odd_seconds())
    finally:
        server.end()


def reached(night: Night, number: int) -> None:
    """Wait until that run has begun."""
    until(lambda: (rows := night.rows()) and rows[-1]["iteration"] >= number, 2 * PATIENCE_S)


def conforms(night: Night) -> bool:
    with night.place.process(str(PROGRAM), "gasp", "check", str(night.place.root)) as check:
        return check.wait(PATIENCE_S) == 0


def test_log_events_and_screen_tell_the_same_night(night: Night) -> None:
    pane = night.starts(timeout_s=TIMEOUT_S)
    app = night.looks()

    reached(night, REST_AFTER)
    app.key("P")
    app.sees("paused", "P resume", "loop held")
    (rest,) = [row for row in night.rows() if "by" in row["extra"]]
    assert (rest["to_state"], rest) == ("PAUSED", night.rows()[-1])
    assert night.agents() == []
    app.key("Enter")
    card = app.sees("state      PAUSED", f"limits     {LIMITED} runs met a rate limit")
    runs = shown(card)
    assert len(runs) > REST_AFTER / 2
    assert runs == [(one.iteration, said_of(one)) for one in night.logged()[::-1]][: len(runs)]
    assert night.rows()[-1] == rest
    assert night.recorded() == night.logged()

    app.key("P")
    app.sees("P pause")
    reached(night, LAST)
    app.until(lambda text: " begins" in text.partition("Output")[2])
    app.key("X")
    app.sees("Abandon the loop importer", "Why?")
    app.types("enough for tonight")
    app.sees("Abandon this loop?", "Because: enough for tonight", "sees that within a second")
    app.key("y")
    pane.sees("ABANDONED: enough for tonight", "ended 1")
    card = app.sees("abandoned", "state      ABANDONED", "why        enough for tonight")

    # The loops' log.
    first, *rows, last = night.rows()
    logged = night.logged()
    assert logged[: len(expected())] == expected()
    assert all(one.outcome == "truncated" for one in logged[len(expected()) :])
    assert (last["to_state"], last["extra"]) == ("ABANDONED", {"reason": "enough for tonight"})
    begun = [row for row in rows if row["to_state"] == "ITERATING"]
    paused = [row["extra"]["reason"] for row in rows if row["to_state"] == "PAUSED"]
    assert len(begun) + len(paused) == len(rows)
    assert paused == ["rate_limited"] * LIMITED + [rest["extra"]["reason"]]
    (resumed,) = [row for row in begun if "paused_s" in row["extra"]]
    assert resumed["extra"]["pause_reason"] == rest["extra"]["reason"]
    assert resumed == night.rows()[night.rows().index(rest) + 1]

    # The events: the same runs. How the last one ended only they tell, for the person wrote the
    # loop's last row.
    recorded = night.recorded()
    assert recorded[: len(logged)] == logged
    final = recorded[len(logged)]
    assert isinstance(final, Ended)
    assert final.iteration == last["iteration"] == begun[-1]["iteration"]
    assert final.outcome in ("interrupted", "truncated")
    goal = night.place.events("run.started")[-1]["payload"]["metadata"]
    assert (goal["loop"], goal["source"]) == (first["loop_id"], "persist")
    assert conforms(night)

    waited = night.waited_s()
    assert {number: len(gaps) for number, gaps in waited.items()} == {
        number: len(waits) for number, waits in WAITS_S.items()
    }
    for number, waits in WAITS_S.items():
        assert all(gap >= wait for gap, wait in zip(waited[number], waits, strict=True)), waited
    acts = night.place.events("human.interrupted")
    assert [act["payload"]["what"] for act in acts] == ["pause", "resume"]
    assert {act["actor"]["kind"] for act in acts} == {"user"}

    # The screen, and the machine.
    runs = shown(card)
    assert len(runs) >= 10
    assert runs == [(one.iteration, said_of(one)) for one in logged[::-1]][: len(runs)]
    assert f"run {last['iteration']} of 99" in card
    assert until(lambda: not night.running())


def test_a_killed_runner_takes_its_agent_with_it_and_its_loop_is_closed_with_a_key(
    night: Night,
) -> None:
    pane = night.starts()
    app = night.looks()
    assert until(night.agents)
    os.kill(night.rows()[0]["extra"]["runner"]["pid"], signal.SIGKILL)
    pane.sees("ended 137")
    app.sees("runner gone", "nobody runs it any more: X closes it")
    assert until(lambda: not night.running())
    assert night.rows()[-1]["to_state"] == "ITERATING"
    assert night.recorded() == [1]

    app.key("X")
    app.sees("Close this loop?", "runner gone")
    app.key("y")
    until(lambda: night.rows()[-1]["to_state"] == "ABANDONED")
    app.until(lambda text: "Close this loop?" not in text and "abandoned" in text)
    last = night.rows()[-1]
    assert last["extra"] == {"reason": "runner gone"}

    again = night.starts()
    assert until(night.agents)
    gone = Ended(1, "interrupted", None)
    assert night.recorded() == [gone, 1]
    app.sees("run 1 of 99", "running")
    again.key("C-c")
    again.sees("ended 130")
    assert night.recorded() == [gone, Ended(1, "interrupted", 143, "SIGTERM")]
    assert conforms(night)
    assert until(lambda: not night.running())
