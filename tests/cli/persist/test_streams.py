"""What a loop says: at once, and at nobody's mercy."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from ppgp_tui.cli.persist import streams
from ppgp_tui.cli.persist.streams import Streams
from tests.waiting import PATIENCE_S


@contextmanager
def standard_output() -> Iterator[int]:
    """What reads it; may be closed."""
    ours, far = os.pipe()
    with open(far, "w", encoding="utf-8") as out, pytest.MonkeyPatch.context() as patch:  # noqa: PTH123
        patch.setattr(sys, "stdout", out)
        yield ours


def test_words_arrive_as_they_are_said() -> None:
    with standard_output() as reader:
        Streams().say("persist: loop ü SUCCESS")
        assert os.read(reader, 100) == "persist: loop ü SUCCESS\n".encode()
        Streams().out(b"\xff half a line")
        assert os.read(reader, 100) == b"\xff half a line"
        os.close(reader)


def test_a_reader_that_reads_no_more_holds_no_word_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PATIENCE_S", 0.01)
    with standard_output() as reader:
        stuck = threading.Thread(target=Streams().out, args=(b"x" * 1_000_000,), daemon=True)
        stuck.start()
        Streams().say("the end " * 100_000)
        got = 0
        while got < 1_000_000:
            got += os.read(reader, 65_536).count(b"x")
        stuck.join(PATIENCE_S)
        assert not stuck.is_alive()
        os.close(reader)


def test_a_reader_that_is_gone_is_no_error() -> None:
    with standard_output() as reader:
        os.close(reader)
        Streams().say("to nobody")
        Streams().out(b"to nobody either")
        print("nor this", flush=True)  # noqa: T201
