"""`ppgp-tui connect` and `disconnect`: our hooks in the settings of an agent, and out again."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

import click

from ppgp_tui.cli.acting import action_name, acts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ppgp_tui.agents.connect.connecting import Plan
    from ppgp_tui.agents.connect.targets import Scope
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Result

_names = click.argument("agents", nargs=-1, metavar="[claude|codex] ...")
_user = click.option("--user", "scope", flag_value="user", help="For all your repositories.")
_local = click.option(
    "--local", "scope", flag_value="local", help="For this repository and you alone; the default."
)
_shared = click.option(
    "--shared", "scope", flag_value="shared", help="In this repository's shared settings."
)
_dry = click.option("--dry-run", is_flag=True, help="Only show what would be written.")
_yes = click.option("--yes", is_flag=True, help="Write without asking.")


@click.command("connect")
@_names
@_local
@_shared
@_user
@click.option("--strict", is_flag=True, help="A hook that fails refuses the call.")
@click.option("--check-trust", is_flag=True, help="Ask Codex whether it trusts the hooks.")
@_dry
@_yes
@acts("person", example="ppgp-tui connect --dry-run\nppgp-tui connect claude --yes")
def connect(
    engine: Engine,
    agents: tuple[str, ...],
    scope: Scope | None,
    *,
    strict: bool,
    check_trust: bool,
    dry_run: bool,
    yes: bool,
) -> Result:
    """Let this session hold, answer and continue an agent.

    Puts our hooks into the settings of the agents named, or of all that are installed, and shows
    the change first. Nothing else in those files is touched; ppgp-tui disconnect takes the hooks
    out again.
    """
    from ppgp_tui.agents.connect import connecting, detect, steps

    told = _Told()
    scope = scope or "local"
    found = detect.installed(engine.root, os.environ)
    try:
        names = steps.named(agents, found)
    except connecting.CannotConnectError as error:
        return told.refused(str(error))
    for name in names:
        about = found.get(name)
        said = [steps.about_version(name, about)]
        try:
            plan = connecting.plan_connect(
                name,
                scope,
                engine.root,
                os.environ,
                strict=strict,
                version=about.version if about else None,
            )
            steps.must_not_be_elsewhere(name, scope, engine.root, os.environ, plan.found.path)
            if not _agreed(told, plan, dry_run=dry_run, yes=yes):
                continue
            steps.prepare(name, os.environ, strict=strict)
            connecting.apply(plan)
        except connecting.CannotConnectError as error:
            told.refuse(name, str(error))
            continue
        how = "connected" if plan.changes else "was connected already"
        said.insert(0, f"{name} {how}, in {plan.found.path}")
        said += steps.still_to_do(name, scope, engine.root, plan.found.path)
        if name == "codex" and check_trust and about is not None:
            said.append(_trust(engine, about))
        said.append(f"for its MCP tools as well: {steps.mcp_command(name)}")
        told.done(plan, said)
    return told.result(idle="nothing was to be written")


@click.command("disconnect")
@_names
@_local
@_shared
@_user
@_dry
@_yes
@acts("person", example="ppgp-tui disconnect --dry-run\nppgp-tui disconnect claude --local --yes")
def disconnect(
    engine: Engine, agents: tuple[str, ...], scope: Scope | None, *, dry_run: bool, yes: bool
) -> Result:
    """Take our hooks out of the settings of an agent.

    Of all agents and places where none are named. The files are then as they were before, to the
    byte; what others changed in them meanwhile stays.
    """
    from ppgp_tui.agents.adapters import NAMES
    from ppgp_tui.agents.connect import connecting, steps
    from ppgp_tui.agents.connect.targets import SCOPES

    told = _Told()
    try:
        names = steps.named(agents, {}) if agents else NAMES
    except connecting.CannotConnectError as error:
        return told.refused(str(error))
    seen = set()
    for name in names:
        for one in (scope,) if scope else SCOPES:
            try:
                plan = connecting.plan_disconnect(name, one, engine.root, os.environ)
                if plan is None or plan.found.real in seen:
                    continue
                seen.add(plan.found.real)
                if not _agreed(told, plan, dry_run=dry_run, yes=yes):
                    continue
                connecting.apply(plan)
            except connecting.CannotConnectError as error:
                told.refuse(name, str(error))
                continue
            what = "removed" if plan.data is None and plan.changes else "without our hooks now"
            told.done(plan, [f"{name} disconnected: {plan.found.path} {what}"])
    return told.result(idle="no agent is connected here")


class _Told:
    """What came of each file."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._refused: list[str] = []
        self._changed = False
        self._files: list[dict[str, Any]] = []

    def done(self, plan: Plan, lines: Sequence[str]) -> None:
        """It was written, or was so already."""
        from ppgp_tui.session.text import one_line

        first, *rest = lines
        self._lines += [one_line(first), *(f"  {one_line(line)}" for line in rest)]
        self._changed |= plan.changes
        self._add(plan, "done" if plan.changes else "unchanged", list(lines))

    def shown(self, plan: Plan, why: str) -> None:
        """It was only shown."""
        self._lines.append(f"{plan.agent}: {why}")
        self._add(plan, "shown", [*plan.diff()])

    def refuse(self, name: str, why: str) -> None:
        """It could not be written."""
        self._refused.append(why)
        self._files.append({"agent": name, "code": "refused", "lines": [why]})

    def refused(self, why: str) -> Result:
        """Nothing could even be tried."""
        self._refused.append(why)
        return self.result(idle="")

    def result(self, *, idle: str) -> Result:
        """All of it together."""
        from ppgp_tui.session.engine.result import Result
        from ppgp_tui.session.text import one_line

        data = {"files": self._files}
        if self._refused:
            lines = "\n".join([*self._lines, *map(one_line, self._refused)])
            return Result(action_name(), "refused", lines, data=data)
        code = "done" if self._changed else "unchanged"
        return Result(action_name(), code, "\n".join(self._lines) or idle, data=data)  # type: ignore[arg-type]  # both are codes

    def _add(self, plan: Plan, code: str, lines: list[str]) -> None:
        self._files.append(
            {
                "agent": plan.agent,
                "scope": plan.scope,
                "path": str(plan.found.path),
                "code": code,
                "lines": lines,
            }
        )


