"""The tools of Pi Goal and Pi Todo and their arguments (Pi reference sections 2.5, 3.3, 3.6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ppgp_tui.pi import arguments, javascript
from ppgp_tui.pi.arguments import Fields, Listed, Member, Problem, Text, Whole

_KEY = Text(least=1, most=256)
_OBJECTIVE = Fields((Member("objective", Text(least=1, most=128 * 1024)),))

_PARAMETERS: Mapping[str, Fields] = {
    "propose_goal": _OBJECTIVE,
    "tweak_goal": _OBJECTIVE,
    "set_goal_blocked": Fields(
        (
            Member("blocker", Text(least=1, most=600)),
            Member("evidence", Text(least=1, most=600)),
            Member("whyNoAutonomousPathRemains", Text(least=1, most=600)),
            Member("unblockCondition", Text(least=1, most=2000)),
        )
    ),
    "resume_goal": Fields(()),
    "abandon_goal": Fields((Member("reason", Text(least=1)),)),
    "complete_goal": Fields((Member("summary", Text(least=1, most=4000)),)),
    "wait_goal": Fields(
        (
            Member("delaySeconds", Whole(least=60, most=3600)),
            Member("waitingFor", Text(least=1, most=600)),
        )
    ),
    "get_todo": Fields(()),
}


def _todo(max_tasks: int) -> Fields:
    """The call of `todo`: it is closed, its tasks and removals are open."""
    task = Fields(
        (
            Member("key", _KEY),
            Member("subject", Text(least=1, most=2048)),
            Member("description", Text(least=1, most=16384), required=False),
            Member("status", Text(one_of=("pending", "in_progress", "completed"))),
            Member("dependsOn", Listed(_KEY, most=100, unique=True), required=False),
        ),
        closed=False,
    )
    removal = Fields((Member("key", _KEY), Member("reason", Text(least=1))), closed=False)
    return Fields(
        (
            Member("baseRevision", Whole(least=0), required=False),
            Member("tasks", Listed(task, most=max_tasks)),
            Member("remove", Listed(removal), required=False),
        )
    )


@dataclass(frozen=True, slots=True)
class Rejection:
    """A call Pi refused before the tool ran."""

    tool: str
    problems: tuple[Problem, ...]
    received: object

    @property
    def text(self) -> str:
        """What does not fit, one line each, without the arguments it repeats."""
        lines = [
            f"  - {'.'.join(p.path) if p.path else 'root'}: {p.message}" for p in self.problems
        ]
        return "\n".join([f'Validation failed for tool "{self.tool}":', *lines])

    @property
    def full_text(self) -> str:
        """The whole text Pi gives the model."""
        return f"{self.text}\n\nReceived arguments:\n{javascript.stringify(self.received, 2)}"


def check(tool: str, received: object, *, max_tasks: int = 200) -> Mapping[str, Any] | Rejection:
    """The arguments as `tool` gets them, coerced; or why Pi refuses them.

    Raises:
        KeyError: there is no such tool.
    """
    node = parameters(tool, max_tasks=max_tasks)
    value = arguments.coerce(node, received)
    found = arguments.problems(node, value)
    if found or not isinstance(value, Mapping):
        return Rejection(tool, tuple(found), received)
    return value


def misfit(tool: str, received: object, *, max_tasks: int = 200) -> Rejection:
    """Where `received` does not fit `tool`, if nothing is coerced but null for what is absent.

    Raises:
        KeyError: there is no such tool.
    """
    node = parameters(tool, max_tasks=max_tasks)
    value = arguments.without_optional_nulls(node, received)
    return Rejection(tool, tuple(arguments.problems(node, value)), received)


def parameters(tool: str, *, max_tasks: int = 200) -> Fields:
    """What `tool` takes.

    Raises:
        KeyError: there is no such tool.
    """
    return _todo(max_tasks) if tool == "todo" else _PARAMETERS[tool]
