"""The plan: replaced at a base revision, and the hand-edited file."""

import json
from pathlib import Path

import pytest

from ppgp_tui.session.actions import plan, start
from tests.session.engine.desk import CLAUDE, HUMAN
from tests.session.engine.repository import LOG, TODO, Repository, good, refused, task
from tests.session.engine.rules import broken, graph


@pytest.fixture
def planned(here: Repository) -> Repository:
    call = {"baseRevision": 0, "tasks": [task("a"), task("b", after=("a",))]}
    good(plan.revise(here.engine(CLAUDE), call))
    return here


def edited(here: Repository, old: str, new: str) -> bytes:
    data = here.read(TODO).replace(old.encode(), new.encode())
    here.write(TODO, data)
    return data


def test_a_revision_is_recorded_whole(planned: Repository) -> None:
    payload = planned.newest("todo.revised")["payload"]
    assert set(payload) == {
        "revision", "base_revision", "state", "removed", "origin", "digest",
    }  # fmt: skip
    assert payload["state"] == planned.json(TODO)
    assert (payload["revision"], payload["base_revision"], payload["origin"]) == (1, 0, "call")


def test_a_task_left_out_without_a_reason_is_protected(planned: Repository) -> None:
    said = refused(plan.revise(planned.engine(CLAUDE), {"tasks": [task("a")]}))
    assert "b" in said
    good(
        plan.revise(
            planned.engine(CLAUDE),
            {"tasks": [task("a")], "remove": [{"key": "b", "reason": "out of scope"}]},
        )
    )
    assert planned.newest("todo.revised")["payload"]["removed"] == [
        {"key": "b", "reason": "out of scope"}
    ]


def test_a_plan_that_is_none_is_refused_in_pis_words(planned: Repository) -> None:
    before = planned.read(LOG)
    for call in ([], {"tasks": 5}, {"tasks": [task("a"), task("a")]}, {"tasks": [{"key": 1}]}):
        refused(plan.revise(planned.engine(CLAUDE), call))
        refused(plan.revise(planned.engine(CLAUDE), call, as_tool=True))
    assert planned.read(LOG) == before


def test_the_limits_of_the_repository_are_kept(here: Repository) -> None:
    here.write(".ppgp/config.toml", "[plan]\nmax_tasks = 1\n")
    said = refused(plan.revise(here.engine(CLAUDE), {"tasks": [task("a"), task("b")]}))
    assert said == "Todo plans may contain at most 1 tasks."


# Edited by hand ----------------------------------------------------------------------------------


def test_a_hand_edit_stops_every_revision_and_says_how_to_go_on(planned: Repository) -> None:
    data = edited(planned, "Do a", "Do a well")
    said = refused(plan.revise(planned.engine(CLAUDE), {"tasks": []}), "hand_edit")
    assert said == (
        ".ppgp/todo.json was edited by hand since revision 1; nothing was changed. "
        "`ppgp-tui todo adopt` records the edit, `todo adopt --drop` sets it back"
    )
    assert planned.read(TODO) == data


def test_an_adopted_edit_is_a_revision_with_its_task_events(planned: Repository) -> None:
    state = planned.json(TODO)
    state["tasks"] = [state["tasks"][0] | {"status": "completed"}, task("c")]
    planned.write(TODO, json.dumps(state))
    good(plan.adopt(planned.engine(HUMAN)))
    event = planned.newest("todo.revised")
    assert event["actor"] == {"kind": "user", "id": "dev"}
    assert event["payload"]["origin"] == "adopted"
    assert event["payload"]["removed"] == [{"key": "b", "reason": "removed by hand in todo.json"}]
    assert planned.json(TODO)["revision"] == 2
    assert graph(planned.events())[0]["todo:a"]["props"]["status"] == "Done"
    assert broken(planned.events()) == []


def test_a_dropped_edit_is_kept_beside_and_the_recorded_plan_is_back(planned: Repository) -> None:
    right = planned.read(TODO)
    data = edited(planned, "Do a", "Do a well")
    before = planned.read(LOG)
    result = good(plan.adopt(planned.engine(), drop=True))
    assert (result.code, result.recorded) == ("done", "none")
    assert result.data["kept"] in result.message
    assert planned.read(result.data["kept"]) == data
    assert planned.read(TODO) == right
    assert planned.read(LOG) == before


def test_without_an_edit_there_is_nothing_to_adopt_or_drop(planned: Repository) -> None:
    assert plan.adopt(planned.engine()).code == "unchanged"
    assert plan.adopt(planned.engine(), drop=True).code == "unchanged"


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        ([task("a"), task("a")], "holds the key a twice"),
        ([task("a", after=("zz",))], "a depends on zz, which is not in it"),
        ([task("a", after=("b",)), task("b", after=("a",))], "dependencies in a circle"),
        ([{"key": "a"}], "is no plan of the shape Pi stores"),
        ("tasks", "is no plan of the shape Pi stores"),
    ],
    ids=["twice", "dangling", "circle", "shape", "text"],
)
def test_an_edit_that_is_no_plan_is_not_adopted_and_not_lost(
    planned: Repository, tasks: object, said: str
) -> None:
    state = planned.json(TODO) | {"tasks": tasks}
    planned.write(TODO, json.dumps(state))
    assert said in refused(plan.adopt(planned.engine()), "hand_edit")
    assert planned.json(TODO) == state


def test_a_damaged_plan_file_is_dropped_or_mended_by_hand_but_not_adopted(
    planned: Repository,
) -> None:
    right = planned.read(TODO)
    planned.write(TODO, b"<<<<<<< HEAD\n")
    assert "is not JSON" in refused(plan.adopt(planned.engine()), "hand_edit")
    result = good(plan.adopt(planned.engine(), drop=True))
    assert planned.read(result.data["kept"]) == b"<<<<<<< HEAD\n"
    assert planned.read(TODO) == right


def test_an_edit_whose_text_is_none_is_not_adopted_but_dropped(planned: Repository) -> None:
    right = planned.read(TODO)
    edited(planned, "Do a", "\\ud800")
    assert "a lone surrogate is not text" in refused(plan.adopt(planned.engine()))
    good(plan.adopt(planned.engine(), drop=True))
    assert planned.read(TODO) == right


def test_a_plan_that_was_there_before_the_session_is_adopted_as_its_first(here: Repository) -> None:
    here.write(TODO, json.dumps({"schemaVersion": 1, "revision": 7, "tasks": [task("a")]}))
    refused(plan.revise(here.engine(CLAUDE), {"tasks": [task("b")]}), "hand_edit")
    good(plan.adopt(here.engine()))
    assert here.json(TODO)["revision"] == 1
    assert here.newest("task.created")["payload"]["id"] == "todo:a"


def test_a_plan_file_that_was_there_before_can_be_dropped_too(here: Repository) -> None:
    here.write(TODO, json.dumps({"schemaVersion": 1, "revision": 7, "tasks": []}))
    good(plan.adopt(here.engine(), drop=True))
    assert not (here.root / TODO).exists()
    good(start.rebuild(here.engine()))
    assert not (here.root / TODO).exists()


def test_another_place_for_the_plan_is_used_and_stays_inside(here: Repository) -> None:
    here.write(".ppgp/config.toml", '[paths]\ntodo = "plans/todo.json"\n')
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    assert here.json(Path("plans/todo.json"))["revision"] == 1
    assert not (here.root / TODO).exists()
