"""The input thread sleeps until there is a key or the end, and can be begun and ended anew."""

import select

from ppgp_tui.ui.terminal.driver import _Ending


def can_be_read(ending: _Ending) -> bool:
    return bool(select.select([ending], [], [], 0)[0])


def test_the_end_wakes_whoever_waits_for_a_key_until_another_thread_begins() -> None:
    ending = _Ending()
    for _ in range(2):
        assert not can_be_read(ending)
        ending.set()
        ending.set()
        assert ending.is_set()
        assert can_be_read(ending)
        ending.clear()
        ending.clear()
        assert not ending.is_set()
    assert not can_be_read(ending)
