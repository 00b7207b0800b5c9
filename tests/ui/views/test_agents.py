"""View 6: agents."""

from __future__ import annotations

from dataclasses import replace

from ppgp_tui.session.model import Agent, CallSeen, Part, SessionSnapshot
from ppgp_tui.ui.views.agents.agents import AgentsView
from tests.ui import picture
from tests.ui.picture import ago
from tests.ui.views.drawn import frame, screen


def lines(*agents: Agent, width: int = 48, **given: object) -> list[str]:
    snapshot: SessionSnapshot = replace(picture.full(), agents=Part(agents))
    return screen(AgentsView(), snapshot, frame(width, 40, **given))


def test_an_agent_shows_state_last_call_and_where_it_lives() -> None:
    assert lines(*picture.agents())[:4] == [
        " Agents                             3 connected",
        " ▸ claude                         working   12s",
        "   Edit src/importer/batch.py",
        "   pane %3, continued 6 times",
    ]


def test_what_a_heartbeat_does_not_say_is_not_shown() -> None:
    assert lines(Agent("pi-4c2", "pi", "quiet", None)) == [
        " Agents                             1 connected",
        " . pi                         no evidence",
        "   session pi-4c2",
    ]


def test_working_and_quiet_count_from_the_last_contact_the_others_from_the_state() -> None:
    times = {"since_ms": ago(minutes=31), "contact_ms": ago(seconds=5)}
    for state, since in (("working", "5s"), ("quiet", "5s"), ("idle", "31m"), ("held", "31m")):
        agent = Agent("pi-1", "pi", state, **times)  # type: ignore[arg-type]
        assert lines(agent)[1].endswith(since)


def test_agents_that_are_gone_stand_apart_and_are_not_connected() -> None:
    shown = lines(
        Agent("pi-1", "pi", "gone", ago(minutes=2)), Agent("claude-1", "claude", "idle", None)
    )
    assert shown[0].endswith("1 connected")
    assert shown[4:6] == [
        " No longer here                               1",
        " . pi                                gone    2m",
    ]


def test_nothing_runs_on_in_an_agent_that_is_gone() -> None:
    calls = (CallSeen("Bash", ago(minutes=3), "running"), CallSeen("Edit", ago(minutes=4), "done"))
    for state, words in (
        ("working", "running"),
        ("gone", "end not seen"),
        ("ended", "end not seen"),
    ):
        agent = Agent("pi-1", "pi", state, ago(minutes=2), calls=calls)  # type: ignore[arg-type]
        shown = "\n".join(lines(agent, width=120))
        assert f"{words}    3m" in shown
        assert "done    4m" in shown


def test_beside_the_list_stands_everything_the_heartbeat_says() -> None:
    shown = "\n".join(lines(*picture.agents(), width=120))
    for words in (
        "session    claude-5f1e",
        "model      opus",
        "process    4101",
        "heard of   12s ago",
    ):
        assert words in shown


def test_with_nobody_it_says_what_was_looked_for_and_how_to_show_up() -> None:
    shown = lines()
    assert shown[:2] == [
        " Agents                          none connected",
        " looked for .ppgp/run/agents/",
    ]
    assert " ▹ Connect an agent" in shown
    assert "ppgp-tui connect" in " ".join(shown)


def test_finding_words_keeps_the_agents_that_say_them() -> None:
    shown = lines(*picture.agents(), filter="soak")
    assert [line.split()[1] for line in shown if line.startswith(" ?")] == ["codex"]
    assert len(shown) == 4
