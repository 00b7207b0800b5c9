"""A client of the SDK and a server in a process of its own, over stdin and stdout."""

import json
import subprocess
import sys
from asyncio import gather
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from tests.agents.mcp.place import DOCUMENT, PROGRAM, Place
from tests.session.engine.rules import broken
from tests.waiting import PATIENCE_S

TOOLS = {
    "propose_goal", "tweak_goal", "set_goal_blocked", "resume_goal", "abandon_goal",
    "complete_goal", "get_todo", "todo", "request_authority", "get_answer", "raise_blocker",
    "clear_blocker", "checkpoint", "get_session",
}  # fmt: skip
GRANTING = ("answer", "confirm", "decline", "close", "approve", "grant", "sign", "audit", "release")
TASKS = [
    {"key": "retry", "subject": "Write the retry", "status": "in_progress"},
    {"key": "docs", "subject": "Tell people", "status": "pending", "dependsOn": ["retry"]},
]
PROOF = {
    "blocker": "No key for the shop.",
    "evidence": "The login answers 403.",
    "whyNoAutonomousPathRemains": "Every step left needs the shop.",
    "unblockCondition": "The key exists.",
}


async def done(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool that must do its work; its result, which is also told in words."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    assert result.content[0].text
    return result.structured_content


async def text_of(client: Client, uri: str) -> str:
    return (await client.read_resource(uri)).contents[0].text


async def refused(client: Client, tool: str, **arguments: Any) -> tuple[str, str]:
    """Call a tool that must refuse; the code and the words."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, result.content
    assert result.structured_content["ok"] is False
    assert result.structured_content["changed"] is False
    return result.structured_content["code"], result.content[0].text


async def test_an_agent_lives_with_a_goal_from_its_proposal_to_its_end(place: Place) -> None:
    async with place.client() as client:
        listed = (await client.list_tools()).tools
        assert {tool.name for tool in listed} == TOOLS
        assert not [name for name in TOOLS if name.split("_")[0] in GRANTING]
        assert all(tool.description and tool.output_schema for tool in listed)

        proposed = await done(client, "propose_goal", objective="Retry survives a timeout")
        request = proposed["data"]["request"]
        waiting = await done(client, "get_answer", request=request)
        assert waiting["data"]["state"] == "waiting"
        assert waiting["code"] == "unchanged"
        place.answer(request, "yes")
        heard = await done(client, "get_answer", request=request)
        assert (
            heard["data"] | {"state": "answered", "option": "yes", "signed": True}
            == (heard["data"])
        )
        assert heard["data"]["delivered_before"] is False
        again = await done(client, "get_answer", request=request)
        assert again["data"]["option"] == "yes"
        assert again["data"]["delivered_before"] is True

        call = {"baseRevision": 0, "tasks": TASKS}
        at_once = await gather(*(client.call_tool("todo", call) for _ in range(5)))
        codes = sorted(result.structured_content["code"] for result in at_once)
        assert codes == ["done", "stale", "stale", "stale", "stale"]
        plan = await done(client, "get_todo")
        assert plan["data"]["state"]["tasks"] == TASKS
        assert plan["revisions"]["plan"] == 1
        code, text = await refused(client, "todo", **call)
        assert code == "stale"
        assert text.startswith("Stale Todo revision 0; current revision is 1.")

        raised = await done(
            client, "raise_blocker", text="Shop is down", **{"class": "B"}, tasks=["retry"]
        )
        blocker = raised["data"]["blocker"]
        session = await done(client, "get_session")
        assert [one["id"] for one in session["data"]["recorded"]["blockers"]] == [blocker]
        await done(client, "clear_blocker", blocker=blocker, reason="It is up again")

        asked = await done(
            client,
            "request_authority",
            question="Which colour?",
            options=["Blue", "Green"],
            recommended="b",
            frees=["docs"],
            why="The brand book is silent.",
            evidence="Searched docs/.",
            irreversible=True,
        )
        place.answer(asked["data"]["request"], "a", note="dark blue")
        told = await client.call_tool("get_answer", {"request": asked["data"]["request"]})
        assert told.content[0].text == "Answered: a (Blue).\nNote: dark blue"

        await done(client, "checkpoint", summary="Counter verified and written down")
        await done(client, "set_goal_blocked", **PROOF)
        await done(client, "resume_goal")
        other = await done(client, "tweak_goal", objective="Retry survives two timeouts")
        place.answer(other["data"]["request"], "no")
        declined = await done(client, "get_answer", request=other["data"]["request"])
        assert declined["data"]["option"] == "no"
        assert await text_of(client, "ppgp://goal") == DOCUMENT
        assert asked["data"]["request"] in await text_of(client, "ppgp://session")
        assert "Plan revision 1, 2 tasks." in await text_of(client, "ppgp://boot")
        claimed = await done(client, "complete_goal", summary="All done, all tested")
        assert "audit" in claimed["message"]
        session = await done(client, "get_session")
        goal = session["data"]["recorded"]["goal"]
        assert (goal["objective"], goal["label"]) == ("Retry survives a timeout", "active")
        await done(client, "abandon_goal", reason="Another team does it")

    events = place.events()
    assert broken(events) == []
    people = {event["kind"] for event in events if event["actor"]["kind"] == "user"}
    assert people == {"decision.created", "goal.created"}
    agents = {event["actor"]["id"] for event in events if event["actor"]["kind"] == "agent"}
    assert agents == {"mcp-robot"}
    assert place.kinds().count("authority.delivered") == 3


async def test_whatever_does_not_fit_is_an_error_that_says_so_and_nothing_is_recorded(
    place: Place,
) -> None:
    async with place.client() as client:
        for tool in (await client.list_tools()).tools:
            code, text = await refused(client, tool.name, nonsense=1)
            assert code == "usage"
            assert text.startswith(f'Validation failed for tool "{tool.name}":')
            assert "nonsense: " in text
        code, text = await refused(client, "propose_goal", objective=" \n ")
        assert (code, text) == ("refused", "Goal objective requires non-empty text.")
        code, text = await refused(client, "propose_goal", objective="x" * 131073)
        assert "objective: expected at most 131072 characters" in text
        code, text = await refused(client, "request_authority", question="x" * 4001)
        assert code == "usage"
        assert "question: " in text
        code, text = await refused(client, "request_authority", question="😀" * 3000)
        assert (code, text) == ("refused", "the question is longer than 4000 characters")
        _, text = await refused(client, "request_authority", question="?", **{"class": "A"})
        assert "solve it" in text
        _, text = await refused(client, "request_authority", question="?", frees=["nothing"])
        assert text == "todo:nothing is no task of the plan"
        for wrong in ("req_0", "../../etc/passwd", "", "req_" + "0" * 32):
            code, text = await refused(client, "get_answer", request=wrong)
            assert code == "refused"
        assert text == f"no request req_{'0' * 32} is recorded here"
        _, text = await refused(client, "clear_blocker", blocker="blk_1", reason="gone")
        assert text.startswith("no open blocker blk_1")
        for tool in ("resume_goal", "tweak_goal", "abandon_goal", "complete_goal"):
            needed = {"objective": "x", "reason": "x", "summary": "x"}
            taken = {
                "tweak_goal": ("objective",), "abandon_goal": ("reason",),
                "complete_goal": ("summary",),
            }.get(tool, ())  # fmt: skip
            _, text = await refused(client, tool, **{name: needed[name] for name in taken})
            assert text == "No Goal is active on this branch."
        with pytest.raises(MCPError, match="Unknown tool: answer"):
            await client.call_tool("answer", {"request": "x", "option": "yes"})
    assert place.events() == []


async def test_hostile_words_are_data_and_nothing_else(place: Place) -> None:
    nasty = "\x1b]0;owned\x07 [bold]../..\x00 \u202egnp.exe </goal_objective> $(rm -rf ~) '\""
    async with place.client(name=f"../user:dev\n{nasty}") as client:
        asked = await done(client, "request_authority", question=nasty, options=[nasty, nasty])
        place.answer(asked["data"]["request"], "a", note=nasty)
        told = await client.call_tool("get_answer", {"request": asked["data"]["request"]})
        assert told.structured_content["data"]["label"] == nasty
        assert "\x1b" not in told.content[0].text
        assert "\x00" not in told.content[0].text
        session = await client.call_tool("get_session", {})
        assert "\x1b" not in session.content[0].text
    actor = next(event["actor"] for event in place.events() if event["actor"]["kind"] == "agent")
    assert actor["id"].startswith("mcp-user-dev-")
    assert broken(place.events()) == []


async def test_without_a_session_looking_works_and_acting_says_what_to_do(bare: Place) -> None:
    async with bare.client() as client:
        code, text = await refused(client, "propose_goal", objective="Anything")
        assert code == "not_initialised"
        assert "run ppgp-tui init" in text
        assert (await refused(client, "get_todo"))[0] == "not_initialised"
        session = await done(client, "get_session")
        assert session["data"]["recorded"] is None
        assert session["data"]["session"]["goal"]["phase"] == "EXECUTE"
    assert not (bare.root / ".ppgp").exists()
    assert not (bare.root / "state").exists()


async def test_without_a_handshake_resources_tell_the_moment_and_the_shell_tells_the_actor(
    place: Place,
) -> None:
    async with place.client("auto", CLAUDE_CODE_SESSION_ID="0f3a") as client:
        assert client.protocol_version >= "2026-07-28"
        listed = {str(found.uri) for found in (await client.list_resources()).resources}
        assert listed == {"ppgp://session", "ppgp://goal", "ppgp://boot"}
        assert json.loads(await text_of(client, "ppgp://session"))["goal"]["phase"] == "EXECUTE"
        boot = await text_of(client, "ppgp://boot")
        assert boot == await text_of(client, "ppgp://boot")
        assert "### NEXT_EXECUTABLE_ACTION\n- Write the retry." in boot

        document = place.root / "docs/ACTIVE_GOAL.md"
        document.write_text(DOCUMENT.replace("EXECUTE", "HARDEN"))
        assert json.loads(await text_of(client, "ppgp://session"))["goal"]["phase"] == "HARDEN"
        document.unlink()
        with pytest.raises(MCPError, match="no goal document"):
            await text_of(client, "ppgp://goal")
        with pytest.raises(MCPError, match="Unknown resource"):
            await text_of(client, "ppgp://secrets")

        await done(client, "request_authority", question="Go?")
    assert {event["actor"]["id"] for event in place.events()} == {"claude-0f3a", "ppgp-tui"}


def test_stdout_carries_the_protocol_alone_whatever_comes_in(place: Place) -> None:
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    }
    sent = [
        b"not JSON\n",
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":%b}\n'
        % json.dumps(hello).encode(),
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n',
        b"\xff\xfe\x00\n",
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"todo",'
        b'"arguments":{"tasks":"\\ud800"}}}\n',
        b"[" * 100_000 + b"\n",
        b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"get_todo"}}\n',
        b'{"jsonrpc":"2.0","id":4,"method":"no/such","params":{}}\n',
    ]
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "mcp", "--root", place.root],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        server.stdin.write(b"".join(sent))
        server.stdin.flush()
        by_id: dict[Any, Any] = {}
        while not {1, 3, 4} <= set(by_id):
            answer = json.loads(server.stdout.readline())
            assert answer["jsonrpc"] == "2.0"
            by_id[answer.get("id")] = answer
        said, complaints = server.communicate()
    assert by_id[3]["result"]["structuredContent"]["data"]["state"]["revision"] == 0
    assert by_id[4]["error"]["code"] == -32601
    assert said == b""
    assert server.returncode == 0
    assert b"Traceback" not in complaints


def test_without_the_sdk_one_line_says_what_to_install(place: Place, tmp_path: Path) -> None:
    gone = "import sys; sys.modules['mcp_types'] = None; sys.modules['mcp'] = None; "
    ran = subprocess.run(
        [sys.executable, "-c", gone + PROGRAM, "mcp", "--root", place.root],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ran.returncode == 1
    assert ran.stdout == ""
    said = "Error: the MCP server needs its SDK: pip install 'ppgp-tui[mcp]'\n"
    assert ran.stderr == said


async def test_where_the_person_wants_it_a_claim_is_audited_beside_the_wire(place: Place) -> None:
    from ppgp_tui.session.actions import goal

    assert goal.create(place.person, "Retry survives a timeout").ok
    config = place.folder / "home/config/ppgp-tui/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text("[audit]\non_claim = true\n")
    async with place.client() as client:
        told = await done(client, "complete_goal", summary="All done")
        assert told["data"]["audit"] == "rejected"
        assert "A timeout is retried." in told["message"]
        code, words = await refused(client, "complete_goal", summary="All done")
        assert (code, "A timeout is retried." in words) == ("refused", True)
        assert "last audit rejected the claim" in await text_of(client, "ppgp://boot")
    assert broken(place.events()) == []
