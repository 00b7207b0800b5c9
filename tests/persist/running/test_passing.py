"""Output on its way to a reader: whole for one that reads, no hindrance with one that does not."""

import os
import threading
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.persist.running.passing import Passing, write_all
from tests.waiting import PATIENCE_S, until

KIB_64 = b"x" * 65_536


def hand_over(passing: Passing, *pieces: bytes) -> None:
    for piece in pieces:
        while not passing.take(piece, 0.01):
            pass


@given(st.lists(st.binary(max_size=9_000), max_size=40))
def test_all_comes_through_in_order(pieces: list[bytes]) -> None:
    got: list[bytes] = []
    passing = Passing(got.append)
    hand_over(passing, *pieces)
    passing.finish()
    assert b"".join(got) == b"".join(pieces)


def test_a_slow_reader_loses_nothing() -> None:
    got: list[bytes] = []
    slowly = threading.Event()

    def read(data: bytes) -> None:
        slowly.wait(0.0005)
        got.append(data)

    passing = Passing(read)
    hand_over(passing, *[KIB_64] * 20)
    passing.finish()
    assert b"".join(got) == KIB_64 * 20


def test_one_that_pauses_is_told_how_much_it_missed() -> None:
    got: list[bytes] = []
    reads = threading.Event()

    def read(data: bytes) -> None:
        reads.wait()
        got.append(data)

    passing = Passing(read, patience_s=0.02)
    hand_over(passing, *[KIB_64] * 40, b"lost")
    reads.set()
    until(lambda: len(got) >= 17 * 16)
    hand_over(passing, b"read again")
    passing.finish()
    heard = b"".join(got)
    before = heard.count(b"x")
    note = b"\n[%d bytes were not read in time and are left out here]\n"
    assert heard == b"x" * before + note % (40 * 65_536 + 4 - before) + b"read again"


def test_the_end_is_not_waited_for_with_one_that_never_reads() -> None:
    never = threading.Event()
    passing = Passing(lambda _: never.wait() and None, patience_s=0.02)
    hand_over(passing, b"one", b"two")
    passing.finish()
    never.set()


def test_one_that_is_gone_is_left_alone() -> None:
    ours, far = os.pipe()
    os.close(ours)
    passing = Passing(partial(write_all, far))
    hand_over(passing, *[KIB_64] * 40)
    passing.finish()
    os.close(far)


def test_our_own_words_wait_for_a_reader_only_so_long() -> None:
    ours, far = os.pipe()
    with pytest.raises(TimeoutError):
        write_all(far, b"z" * 10_000_000, wait_s=0.01)
    os.close(ours)
    with pytest.raises(BrokenPipeError):
        write_all(far, b"z")
    os.close(far)


def test_a_descriptor_that_somebody_made_non_blocking_gets_everything() -> None:
    ours, far = os.pipe()
    os.set_blocking(far, False)
    passing = Passing(partial(write_all, far))
    got = bytearray()
    reader = threading.Thread(
        target=lambda: [got.extend(os.read(ours, 10_000)) for _ in iter(lambda: len(got), 500_000)]
    )
    reader.start()
    hand_over(passing, *[b"y" * 50_000] * 10)
    passing.finish()
    reader.join(PATIENCE_S)
    os.close(ours)
    os.close(far)
    assert got == b"y" * 500_000
