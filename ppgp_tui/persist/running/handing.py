"""What an agent is handed: the prompt as it is at that moment, and what it may know of its loop."""

from __future__ import annotations

from typing import Final

from ppgp_tui.persist.command import PROMPT_FILE, Call
from ppgp_tui.persist.disk import side
from ppgp_tui.persist.disk.home import HOME_VARIABLE, Home
from ppgp_tui.persist.disk.world import read_prompt
from ppgp_tui.persist.running.plan import LoopPlan, Machine
from ppgp_tui.persist.surroundings import Iteration, Surroundings

PROMPT_COPY: Final = "prompt"
"""Below `loops/ID`: what this run's agent reads, where a file is handed over."""


def call_of(plan: LoopPlan, home: Home, surroundings: Surroundings, iteration: Iteration) -> Call:
    """The call of a run (I1).

    Raises `PromptError` and `CommandError` where the prompt cannot be read or handed over, OSError
    where its copy cannot be written.
    """
    agent, path = plan.agent, plan.prompt_file
    prompt = read_prompt(plan.prompt)
    prompt = surroundings.before(iteration) + prompt
    if agent.via == "file" or PROMPT_FILE in agent.text:
        folder = side.private_folder(home, plan.loop_id)
        path = str(side.write_private(folder, PROMPT_COPY, prompt))
    return agent.call(prompt, path)


def environ_of(
    machine: Machine, home: Home, surroundings: Surroundings, iteration: Iteration
) -> dict[str, str]:
    """The environment of a run: its loop, its number, and what is left (fault F8)."""
    runs = iteration.max_iterations - iteration.number + 1
    return {
        **machine.environ,
        **surroundings.environ(iteration),
        "PPGP_LOOP": iteration.loop_id,
        "PPGP_ITERATION": str(iteration.number),
        "PPGP_BUDGET_LEFT": f"{runs}/{int(iteration.left_s)}",
        HOME_VARIABLE: str(home.path),
    }
