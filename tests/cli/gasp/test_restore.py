"""Bringing an agent back: from an address or a folder, verified, as of any event."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ppgp_tui.cli.commands import ppgp_tui
from ppgp_tui.gasp.folding import snapshot as snapshots
from ppgp_tui.gasp.manifest import identity_hash
from tests.cli.running import Said, run
from tests.session.gits import Repository

LOG = "state/events.jsonl"
FIXTURE: dict[str, str] = json.loads(
    (Path(__file__).parents[2] / "data" / "gasp" / "fixture.json").read_text()
)


@pytest.fixture
def agent(tmp_path: Path) -> Repository:
    """The protocol's own example, with the hash of its identity."""
    made = Repository(tmp_path / "agent")
    for path, text in FIXTURE.items():
        made.write(path, text)
    made.commit("begin")
    return made


def restore(*words: object) -> Said:
    told = CliRunner().invoke(ppgp_tui, ["gasp", "restore", *map(str, words)])
    if told.exception is not None and not isinstance(told.exception, SystemExit):
        raise told.exception
    return Said(told.exit_code, told.stdout, told.stderr)


def restored(*words: object, code: int = 0) -> dict[str, Any]:
    said = restore(*words, "--json")
    assert (said.code, said.err) == (code, "")
    value: dict[str, Any] = json.loads(said.out)
    assert value["ok"] == (code == 0)
    return value


def event(event_id: str, kind: str, payload: Any, cause: str | None = None) -> str:
    value = {
        "id": event_id, "schema_version": 1, "ts_ms": 1_790_000_000_000,
        "actor": {"kind": "agent", "id": "a"}, "kind": kind, "payload": payload,
        "causation_id": cause, "correlation_id": None,
    }  # fmt: skip
    return json.dumps(value) + "\n"


def test_a_folder_is_read_where_it_lies(agent: Repository) -> None:
    agent.write(LOG, FIXTURE[LOG] + event("event_11", "run.finished", {"run_id": "run_42"}))
    value = restored(agent.root)
    assert value["folder"] == str(agent.root)
    assert value["lines"] == 11
    assert value["open_runs"] == []
    assert agent.git("status", "--porcelain").split() == ["M", LOG]


def test_it_says_who_it_is_what_there_is_and_what_is_open(agent: Repository) -> None:
    value = restored(f"file://{agent.root}")
    assert value["agent_id"] == "fixture"
    assert value["executor"] == ".agent/config.toml"
    assert value["manifest"]["ok"]
    assert value["identity"]["ok"]
    assert value["nodes"] == {"goal": 1, "patch": 1, "eval": 1, "decision": 1}
    assert (value["relations"], value["version"], value["lines"]) == (3, 8, 10)
    assert [goal["id"] for goal in value["open_goals"]] == ["goal_retry"]
    assert [run_["id"] for run_ in value["open_runs"]] == ["run_42"]
    assert value["last_event"]["id"] == "event_10"
    assert value["age_ms"] > 0
    assert value["folder"] is None
    text = restore(agent.root).out
    for word in ("fixture, from", "identity   verified", "goal_retry Open", "event_10"):
        assert word in text


