"""Agents as test programs: `python -m tests.e2e.agents KIND ROOT KEY`.

`honest` looks at the order before each call and waits while it holds it. `lying` says that it
waits, and works on. `deaf` has no hooks: it never looks, and leaves its records but no heartbeat.
`silent` left a heartbeat and is never heard of again.
"""

from __future__ import annotations

import json
import sys
import time
from contextlib import suppress
from pathlib import Path

from ppgp_tui.session.actions import goal
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from tests.session.fake_agent import Clock, FakeAgent

STEP_S = 0.15


class RealClock(Clock):
    """The time as it is."""

    def __call__(self) -> int:
        return time.time_ns() // 1_000_000


def main(kind: str, root: Path, key: str) -> None:
    """Work until somebody ends the process."""
    engine = Engine(root, Actor("agent", key))
    if kind == "deaf":
        while True:
            _deed(engine)
            time.sleep(STEP_S)
    agent = FakeAgent(root, RealClock(), key)
    agent.tells("working")
    while kind == "silent":
        time.sleep(1)
    while True:
        call = agent.begins()
        if agent.is_waiting and kind == "honest":
            while _is_held(root):
                time.sleep(0.1)
            agent.goes_on()
            agent.writes("pre", "go", call)
        elif agent.is_waiting:
            time.sleep(1)  # long enough to be seen waiting
            agent.goes_on()
        _deed(engine)
        agent.ends(call)
        time.sleep(STEP_S)


def _is_held(root: Path) -> bool:
    with suppress(OSError, ValueError):
        order = json.loads((root / ".ppgp/run/control.json").read_bytes())
        return order["hold"] is not None
    return False


def _deed(engine: Engine) -> None:
    result = goal.checkpoint(engine, "one step further")
    assert result.ok, result


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
