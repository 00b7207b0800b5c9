"""Who acts when an MCP client calls: an agent in every case."""

from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.agents.mcp.caller import caller
from ppgp_tui.session.authority.identity import AgentProcess, Process
from ppgp_tui.session.engine.draft import Actor

ABOVE = [Process(40, 1), Process(30, 2)]
CLAUDE = AgentProcess("claude-0f3a", 30, 2)


def test_an_agents_own_variable_names_its_session() -> None:
    environ = {"PI_SESSION_ID": "7"}
    assert caller(environ, ABOVE, [CLAUDE], "robot") == Actor("agent", "pi-7")


def test_a_connected_agent_above_the_server_is_the_actor() -> None:
    assert caller({}, ABOVE, [CLAUDE], "robot") == Actor("agent", "claude-0f3a")


def test_another_process_with_the_number_of_an_agent_is_not_it() -> None:
    other = AgentProcess("claude-0f3a", 30, 99)
    assert caller({}, ABOVE, [other], "robot") == Actor("agent", "mcp-robot")


def test_otherwise_it_is_the_client_by_the_name_it_gives() -> None:
    named = {
        "claude-ai": "mcp-claude-ai",
        "Visual Studio Code": "mcp-Visual-Studio-Code",
        "": "mcp-unknown",
        None: "mcp-unknown",
        "../../etc/passwd": "mcp-etc-passwd",
        "你好": "mcp-unknown",
        "x" * 500: "mcp-" + "x" * 64,
    }
    for client, key in named.items():
        assert caller({}, (), (), client) == Actor("agent", key)


@given(st.text())
def test_no_name_makes_a_person_or_an_odd_key_of_a_client(name: str) -> None:
    actor = caller({}, (), (), name)
    assert actor.kind == "agent"
    assert actor.id.startswith("mcp-")
    assert actor.id.isascii()
    assert not set(actor.id) & set("/\\:\n\0 ")
