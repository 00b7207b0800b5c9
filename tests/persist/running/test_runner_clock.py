"""The clock that counts for a loop (fault F13)."""

from __future__ import annotations

import time

import pytest

from ppgp_tui.persist.running.clock import Stopwatch, SystemClock
from tests.persist.running.scene import FakeClock


@pytest.mark.skipif(not hasattr(time, "CLOCK_BOOTTIME"), reason="only Linux has this clock")
def test_f13_the_clock_counts_time_in_which_the_machine_sleeps() -> None:
    before = time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    passed = SystemClock().passed_ms()
    after = time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    assert before <= passed <= after


def test_f13_a_sleep_of_the_machine_uses_the_budget_up() -> None:
    clock = FakeClock()
    watch = Stopwatch(clock)
    clock.sleep(8 * 3_600_000)  # the lid was closed
    assert watch.counted_s == 8 * 3_600


def test_a_stopwatch_stands_while_it_is_held_and_tells_so_once() -> None:
    clock = FakeClock()
    watch = Stopwatch(clock)
    clock.sleep(1_000)
    watch.hold(on=True)
    clock.sleep(5_000)
    watch.hold(on=True)
    assert (watch.counted_ms, watch.stands) == (1_000, True)
    assert watch.held_since_told() == 5_000
    clock.sleep(500)
    watch.hold(on=False)
    clock.sleep(250)
    assert (watch.counted_ms, watch.stands) == (1_250, False)
    assert watch.held_since_told() == 500
    assert watch.held_since_told() == 0
