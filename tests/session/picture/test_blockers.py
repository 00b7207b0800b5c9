"""What is in the way, said once, wherever it is said."""

from __future__ import annotations

import pytest

from ppgp_tui.session.actions import blocker, goal, plan
from ppgp_tui.session.picture.blocked import places, words
from ppgp_tui.session.picture.blockers import InTheWay, in_the_way
from tests.session.place import Place

DOCUMENT = """## GOAL
Ship it

## BLOCKERS

- T11 only: Type B external asynchronous. The staging window opens tonight.
- T8 only: Type C authority. The `cursor` column: the owner decides.
"""


def write(place: Place) -> None:
    path = place.root / "docs/ACTIVE_GOAL.md"
    path.parent.mkdir()
    path.write_text(DOCUMENT)


def seen(place: Place) -> list[InTheWay]:
    return in_the_way(place.picture())


def test_a_document_alone_says_all(place: Place) -> None:
    write(place)
    assert [(one.klass, one.scope, one.id) for one in seen(place)] == [
        ("B", "T11", None), ("C", "T8", None),
    ]  # fmt: skip


def test_what_both_say_is_one_with_the_id_and_age_of_the_log(place: Place) -> None:
    write(place)
    raised = blocker.raise_(place.agent, "The staging window opens tonight", klass="B", scope="T11")
    window, _ = seen(place)
    assert window.id == raised.data["blocker"]
    assert (window.since_ms, window.actor) == (place.clock(), "claude")
    assert window.origin is not None
    assert (window.origin.path, window.origin.line) == ("docs/ACTIVE_GOAL.md", 6)
    assert place.lamp().blockers == 2


def test_what_only_the_log_says_stands_behind_and_stops_its_tasks(place: Place) -> None:
    write(place)
    task = {"key": "T2", "subject": "mirror", "status": "pending"}
    plan.revise(place.agent, {"baseRevision": 0, "tasks": [task]})
    blocker.raise_(place.agent, "the mirror is down", klass="D", tasks=("T2",))
    picture = place.picture()
    *_, mirror = in_the_way(picture)
    assert (mirror.text, mirror.scope, mirror.tasks) == ("the mirror is down", "T2", ("T2",))
    assert mirror.origin is not None
    assert mirror.origin.path == "state/events.jsonl"
    assert [(one.key, one.state, one.stopped_by) for one in picture.plan.value.tasks] == [
        ("T2", "blocked", "D")
    ]
    assert place.lamp().blockers == 3


def test_what_was_cleared_is_gone_from_the_log_and_stays_in_the_document(place: Place) -> None:
    write(place)
    raised = blocker.raise_(place.agent, "The staging window opens tonight", klass="B", scope="T11")
    blocker.clear(place.agent, str(raised.data["blocker"]), "it is open")
    assert [one.id for one in seen(place)] == [None, None]


def test_a_blocked_goal_is_in_the_way(place: Place) -> None:
    from tests.session.log.test_lifecycle import PROOF

    goal.create(place.person, "Ship it")
    goal.block(place.agent, PROOF, klass="C")
    (one,) = seen(place)
    assert (one.klass, one.text, one.scope) == ("C", "no access", "goal")


@pytest.mark.parametrize(
    ("written", "recorded", "same"),
    [
        (("C", "The owner decides."), ("C", "the  owner decides"), True),
        (("C", "T8: Type C. The `owner` decides on it."), ("C", "owner decides on it"), True),
        ((None, "The owner decides"), ("C", "The owner decides"), True),
        (("B", "The owner decides"), ("C", "The owner decides"), False),
        (("C", "The owner decides about the column"), ("C", "owner"), False),
        (("C", "anything"), ("C", ""), False),
    ],
)  # fmt: skip
def test_the_same_words_of_no_other_class_are_the_same_blocker(
    written: tuple[str | None, str], recorded: tuple[str | None, str], same: bool
) -> None:
    stops = [(written[0], words(written[1]))], [(recorded[0], words(recorded[1]))]
    assert places(*stops) == [0 if same else None]


def test_each_written_blocker_is_the_same_as_one_recorded_at_most() -> None:
    twice: list[tuple[str | None, str]] = [("C", "the owner decides"), ("C", "the owner decides")]
    assert places(twice[:1], twice) == [0, None]
