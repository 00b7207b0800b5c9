"""Every recorded todo call, tried through the command line: the same outcome, the same words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.acting import Json, Place
from tests.cli.running import run

CASES: list[Json] = json.loads(
    (Path(__file__).parents[1] / "data" / "pi" / "todo-cases.json").read_text("utf-8")
)


def files(place: Place, case: Json) -> tuple[Path, Path]:
    call, state = place.root / "call.json", place.root / "state.json"
    call.write_text(json.dumps(case["call"]), "utf-8")
    state.write_text(json.dumps(case["state_before"]), "utf-8")
    return call, state


def must_be_as_recorded(case: Json, code: int, told: Json) -> None:
    expected = case["expected"]
    assert set(told) == {"ok", "text", "state_after"}
    if expected["ok"] is None:  # what the original never lets its rules see
        assert (code, told["ok"]) == (1, False)
        assert told["state_after"] == case["state_before"]
        return
    assert told["ok"] is expected["ok"]
    assert code == (0 if expected["ok"] else 1)
    assert told["state_after"] == expected["state_after"]
    assert told["text"] == expected.get("error", told["text"])


NOT_A_PLAN = "Todo mutation exceeds the exported producer state contract."


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_trial_call_is_answered_as_recorded(bare: Place, case: Json) -> None:
    call, state = files(bare, case)
    before = bare.snapshot()
    said = bare.act("todo", "set", call, "--dry-run", "--against", state, "--json")
    assert said.err == ""
    must_be_as_recorded(case, said.code, json.loads(said.out))
    assert bare.snapshot() == before


@pytest.mark.parametrize("case", CASES[:: len(CASES) // 3], ids=lambda case: case["name"])
def test_the_real_program_says_the_same(bare: Place, case: Json) -> None:
    call, state = files(bare, case)
    said = run("todo", "set", call, "--dry-run", "--against", state, "--json", cwd=bare.root)
    must_be_as_recorded(case, said.code, json.loads(said.out))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_call_on_the_recorded_plan_is_refused_and_accepted_alike(
    place: Place, case: Json
) -> None:
    """What a trial says is what acting does, in the words of the trial."""
    call, _ = files(place, case)
    before = place.json("todo", "get")["data"]["state"]
    tried = place.act("todo", "set", call, "--dry-run", "--json")
    trial = json.loads(tried.out)
    said = place.act("todo", "set", call, "--json")
    done = json.loads(said.out)
    assert done["ok"] == trial["ok"], done
    if trial["text"] == NOT_A_PLAN:  # Pi's sentence says nothing of which task; acting does
        assert done["message"]
    else:
        assert done["message"] == trial["text"]
    assert said.code in ((0,) if done["ok"] else (1, 3))
    after = place.json("todo", "get")["data"]["state"]
    assert after == (trial["state_after"] if done["changed"] else before)
