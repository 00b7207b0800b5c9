"""The demo tells one believable story: legal, repeatable, and filled when the app opens."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from ppgp_tui.cli.demo.story import load_story
from ppgp_tui.cli.demo.world import World
from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from tests.cli import legal
from tests.cli.telling import OPENED_MS, tell


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("told")
    return tell(place / "importer", place / "state").root


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("opened")
    return tell(place / "importer", place / "state", until=-1).root


def history(place: Path, seed: int = 1) -> World:
    return tell(place / "importer", place / "state", seed=seed, until=-1)


def log_of(root: Path) -> bytes:
    return (root / "state/events.jsonl").read_bytes()


def kinds(root: Path) -> list[str]:
    return [event["kind"] for event in legal.events(log_of(root))]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_line_of_the_history_is_legal(tmp_path: Path, seed: int) -> None:
    assert legal.faults(log_of(history(tmp_path, seed).root)) == []


def test_every_line_of_the_whole_story_is_legal(told: Path) -> None:
    assert legal.faults(log_of(told)) == []


def test_the_same_seed_has_the_same_history_down_to_the_ids(opened: Path, tmp_path: Path) -> None:
    again = history(tmp_path).root
    assert log_of(again) == log_of(opened)
    for path in ("docs/ACTIVE_GOAL.md", ".ppgp/todo.json"):
        assert (again / path).read_bytes() == (opened / path).read_bytes()


def test_another_seed_has_other_ids_and_other_ordinary_work(opened: Path, tmp_path: Path) -> None:
    other = legal.events(log_of(history(tmp_path, 2).root))
    ids = {event["id"] for event in legal.events(log_of(opened))}
    assert ids.isdisjoint(event["id"] for event in other)
    assert kinds(opened) != [event["kind"] for event in other]


def test_time_never_runs_backwards_in_the_log(told: Path) -> None:
    times = [event["ts_ms"] for event in legal.events(log_of(told))]
    assert times == sorted(times)


def test_the_engine_finds_nothing_to_mend_in_the_history(tmp_path: Path) -> None:
    root = history(tmp_path).root
    before = {
        path: (root / path).read_bytes() for path in (".ppgp/todo.json", "state/events.jsonl")
    }
    engine = Engine(root, Actor("user", "dana"), state=tmp_path / "state")
    result = engine.perform("look", lambda *_: {})
    assert (result.code, result.warnings, result.events) == ("unchanged", (), ())
    assert {path: (root / path).read_bytes() for path in before} == before


def test_the_first_screen_is_filled_before_the_app_opens(opened: Path) -> None:
    document = (opened / "docs/ACTIVE_GOAL.md").read_text()
    assert "\n## PHASE\n\nEXECUTE\n" in document
    assert "- [~] Every batch leaves a checkpoint" in document
    assert "- BLOCKED: The old cursor column is gone" in document
    assert "Owner decides: drop the old cursor column" in document
    assert {"todo.revised", "eval.finished", "authority.requested", "decision.created"} <= set(
        kinds(opened)
    )
    assert len(kinds(opened)) > 100
    assert sorted(path.suffix for path in (opened / ".ppgp/run/agents").iterdir()) == [
        ".calls", ".calls", ".json", ".json",
    ]  # fmt: skip


def test_everything_happened_before_the_app_opened(opened: Path) -> None:
    assert all(event["ts_ms"] < OPENED_MS for event in legal.events(log_of(opened)))


def test_the_live_part_has_what_a_person_should_see_happen(opened: Path, told: Path) -> None:
    live = legal.events(log_of(told))[len(kinds(opened)) :]
    seen = {event["kind"] for event in live}
    assert {"blocker.raised", "blocker.cleared", "todo.revised", "tool.called"} <= seen
    phases = [e["payload"]["to"] for e in live if e["kind"] == "goal.phase_changed"]
    assert phases == ["HARDEN", "SHIP"]
    passed = {e["payload"]["status"] for e in live if e["kind"] == "eval.finished"}
    assert passed == {"Failed", "Passed"}
    assert 80 < (live[-1]["ts_ms"] - OPENED_MS) / 1000 < 110


def test_agents_act_under_their_own_names_only(opened: Path, told: Path) -> None:
    live = legal.events(log_of(told))[len(kinds(opened)) :]
    acting = {event["actor"]["id"].partition("-")[0] for event in live}
    assert acting == {"claude", "codex", "ppgp", "Bash", "Edit", "Read"}


def test_the_plan_is_the_last_revision_in_the_log(told: Path) -> None:
    plans = [e for e in legal.events(log_of(told)) if e["kind"] == "todo.revised"]
    assert json.loads((told / ".ppgp/todo.json").read_text()) == plans[-1]["payload"]["state"]
    revisions = [event["payload"]["revision"] for event in plans]
    assert revisions == list(range(1, len(plans) + 1))


def test_no_task_runs_before_what_it_needs_is_done(told: Path) -> None:
    for event in legal.events(log_of(told)):
        if event["kind"] == "todo.revised":
            tasks = event["payload"]["state"]["tasks"]
            done = {task["key"] for task in tasks if task["status"] == "completed"}
            for task in tasks:
                if task["status"] != "pending":
                    assert set(task.get("dependsOn", ())) <= done, task["key"]


def test_what_remains_is_what_the_criteria_say(told: Path) -> None:
    document = (told / "docs/ACTIVE_GOAL.md").read_text()
    assert "\n## REMAINING\n\n- DoD 6, 7\n" in document


def test_the_owners_decision_still_waits_at_the_end(told: Path) -> None:
    reading = read_goal((told / "docs/ACTIVE_GOAL.md").read_bytes(), "docs/ACTIVE_GOAL.md")
    (owed,) = reading.authority.pending
    assert owed.text.startswith("Owner decides: drop the old cursor column")


def test_the_question_is_asked_of_a_task_that_it_frees(told: Path) -> None:
    asked = [e for e in legal.events(log_of(told)) if e["kind"] == "authority.requested"]
    request = asked[-1]["payload"]["request"]
    assert [option["key"] for option in request["options"]] == ["a", "b"]
    assert request["recommended"] == "a"
    assert request["frees"] == ["todo:T13"]


def test_every_answer_that_a_question_can_have_changes_the_story() -> None:
    story = load_story(1)
    known = {(reply.to, reply.word) for reply in story.replies}
    yes_no = {(name, word) for name in story.decisions for word in ("yes", "no", "words")}
    (ask,) = (beat.acts["ask"] for beat in story.live() if "ask" in beat.acts)
    offered = {(ask["name"], key) for key in "abcdefghi"[: len(ask["options"])]}
    assert known == yes_no | offered | {(ask["name"], "words")}


def test_the_document_is_committed_by_made_up_people_only(told: Path) -> None:
    said = subprocess.run(
        ["git", "-C", str(told), "log", "--format=%an %ae %cn %s"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert {line.split(" ")[1] for line in said.splitlines()} == {
        "claude@demo.invalid", "codex@demo.invalid", "dana@demo.invalid",
    }  # fmt: skip


def test_it_needs_no_git_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nothing"))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "somebody else")
    root = history(tmp_path).root
    said = subprocess.run(
        ["git", "-C", str(root), "log", "--format=%an", "-1"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert said == "claude\n"


def test_without_git_the_story_is_told_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    root = history(tmp_path).root
    assert not (root / ".git").exists()
    assert legal.faults(log_of(root)) == []
