"""View 6 on a real repository: keys go in, and agents obey; with a fake agent and real hooks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from ppgp_tui.session.files import places
from ppgp_tui.ui.app.panes import open_pane
from tests.agents.hook.scene import Scene, made
from tests.cli.acting import Place
from tests.session.fake_agent import FakeAgent
from tests.ui.acting_app import acting
from tests.waiting import until

AGENTS = "6"


def now_ms() -> int:
    from time import time_ns

    return time_ns() // 1_000_000


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Place]:
    places._folders.cache_clear()
    yield Place(tmp_path, monkeypatch).begin()
    places._folders.cache_clear()


@pytest.fixture
def agent(place: Place) -> FakeAgent:
    """An agent whose hooks write what hooks write."""
    found = FakeAgent(place.root, now_ms)  # type: ignore[arg-type]  # a clock is a clock
    found.tells("working")
    return found


@pytest.fixture
def hooks(place: Place, tmp_path: Path) -> Iterator[Scene]:
    """The real hook program, at home in the same root."""
    for scene in made(tmp_path):
        yield Scene(tmp_path, place.root.resolve(), scene.environ)


async def test_holding_one_agent_is_recorded_and_seen_when_its_call_waits(
    place: Place, agent: FakeAgent
) -> None:
    async with acting(place, AGENTS) as of:
        await of.sees("working")
        await of.press("P")
        await of.sees("pause of claude-0f3a asked")
        await of.until(lambda: of.held)
        assert of.control["hold"]["who"] == [agent.key]
        agent.begins()
        await of.sees("before Bash, 0 calls or events since")
        await of.press("P")
        await of.sees("claude-0f3a goes on")
        assert of.control["hold"] is None
        acts = [event["payload"] for event in place.events("human.interrupted")]
        assert [(act["what"], act["session"]) for act in acts] == [
            ("pause", agent.key), ("resume", agent.key),
        ]  # fmt: skip


async def test_an_agent_that_works_on_is_shown_to_have_broken_the_pause(
    place: Place, agent: FakeAgent
) -> None:
    async with acting(place, AGENTS) as of:
        await of.sees("working")
        await of.press("P")
        await of.until(lambda: of.held)
        agent.begins(lies=True)
        await of.sees("violated")


async def test_stopping_a_turn_orders_it_and_the_screen_says_stopping(
    place: Place, agent: FakeAgent
) -> None:
    async with acting(place, AGENTS) as of:
        await of.sees("working")
        await of.press("S")
        await of.sees("ends its turn at its next hook point")
        assert of.control["stop"] == [agent.key]


async def test_without_our_launcher_nothing_is_frozen(place: Place, agent: FakeAgent) -> None:
    async with acting(place, AGENTS) as of:
        await of.sees("working")
        await of.press("F")
        await of.sees("start claude with ppgp-tui run")
        assert place.events("human.interrupted") == []


async def test_a_real_hook_waits_is_told_and_goes_on(place: Place, hooks: Scene) -> None:
    hooks.writes()
    hooks.hook("claude", hooks.payload("claude", "SessionStart"))
    hooks.hook("claude", hooks.payload("claude", "UserPromptSubmit"))
    async with acting(place, AGENTS, size=(140, 50)) as of:
        await of.sees("new session: told nothing before")
        await of.press("P")
        await of.until(lambda: of.held)
        hook = hooks.start("claude", hooks.payload("claude", "PreToolUse-Bash"))
        await of.sees("a hook waits before Bash")
        await of.press("m")
        await of.type("Use the staging host.")
        await of.press("enter")
        await of.sees("held until its next hook point")
        await of.press("P")
        heard = hooks.hear(hook)
        assert heard.code == 0
        assert "Use the staging host." in heard.stdout
        await of.sees("delivered ")
        held, released = hooks.events("agent.held", "agent.released")
        assert released["causation_id"] == held["id"]
        assert released["payload"]["outcome"] == "resumed"
        await of.sees("3 interruptions: 1 note, 1 pause, 1 prompt")


async def test_a_hook_that_is_killed_is_not_shown_as_held(place: Place, hooks: Scene) -> None:
    hooks.hook("claude", hooks.payload("claude", "SessionStart"))
    async with acting(place, AGENTS) as of:
        await of.sees("1 connected")
        await of.press("p")
        await of.until(lambda: of.held)
        hook = hooks.start("claude", hooks.payload("claude", "PreToolUse-Bash"))
        await of.sees("before Bash")
        hook.kill()
        hooks.hear(hook)
        until(lambda: hook.poll() is not None)
        await of.until(lambda: "before Bash" not in of.screen)


# --- its window -----------------------------------------------------------------------------------


def tmux(folder: Path, leader: int) -> dict[str, str]:
    """A tmux that has one pane, in which `leader` runs; it writes down what it is told."""
    program = folder / "tmux"
    program.write_text(
        f'#!/bin/sh\necho "$*" >> {folder}/told\n'
        f'[ "$1" = list-panes ] && echo "%3 {leader}"\nexit 0\n'
    )
    program.chmod(0o755)
    return {"TMUX": "/tmp/tmux,1,0"}


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return tmp_path


def test_the_window_of_an_agent_below_that_pane_is_gone_to(bin_folder: Path) -> None:
    result = open_pane("%3", os.getpid(), tmux(bin_folder, os.getppid()))
    assert result.code == "done"
    assert (bin_folder / "told").read_text().splitlines()[1:] == [
        "select-window -t %3",
        "select-pane -t %3",
    ]


@pytest.mark.parametrize(
    ("pane", "why"),
    [
        ("%3", "another program runs in the pane of that number here"),
        ("%4", "this tmux server has no such pane"),
        ("%3; kill-server", "that is no tmux pane"),
    ],
)
def test_another_window_is_not_gone_to_and_its_name_is_copied(
    bin_folder: Path, pane: str, why: str
) -> None:
    result = open_pane(pane, os.getpid(), tmux(bin_folder, 2**22 + 1))
    assert (result.code, result.data) == ("refused", {"copy": pane})
    assert result.message.startswith(why)
    told = bin_folder / "told"
    assert not told.exists() or "select" not in told.read_text()


def test_outside_tmux_the_name_of_the_pane_is_copied() -> None:
    result = open_pane("%3", None, {})
    assert (result.code, result.data) == ("refused", {"copy": "%3"})
