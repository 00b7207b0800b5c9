"""What a runner says of itself while it runs: facts that the log has no room for.

Written by the runner to `loops/ID/live.json` at every change, read by status and the app. A runner
that was killed leaves the last word behind, so whoever reads asks whether its process is alive.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple, get_args

from ppgp_tui.persist.row import amount, moment, number

Phase = Literal[
    "starting", "running", "stopping", "checking", "rate_limited", "slowed", "paused", "ended"
]
"""`stopping`: the agent was told to end. `checking`: the agent has ended, and its runner looks at
what came of the run, which with a goal may be an audit. `slowed`: the pause after quick
failures."""

_PIDS: Final = 2**31
_PHASES: Final[tuple[Phase, ...]] = get_args(Phase)


class Runner(NamedTuple):
    """The process that runs a loop, so that it can be found again or known to be gone."""

    pid: int
    started: int | None
    """Start of the process in clock ticks since boot; None where the system does not tell."""
    host: str


class Live(NamedTuple):
    """The runner's last word. Times are Unix milliseconds."""

    runner: Runner
    phase: Phase
    since_ms: int
    iteration: int
    """Of the run that goes on, or of the last one."""
    counted_s: float = 0.0
    """What the wall clock had used at `since_ms`; pauses of a person do not count."""
    until_ms: int | None = None
    """When a wait, or at the latest the run, ends by itself."""
    why: str = ""
    """For a pause: who asked for it and the reason given. For a wait: what it waits for."""
    agent_pid: int | None = None
    output: str | None = None
    """Name of the file in `loops/ID/output` that the present run's output goes to."""


def live_json(live: Live) -> dict[str, Any]:
    """The value as `live.json` holds it."""
    return {"schema": 1, **live._asdict(), "runner": live.runner._asdict()}


def read_live(value: object) -> Live | None:
    """The value that `live.json` held, or None for anything of another shape."""
    if not isinstance(value, Mapping) or value.get("schema") != 1:
        return None
    runner = read_runner(value.get("runner"))
    since, iteration = moment(value.get("since_ms")), number(value.get("iteration"))
    phase = next((one for one in _PHASES if one == value.get("phase")), None)
    if runner is None or phase is None or since is None or iteration is None:
        return None
    output, why = value.get("output"), value.get("why")
    return Live(
        runner,
        phase,
        since,
        iteration,
        amount(value.get("counted_s")) or 0.0,
        moment(value.get("until_ms")),
        why if isinstance(why, str) else "",
        number(value.get("agent_pid")),
        output if isinstance(output, str) and "/" not in output else None,
    )


def read_runner(value: object) -> Runner | None:
    """The runner that a first row (`extra.runner`) or `live.json` names."""
    if not isinstance(value, Mapping):
        return None
    pid, host = number(value.get("pid")), value.get("host")
    if pid is None or not 0 < pid < _PIDS or not isinstance(host, str):
        return None
    return Runner(pid, number(value.get("started")), host)


def is_runner_alive(
    runner: Runner | None, host: str, alive: Callable[[int, int | None], bool]
) -> bool | None:
    """Whether the runner still is; None where nobody can know: another host, or not recorded."""
    if runner is None or runner.host != host:
        return None
    return alive(runner.pid, runner.started)
