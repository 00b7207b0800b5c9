"""Who changed a task, and the plan's history where no log holds it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.acting import Place
from tests.session.gits import Repository

TASK = {"key": "a", "subject": "Do a", "status": "pending"}


def test_blame_names_who_changed_a_task_in_which_revision_and_how(place: Place) -> None:
    place.plan("a", "b")
    place.plan("a", "b", a="in_progress")
    place.plan("a", "b", a="in_progress", b="in_progress")
    lines = place.act("todo", "blame", "a").out.splitlines()

    assert [line.split("  ")[0] for line in lines if line.startswith("revision")] == [
        "revision 2",
        "revision 1",
    ]
    assert lines[1] == "  pending to in_progress"
    assert lines[-1] == "  added: Do a"
    newest, oldest = place.json("todo", "blame", "a")["data"]["changes"]
    assert newest["actor"] == {"kind": "agent", "id": "claude-0f3a9c21"}
    assert newest["event"] == place.events("todo.revised")[1]["id"]
    assert [touch["deed"] for touch in newest["touches"]] == ["restated"]
    assert oldest["revision"] == 1
    assert len(place.json("todo", "blame", "a", "--limit", 1)["data"]["changes"]) == 1


def test_a_task_that_no_revision_tells_of_is_refused(place: Place) -> None:
    place.plan("a")
    said = place.act("todo", "blame", "x\x1b[31m")

    assert (said.code, said.out) == (1, "")
    assert "\x1b" not in said.err


def versions(place: Place) -> list[str]:
    """Two commits of a `todo.json` that somebody keeps by hand, without a log."""
    repository = Repository(place.root, init=not (place.root / ".git").exists())
    commits = []
    for number, status in ((1, "pending"), (2, "completed")):
        tasks = [{**TASK, "status": status}]
        state = {"schemaVersion": 1, "revision": number, "tasks": tasks}
        repository.write(".ppgp/todo.json", json.dumps(state))
        commits.append(repository.commit(f"plan {number}", GIT_AUTHOR_NAME="ann"))
    return commits


def without_log(place: Place) -> None:
    log = place.root / "state/events.jsonl"
    log.unlink(missing_ok=True)


def test_where_no_log_holds_the_plan_git_tells_its_history(place: Place, tmp_path: Path) -> None:
    without_log(place)
    first, second = versions(place)
    lines = place.act("todo", "history").out.splitlines()

    assert lines[0] == "from Git"
    assert lines[1].startswith(f"{second[:7]}  ")
    assert lines[2] == "  ~ a: pending to completed"
    told = place.json("todo", "history")["data"]
    assert told["source"] == "git"
    assert [one["actor"]["id"] for one in told["revisions"]] == ["ann", "ann"]
    assert place.act("todo", "diff", first[:7]).out.splitlines()[1:] == [
        "  ~ a: pending to completed"
    ]
    assert place.json("todo", "blame", "a")["data"]["source"] == "git"
