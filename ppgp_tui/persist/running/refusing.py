"""What speaks against a loop before anything is written: it is refused, or begun with a warning."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from ppgp_tui.persist.command import PROMPT, PROMPT_FILE, CommandError
from ppgp_tui.persist.condition import Outside
from ppgp_tui.persist.disk.world import DiskWorld, PromptError, read_prompt
from ppgp_tui.persist.live import is_runner_alive, read_runner
from ppgp_tui.persist.loop import Loop
from ppgp_tui.persist.reading import Reading
from ppgp_tui.persist.running import looking
from ppgp_tui.persist.running.plan import LoopPlan, Machine
from ppgp_tui.persist.surroundings import Surroundings

PROMPT_MISSING: Final = 3


class RefusedError(Exception):
    """The loop does not begin; the message says why and what to do."""

    def __init__(self, text: str, exit_code: int = 1) -> None:
        super().__init__(text)
        self.exit_code = exit_code


def check_plan(plan: LoopPlan, machine: Machine, outside: Outside) -> list[str]:
    """Look at what the plan names; returns warnings, raises `RefusedError`.

    Nothing is started by a dry run, so what speaks against a start is only a warning there.
    """
    _check_prompt(plan)
    _check_names(plan)
    missing, met = _missing_program(plan, machine), _met(plan, outside)
    if missing is not None and not plan.dry_run:
        raise RefusedError(missing)
    if met is not None and not (plan.dry_run or plan.even_if_met or plan.compat):
        mend = "no run would show anything; remove what it finds, or say --even-if-met"
        raise RefusedError(f"{met}: {mend}")
    return [text for text in (missing, met) if text is not None]


def check_others(
    plan: LoopPlan, reading: Reading, machine: Machine, surroundings: Surroundings
) -> list[str]:
    """Look at the other open loops; returns warnings, raises `RefusedError` (fault F23)."""
    warnings = []
    for loop in reading.open:
        text, forbids = _against(loop, plan, machine, surroundings)
        if forbids and not plan.dry_run:
            raise RefusedError(text)
        if text:
            warnings.append(text)
    return warnings


def _check_prompt(plan: LoopPlan) -> None:
    try:
        prompt = read_prompt(plan.prompt)
        plan.agent.call(prompt, plan.prompt_file)
    except (PromptError, CommandError) as error:
        if not plan.prompt.exists():
            text = f"prompt file not found: {plan.prompt_name}"
            raise RefusedError(text, PROMPT_MISSING) from error
        raise RefusedError(str(error)) from error


def _check_names(plan: LoopPlan) -> None:
    """Rows are text: a name that is none would be another one for everybody who reads them."""
    for what, path in (("the prompt file", plan.prompt_file), ("the folder", str(plan.cwd))):
        name = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
        if name != path:
            raise RefusedError(f"{what} {name}: its name is not UTF-8, so no row can say it")


def _missing_program(plan: LoopPlan, machine: Machine) -> str | None:
    if plan.agent.shell or plan.compat:
        return None
    name = plan.agent.words[0]
    if name in (PROMPT, PROMPT_FILE):
        return "the agent command names no program; name it before the prompt's place"
    where = plan.cwd / name if "/" in name else None
    if name and shutil.which(where or name, path=machine.environ.get("PATH")):
        return None
    if where is not None and where.exists():
        return f"the agent's program {name} cannot be run; name a file that you may execute"
    return f"the agent's program {name or repr(name)} was not found; mend --agent-cmd or PATH"


def _met(plan: LoopPlan, outside: Outside) -> str | None:
    if plan.condition is None or not plan.condition.by_state:
        return None
    why = looking.holds(plan.condition, None, DiskWorld(plan.cwd), outside, _refuse)
    return f"the success condition holds already ({why})" if why is not None else None


def _same(loop: Loop, plan: LoopPlan) -> bool:
    """Whether one file has both names: two of them may lead to it without being links."""
    try:
        return Path(loop.prompt_file).samefile(plan.prompt)
    except (OSError, ValueError):
        return False


def _refuse(text: str) -> None:
    raise RefusedError(text)


def _against(
    loop: Loop, plan: LoopPlan, machine: Machine, surroundings: Surroundings
) -> tuple[str, bool]:
    """What another open loop says against this one, and whether it forbids it."""
    runner = read_runner(loop.spawned.get("runner"))
    alive = is_runner_alive(runner, machine.runner.host, machine.is_alive)
    end = f"ppgp-tui persist abandon {loop.loop_id}"
    if loop.prompt_file == plan.prompt_file or (alive and _same(loop, plan)):
        if alive:
            assert runner is not None
            text = f"loop {loop.loop_id} runs on this prompt file already (pid {runner.pid})"
            return f"{text}; end it with: {end}", True
        known = "its runner is gone" if alive is False else "whether it still runs is not known"
        return f"loop {loop.loop_id} on this prompt file is open, {known}; close it: {end}", False
    root = surroundings.root
    if alive and root is not None and loop.spawned.get("root") == root:
        text = f"loop {loop.loop_id} runs in this work tree already"
        return f"{text}; end it with: {end}", surroundings.goal is not None
    return "", False