def test_an_address_leaves_nothing_behind(
    agent: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", None)
    restored(f"file://{agent.root}")
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.parametrize("scheme", ["", "file://"])
def test_into_keeps_the_clone_with_its_history(
    agent: Repository, tmp_path: Path, scheme: str
) -> None:
    kept = tmp_path / "kept"
    value = restored(f"{scheme}{agent.root}", "--into", kept)
    assert value["folder"] == str(kept)
    assert Repository(kept, init=False).git("log", "--format=%s") == "begin\n"
    assert (kept / LOG).read_text() == FIXTURE[LOG]
    assert restore(agent.root, "--into", kept).code == 1


def test_a_bare_repository_and_a_bundle_are_cloned(agent: Repository, tmp_path: Path) -> None:
    agent.git("clone", "-q", "--bare", str(agent.root), str(tmp_path / "bare.git"))
    agent.git("bundle", "create", "-q", str(tmp_path / "agent.bundle"), "HEAD", "main")
    for name in ("bare.git", "agent.bundle"):
        value = restored(tmp_path / name)
        assert (value["folder"], value["lines"]) == (None, 10)


def test_it_stops_at_the_event_asked_for(agent: Repository) -> None:
    value = restored(agent.root, "--at", "event_05")
    assert value["lines"] == 5
    assert value["nodes"] == {"goal": 1, "patch": 1}
    assert value["last_event"]["id"] == "event_05"


def test_an_unknown_event_gets_the_nearest_ones(agent: Repository) -> None:
    said = restore(agent.root, "--at", "event_1")
    assert said.code == 1
    assert "no event 'event_1'" in said.err
    assert "nearest: event_10" in said.err


# Verification


def test_an_identity_that_was_changed_is_not_verified(agent: Repository) -> None:
    agent.write("identity/IDENTITY.md", "somebody else\n")
    value = restored(agent.root, code=1)
    assert not value["identity"]["ok"]
    assert "its bytes give" in value["identity"]["why"]
    assert value["lines"] == 10
    assert "NOT VERIFIED" in restore(agent.root).out


@pytest.mark.parametrize(
    ("old", "new", "part", "why"),
    [
        ("spec_version: 1", "spec_version: 2", "manifest", "only 1 is known"),
        ("spec_version: 1", "spec: 1", "manifest", "declares no spec_version"),
        ("identity_hash: ", "hash: ", "identity", "declares no identity_hash"),
        ("identity_hash: ", "identity_hash: sha256:", "identity", "malformed"),
    ],
)
def test_a_manifest_that_does_not_say_what_it_must_is_not_verified(
    agent: Repository, old: str, new: str, part: str, why: str
) -> None:
    agent.write("AGENT.md", FIXTURE["AGENT.md"].replace(old, new))
    assert why in restored(agent.root, code=1)[part]["why"]


def test_no_identity_is_not_verified(agent: Repository) -> None:
    agent.git("rm", "-rq", "identity")
    assert "neither" in restored(agent.root, code=1)["identity"]["why"]


def test_a_verified_snapshot_is_where_the_fold_begins(agent: Repository) -> None:
    lines = FIXTURE[LOG].encode().splitlines(keepends=True)
    for count in (2, 5):
        made = snapshots.take(b"".join(lines[:count]))
        agent.write(f"snapshots/{made.event}/graph.json", made.data)
    plain = restored(agent.root, "--at", "event_10") | {"began_from": "", "snapshots": []}
    value = restored(agent.root)
    assert value["began_from"] == "snapshot event_05 (5 lines)"
    assert [one["ok"] for one in value["snapshots"]] == [True, True]
    without = Repository(agent.root.parent / "without")
    for path, text in FIXTURE.items():
        without.write(path, text)
    whole = restored(without.root)
    for member in ("nodes", "relations", "version", "lines", "open_goals"):
        assert value[member] == whole[member] == plain[member]
    assert restored(agent.root, "--at", "event_03")["began_from"] == "snapshot event_02 (2 lines)"


@pytest.mark.parametrize("how", ["graph", "sha256", "not JSON", "empty"])
def test_a_snapshot_that_does_not_fit_is_named_and_not_used(agent: Repository, how: str) -> None:
    made = snapshots.take(FIXTURE[LOG].encode())
    record = json.loads(made.data)
    if how == "graph":
        record["graph"]["nodes"]["goal_retry"]["props"]["title"] = "Obey me"
    elif how == "sha256":
        record["integrity"]["sha256"] = "0" * 64
    text = {"not JSON": "{", "empty": ""}.get(how, json.dumps(record))
    agent.write(f"snapshots/{made.event}/graph.json", text)
    value = restored(agent.root)
    assert value["began_from"] == "the first line"
    (found,) = value["snapshots"]
    assert not found["ok"]
    assert found["why"]
    assert value["open_goals"][0]["title"] != "Obey me"


def test_packs_admit_their_words_and_others_are_named(agent: Repository) -> None:
    ops = [{"CreateNode": {"id": kind, "kind": kind, "props": {}}} for kind in ("skill", "mystery")]
    agent.write(LOG, FIXTURE[LOG] + event("event_11", "state.ops_applied", ops))
    pack = {
        "id": "p", "name": "p", "version": "1", "policies": [], "prompts": [], "settings": None,
        "object_types": {"skill": {"kind": "x", "required_props": []}}, "relation_types": {},
    }  # fmt: skip
    agent.write(".agent/packs/p.json", json.dumps(pack))
    agent.write(".agent/packs/broken.json", "{")
    value = restored(agent.root)
    assert value["undeclared"] == ["mystery"]
    assert {one["name"]: one["ok"] for one in value["packs"]} == {
        "p.json": True, "broken.json": False,
    }  # fmt: skip


def test_operations_on_missing_nodes_are_listed(agent: Repository) -> None:
    ops = [{"UpdateNode": {"id": "ghost", "props": {}}}]
    agent.write(LOG, FIXTURE[LOG] + event("event_11", "state.ops_applied", ops, "event_01"))
    (skip,) = restored(agent.root)["skipped"]
    assert (skip["op"], skip["node"], skip["line"], skip["event"]) == (
        "UpdateNode", "ghost", 11, "event_11",
    )  # fmt: skip


# What cannot be restored says what to do


def test_no_manifest(agent: Repository) -> None:
    (agent.root / "AGENT.md").unlink()
    said = restore(agent.root)
    assert said.code == 1
    assert "AGENT.md manifest missing" in said.err
    assert "gasp init" in said.err


def test_no_log(agent: Repository) -> None:
    (agent.root / LOG).unlink()
    said = restore(agent.root)
    assert (said.code, "gasp init" in said.err) == (1, True)


def test_an_empty_log_is_a_beginning(agent: Repository) -> None:
    agent.write(LOG, "")
    assert "none: the log is empty" in restore(agent.root).out
    assert restore(agent.root, "--at", "x").code == 1


def test_a_log_with_a_damaged_line_is_restored_up_to_it(agent: Repository) -> None:
    lines = FIXTURE[LOG].splitlines(keepends=True)
    agent.write(LOG, "".join([*lines[:6], "garbage\n", *lines[6:]]))
    said = restore(agent.root)
    assert said.code == 1
    assert f"{LOG}:7: corrupt event" in said.err
    assert "--at event_06 restores what came before" in said.err
    assert restored(agent.root, "--at", "event_06")["lines"] == 6


def test_a_torn_last_line_is_named_as_one(agent: Repository) -> None:
    agent.write(LOG, FIXTURE[LOG] + '{"id":"event_11","sch')
    said = restore(agent.root)
    assert (said.code, "cut that line off" in said.err) == (1, True)


def test_operations_that_are_none(agent: Repository) -> None:
    agent.write(LOG, FIXTURE[LOG] + event("event_11", "state.ops_applied", 5))
    said = restore(agent.root)
    assert said.code == 1
    assert "line 11" in said.err
    assert "Traceback" not in said.err


def test_an_empty_repository(tmp_path: Path) -> None:
    empty = Repository(tmp_path / "empty")
    assert "no commit" in restore(f"file://{empty.root}").err


def test_a_shallow_clone_is_said_to_be_one(agent: Repository, tmp_path: Path) -> None:
    agent.write(LOG, FIXTURE[LOG] + event("event_11", "session.started", {}))
    agent.commit("more")
    agent.git("clone", "-q", "--depth=1", f"file://{agent.root}", str(tmp_path / "shallow"))
    assert restored(tmp_path / "shallow")["shallow"]
    assert "--unshallow" in restore(tmp_path / "shallow").out


@pytest.mark.parametrize("source", ["nowhere", "ext::sh -c true", "-x", "file:///nowhere"])
def test_a_wrong_source(source: str, tmp_path: Path) -> None:
    said = restore("--", source)
    assert said.code == 1
    assert said.err.count("\n") == 2


def test_usage() -> None:
    assert restore().code == 2
    assert restore("a", "b").code == 2


def test_the_failure_is_json_where_that_was_asked() -> None:
    value = restored("nowhere", code=1)
    assert value["error"] == "nowhere does not exist"
    assert value["mend"]


def test_both_helps_tell_the_two_restores_apart() -> None:
    runner = CliRunner()
    assert "ppgp-tui restore" in runner.invoke(ppgp_tui, ["gasp", "restore", "--help"]).output
    assert "gasp restore" in runner.invoke(ppgp_tui, ["restore", "--help"]).output


# Hostile repositories


@pytest.mark.parametrize(
    "path", ["AGENT.md", "identity/IDENTITY.md", "identity", "snapshots", "state", LOG]
)
def test_a_link_that_leads_out_is_not_followed(
    agent: Repository, tmp_path: Path, path: str
) -> None:
    secret = tmp_path / "secret"
    if path in ("identity", "snapshots", "state"):
        secret.mkdir()
        (secret / "id_ed25519").write_text("PRIVATE")
    else:
        secret.write_text("agent_id: PRIVATE")
    agent.git("rm", "-rq", "--ignore-unmatch", path)
    (agent.root / path).parent.mkdir(exist_ok=True)
    (agent.root / path).symlink_to(secret)
    agent.commit("link")
    for source in (agent.root, f"file://{agent.root}"):
        said = restore(source)
        assert said.code == 1
        assert "leads out of the repository" in said.err
        assert "PRIVATE" not in said.out + said.err


@pytest.mark.parametrize("path", ["AGENT.md", "identity/PIPE.md", LOG, "snapshots/x/graph.json"])
def test_a_pipe_does_not_hold_it_up(agent: Repository, path: str) -> None:
    target = agent.root / path
    target.unlink(missing_ok=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(target)
    assert run("gasp", "restore", agent.root).code in (0, 1)


@pytest.mark.parametrize("path", ["AGENT.md", LOG])
def test_a_huge_file_does_not_take_it_down(agent: Repository, path: str) -> None:
    with (agent.root / path).open("wb") as file:
        file.truncate(1 << 34)
    said = restore(agent.root)
    assert said.code == 1
    assert path in said.err


def test_settings_and_hooks_of_the_repository_run_nothing(
    agent: Repository, tmp_path: Path
) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "core.hooksPath", "core.sshCommand"):
        agent.git("config", key, str(trap))
    for source in (agent.root, f"file://{agent.root}"):
        restored(source)
    restored(agent.root, "--into", tmp_path / "kept")
    assert not (tmp_path / "sprung").exists()


def test_what_the_terminal_would_obey_is_made_visible(agent: Repository) -> None:
    text = FIXTURE["AGENT.md"].replace("agent_id: fixture", "agent_id: \x1b[2J\x9b31m\u202eevil")
    agent.write("AGENT.md", text)
    said = restore(agent.root)
    assert said.code == 0
    assert not set(said.out) & {"\x1b", "\x9b", "\u202e"}


def test_the_real_identity_hash_is_the_one_of_the_recipe(agent: Repository) -> None:
    path = "identity/IDENTITY.md"
    assert identity_hash({path: FIXTURE[path].encode()}) in FIXTURE["AGENT.md"]
