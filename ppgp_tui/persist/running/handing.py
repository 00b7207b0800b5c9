"""What an agent is handed: the prompt as it is at that moment, and what it may know of its loop."""

from __future__ import annotations

from collections.abc import Callable

from ppgp_tui.persist.command import PROMPT_FILE, Call
from ppgp_tui.persist.disk import side
from ppgp_tui.persist.disk.home import HOME_VARIABLE, Home
from ppgp_tui.persist.disk.world import PromptError, read_prompt
from ppgp_tui.persist.running.clock import Clock
from ppgp_tui.persist.running.leftovers import VARIABLE
from ppgp_tui.persist.running.plan import LoopPlan, Machine
from ppgp_tui.persist.running.writing import GAP_MS, PATIENCE_MS, why_not
from ppgp_tui.persist.surroundings import Iteration, Surroundings


def call_of(
    plan: LoopPlan, surroundings: Surroundings, iteration: Iteration, copy: Callable[[bytes], str]
) -> Call:
    """The call of a run (I1); `copy` keeps these bytes in a file and returns its path.

    Raises `PromptError` and `CommandError` where the prompt cannot be read or handed over.
    """
    agent, path = plan.agent, plan.prompt_file
    prompt = read_prompt(plan.prompt)
    prompt = surroundings.before(iteration) + prompt
    if agent.via == "file" or PROMPT_FILE in agent.text:
        path = copy(prompt)
    return agent.call(prompt, path)


class PromptCopy:
    """Keeps what an agent is handed as a file, with the patience that rows of the log have."""

    def __init__(self, home: Home, loop_id: str, clock: Clock, look: Callable[[], None]) -> None:
        """`look` raises where there is nothing more to wait for."""
        self._home, self._loop_id, self._clock, self._look = home, loop_id, clock, look

    def __call__(self, prompt: bytes) -> str:
        """The path of a file with these bytes. Raises `PromptError` after a minute."""
        began = self._clock.passed_ms()
        while True:
            try:
                folder = side.private_folder(self._home, self._loop_id)
                return str(side.write_private(folder, side.PROMPT_COPY, prompt))
            except OSError as error:
                if self._clock.passed_ms() - began >= PATIENCE_MS:
                    text = f"the copy of the prompt cannot be written: {why_not(error)}"
                    raise PromptError(text) from error
            self._look()
            self._clock.sleep(GAP_MS)


def environ_of(
    machine: Machine, home: Home, surroundings: Surroundings, iteration: Iteration
) -> dict[str, str]:
    """The environment of a run: its loop, its number, and what is left (fault F8)."""
    runs = iteration.max_iterations - iteration.number + 1
    return {
        **machine.environ,
        **surroundings.environ(iteration),
        VARIABLE: iteration.loop_id,
        "PPGP_ITERATION": str(iteration.number),
        "PPGP_BUDGET_LEFT": f"{runs}/{int(iteration.left_s)}",
        HOME_VARIABLE: str(home.path),
    }
