"""Holding and releasing everybody: one order in one file, that no kill and no deletion loses."""

import json
import shutil
from pathlib import Path

import pytest

from ppgp_tui.session.actions import control, goal, plan
from ppgp_tui.session.canonical import canonical
from ppgp_tui.session.engine import orders
from tests.session.engine.desk import CLAUDE, HUMAN
from tests.session.engine.repository import (
    GOAL,
    LOG,
    RUN,
    Repository,
    good,
    refused,
    repository,
    task,
)

CONTROL = RUN / "control.json"


class KilledError(BaseException):
    """Stands for a kill: nothing after it happens."""


def order(here: Repository) -> dict:
    return here.json(CONTROL)


def kept(here: Repository) -> dict | None:
    file = here.state / orders.PAUSE
    return json.loads(file.read_bytes()) if file.exists() else None


@pytest.fixture
def begun(here: Repository) -> Repository:
    good(goal.create(here.engine(), "Retry survives"))
    return here


@pytest.fixture
def held(begun: Repository) -> Repository:
    good(control.hold(begun.engine(), reason="lunch"))
    return begun


def status(here: Repository) -> str:
    return here.json(GOAL)["goal"]["status"]


# The order ---------------------------------------------------------------------------------------


def test_a_hold_is_an_order_a_record_and_a_paused_goal(held: Repository) -> None:
    hold = order(held)["hold"]
    assert order(held) == {
        "by": "user:dev",
        "continue": {"limit": 25, "on": True, "text": "Continue the Goal."},
        "generation": 1,
        "hold": hold,
        "hold_limit_s": 28800,
        "next": "",
        "schema": 1,
        "slow": True,
        "stop": [],
    }
    assert held.read(CONTROL) == canonical(order(held)) + b"\n"
    assert (hold["reason"], hold["who"]) == ("lunch", ["*"])
    assert kept(held) == {"schema": 1, "hold": hold, "generation": 1}
    event = held.newest("human.interrupted")
    assert event["payload"] == {"what": "pause", "hold": hold["id"]}
    assert event["actor"] == {"kind": "user", "id": "dev"}
    changed = held.newest("goal.status_changed")
    assert (changed["causation_id"], changed["payload"]["reason"]) == (event["id"], "lunch")
    assert status(held) == "paused"


def test_a_release_undoes_exactly_what_the_hold_did(held: Repository) -> None:
    hold = order(held)["hold"]
    good(control.release(held.engine()))
    assert (order(held)["hold"], order(held)["generation"], order(held)["slow"]) == (None, 2, False)
    assert kept(held) is None
    assert held.newest("human.interrupted")["payload"] == {"what": "resume", "hold": hold["id"]}
    assert status(held) == "active"


def test_a_goal_that_was_paused_before_stays_paused(begun: Repository) -> None:
    good(control.hold(begun.engine()))
    good(control.release(begun.engine()))
    good(goal.block(begun.engine(CLAUDE), _proof()))
    good(control.hold(begun.engine()))
    good(control.release(begun.engine()))
    assert status(begun) == "paused"
    assert begun.ledger().blockers


def _proof():
    from tests.session.engine.life import PROOF

    return PROOF


def test_a_key_acts_on_the_order_that_was_painted(held: Repository) -> None:
    before = held.read(LOG), held.read(CONTROL)
    for act in (control.hold, control.release):
        said = refused(act(held.engine(), seen_generation=0), "stale")
        assert said == "the order changed meanwhile (generation 1, you saw 0); nothing was changed"
    assert (held.read(LOG), held.read(CONTROL)) == before
    good(control.release(held.engine(), seen_generation=1))


def test_a_second_hold_and_a_second_release_change_nothing(held: Repository) -> None:
    again = control.hold(held.engine())
    assert (again.code, again.message) == ("unchanged", "a pause stands already")
    good(control.release(held.engine()))
    again = control.release(held.engine())
    assert (again.code, again.message) == ("unchanged", "nothing is held")
    assert order(held)["generation"] == 2


def test_only_a_person_holds_and_releases(held: Repository, memory: Path) -> None:
    for act in (control.hold, control.release):
        assert "only a person" in refused(act(held.engine(CLAUDE)))
    nowhere = Repository(memory / "nowhere")
    nowhere.root.mkdir(parents=True)
    assert "only a person" in refused(control.hold(nowhere.engine(CLAUDE)))


def test_a_reason_too_long_for_pi_is_refused_before_anything_is_held(begun: Repository) -> None:
    assert "at most 2048 characters" in refused(control.hold(begun.engine(), reason="x" * 2049))
    assert kept(begun) is None
    assert not (begun.root / CONTROL).exists()


