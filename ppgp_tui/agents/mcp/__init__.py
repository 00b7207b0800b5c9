"""The session for MCP clients, over stdin and stdout: tools that act, resources that show.

Nothing here grants: there is no tool that answers, confirms, declines or closes. The SDK is known
to `server` alone and imported when serving begins: that takes longer than the app takes to start.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

MISSING: Final = "the MCP server needs its SDK: pip install 'ppgp-tui[mcp]'"


class SdkMissingError(Exception):
    """The SDK is not installed, or is one whose server has another interface."""


def serve(root: Path) -> None:
    """Serve the session at `root` until the client closes stdin.

    Raises `SdkMissingError`.
    """
    try:
        from ppgp_tui.agents.mcp.server import run
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise SdkMissingError(MISSING) from None
    run(root)
