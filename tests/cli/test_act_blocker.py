"""Blockers from the command line: raised with a class, cleared with a reason, listed."""

from __future__ import annotations

import pytest

from tests.cli.acting import Place


def test_a_blocker_is_raised_on_its_tasks_and_cleared_by_the_start_of_its_id(place: Place) -> None:
    place.plan("deploy")
    raised = place.json(
        "blocker", "raise", "No database", "--class", "b", "--scope", "staging",
        "--until", "2026-10-02", "--task", "deploy", agent=True,
    )  # fmt: skip
    blocker = raised["data"]["blocker"]
    (listed,) = place.json("blocker", "list")["data"]["blockers"]
    assert listed == {
        "id": blocker, "class": "B", "text": "No database", "scope": "staging",
        "until": "2026-10-02", "blocks": ["todo:deploy"], "origin": "act",
    }  # fmt: skip
    line = place.act("blocker", "list").out
    assert line == (
        f"{blocker[:12]}  B  No database; staging; stops todo:deploy; until 2026-10-02\n"
    )
    cleared = place.json("blocker", "clear", blocker[4:12], "--reason", "it is up", agent=True)
    assert cleared["code"] == "done"
    assert place.act("blocker", "list").out == "no open blocker\n"
    assert place.events("blocker.cleared")[0]["payload"]["reason"] == "it is up"


def test_those_of_the_goal_document_are_listed_with_their_line(place: Place) -> None:
    text = "# Goal\n\n## GOAL\nShip.\n\n## BLOCKERS\n- [B] Vendor key, until 2026-10-02\n"
    (place.root / "ACTIVE_GOAL.md").write_text(text)
    (written,) = place.json("blocker", "list")["data"]["document"]
    assert (written["class"], written["line"]) == ("B", 7)
    assert place.act("blocker", "list").out.startswith("ACTIVE_GOAL.md:7  B  ")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("B: the window opens until 2026-10-02", "B  the window opens until 2026-10-02"),
        ("[C] Who pays?", "C  Who pays?"),
    ],
)
def test_class_and_date_of_a_written_blocker_are_said_once(
    place: Place, written: str, said: str
) -> None:
    (place.root / "ACTIVE_GOAL.md").write_text(f"## GOAL\nShip.\n\n## BLOCKERS\n- {written}\n")
    assert place.act("blocker", "list").out == f"ACTIVE_GOAL.md:5  {said}\n"


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (["raise", "x"], 2, "--class"),
        (["raise", "x", "--class", "E"], 2, "--class"),
        (["raise", " ", "--class", "B"], 1, "needs a text"),
        (["raise", "x", "--class", "B", "--task", "nothing"], 1, "todo:nothing is no task"),
        (["clear", "blk_0123"], 2, "--reason"),
        (
            ["clear", "blk_0123", "--reason", "x"],
            1,
            "no blocker is called 'blk_0123'; `ppgp-tui blocker list` lists them",
        ),
        (["clear", "\x1b[31m", "--reason", "x"], 1, "no blocker is called"),
    ],
)
def test_what_cannot_be_is_refused_with_the_reason(
    place: Place, words: list[str], code: int, why: str
) -> None:
    said = place.act("blocker", *words)
    assert (said.code, said.out) == (code, "")
    assert why in said.err
    assert "\x1b" not in said.err


def test_hostile_text_stays_on_its_line(place: Place) -> None:
    place.act("blocker", "raise", "a\x1b[2J\nblk_000000 D all clear", "--class", "B")
    (line,) = place.act("blocker", "list").out.splitlines()
    assert "\x1b" not in line
