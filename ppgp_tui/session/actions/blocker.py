"""Actions on blockers."""

from __future__ import annotations

from collections.abc import Sequence

from ppgp_tui.session.engine import blockers
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result


def raise_(
    engine: Engine,
    text: str,
    *,
    klass: str,
    scope: str = "",
    until: str | None = None,
    tasks: Sequence[str] = (),
) -> Result:
    """Say what is in the way, of which class, and of which tasks (keys)."""
    nodes = [key if key.startswith(("todo:", "goal_")) else f"todo:{key}" for key in tasks]
    return engine.perform(
        "blocker.raise",
        lambda _, draft: blockers.raise_blocker(
            draft, text, klass=klass, scope=scope, until=until, blocks=nodes
        ),
        said=lambda data: f"raised {data['blocker']}",
    )


def clear(engine: Engine, blocker: str, reason: str) -> Result:
    """Say that a blocker is gone."""
    return engine.perform(
        "blocker.clear",
        lambda _, draft: blockers.clear(draft, blocker, reason),
        said=f"cleared {blocker}",
    )
