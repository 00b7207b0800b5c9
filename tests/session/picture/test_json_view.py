"""What `show --json` prints of a picture."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.model import Control, Handshake, Option, Part, Request
from ppgp_tui.session.picture.json_view import snapshot_json
from tests.persist.logs import ID, log, row, spawned
from tests.session.log.writing import event

GOAL = """\
## GOAL
Ship it
## HUMAN_AUTHORITY_REQUIRED
- Owner: publish 0.2.0?
"""


@pytest.fixture(autouse=True)
def own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_the_shape_of_an_empty_folder(tmp_path: Path) -> None:
    value = snapshot_json(LiveSession(tmp_path).read_all())
    assert list(value) == [
        "schema", "root", "at_ms", "goal", "goal_state", "recorded_blockers", "plan", "inbox",
        "control", "agents", "events", "repo", "loops", "audit", "lineages", "conformance",
        "human_load", "continue_limit", "graph", "sources", "problems", "watching", "roles",
        "revisions",
    ]  # fmt: skip
    assert value["schema"] == "ppgp-tui/1"
    assert value["goal"]["health"] == "MISSING"
    assert value["plan"]["revision"] is None
    assert value["events"]["last"] is None
    assert value["repo"]["dirty"] is None
    assert value["lineages"] is None
    json.dumps(value)


def test_a_session_as_json(tmp_path: Path) -> None:
    root = tmp_path / "root"
    for folder in ("docs", "state", ".ppgp"):
        (root / folder).mkdir(parents=True)
    (root / "docs/ACTIVE_GOAL.md").write_text(GOAL)
    tasks = [
        {"key": "a", "subject": "First", "status": "completed", "description": "why"},
        {"key": "b", "subject": "Second", "status": "pending", "dependsOn": ["a"]},
        {"key": "c", "subject": "Third", "status": "pending"},
    ]
    state = {"schemaVersion": 1, "revision": 4, "tasks": tasks}
    raised = {"id": "blk", "class": "C", "text": "owner", "blocks": ["todo:c"]}
    (root / "state/events.jsonl").write_bytes(
        event(1, "todo.revised", {"revision": 4, "state": state})
        + event(2, "blocker.raised", raised)
        + b'{"id":'
    )
    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=root, check=True)
    value = json.loads(json.dumps(snapshot_json(LiveSession(root).read_all())))
    plan = value["plan"]
    assert (plan["source"], plan["revision"], plan["history_count"]) == ("log", 4, 1)
    assert (plan["ready"], plan["blocked"], plan["hand_edit"]) == (["b"], ["c"], False)
    assert plan["digest"].startswith("sha256:")
    assert plan["tasks"][0] == {
        "key": "a", "subject": "First", "description": "why", "status": "completed",
        "dependsOn": [], "state": "done", "stopped_by": None, "changed_ms": 1790000001000,
    }  # fmt: skip
    assert "description" not in plan["tasks"][1]
    assert plan["tasks"][1]["dependsOn"] == ["a"]
    assert plan["tasks"][2]["stopped_by"] == "C you"
    events = value["events"]
    assert (events["count"], events["torn"]["bytes"]) == (2, 6)
    assert (events["last"]["line"], events["last"]["kind"]) == (2, "blocker.raised")
    assert value["repo"]["branch"] == "main"
    assert value["goal"]["path"] == "docs/ACTIVE_GOAL.md"
    assert value["goal"]["origin"]["path"] == "docs/ACTIVE_GOAL.md"
    assert {source["name"]: source["state"] for source in value["sources"]} == {
        "goal": "found", "plan": "absent", "events": "found", "control": "absent",
        "agents": "absent", "git": "found",
    }  # fmt: skip


def test_a_request_and_a_hold_as_json(tmp_path: Path) -> None:
    request = Request(
        "req_1", "waiting", "sha256:1", "question", "C", "Drop it?", frees=("a",),
        options=(Option("a", "Now"), Option("b", "Later", "next month")), irreversible=True,
    )  # fmt: skip
    picture = replace(
        LiveSession(tmp_path).read_all(),
        inbox=Part((request,)),
        control=Part(
            Control(12, "hold_1", 5, "lunch", ("*",), handshake=(Handshake("claude-1", "held", 9),))
        ),
    )
    value = json.loads(json.dumps(snapshot_json(picture)))
    (asked,) = value["inbox"]
    assert (asked["id"], asked["state"], asked["digest"]) == ("req_1", "waiting", "sha256:1")
    assert (asked["class"], asked["frees"], asked["irreversible"]) == ("C", ["a"], True)
    assert asked["options"][1] == {"key": "b", "label": "Later", "detail": "next month"}
    hold = {"id": "hold_1", "since_ms": 5, "reason": "lunch", "who": ["*"]}
    assert (value["control"]["generation"], value["control"]["hold"]) == (12, hold)
    assert value["control"]["handshake"] == [
        {"session": "claude-1", "state": "held", "since_ms": 9, "count": 0}
    ]


def test_a_restart_loop_as_json(tmp_path: Path) -> None:
    home = tmp_path / "config/broomva/persist"
    home.mkdir(parents=True)
    ended = {"exit_code": 1, "duration_s": 4.5, "git": {"files": 2, "commits": 1}}
    rows = (spawned(cwd=str(tmp_path)), row("ITERATING", 1), row("ITERATING", 2, **ended))
    (home / "state.jsonl").write_bytes(log(*rows))
    snapshot = LiveSession(tmp_path).read_all()
    (loop,) = json.loads(json.dumps(snapshot_json(snapshot)))["loops"]
    assert (loop["id"], loop["name"], loop["state"], loop["here"]) == (
        ID,
        "loops",
        "ITERATING",
        True,
    )
    assert loop["runner"] == {"state": "not recorded", "pid": None, "host": ""}
    assert (loop["clock"], loop["phase"], loop["orphan"], loop["holds"]) == (
        None,
        None,
        False,
        None,
    )
    (run,) = loop["runs"]
    assert (run["iteration"], run["exit_code"], run["duration_s"]) == (1, 1, 4.5)
    assert (run["changes"]["files"], run["changes"]["untracked"]) == (2, None)
    assert loop["origin"]["line"] == 3
