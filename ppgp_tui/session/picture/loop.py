"""One restart loop as the picture shows it: what log, runner and person say of it together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from ppgp_tui.persist.live import Phase
    from ppgp_tui.persist.loop import Outcome
    from ppgp_tui.session.picture.origin import Origin

RunnerState = Literal["alive", "gone", "elsewhere", "not recorded"]
"""`elsewhere`: on another host, where nobody here can look for it."""


class LoopPause(NamedTuple):
    """A pause that a person has ordered and not taken back."""

    by: str
    at_ms: int
    reason: str = ""
    need: str = ""
    """What it is about, where the loop ordered it itself: only a person can decide that."""


class LoopRunner(NamedTuple):
    """The process that runs a loop, and whether it still is."""

    state: RunnerState = "not recorded"
    pid: int | None = None
    host: str = ""


class LoopClock(NamedTuple):
    """What a loop's wall clock has used; seconds in which a person holds it do not count."""

    counted_s: float
    """At `at_ms`."""
    at_ms: int
    runs: bool
    """It goes on since then."""

    def used_s(self, now_ms: int) -> float:
        """What it has used at `now_ms`."""
        since = max(0, now_ms - self.at_ms) / 1000 if self.runs else 0.0
        return self.counted_s + since


class LoopOutput(NamedTuple):
    """The end of what the present or last run printed, as it is in the file."""

    path: str
    lines: tuple[str, ...] = ()
    """Clean of control characters, the last ones."""
    changed_ms: int | None = None


class Loop(NamedTuple):
    """One restart loop. Times are Unix milliseconds; None is unknown."""

    id: str
    state: str
    """Of the log: `ITERATING` and so on, also one that nobody knows."""
    open: bool
    """It is not closed; whether somebody runs it is another question (`runner`)."""
    prompt: str
    """The prompt file, absolute."""
    here: bool = True
    """It belongs to this repository."""
    iteration: int = 0
    """The number of the last run; 0 before the first."""
    max_iterations: int | None = None
    max_wall_clock_s: int | None = None
    clock: LoopClock | None = None
    """None where only the log tells of it: that says when it began, and no more."""
    phase: Phase | None = None
    """What its runner does, by its own last word; None where it left none or is gone."""
    phase_ms: int | None = None
    """Since when."""
    until_ms: int | None = None
    """When a wait, or at the latest the run, ends by itself."""
    why: str = ""
    """Of the phase: who holds it and why, or what it waits for; of an end, what showed it."""
    pause: LoopPause | None = None
    """Ordered by a person; the runner obeys between two runs."""
    runner: LoopRunner = LoopRunner()
    reason: str | None = None
    """Why it is in its state, where the log says so."""
    condition: str = ""
    """Empty: none, it can only end by its budget."""
    holds: bool | None = None
    """Whether the condition holds now; None where that cannot be looked at from here."""
    holds_why: str = ""
    """Where it holds, or why nobody can look."""
    agent_cmd: str = ""
    cwd: str | None = None
    """Where its agents run; not recorded by other programs."""
    goal: str | None = None
    """The goal it is bound to."""
    runs: tuple[Outcome, ...] = ()
    """How the last runs ended, the newest last."""
    limited: int = 0
    """Runs that met a rate limit: they were not counted."""
    rows: int = 0
    late_rows: int = 0
    """Rows after its end; they change nothing."""
    began_ms: int | None = None
    changed_ms: int | None = None
    """When its state was last written."""
    output: LoopOutput | None = None
    origin: Origin | None = None
    """The row that its state is of."""

    @property
    def orphan(self) -> bool:
        """It is not closed, and the process that ran it is gone."""
        return self.open and self.runner.state == "gone"

    @property
    def needs_you(self) -> bool:
        """It rests for what only a person can decide."""
        asks = self.pause is not None and self.pause.need != ""
        return asks and self.open and self.phase == "paused" and not self.orphan

    @property
    def dry_run(self) -> bool:
        """Somebody only looked at what it would do."""
        if self.open or self.rows != 1:
            return False
        from ppgp_tui.persist.loop import DRY_RUN  # a start seldom knows of any loop

        return self.reason == DRY_RUN

    @property
    def name(self) -> str:
        """The prompt file's name, or that of its folder where the file is called PROMPT.md."""
        parts = [part for part in self.prompt.split("/") if part]
        if not parts:
            return self.id
        return parts[-2] if parts[-1] == "PROMPT.md" and len(parts) > 1 else parts[-1]
