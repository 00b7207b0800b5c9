"""`persist conformance`: the rules hold here, and a broken one is named."""

from __future__ import annotations

import pytest

from ppgp_tui.cli.persist import conformance
from ppgp_tui.persist import limits, reading, states
from ppgp_tui.persist.conformance import all_checks
from tests.cli.persist.loops import Loops


def test_every_rule_holds_and_a_real_loop_ends_well(loops: Loops) -> None:
    said = loops.call("conformance", "-v")
    assert (said.code, said.err) == (0, "")
    *checks, last = said.out.splitlines()
    assert last == "persist conformance: ok"
    assert [line.partition(":")[0] for line in checks] == [*all_checks(), "a real loop"]
    assert all(line.endswith(": ok") for line in checks)
    assert not loops.home.path.exists()


@pytest.mark.parametrize(
    ("module", "name", "broken", "check"),
    [
        (states, "may_go", lambda *_: True, "states"),
        (limits, "wait_s", lambda *_: 60.0, "rate limits"),
        (limits, "is_limited", lambda *_: False, "budgets"),
        (reading, "salvage", lambda _: iter(()), "damage"),
    ],
)
def test_a_broken_rule_is_named(
    loops: Loops, monkeypatch: pytest.MonkeyPatch, module, name: str, broken, check: str
) -> None:
    monkeypatch.setattr(module, name, broken)
    monkeypatch.setattr(conformance, "_real_loop", lambda: iter(()))
    said = loops.call("conformance")
    assert (said.code, said.out) == (1, "")
    assert f"persist: {check}: " in said.err
    last = said.err.splitlines()[-1]
    assert last.startswith("persist conformance: failed (")
    assert check in last


def test_a_loop_that_ends_otherwise_is_told(loops: Loops, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "_AGENT", "exit 3")
    monkeypatch.setattr(conformance, "all_checks", dict)
    said = loops.call("conformance")
    assert said.code == 1
    assert "persist: a real loop: exit code 5" in said.err
