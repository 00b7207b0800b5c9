"""What is asked before a restart loop is closed or started; every answer is checked at once."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Sequence
from typing import Final

from ppgp_tui.persist import budget, command, condition
from ppgp_tui.persist.disk.world import PromptError, read_prompt
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.loop import Loop
from ppgp_tui.session.sources.loop_condition import OUTSIDE, ConditionLook
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.acts import deeds
from ppgp_tui.ui.acts.forms import Confirmation, Form
from ppgp_tui.ui.looks.words import count

NONE: Final = "none"
_AGENT: Final = "claude -p '{}'"
_BINDS: Final = 5
"""The question whether it is bound to the goal: the last."""
_YES, _NO = ("yes", "y"), ("no", "n")
_SPAN = re.compile(r"(?:(\d{1,7})h)?(?:(\d{1,7})m)?(?:(\d{1,9})s?)?", re.ASCII)


_CLAIMED: Final = (
    "Nobody is asked while it runs: its audits leave out every command that you have not let run "
    "here before (A shows them)."
)
_ONLY_DOCUMENT: Final = (
    "The goal is only a document, so nobody can claim it: goal-verified holds after an audit of "
    "yours, or propose the goal first."
)
"""What a person has to do for the verdict, while they are there to do it."""


def abandon(loop: Loop) -> Form:
    """A person closes a loop, and says why."""
    return Form(
        f"Abandon the loop {one_line(loop.name)}",
        ("Why?",),
        lambda said: Confirmation(
            "Abandon this loop?",
            (
                f"{one_line(loop.name)}, run {loop.iteration}, {one_line(loop.prompt)}",
                f"Because: {said[0]}",
                _what_becomes_of(loop),
                "The loop ends here and cannot be resumed; a new one can be started.",
            ),
            deeds.AbandonLoop(loop.id, said[0]),
        ),
    )


def _what_becomes_of(loop: Loop) -> str:
    runner = loop.runner
    if runner.state == "alive":
        return (
            f"Its runner (process {runner.pid}) sees that within a second and ends, the agent"
            " first. What the agent had not written to a file is lost."
        )
    if runner.state == "elsewhere":
        return f"Its runner is on {one_line(runner.host)} and ends when it sees that there."
    return "Another program may still run it: that cannot be stopped from here. End it there."


def close_orphan(loop: Loop) -> Confirmation:
    """A loop that nobody runs any more is closed."""
    return Confirmation(
        "Close this loop?",
        (
            f"{one_line(loop.name)}, run {loop.iteration}, {one_line(loop.prompt)}",
            f"The process that ran it ({loop.runner.pid}) is gone. The log says from now on that"
            " the loop was abandoned, with the reason: runner gone.",
            "What its agent left running is ended.",
        ),
        deeds.CloseOrphan(loop.id),
    )


def new_loop(snapshot: SessionSnapshot) -> Form:
    """A person starts a loop here; budgets and condition are those of the original's defaults.

    Whether it is bound to the goal is asked only where that is not clear from what was answered.
    """
    checks = _Checks(snapshot)
    return Form(
        "New loop",
        (
            "Prompt file, read anew before each run:",
            f"Done when? {', '.join(checks.conditions)} or {NONE}:",
            "At most so many runs:",
            "At most so long, such as 4h or 90m:",
            "Agent command; {} is the prompt:",
            "Bind it to the goal of this repository? yes or no:",
        ),
        checks.confirmation,
        earlier=(
            "PROMPT.md", NONE, str(budget.MAX_ITERATIONS), "4h", _AGENT, "no",
        ),
        check=checks,
        settled=checks.settled,
    )  # fmt: skip


class _Checks:
    """What is wrong with an answer, in one sentence; empty where nothing is."""

    def __init__(self, snapshot: SessionSnapshot) -> None:
        self._snapshot = snapshot
        self._root = snapshot.root
        recorded, document = snapshot.lifecycle.value, snapshot.goal.value
        in_log = recorded.source == "log" and bool(recorded.objective)
        self._has_goal = in_log or document.health != "MISSING"
        self._verdict = _CLAIMED if in_log else _ONLY_DOCUMENT
        self.conditions = (*condition.FORMS, *((OUTSIDE,) if self._has_goal else ()))
        """Those that can hold here."""

    def settled(self, said: Sequence[str]) -> bool:
        """Whether it is clear if it serves a goal: there is none, or its verdict is needed."""
        return len(said) == _BINDS and (not self._has_goal or said[1] == OUTSIDE)

    def __call__(self, said: Sequence[str], text: str) -> str:
        """`text` is the answer after those in `said`."""
        return (
            self._prompt, self._condition, self._runs, self._time, self._agent, self._goal,
        )[len(said)](said, text)  # fmt: skip

    def _prompt(self, _: Sequence[str], text: str) -> str:
        try:
            read_prompt(self._root / text)
        except PromptError as error:
            return str(error)
        real = os.path.realpath(self._root / text)
        loops = self._snapshot.loops.value.seen
        for loop in loops:
            if loop.open and loop.prompt == real and not loop.orphan:
                return f"the loop {loop.id} runs on this prompt already: abandon it first"
        return ""

    def _condition(self, _: Sequence[str], text: str) -> str:
        if text == NONE:
            return ""
        if text == OUTSIDE and not self._has_goal:
            return "there is no goal here, neither a document nor in the log, to be verified"
        try:
            condition.parse(text, {OUTSIDE: lambda _: None} if self._has_goal else {})
        except condition.ConditionError as error:
            return str(error)
        held = ConditionLook().look(text, str(self._root))
        return f"it holds already: {held.why}" if held.holds else ""

    def _runs(self, _: Sequence[str], text: str) -> str:
        whole = text.isascii() and text.isdigit() and len(text) < 10 and int(text) > 0
        return "" if whole else "a whole number from 1 to 999,999,999"

    def _time(self, _: Sequence[str], text: str) -> str:
        return "" if seconds(text) else "a time such as 4h, 1h30m, 90m or 3600 (seconds)"

    def _agent(self, said: Sequence[str], text: str) -> str:
        try:
            agent = command.understand(text, "arg", shell=False)
            agent.call(read_prompt(self._root / said[0]), str(self._root / said[0]))
        except (command.CommandError, PromptError) as error:
            options = " of ppgp-tui persist iterate" if " --" in str(error) else ""
            return f"{error}{options}"
        program = agent.words[0]
        found = shutil.which(program) if "/" not in program else shutil.which(self._root / program)
        return "" if found else f"{program}: no such program is found"

    def _goal(self, _: Sequence[str], text: str) -> str:
        return "" if text.lower() in _YES + _NO else "yes or no"

    def confirmation(self, said: Sequence[str]) -> Confirmation:
        """What will be started."""
        options = options_of(said)
        until = "by its budget only" if said[1] == NONE else f"when {said[1]} holds"
        goal = ("Bound to the goal: each run is told of it and recorded.",)
        return Confirmation(
            "Start this loop?",
            (
                f"A new agent reads {said[0]} again and again, in {self._root}.",
                f"It ends {until}, after {count(int(said[2]), 'run')} or after"
                f" {said[3]}, or when you abandon it.",
                *(goal if _bound(said) else ()),
                *((self._verdict,) if said[1] == OUTSIDE else ()),
                "It runs without you: what the agent may do is for its own command to say.",
                _place(),
            ),
            deeds.StartLoop(options),
            (shlex.join(("ppgp-tui", "persist", "iterate", *options)),),
        )


def _place() -> str:
    """Where it will run, as `Crew.start_loop` decides."""
    if os.environ.get("TMUX"):
        return "It gets a window of its own in this tmux:"
    return "It runs beside this terminal, which may be closed; its output is kept in a file:"


def _bound(said: Sequence[str]) -> bool:
    """Whether it serves the goal: its condition needs that, or a person said so."""
    return said[1] == OUTSIDE or (len(said) > _BINDS and said[_BINDS].lower() in _YES)


def options_of(said: Sequence[str]) -> tuple[str, ...]:
    """The words after `persist iterate` for these answers."""
    prompt, until, runs, long, agent = said[:_BINDS]
    words = [
        f"--max-iterations={runs}",
        f"--max-wall-clock={seconds(long)}",
        f"--agent-cmd={agent}",
    ]
    if until != NONE:
        words.append(f"--success-condition={until}")
    if _bound(said):
        words.append("--goal")
    return (*words, "--", prompt)


def seconds(text: str) -> int | None:
    """Whole seconds from `4h`, `1h30m`, `90m`, `3600`; None for anything else and for none."""
    found = _SPAN.fullmatch(text.strip())
    if found is None or not any(found.groups()):
        return None
    hours, minutes, rest = (int(part or 0) for part in found.groups())
    return hours * 3_600 + minutes * 60 + rest or None
