"""A loop asks many times a second whether a person holds the agents of its repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ppgp_tui.session.looping import holding
from ppgp_tui.session.looping.holding import held_in
from tests.session.place import CONTROL, Place


def test_a_pause_of_everybody_holds_the_loop_until_it_is_released(place: Place) -> None:
    held = held_in(place.root)
    assert held() is None
    place.holds()
    assert held() == "a person holds the agents here"
    place.releases()
    assert held() is None


def test_the_reason_is_told_on_one_line_and_never_as_a_control_sequence(place: Place) -> None:
    write(place.root, {"id": f"hold_{'0' * 32}", "reason": "look\n\x1b[31mfirst", "who": ["*"]})
    why = held_in(place.root)()
    assert why is not None
    assert why.startswith("a person holds the agents here: look")
    assert why.isprintable()


def test_a_pause_of_a_named_session_holds_the_loop_that_it_belongs_to(place: Place) -> None:
    hold = {"id": f"hold_{'0' * 32}", "reason": "", "who": ["claude-0f3a"]}
    write(place.root, hold)
    assert held_in(place.root)() is None
    assert held_in(place.root, lambda: ["claude-0f3a"])() is not None


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"schema":1,"hold":7}', b"\xff" * 9])
def test_an_order_that_makes_no_sense_holds_nobody(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / CONTROL
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    assert held_in(tmp_path)() is None


def test_an_order_that_is_a_link_out_of_the_repository_is_not_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside.json"
    write(root, {"id": f"hold_{'0' * 32}", "reason": "", "who": ["*"]})
    (root / CONTROL).rename(outside)
    (root / CONTROL).symlink_to(outside)
    assert held_in(root)() is None


def test_the_file_is_read_only_when_it_was_replaced(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = []
    reader = holding.read_inside
    monkeypatch.setattr(holding, "read_inside", lambda *a: reads.append(1) or reader(*a))
    held = held_in(place.root)
    place.holds()
    assert [held() is not None for _ in range(50)] == [True] * 50
    assert len(reads) == 1
    place.releases()
    assert [held() for _ in range(50)] == [None] * 50
    assert len(reads) == 2


def write(root: Path, hold: dict[str, object]) -> None:
    path = root / CONTROL
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps({"schema": 1, "generation": 1, "hold": hold}))
    new.replace(path)
