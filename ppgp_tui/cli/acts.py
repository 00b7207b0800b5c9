"""Commands by name, and where each is written: imported when it is called, and not before."""

from __future__ import annotations

from typing import Final

ACTS: Final = {
    "init": "ppgp_tui.cli.init:init",
    "restore": "ppgp_tui.cli.init:restore",
    "goal": "ppgp_tui.cli.goal:goal",
    "todo": "ppgp_tui.cli.todo:todo",
    "blocker": "ppgp_tui.cli.blocker:blocker",
    "ask": "ppgp_tui.cli.ask:ask",
    "requests": "ppgp_tui.cli.requests:requests",
    "answer": "ppgp_tui.cli.answer:answer",
    "authority": "ppgp_tui.cli.authority:authority",
    "gasp": "ppgp_tui.cli.gasp.group:gasp",
    "connect": "ppgp_tui.cli.connect:connect",
    "disconnect": "ppgp_tui.cli.connect:disconnect",
    "run": "ppgp_tui.cli.run:run",
    "agents": "ppgp_tui.cli.agents:agents",
    "mcp": "ppgp_tui.cli.mcp:mcp",
    "sessions": "ppgp_tui.cli.sessions:sessions",
    "audit": "ppgp_tui.cli.audit:audit",
    "close": "ppgp_tui.cli.close:close",
    "persist": "ppgp_tui.cli.persist.command:persist",
    "doctor": "ppgp_tui.cli.doctor:doctor",
    "keys": "ppgp_tui.cli.keys:keys",
    "report": "ppgp_tui.cli.report:report",
    "bug": "ppgp_tui.cli.bug:bug",
}
