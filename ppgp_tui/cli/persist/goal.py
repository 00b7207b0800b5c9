"""What a loop is given of its repository: its surroundings, and the audit as a condition."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ppgp_tui.persist.limits import PHRASES

if TYPE_CHECKING:
    from ppgp_tui.audit.looping import GoalVerified
    from ppgp_tui.persist.surroundings import Iteration, Need, Surroundings

NAME: Final = "goal-verified"
ALONE: Final = (
    "the goal is only a document, so nobody can claim it: goal-verified holds after an audit that a"
    " person starts (ppgp-tui audit), or propose the goal first (ppgp-tui goal propose)"
)
NOT_BY_AGENTS: Final = (
    "an agent started this loop and audit.on_claim is off, so no claim is audited by itself:"
    " goal-verified holds after an audit that a person starts (ppgp-tui audit)"
)


def around(
    cwd: Path,
    *,
    goal: bool = False,
    condition: str = "",
    agent: str = "agent",
    phrases: tuple[str, ...] = PHRASES,
    note: Callable[[str], None] = lambda _: None,
    environ: Mapping[str, str] = os.environ,
) -> Surroundings:
    """The surroundings of a loop that is started in `cwd`.

    With `goal` it is bound to the repository's goal, and `goal-verified` is one of its conditions;
    `condition` is the one it has. `agent` is the name of the agent's program, `phrases` how a rate
    limit is said; `note` gets one line for each thing that a person should know. Raises
    `NoGoalError` where there is nothing to be bound to.
    """
    from ppgp_tui.session.looping.surroundings import root_of, surroundings

    root = root_of(cwd, environ)
    may_audit = goal and _may_audit(root, environ)
    found = surroundings(
        cwd, goal=goal, audited=condition == NAME and may_audit, agent=agent, phrases=phrases,
        warn=note, environ=environ,
    )  # fmt: skip
    if not goal:
        return found
    check = _check(root, condition, note, may_audit=may_audit)

    def before(iteration: Iteration) -> bytes:
        check.run_begins()
        return found.before(iteration)

    def needs() -> Need | None:
        return found.needs() or (check.needs() if condition == NAME else None)

    return found._replace(before=before, needs=needs, outside={NAME: check})


def _check(
    root: Path, condition: str, note: Callable[[str], None], *, may_audit: bool
) -> GoalVerified:
    from ppgp_tui.audit.looping import GoalVerified
    from ppgp_tui.session.engine.draft import SYSTEM
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.looping.bound import goal_of

    bound = goal_of(Engine(root, SYSTEM))
    check = GoalVerified(
        lambda: Engine(root, SYSTEM), bound.goal, may_audit=may_audit, note=note
    )  # fmt: skip
    if condition == NAME and bound.goal is None:
        note(ALONE)
    elif condition == NAME and not may_audit:
        note(NOT_BY_AGENTS)
    elif condition == NAME:
        check.look_ahead()
    return check


def _may_audit(root: Path, environ: Mapping[str, str]) -> bool:
    """Whether whoever starts this loop may start audits: an agent only where claims begin them."""
    from ppgp_tui.session.authority import identity
    from ppgp_tui.session.engine.draft import SYSTEM
    from ppgp_tui.session.engine.engine import Engine

    engine = Engine(root, SYSTEM)
    by_agent = identity.refuse_reason(
        environ, identity.ancestors_now(), identity.recorded_agents(engine.root),
        terminal=False, granting=False, scripted=False,
    )  # fmt: skip
    return not by_agent or engine.settings.audit_on_claim
