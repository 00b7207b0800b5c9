"""Connecting every installed agent at once, where the change was shown first: for the app."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ppgp_tui.agents.connect import connecting, detect, steps
from ppgp_tui.agents.connect.connecting import CannotConnectError, Plan
from ppgp_tui.agents.connect.targets import Scope
from ppgp_tui.session.canonical import digest
from ppgp_tui.session.engine.result import Result

SCOPE: Final[Scope] = "local"


def connect_all(root: Path, environ: Mapping[str, str], shown: str = "") -> Result:
    """Show what would be written (`data`: `files` with diffs, `shown`), or write what was `shown`.

    Where the files are not what they were any more, nothing is written and the code is `stale`.
    """
    found = detect.installed(root, environ)
    try:
        plans, refused = _plans(steps.named((), found), root, environ, found)
    except CannotConnectError as error:
        return Result("connect", "refused", str(error))
    wanted = [plan for plan in plans if plan.changes]
    now = digest(["\n".join(plan.diff()) for plan in wanted])
    if not wanted:
        idle = "; ".join(refused) or f"{_names(plans)} connected already"
        return Result("connect", "refused" if refused else "unchanged", idle)
    if not shown:
        files = [
            {"agent": plan.agent, "path": str(plan.found.path), "diff": plan.diff()}
            for plan in wanted
        ]
        about = [steps.about_version(plan.agent, found.get(plan.agent)) for plan in wanted]
        todo = [
            line
            for plan in wanted
            for line in steps.still_to_do(plan.agent, plan.scope, root, plan.found.path)
        ]
        data = {
            "files": files, "about": about, "refused": refused, "still_to_do": todo, "shown": now,
        }  # fmt: skip
        return Result("connect", "unchanged", "nothing was written yet", data=data)
    if shown != now:
        text = "the settings changed meanwhile: look at the change again; nothing was written"
        return Result("connect", "stale", text)
    return _written(wanted, environ, refused)


def _written(plans: list[Plan], environ: Mapping[str, str], refused: list[str]) -> Result:
    done: list[str] = []
    for plan in plans:
        try:
            steps.prepare(plan.agent, environ)
            connecting.apply(plan)
        except CannotConnectError as error:
            refused.append(str(error))
            continue
        done.append(f"{plan.agent} connected, in {plan.found.path}")
    message = "; ".join((*done, *refused))
    code = "refused" if refused and not done else "done"
    return Result("connect", code, message)  # type: ignore[arg-type]  # both are codes


def _plans(
    names: tuple[str, ...],
    root: Path,
    environ: Mapping[str, str],
    found: Mapping[str, detect.Installed],
) -> tuple[list[Plan], list[str]]:
    plans: list[Plan] = []
    refused: list[str] = []
    for name in names:
        about = found.get(name)
        try:
            version = about.version if about else None
            plan = connecting.plan_connect(name, SCOPE, root, environ, version=version)
            steps.must_not_be_elsewhere(name, SCOPE, root, environ, plan.found.path)
        except CannotConnectError as error:
            refused.append(str(error))
        else:
            plans.append(plan)
    return plans, refused


def _names(plans: list[Plan]) -> str:
    return " and ".join(plan.agent for plan in plans)
