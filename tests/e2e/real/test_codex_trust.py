"""Codex runs no hook before its user trusts it; we say so, before and after."""

from __future__ import annotations

import time

import pytest

from ppgp_tui.agents.hook.place import is_service
from tests.e2e.acting import OBJECTIVE, Window
from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, READ_S, Desk, codex_is_ready, connected_to_codex
from tests.e2e.real.dialects import Turn

pytestmark = pytest.mark.skipif(program("codex") is None, reason="Codex is not there")


@pytest.fixture
def here(at: Desk) -> Desk:
    at.set_up("[continue]\non = false\n")
    return connected_to_codex(at)


def asked_about_hooks(here: Desk, choice: str) -> Window:
    """Codex as it starts after the connection; its user chooses."""
    window = here.server.window(110, 36)
    window.types("codex")
    window.until(lambda text: "12 hooks are new or changed" in text, PATIENCE_S)
    time.sleep(READ_S)
    window.key(choice)
    time.sleep(READ_S)
    window.key("Enter")
    window.until(codex_is_ready, PATIENCE_S)
    return window


def trusted(here: Desk) -> str:
    said = here.says("connect", "codex", "--yes", "--check-trust")
    return next(
        line.strip() for line in said.splitlines() if line.strip().startswith("Codex trusts")
    )


def test_trusted_in_its_own_window_the_hooks_run(here: Desk) -> None:
    assert trusted(here) == "Codex trusts 0 of 12 hooks"
    codex = asked_about_hooks(here, "2")
    assert trusted(here) == "Codex trusts 12 of 12 hooks"
    here.model.will(Turn("I know."))
    here.prompts(codex, "What is the goal?")
    assert OBJECTIVE in here.model.asked(1).words()


def test_not_trusted_they_do_not_and_the_doctor_says_so(here: Desk) -> None:
    codex = asked_about_hooks(here, "3")
    here.model.will(Turn("I do not know."))
    here.prompts(codex, "What is the goal?")
    assert OBJECTIVE not in here.model.asked(1).words()
    assert here.heartbeats() == []
    doctor = here.server.window(110, 36)
    doctor.types("ppgp-tui doctor | grep -A2 trusts")
    doctor.until(lambda text: "warn  Codex trusts 0 of 12 hooks" in text, PATIENCE_S)


def test_disconnecting_leaves_its_settings_as_they_were(at: Desk) -> None:
    at.knows_codex()
    file = at.root / ".codex/hooks.json"
    file.parent.mkdir()
    file.write_text('{ "hooks": {"Stop":\n\n[ {"hooks": [] }]},"mine": 1 }')
    before = file.read_bytes()
    at.says("connect", "codex", "--yes")
    assert file.read_bytes() != before
    at.says("disconnect", "codex", "--yes")
    assert file.read_bytes() == before
    file.unlink()
    at.says("connect", "codex", "--yes")
    at.says("disconnect", "codex", "--yes")
    assert not file.exists()


def test_its_service_is_in_no_window(here: Desk) -> None:
    """What Codex runs hooks in when they are trusted knows only the window it was begun in."""
    codex = asked_about_hooks(here, "2")
    here.model.will(Turn("I know."))
    here.prompts(codex, "What is the goal?")
    here.model.asked(1)
    (beat,) = here.heartbeats()
    assert is_service(beat["pid"]) == ("pane" not in beat)
