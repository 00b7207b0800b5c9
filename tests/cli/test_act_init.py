"""Making a session, and putting back what Git cut out of its log."""

from __future__ import annotations

import json

import pytest

from tests.cli.acting import Place
from tests.cli.legal import faults
from tests.session.journals import git

MADE = [".ppgp/", ".ppgp/.gitignore", "state/events.jsonl"]

NEEDS_A_LOG = [
    ["goal", "propose", "x"],
    ["goal", "abandon", "x"],
    ["goal", "status"],
    ["todo", "get"],
    ["todo", "history"],
    ["todo", "adopt"],
    ["blocker", "raise", "x", "--class", "B"],
    ["blocker", "list"],
    ["ask", "x"],
    ["answer", "req_0123", "yes"],
]


def test_a_dry_run_lists_what_would_be_made_and_makes_nothing(bare: Place) -> None:
    said = bare.act("init", "--dry-run")
    assert said == (0, "would create .ppgp/, .ppgp/.gitignore, state/events.jsonl\n", "")
    assert list(bare.root.iterdir()) == []
    assert bare.json("init", "--dry-run")["data"] == {"create": MADE}


def test_init_makes_a_session_once_and_asks_nothing(bare: Place) -> None:
    result = bare.json("init")
    assert (result["code"], result["created"]) == ("done", MADE)
    assert (bare.root / "state" / "events.jsonl").read_bytes() == b""
    assert (bare.root / ".ppgp" / ".gitignore").read_text() == "run/\ngoal.json\n"
    again = bare.json("init")
    assert (again["code"], again["changed"], again["created"]) == ("unchanged", False, [])


def test_init_leaves_a_log_that_is_there_as_it_is(bare: Place) -> None:
    (bare.root / "state").mkdir()
    (bare.root / "state" / "events.jsonl").write_bytes(b'{"mine": 1}\n')
    assert bare.json("init")["created"] == [".ppgp/", ".ppgp/.gitignore"]
    assert (bare.root / "state" / "events.jsonl").read_bytes() == b'{"mine": 1}\n'


@pytest.mark.parametrize("words", NEEDS_A_LOG, ids=" ".join)
def test_without_a_session_every_act_says_how_to_begin_and_writes_nothing(
    bare: Place, words: list[str]
) -> None:
    bare.allow_scripts()
    said = bare.act(*words)
    assert said.code == 1
    assert "no session here: run ppgp-tui init (creates .ppgp/" in said.err
    assert list(bare.root.iterdir()) == []
    assert json.loads(bare.act(*words, "--json").out)["code"] == "not_initialised"


def test_what_a_reset_cut_out_is_said_and_comes_back_unchanged(place: Place) -> None:
    git(place.root, "init", "-q")
    git(place.root, "add", ".")
    git(place.root, "commit", "-qm", "begin")
    place.ask("Publish?")
    log = place.root / "state" / "events.jsonl"
    recorded = log.read_bytes()
    git(place.root, "reset", "-q", "--hard")
    assert log.read_bytes() == b""
    seen = place.json("goal", "status")
    assert any("cut out of the log" in warning for warning in seen["warnings"])
    assert "Publish?" in place.act("requests").out
    result = place.json("restore")
    assert (result["code"], result["recorded"]) == ("done", "log")
    assert log.read_bytes() == recorded
    assert faults(recorded) == []


def test_nothing_to_restore_is_said(place: Place) -> None:
    said = place.act("restore")
    assert said.code == 1
    assert "nothing was cut out of the log" in said.err
