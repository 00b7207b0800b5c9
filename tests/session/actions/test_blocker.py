"""Blockers: raised with a class and the smallest scope, cleared with a reason."""

import pytest

from ppgp_tui.session.actions import blocker, goal, plan
from tests.session.engine.desk import CLAUDE
from tests.session.engine.repository import Repository, good, refused, task
from tests.session.engine.rules import graph


def test_a_blocker_blocks_its_tasks_until_it_is_cleared(here: Repository) -> None:
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a"), task("b")]}))
    made = good(
        blocker.raise_(
            here.engine(CLAUDE),
            "The index is down\nsince noon",
            klass="B",
            scope="Step A",
            until="2026-10-23",
            tasks=["a", "todo:b"],
        )
    ).data["blocker"]
    payload = here.newest("blocker.raised")["payload"]
    assert payload == {
        "id": made,
        "class": "B",
        "text": "The index is down\nsince noon",
        "scope": "Step A",
        "until": "2026-10-23",
        "blocks": ["todo:a", "todo:b"],
        "origin": "act",
    }
    nodes, relations, _ = graph(here.events())
    assert nodes[made] == {
        "kind": "observation",
        "props": {
            "title": "The index is down",
            "summary": "The index is down\nsince noon",
            "status": "Open",
            "metadata": {
                "type": "blocker", "class": "B", "scope": "Step A", "until": "2026-10-23",
            },
        },
        "tombstoned": False,
    }  # fmt: skip
    assert (made, "blocks", "todo:b") in relations
    good(blocker.clear(here.engine(CLAUDE), made, " it is up "))
    event = here.newest("blocker.cleared")
    assert event["payload"] == {"id": made, "reason": "it is up"}
    assert event["causation_id"] == here.newest("blocker.raised")["id"]
    assert here.ledger().blockers == {}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"text": " "}, "a blocker needs a text of 1 to 4000 characters"),
        ({"text": "x" * 4001}, "a blocker needs a text of 1 to 4000 characters"),
        ({"klass": "E"}, "a blocker's class is A, B, C or D, not 'E'"),
        ({"scope": "x" * 201}, "scope and until have at most 200 characters"),
        ({"tasks": ["zz"]}, "todo:zz is no task of the plan and not the goal"),
        ({"tasks": ["goal_" + "0" * 32]}, "is no task of the plan and not the goal"),
    ],
    ids=["blank", "long", "class", "scope", "task", "goal"],
)
def test_a_blocker_out_of_its_bounds_is_refused(here: Repository, words: dict, said: str) -> None:
    words = {"text": "in the way", "klass": "B", **words}
    assert said in refused(blocker.raise_(here.engine(CLAUDE), words.pop("text"), **words))


def test_a_blocker_may_stop_the_goal_itself(here: Repository) -> None:
    made = good(goal.create(here.engine(), "Retry survives")).data["goal"]
    good(blocker.raise_(here.engine(CLAUDE), "in the way", klass="D", tasks=[made]))
    assert here.newest("blocker.raised")["payload"]["blocks"] == [made]


def test_a_blocker_is_cleared_once_and_with_a_reason(here: Repository) -> None:
    made = good(blocker.raise_(here.engine(CLAUDE), "in the way", klass="B")).data["blocker"]
    assert "needs a reason" in refused(blocker.clear(here.engine(), made, " "))
    good(blocker.clear(here.engine(), made, "gone"))
    assert refused(blocker.clear(here.engine(), made, "gone")) == (
        f"no open blocker {made}; `blocker list` shows them"
    )