def _agreed(told: _Told, plan: Plan, *, dry_run: bool, yes: bool) -> bool:
    """Show the change; whether it is to be written."""
    from ppgp_tui.session.text import one_line

    as_json = click.get_current_context().params.get("as_json")
    if plan.changes and not as_json:
        _show(plan)
    if dry_run:
        told.shown(plan, "only shown, nothing was written" if plan.changes else "nothing to change")
        return False
    if not plan.changes or yes or as_json or sys.stdin is None or not sys.stdin.isatty():
        return True
    if click.confirm(f"Write this to {one_line(str(plan.found.path))}?", default=True):
        return True
    told.shown(plan, "left as it was")
    return False


def _show(plan: Plan) -> None:
    from ppgp_tui.session.text import one_line, safe

    for line in plan.diff():
        bold = line.startswith(("+++", "---"))
        colours = {"+": "green", "-": "red", "@": "cyan"}
        colour = None if bold else colours.get(line[:1])
        click.secho(one_line(line) if bold else safe(line.rstrip("\r")), fg=colour, bold=bold)


def _trust(engine: Engine, about: Any) -> str:
    from ppgp_tui.agents.connect.trust import UnknownTrustError, codex_trust

    try:
        trust = codex_trust(about.program, engine.root, os.environ)
    except UnknownTrustError as error:
        return f"whether Codex trusts the hooks is unknown: {error}"
    if not trust.seen:
        return "Codex does not see the hooks: it does not trust this project yet"
    return f"Codex trusts {trust.trusted} of {trust.seen} hooks"
