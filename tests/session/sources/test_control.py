"""Orders to agents, read only."""

from __future__ import annotations

import json

import pytest

from ppgp_tui.session.model import Control
from ppgp_tui.session.sources.control import parse_control
from ppgp_tui.session.sources.document import DamagedError


def test_no_file_holds_nothing() -> None:
    assert parse_control(None) == Control()


def test_a_hold_is_read_with_its_reason_and_whom_it_concerns() -> None:
    hold = {"id": "hold_1", "reason": "lunch", "since_ms": 5, "who": ["*"]}
    said = {"schema": 1, "generation": 12, "hold": hold, "slow": True}
    assert parse_control(json.dumps(said).encode()) == Control(12, "hold_1", 5, "lunch", ("*",))


def test_no_hold_leaves_the_generation() -> None:
    assert parse_control(b'{"generation":3,"hold":null}') == Control(3)


def test_strange_members_are_unknown() -> None:
    assert parse_control(b'{"generation":true,"hold":{"id":5,"who":"*"}}') == Control()


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b"[" * 100_000, b"9" * 10_000])
def test_what_makes_no_sense_is_damage(data: bytes) -> None:
    with pytest.raises(DamagedError):
        parse_control(data)
