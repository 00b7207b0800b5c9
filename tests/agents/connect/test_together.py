"""Connecting from the app: what is shown is what is written, or nothing is."""

from __future__ import annotations

import os

from ppgp_tui.agents.connect.together import connect_all
from tests.agents.connect.places import Connected


def test_the_change_is_shown_and_nothing_is_written(there: Connected) -> None:
    said = connect_all(there.root, os.environ)
    assert said.ok
    (file,) = said.data["files"]
    assert file["agent"] == "claude"
    assert any(line.startswith("+") and "SessionStart" in line for line in file["diff"])
    assert said.data["about"][0].startswith("Claude Code")
    assert said.data["still_to_do"]
    assert not there.local.exists()


def test_what_was_shown_is_written_and_then_there_is_nothing_to_do(there: Connected) -> None:
    shown = connect_all(there.root, os.environ).data["shown"]
    said = connect_all(there.root, os.environ, shown)
    assert (said.code, said.message) == ("done", f"claude connected, in {there.local}")
    assert "SessionStart" in there.local.read_text()
    again = connect_all(there.root, os.environ)
    assert (again.code, again.message) == ("unchanged", "claude connected already")


def test_a_file_that_changed_meanwhile_is_shown_again_first(there: Connected) -> None:
    shown = connect_all(there.root, os.environ).data["shown"]
    there.write(there.local, '{"model": "opus"}\n')
    said = connect_all(there.root, os.environ, shown)
    assert said.code == "stale"
    assert "look at the change again" in said.message
    assert there.local.read_text() == '{"model": "opus"}\n'


def test_a_file_that_cannot_be_changed_is_named(there: Connected) -> None:
    there.write(there.local, "{ not json")
    said = connect_all(there.root, os.environ)
    assert said.code == "refused"
    assert str(there.local) in said.message
    assert there.local.read_text() == "{ not json"


def test_without_an_agent_it_says_where_was_looked(there: Connected) -> None:
    environ = {**os.environ, "PATH": str(there.root), "HOME": str(there.root)}
    said = connect_all(there.root, environ)
    assert (said.code, "no agent was found" in said.message) == ("refused", True)
