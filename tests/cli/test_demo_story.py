"""The demo tells one believable story: legal, repeatable, and filled when the app opens."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from ppgp_tui.cli.demo.story import load_story
from ppgp_tui.cli.demo.world import World
from tests.cli import legal

OPENED = 1_790_000_000_000


def tell(root: Path, *, seed: int = 1, until: float = 1000) -> Path:
    """Play the story up to that second, without waiting."""
    story = load_story(seed)
    world = World(root, story, seed=seed, opened_ms=OPENED, speed=1, pid=os.getpid())
    for beat in story.beats:
        if beat.at <= until:
            world.play(beat)
    return root


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tell(tmp_path_factory.mktemp("told") / "importer")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tell(tmp_path_factory.mktemp("opened") / "importer", until=0)


def log_of(root: Path) -> bytes:
    return (root / "state/events.jsonl").read_bytes()


def kinds(root: Path) -> list[str]:
    return [event["kind"] for event in legal.events(log_of(root))]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_line_of_the_log_is_legal(tmp_path: Path, seed: int) -> None:
    assert legal.faults(log_of(tell(tmp_path / "importer", seed=seed))) == []


def test_the_same_seed_tells_the_same_story_down_to_the_ids(told: Path, tmp_path: Path) -> None:
    again = tell(tmp_path / "importer")
    assert log_of(again) == log_of(told)
    for path in ("docs/ACTIVE_GOAL.md", ".ppgp/todo.json"):
        assert (again / path).read_bytes() == (told / path).read_bytes()


def test_another_seed_has_other_ids_and_other_ordinary_work(told: Path, tmp_path: Path) -> None:
    other = legal.events(log_of(tell(tmp_path / "importer", seed=2)))
    ids = {event["id"] for event in legal.events(log_of(told))}
    assert ids.isdisjoint(event["id"] for event in other)
    assert kinds(told) != [event["kind"] for event in other]


def test_time_never_runs_backwards_in_the_log(told: Path) -> None:
    times = [event["ts_ms"] for event in legal.events(log_of(told))]
    assert times == sorted(times)


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
    assert all(event["ts_ms"] <= OPENED for event in legal.events(log_of(opened)))


def test_the_live_part_has_what_a_person_should_see_happen(opened: Path, told: Path) -> None:
    live = legal.events(log_of(told))[len(kinds(opened)) :]
    seen = [event["kind"] for event in live]
    assert {"blocker.raised", "blocker.cleared", "todo.revised", "tool.called"} <= set(seen)
    phases = [e["payload"]["to"] for e in live if e["kind"] == "goal.phase_changed"]
    assert phases == ["HARDEN", "SHIP"]
    passed = [e["payload"]["status"] for e in live if e["kind"] == "eval.finished"]
    assert "Failed" in passed
    assert "Passed" in passed
    assert (live[-1]["ts_ms"] - OPENED) / 1000 == pytest.approx(120, abs=15)


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


def test_the_owners_decision_still_waits_at_the_end(told: Path) -> None:
    document = (told / "docs/ACTIVE_GOAL.md").read_text()
    owed = document.split("## HUMAN_AUTHORITY_REQUIRED\n\n")[1].split("\n\n")[0]
    assert owed.startswith("- Owner decides: drop the old cursor column")
    assert owed.count("\n") == 0


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
    root = tell(tmp_path / "importer", until=0)
    said = subprocess.run(
        ["git", "-C", str(root), "log", "--format=%an", "-1"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert said == "claude\n"


def test_without_git_the_story_is_told_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    root = tell(tmp_path / "importer", until=0)
    assert not (root / ".git").exists()
    assert legal.faults(log_of(root)) == []
