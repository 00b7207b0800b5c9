"""The server itself: the SDK's requests to the desk and back, one at a time, over stdio.

The only module that imports the SDK; `ppgp_tui.agents.mcp.serve` imports it when serving begins.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError

from ppgp_tui.agents.mcp.caller import caller
from ppgp_tui.agents.mcp.picture import RESOURCES
from ppgp_tui.agents.mcp.tools import TOOLS, Desk, Reply, Tool
from ppgp_tui.session.authority.identity import ancestors_now, recorded_agents
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.files.places import config_folder
from ppgp_tui.session.journal import now_ms
from ppgp_tui.session.settings.settings import load_settings
from ppgp_tui.session.text import one_line
from ppgp_tui.version import __version__

T = TypeVar("T")
Context = ServerRequestContext[Any, Any]

INSTRUCTIONS: Final = (
    "The shared session of a person and their coding agents in this repository. First read "
    "ppgp://boot or call get_session. Keep the plan with todo, at the revision you read. Ask with "
    "request_authority what only the person may decide; it returns an id at once, and get_answer "
    "tells the decision later. Waiting, expired and withdrawn are no answers. complete_goal is a "
    "claim: an audit has to verify it."
)
_RESULT: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "ok": {"type": "boolean"},
        "code": {"type": "string"},
        "changed": {"type": "boolean"},
        "action": {"type": "string"},
        "message": {"type": "string"},
        "events": {"type": "array", "items": {"type": "string"}},
        "recorded": {"enum": ["log", "outbox", "none"]},
        "revisions": {"type": "object", "additionalProperties": {"type": "integer"}},
        "created": {"type": "array", "items": {"type": "string"}},
        "warnings": {"type": "array", "items": {"type": "string"}},
        "data": {"type": "object"},
    },
}
_RESULT["required"] = list(_RESULT["properties"])


class Wire:
    """Answers the client's requests. The desk works in one thread, call after call."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._desk = Desk(root, now_ms)
        self._ancestors = ancestors_now()
        self._turn = anyio.CapacityLimiter(1)

    def server(self) -> Server[Any]:
        """The SDK's server with our handlers."""
        return Server(
            "ppgp-tui",
            version=__version__,
            title="ppgp-tui session",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_read_resource=self._read_resource,
        )

    async def _list_tools(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        settings = load_settings(self._root, config_folder() / "config.toml")
        return types.ListToolsResult(
            tools=[_described(tool, settings.plan_max_tasks) for tool in TOOLS]
        )

    async def _call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if params.name not in (tool.name for tool in TOOLS):
            raise MCPError(
                code=types.INVALID_PARAMS, message=f"Unknown tool: {one_line(params.name)[:100]}"
            )
        client = context.session.client_params
        name = client.client_info.name if client is not None else None
        reply = await self._in_turn(partial(self._answer, name, params))
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=reply.text)],
            structured_content=reply.result,
            is_error=reply.error,
        )

    def _answer(self, client: str | None, params: types.CallToolRequestParams) -> Reply:
        return self._desk.call(self._actor(client), params.name, params.arguments or {})

    def _actor(self, client: str | None) -> Actor:
        return caller(os.environ, self._ancestors, recorded_agents(self._root), client)

    async def _list_resources(
        self, _context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return types.ListResourcesResult(
            resources=[
                types.Resource(
                    uri=found.uri,
                    name=found.name,
                    mime_type=found.mime_type,
                    description=found.description,
                )
                for found in RESOURCES
            ]
        )

    async def _read_resource(
        self, _context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        found = next((one for one in RESOURCES if one.uri == uri), None)
        if found is None:
            raise _no_resource(f"Unknown resource: {one_line(uri)[:100]}")
        try:
            text = await self._in_turn(partial(found.text, self._desk.picture))
        except Exception as error:  # told to the client, without the places it names
            raise MCPError(
                code=types.INTERNAL_ERROR, message=f"{uri} failed: {type(error).__name__}"
            ) from None
        if text is None:
            raise _no_resource("there is no goal document here")
        content = types.TextResourceContents(uri=uri, mime_type=found.mime_type, text=text)
        return types.ReadResourceResult(contents=[content])

    async def _in_turn(self, work: Callable[[], T]) -> T:
        return await anyio.to_thread.run_sync(work, limiter=self._turn)


def _no_resource(message: str) -> MCPError:
    return MCPError(code=types.INVALID_PARAMS, message=message)


def _described(tool: Tool, max_tasks: int) -> types.Tool:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.takes.schema(max_tasks),
        output_schema=_RESULT,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.looks,
            destructive_hint=tool.undoes,
            idempotent_hint=tool.looks,
            open_world_hint=False,
        ),
    )


def run(root: Path) -> None:
    """Serve until the client closes stdin. A signal ends the process at once: acts are whole."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    anyio.run(_serve, root)


async def _serve(root: Path) -> None:
    server = Wire(root).server()
    try:
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())
    except* (BrokenPipeError, anyio.BrokenResourceError):
        pass  # the client is gone, so nobody is left to tell
