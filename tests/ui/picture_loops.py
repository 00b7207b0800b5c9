"""Restart loops in every state, as a picture: what the log, the runner and the person say."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime

from ppgp_tui.persist.loop import Changes, Outcome
from ppgp_tui.session.model import Origin, Part, SessionSnapshot
from ppgp_tui.session.picture.loop import Loop, LoopClock, LoopOutput, LoopPause, LoopRunner
from ppgp_tui.session.picture.loops import Loops
from tests.ui import picture_agents
from tests.ui.picture import NOW, ROOT, ago

LOG = "/home/kim/.config/broomva/persist/state.jsonl"
ALIVE = LoopRunner("alive", 4711, "harbour")
GONE = LoopRunner("gone", 4711, "harbour")


def at_two_o_clock() -> int:
    """The next 02:00 here, in Unix milliseconds."""
    now = time.localtime(NOW / 1000)
    two = time.mktime((now.tm_year, now.tm_mon, now.tm_mday, 2, 0, 0, 0, 0, -1)) * 1000
    return int(two if two > NOW + 3_600_000 else two + 86_400_000)


def ended(iteration: int, exit_code: int, minutes: int, **said: object) -> Outcome:
    """A run that ended so many minutes ago."""
    at = datetime.fromtimestamp(ago(minutes=minutes) / 1000, UTC).isoformat()
    return Outcome(iteration, exit_code, ended=at, **{"duration_s": 312.5, **said})  # type: ignore[arg-type]


RUNS = (
    ended(1, 1, 71, duration_s=288.0, changes=Changes(0, 1, 4, 0)),
    ended(2, 143, 58, signal="SIGTERM", duration_s=600.0, cut="iteration-timeout"),
    ended(3, 1, 40, limited=True, duration_s=4.1),
    ended(3, 0, 31, changes=Changes(2, 5, 130, 12)),
    ended(4, 1, 22, changes=Changes(1, 2, 30, 4)),
)


def loop(name: str, **said: object) -> Loop:
    """A loop of this repository of which everything is known."""
    number = sum(name.encode())
    known: dict[str, object] = {
        "id": f"{number:012x}",
        "state": "ITERATING",
        "open": True,
        "prompt": f"{ROOT}/loops/{name}/PROMPT.md",
        "iteration": 5,
        "max_iterations": 20,
        "max_wall_clock_s": 14_400,
        "clock": LoopClock(4_300.0, ago(minutes=2), runs=True),
        "phase": "running",
        "phase_ms": ago(minutes=2),
        "runner": ALIVE,
        "condition": "grep:DONE:STATUS.md",
        "holds": False,
        "agent_cmd": "claude -p '{}'",
        "cwd": str(ROOT),
        "runs": RUNS,
        "limited": 1,
        "rows": 12,
        "began_ms": ago(minutes=74),
        "changed_ms": ago(minutes=2),
        "output": LoopOutput(
            f"/home/kim/.config/broomva/persist/loops/{number:012x}/output/0005.log",
            ("reading PROMPT.md", "12 of 50 kill points pass", "next: src/importer/batch.py"),
            ago(seconds=9),
        ),
        "origin": Origin(LOG, 812),
    }
    return Loop(**{**known, **said})  # type: ignore[arg-type]


def limited() -> Loop:
    """It waits for a rate limit to pass, at night."""
    return loop(
        "nightly-soak", state="PAUSED", reason="rate_limited", phase="rate_limited", iteration=4,
        phase_ms=ago(minutes=22), until_ms=at_two_o_clock(), why="rate limit, 3 in a row",
        clock=LoopClock(2_900.0, ago(minutes=22), runs=True), runs=RUNS[:4], limited=3,
        max_wall_clock_s=86_400,
    )  # fmt: skip


def running() -> Loop:
    """Its agent works."""
    return loop("kill-points")


def slowed() -> Loop:
    """Its agent fails at once again and again."""
    return loop(
        "docs-sweep", phase="slowed", until_ms=NOW + 32_000, phase_ms=ago(seconds=20),
        why="6 runs in a row failed within 2 s", condition="exit-code-0", holds=None,
        holds_why="known only after a run",
    )  # fmt: skip


def asking() -> Loop:
    """It rests for what only a person can decide."""
    why = "the audit could not decide: Survives kill -9: no command shows it"
    return loop(
        "kill-points", state="PAUSED", phase="paused", phase_ms=ago(minutes=3),
        why=f"needs a person: {why}", reason=f"needs a person: {why}", condition="goal-verified",
        pause=LoopPause("loop", ago(minutes=3), why, "eval_1"),
        clock=LoopClock(4_300.0, ago(minutes=3), runs=False),
    )  # fmt: skip


def pause_asked() -> Loop:
    """A person wants it to rest; its run goes on."""
    return loop("bench-nightly", pause=LoopPause("user:kim", ago(seconds=40), "look at the plan"))


def paused() -> Loop:
    """A person holds it."""
    return loop(
        "golden-files", state="PAUSED", phase="paused", phase_ms=ago(minutes=6), iteration=4,
        pause=LoopPause("user:kim", ago(minutes=6), "the staging copy is in use"),
        clock=LoopClock(3_000.0, ago(minutes=6), runs=False), runs=RUNS[:2],
    )  # fmt: skip


def orphan() -> Loop:
    """Its runner was killed."""
    return loop(
        "runbook", phase=None, phase_ms=None, runner=GONE, iteration=3, runs=RUNS[:1],
        clock=LoopClock(900.0, ago(minutes=50), runs=False), changed_ms=ago(minutes=50),
    )  # fmt: skip


def of_the_original() -> Loop:
    """Another program wrote it: only the log tells of it."""
    return loop(
        "import-legacy", phase=None, phase_ms=None, runner=LoopRunner(), clock=None, runs=(),
        cwd=None, holds=None, holds_why="relative to a folder that was not recorded", output=None,
        iteration=2, max_iterations=50, limited=0, condition="file-exists:DONE",
    )  # fmt: skip


def closed() -> tuple[Loop, ...]:
    """Loops that are over."""
    over = {
        "open": False, "phase": None, "phase_ms": None, "holds": None, "runner": GONE,
        "clock": LoopClock(4_300.0, ago(minutes=120), runs=False),
    }  # fmt: skip
    return (
        loop("schema", **over, state="SUCCESS", reason="success_condition matched", iteration=5,
             why="STATUS.md line 3", runs=(*RUNS, ended(5, 0, 120)), changed_ms=ago(minutes=120)),
        loop("lint", **over, state="BUDGET_EXHAUSTED", reason="max_iterations", iteration=20,
             changed_ms=ago(minutes=300), late_rows=3),
        loop("spike", **over, state="ABANDONED", reason="manual abandon", iteration=1, runs=(),
             changed_ms=ago(minutes=1_500)),
    )  # fmt: skip


def elsewhere() -> Loop:
    """A loop of another repository."""
    return loop(
        "site", here=False, prompt="/home/kim/site/PROMPT.md", holds=None, cwd="/home/kim/site"
    )


def every() -> Loops:
    """One in each state."""
    here = (limited(), running(), slowed(), pause_asked(), paused(), orphan(), of_the_original())
    return Loops((*here, elsewhere(), *closed()), closed_here=3, closed_elsewhere=0)


def with_loops(*loops: Loop, **counts: int) -> SessionSnapshot:
    """Agents, and under them these loops; all there can be where none is given."""
    shown = Loops(loops, **counts) if loops else every()
    agents = picture_agents.crowd(picture_agents.claude())
    return replace(agents, loops=Part(shown, 1, Origin(LOG)))
