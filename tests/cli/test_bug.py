"""`ppgp-tui bug`: asked first, and nothing in it that is nobody else's business."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.cli.telling import tell
from tests.session.sharing.secrets_planted import PLANTED, told_by
from tests.session.sharing.test_bundle import unpacked

ALL = "\n".join(PLANTED.values())
HOME_NAME = "zacharias"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The demo's repository with secrets wherever text can be."""
    root = tmp_path / HOME_NAME / "secretproject"
    tell(root, tmp_path / "told", until=20)
    goal = root / "docs/ACTIVE_GOAL.md"
    goal.write_text(f"{goal.read_text('utf-8')}\n## Notes\n\n{ALL}\n", "utf-8")
    event = {
        "id": "event_" + "a" * 32, "schema_version": 1, "ts_ms": 1, "kind": "tool.called",
        "actor": {"kind": "agent", "id": ALL}, "payload": {"text": ALL, **PLANTED},
        "causation_id": None, "correlation_id": ALL,
    }  # fmt: skip
    odd = {**event, "id": "event_" + "b" * 32, "kind": PLANTED["github"]}
    with (root / "state/events.jsonl").open("a", encoding="utf-8") as log:
        log.writelines(f"{json.dumps(one)}\n" for one in (event, odd))
        log.write(f"{ALL}\n")
    (root / ".ppgp/config.toml").write_text(
        f"[paths]\nmemory = {json.dumps(PLANTED['gitlab'])}\n[{json.dumps(ALL)}]\nx = 1\n", "utf-8"
    )
    for number, name in enumerate(PLANTED):
        folder = root / ".ppgp/run/agents"
        (folder / f"claude-{number}.json").write_text(json.dumps({name: ALL}), "utf-8")
    return root


@pytest.fixture
def environ(root: Path, tmp_path: Path) -> dict[str, str]:
    """A user's own folders, and an environment full of secrets."""
    home = tmp_path / HOME_NAME
    config, state = home / ".config/ppgp-tui", home / ".local/state/ppgp-tui"
    config.mkdir(parents=True)
    state.mkdir(parents=True)
    command = json.dumps(["notify-send", *PLANTED.values()])
    (config / "config.toml").write_text(
        f"[notify]\ncommand = {command}\n[ui]\ntheme = {json.dumps(PLANTED['stripe'])}\n"
        f"keys = {json.dumps('/' + PLANTED['npm'])}\n", "utf-8",
    )  # fmt: skip
    (state / "crash-20261130-200000.log").write_text(f"ValueError: {ALL}\n  in {home}/a.py\n")
    secrets = {f"X{at}": text for at, text in enumerate(PLANTED.values())}
    telling = {"TERM": PLANTED["aws key"], "TERM_PROGRAM": ALL, "USER": HOME_NAME}
    return {**secrets, **telling, "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"),
            "XDG_STATE_HOME": str(home / ".local/state")}  # fmt: skip


@pytest.mark.parametrize("with_log", [False, True])
def test_none_of_the_secrets_that_are_everywhere_is_in_it(
    root: Path, environ: dict[str, str], tmp_path: Path, with_log: bool
) -> None:
    out = tmp_path / "bug.tar.gz"
    words = ["--with-log"] if with_log else []
    said = run("bug", root, "--out", out, "--yes", *words, **environ)
    assert said.code == 0, said.err
    found = unpacked(out.read_bytes())
    assert ("log.jsonl" in " ".join(found)) == with_log
    for name, text in found.items():
        assert told_by(text) == [], name
        assert HOME_NAME not in text, name
        assert "secretproject" not in text, name


def test_without_the_log_no_word_of_a_person_or_an_agent_is_in_it(
    root: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    out = tmp_path / "bug.tar.gz"
    run("bug", root, "--out", out, "--yes", **environ)
    told = "".join(unpacked(out.read_bytes()).values())
    for words in ("importer", "cursor column", "Checkpoint", "operator"):
        assert words not in told


def test_what_is_in_it_is_listed_and_where_nobody_can_say_yes_nothing_is_written(
    root: Path, tmp_path: Path
) -> None:
    out = tmp_path / "bug.tar.gz"
    said = run("bug", root, "--out", out)
    assert said.code == 2
    assert "about.json" in said.err
    assert "doctor.txt" in said.err
    assert "--yes" in said.err
    assert not out.exists()


def test_as_json_it_says_what_was_written_where(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "bug.tar.gz"
    said = run("bug", root, "--out", out, "--yes", "--json")
    value = json.loads(said.out)
    assert value["schema"] == "ppgp-tui/bug/1"
    assert value["path"] == str(out)
    assert value["bytes"] == out.stat().st_size
    assert {one["name"] for one in value["files"]} >= {"README.txt", "about.json", "files.json"}


def test_a_file_that_is_there_is_left_alone(root: Path, tmp_path: Path) -> None:
    out = tmp_path / "bug.tar.gz"
    out.write_bytes(b"mine")
    said = run("bug", root, "--out", out, "--yes")
    assert said.code == 1
    assert "--force" in said.err
    assert out.read_bytes() == b"mine"