def test_the_rest_of_the_order_stays_as_it_was(held: Repository) -> None:
    held.write(CONTROL, canonical(order(held) | {"stop": ["claude-1"]}) + b"\n")
    good(control.release(held.engine()))
    assert (order(held)["stop"], order(held)["slow"]) == (["claude-1"], True)


# Without a session -------------------------------------------------------------------------------


def test_without_a_log_the_order_works_and_nothing_is_recorded(memory: Path) -> None:
    nowhere = Repository(memory / "nowhere")
    nowhere.root.mkdir(parents=True)
    result = good(control.hold(nowhere.engine()))
    assert result.recorded == "none"
    assert result.warnings == ("there is no log here: nothing was recorded",)
    assert order(nowhere)["hold"]["id"] == result.data["hold"]["id"]
    assert control.hold(nowhere.engine()).code == "unchanged"
    assert "nothing was changed" in refused(
        control.release(nowhere.engine(), seen_generation=7), "stale"
    )
    good(control.release(nowhere.engine()))
    assert (order(nowhere)["hold"], kept(nowhere)) == (None, None)


def test_a_hold_given_without_a_log_is_recorded_once_there_is_one(memory: Path) -> None:
    here = Repository(memory / "later")
    here.root.mkdir(parents=True)
    hold = good(control.hold(here.engine())).data["hold"]
    here.init()
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    event = here.newest("human.interrupted")
    assert event["payload"] == {"what": "pause", "hold": hold["id"]}
    assert event["actor"]["kind"] == "user"
    assert here.kinds().index("human.interrupted") < here.kinds().index("todo.revised")


# What gets lost ----------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["deleted", "emptied", "released", "other", "linked"])
def test_a_hold_that_other_hands_removed_is_written_again(held: Repository, how: str) -> None:
    hold = order(held)["hold"]
    file = held.root / CONTROL
    if how == "deleted":
        shutil.rmtree(held.root / RUN)
    elif how == "emptied":
        file.write_bytes(b"")
    elif how == "linked":
        file.unlink()
        file.symlink_to(held.folder / "elsewhere")
    else:
        other = None if how == "released" else {**hold, "id": "hold_" + "0" * 32}
        file.write_bytes(canonical(order(held) | {"hold": other, "generation": 9}) + b"\n")
    assert control.mend_hold(held.engine())
    assert order(held)["hold"] == hold
    assert order(held)["generation"] == (10 if how in ("released", "other") else 2)
    assert not (held.folder / "elsewhere").exists()
    assert not control.mend_hold(held.engine())
    good(control.release(held.engine()))
    assert order(held)["hold"] is None


def test_any_act_writes_a_lost_hold_again_and_says_so(held: Repository) -> None:
    shutil.rmtree(held.root / RUN)
    result = good(plan.revise(held.engine(CLAUDE), {"tasks": [task("a")]}))
    assert order(held)["hold"]["reason"] == "lunch"
    assert result.warnings == (".ppgp/run/control.json had lost what was ordered; written again",)


def test_nothing_is_mended_where_nothing_is_held(begun: Repository) -> None:
    assert not control.mend_hold(begun.engine())
    assert not (begun.root / CONTROL).exists()


def test_a_hold_without_a_log_is_written_again_too(memory: Path) -> None:
    nowhere = Repository(memory / "nowhere")
    nowhere.root.mkdir(parents=True)
    good(control.hold(nowhere.engine()))
    shutil.rmtree(nowhere.root / ".ppgp")
    assert control.mend_hold(nowhere.engine())
    assert order(nowhere)["hold"] is not None


@pytest.mark.parametrize(
    "data",
    [
        b"{}",
        b"[]",
        b'{"schema":2}',
        b"\x00" * 99,
        b"[" * 100_000,
        canonical({"schema": 1, "generation": 1, "hold": {}, "stop": [], "continue": {}}),
        canonical({"schema": 1, "generation": True, "hold": None, "stop": [], "continue": {}}),
        b'{"schema":1,"generation":9007199254740993,"hold":null,"stop":[],"continue":{}}',
        b'{"schema":1,"generation":1.5,"hold":null,"stop":[],"continue":{},"x":0.1}',
        b"x" * 300_000,
    ],
)
def test_an_order_that_makes_no_sense_holds_nobody_is_reported_and_replaced(
    begun: Repository, data: bytes
) -> None:
    begun.write(CONTROL, data)
    result = good(goal.checkpoint(begun.engine(CLAUDE), "seen"))
    assert any("control.json is" in warning for warning in result.warnings)
    good(control.hold(begun.engine()))
    assert order(begun)["hold"] is not None


def test_a_safety_net_that_is_gone_is_knotted_again(held: Repository) -> None:
    before = kept(held)
    (held.state / orders.PAUSE).unlink()
    good(goal.checkpoint(held.engine(CLAUDE), "seen"))
    assert kept(held) == before


def test_a_planted_hold_is_released_like_any_other(begun: Repository) -> None:
    good(control.hold(begun.engine()))
    good(control.release(begun.engine()))
    planted = {"id": "hold_" + "1" * 32, "reason": "x", "since_ms": 1, "who": ["*"]}
    begun.write(CONTROL, canonical(order(begun) | {"hold": planted}) + b"\n")
    good(control.release(begun.engine()))
    assert (order(begun)["hold"], kept(begun)) == (None, None)


def test_a_hold_without_a_place_for_its_safety_net_still_holds(begun: Repository) -> None:
    begun.folder.joinpath("user").rename(begun.folder / "gone")
    (begun.folder / "user").write_text("in the way")
    result = good(control.hold(begun.engine(settings=begun.engine().settings)))
    assert order(begun)["hold"] is not None
    assert any("no safe copy" in warning for warning in result.warnings)
    good(control.release(begun.engine()))
    assert order(begun)["hold"] is None


# Killed in between -------------------------------------------------------------------------------


def killed_at(monkeypatch: pytest.MonkeyPatch, name: str, *, before: bool) -> None:
    """The process dies just before or after one step of writing an order."""
    real = getattr(orders, name)

    def step(*arguments: object) -> object:
        if not before:
            real(*arguments)
        raise KilledError

    monkeypatch.setattr(orders, name, step)


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("step", ["keep", "give"])
def test_a_hold_killed_anywhere_is_wholly_there_or_wholly_absent_after_the_next_act(
    begun: Repository, monkeypatch: pytest.MonkeyPatch, step: str, before: bool
) -> None:
    killed_at(monkeypatch, step, before=before)
    with pytest.raises(KilledError):
        control.hold(begun.engine(), reason="lunch")
    monkeypatch.undo()
    good(goal.checkpoint(begun.engine(CLAUDE), "seen"))
    there = not (step == "keep" and before)
    recorded = [event for event in begun.events() if event["kind"] == "human.interrupted"]
    assert len(recorded) == (1 if there else 0)
    assert (kept(begun) is not None) is there
    assert ((begun.root / CONTROL).exists() and order(begun)["hold"] is not None) is there
    assert status(begun) == ("paused" if there else "active")


@pytest.mark.parametrize("before", [True, False], ids=["before", "after"])
@pytest.mark.parametrize("step", ["forget", "give"])
def test_a_release_killed_after_it_is_recorded_is_finished_by_the_next_act(
    held: Repository, monkeypatch: pytest.MonkeyPatch, step: str, before: bool
) -> None:
    killed_at(monkeypatch, step, before=before)
    with pytest.raises(KilledError):
        control.release(held.engine())
    monkeypatch.undo()
    good(goal.checkpoint(held.engine(CLAUDE), "seen"))
    assert order(held)["hold"] is None
    assert kept(held) is None
    assert held.kinds().count("human.interrupted") == 2
    assert status(held) == "active"


def test_a_hold_that_cannot_be_recorded_is_not_given(memory: Path, monkeypatch) -> None:
    here = repository(memory / "there")
    good(goal.create(here.engine(HUMAN), "Retry survives"))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ppgp_tui.session.journal.log.Log.append", full)
    said = refused(control.hold(here.engine()), "disk")
    assert "no space left" in said
    monkeypatch.undo()
    assert kept(here) is None
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    assert not (here.root / CONTROL).exists()


def test_a_recorded_order_that_reaches_nobody_is_no_success(
    begun: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(orders, "give", full)
    result = control.hold(begun.engine())
    assert (result.code, result.exit_code, result.recorded) == ("disk", 1, "log")
    assert "the agents could not be told" in result.message
    monkeypatch.undo()
    good(goal.checkpoint(begun.engine(CLAUDE), "seen"))
    assert order(begun)["hold"] is not None


@pytest.mark.parametrize("order_fits", [True, False], ids=["the order fits", "nothing fits"])
def test_a_full_disk_keeps_no_agent_waiting(
    held: Repository, monkeypatch: pytest.MonkeyPatch, order_fits: bool
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ppgp_tui.session.journal.log.Log.append", full)
    if not order_fits:
        monkeypatch.setattr(orders, "give", full)
    result = control.release(held.engine())
    assert (result.code, result.message, result.recorded) == ("done", "resumed", "none")
    assert "no space left" in result.warnings[0]
    assert "stays so (goal unblock)" in result.warnings[0]
    assert kept(held) is None
    assert not (held.root / CONTROL).exists() or order(held)["hold"] is None
    monkeypatch.undo()
    good(goal.checkpoint(held.engine(CLAUDE), "seen"))
    assert not (held.root / CONTROL).exists() or order(held)["hold"] is None
    assert status(held) == "paused"
    good(goal.resume(held.engine()))
    assert status(held) == "active"
