"""Runs a loop: asks its course what comes, does it, and writes down what came of it.

Order of the rows and meanings: persist reference sections 4 to 6. What may end or hold a run from
outside is looked at ten times a second while it goes on, and between runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

from ppgp_tui.persist.command import Call, CommandError
from ppgp_tui.persist.condition import Condition
from ppgp_tui.persist.course import Begin, Course, End, Ran, Wait, done
from ppgp_tui.persist.disk import outputs, side
from ppgp_tui.persist.disk.home import Home, private
from ppgp_tui.persist.disk.lock import LockTimeoutError, held
from ppgp_tui.persist.disk.log import ClosedError
from ppgp_tui.persist.disk.world import DiskWorld, PromptError
from ppgp_tui.persist.live import Live, Phase
from ppgp_tui.persist.loop import DRY_RUN, RESTED
from ppgp_tui.persist.running import looking, telling
from ppgp_tui.persist.running.clock import Clock
from ppgp_tui.persist.running.handing import PromptCopy, call_of, environ_of
from ppgp_tui.persist.running.plan import LoopPlan, Machine
from ppgp_tui.persist.running.process import RunAgent, Sink, run_agent
from ppgp_tui.persist.running.refusing import RefusedError, check_others, check_plan
from ppgp_tui.persist.running.resting import Resting
from ppgp_tui.persist.running.signals import Interrupts
from ppgp_tui.persist.running.telling import Show
from ppgp_tui.persist.running.watching import StoppedError, Watching
from ppgp_tui.persist.running.writing import CannotWriteError, Log, RowWriter, why_not
from ppgp_tui.persist.states import IllegalTransitionError
from ppgp_tui.persist.surroundings import Iteration, Surroundings

EXIT_CODES: Final = {"SUCCESS": 0, "BUDGET_EXHAUSTED": 5, "ABANDONED": 1}
BROKEN: Final = 99


def iterate(
    plan: LoopPlan,
    *,
    home: Home,
    log: Log,
    clock: Clock,
    machine: Machine,
    surroundings: Surroundings,
    show: Show,
    agent: RunAgent = run_agent,
) -> int:
    """Run the loop to its end in the foreground; the exit code.

    0 success, 1 refused, closed or given up, 3 no prompt file, 5 a budget is used up, 99 a broken
    invariant, 128 + the number of the signal that ended it.
    """
    with Interrupts() as interrupts:
        loop = _Running(plan, home, log, clock, machine, surroundings, show, agent, interrupts)
        try:
            for warning in check_plan(plan, machine, surroundings.outside):
                show.note(f"persist: warning: {warning}")
            home.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            # Two that start at once must not both find nobody on their prompt file.
            with held(private(home.path / "loops") / "starting.lock", hurry=interrupts.came):
                for warning in check_others(plan, log.read(), machine, surroundings):
                    show.note(f"persist: warning: {warning}")
                loop.spawn()
        except RefusedError as error:
            show.note(f"persist: {error}")
            return error.exit_code
        except (LockTimeoutError, CannotWriteError, OSError) as error:
            show.note(f"persist: {why_not(error)}")
            return interrupts.exit_code or 1
        if plan.dry_run:
            for line in telling.dry_run_lines(plan):
                show.say(line)
            return 0
        return loop.run()


class _Running:
    """A loop while it runs."""

    def __init__(
        self,
        plan: LoopPlan,
        home: Home,
        log: Log,
        clock: Clock,
        machine: Machine,
        surroundings: Surroundings,
        show: Show,
        agent: RunAgent,
        interrupts: Interrupts,
    ) -> None:
        self._plan, self._home, self._log, self._clock = plan, home, log, clock
        self._machine, self._around, self._show = machine, surroundings, show
        self._agent, self._interrupts = agent, interrupts
        self._rows = RowWriter(
            log, clock, plan.loop_id, plan.prompt_file, show.note, interrupts.came
        )
        self._watching = Watching(
            home, plan.loop_id, log, clock, surroundings, interrupts, self._rows.tell_again
        )
        self._watch = self._watching.stopwatch
        self._world = DiskWorld(plan.cwd)
        self._copy = PromptCopy(home, plan.loop_id, clock, self._watching.look_or_stop)
        self._resting = Resting(
            plan, home, clock, surroundings, self._watching, show, self._pause, self._live
        )
        self._course = Course.of(plan.budget)
        self._exit_code = 0
        """Of the last run."""
        self._facts: dict[str, Any] = {}

    def spawn(self) -> None:
        """Write the first row; a dry run's closes the loop at once (fault F14)."""
        extra = self._plan.spawned(self._machine.runner, self._around.root, self._around.goal)
        if self._plan.dry_run and not self._plan.compat:
            self._rows.write("ABANDONED", 0, {"reason": DRY_RUN, **extra}, patient=False)
        else:
            self._rows.write("SPAWNED", 0, extra, patient=False)

    def run(self) -> int:
        """Everything after the first row; the exit code."""
        try:
            self._live("starting")
            return self._run()
        except StoppedError:
            return self._close_early()
        except ClosedError:
            return self._closed_by_somebody()
        except IllegalTransitionError as error:
            self._show.note(f"persist: {error}")
            return BROKEN
        except CannotWriteError as error:
            self._show.note(
                f"persist: {error}; loop {self._plan.loop_id} ends here and stays open in the log;"
                f" close it with: ppgp-tui persist abandon {self._plan.loop_id}"
            )
            return self._interrupts.exit_code or 1
        except Exception as error:
            # A fault of ours or of the surroundings must not leave the loop open.
            with suppress(Exception):
                told = f"error in the runner: {type(error).__name__}: {error}"
                self._end(End("ABANDONED", {"reason": told}))
            raise
        finally:
            self._live("ended")
            self._tidy()

    def _run(self) -> int:
        while True:
            self._watching.look_or_stop()
            step: Begin | End | Wait | None = self._course.before_run(self._watch.counted_s)
            needs = self._needs(is_last=isinstance(step, End))
            if isinstance(needs, End):
                step = needs
            elif (needs or isinstance(step, Begin)) and self._resting.rest():
                step = self._done_meanwhile()
            elif isinstance(step, Begin):
                step = self._run_once(step.iteration)
            if isinstance(step, End):
                return self._end(step)
            if isinstance(step, Wait):
                self._resting.wait(step, self._course.iteration, self._watch.counted_s)

    # One run

    def _run_once(self, number: int) -> End | Wait | None:
        iteration = self._iteration(number)
        try:
            call = call_of(self._plan, self._around, iteration, self._copy)
        except (PromptError, CommandError) as error:
            return End("ABANDONED", {"reason": str(error)})
        if not self._plan.cwd.is_dir():
            return End("ABANDONED", {"reason": f"the folder {self._plan.cwd} is gone"})
        counted = self._watch.counted_s
        self._course = self._course.begun(number)
        self._go_on(number)
        if self._plan.verbose:
            for line in telling.heading(self._plan, number, counted):
                self._show.say(line)
        ran = self._let_it_run(call, iteration)
        self._live("checking")
        self._exit_code = ran.exit_code
        if ran.cut == "iteration-timeout":
            self._show.note(telling.cut_line(self._plan, number))
        self._facts = {
            "exit_code": ran.exit_code,
            "signal": ran.signal,
            "duration_s": round(ran.duration_s, 3),
            **({"cut": ran.cut} if ran.cut else {}),
            **self._around.after(iteration, ran),
        }
        self._watching.look_or_stop()
        held = self._why_done(ran)
        if held is None:  # it may have been given up because something ends the loop
            self._watching.look_or_stop()
        self._course, step = self._course.after_run(
            ran, held, self._plan.phrases, self._watch.counted_s
        )
        return step

    def _let_it_run(self, call: Call, iteration: Iteration) -> Ran:
        plan = self._plan
        limit_s = plan.budget.run_limit_s(self._watch.counted_s)
        own = limit_s == plan.budget.iteration_timeout_s
        end_ms = self._watch.counted_ms + round(limit_s * 1000)
        said: tuple[str | None, bool] = (None, False)

        def stop() -> str | None:
            nonlocal said
            word = self._watching.look_during_run()
            if word is None and self._watch.counted_ms >= end_ms:
                word = "iteration-timeout" if own else "wall-clock"
            if said != (said := (word, self._watch.stands)):
                tell()
            return word

        def on_start(pid: int) -> None:
            self._interrupts.agent_pid = pid
            tell()

        def tell() -> None:
            word, stands = said
            left = None if stands else self._clock.now_ms() + end_ms - self._watch.counted_ms
            self._live(
                "stopping" if word else "running",
                until_ms=left,
                why=word or ("held" if stands else ""),
                agent_pid=self._interrupts.agent_pid,
                output=name,
            )

        with self._output(iteration) as (name, output):
            try:
                return self._agent(
                    call,
                    cwd=plan.cwd,
                    environ=environ_of(self._machine, self._home, self._around, iteration),
                    pty=plan.pty,
                    output=output,
                    on_out=self._show.out,
                    on_err=self._show.err,
                    on_start=on_start,
                    stop=stop,
                )
            finally:
                self._interrupts.agent_pid = None

    def _iteration(self, number: int) -> Iteration:
        budget, course = self._plan.budget, self._course
        left = max(0.0, budget.max_wall_clock_s - self._watch.counted_s)
        attempt = course.limited_in_a_row + 1
        return Iteration(self._plan.loop_id, number, attempt, budget.max_iterations, left)

    @contextmanager
    def _output(self, iteration: Iteration) -> Iterator[tuple[str | None, Sink | None]]:
        """The name of the file that keeps what this run prints, and the file; None without one."""
        loop_id, number, attempt = iteration[:3]
        try:
            kept = outputs.begin(self._home, loop_id, number, attempt)
        except OSError as error:
            self._show.note(f"persist: output of run {number} is not kept: {error.strerror}")
            yield None, None
            return
        with kept:
            yield kept.name, kept
        if kept.lost:
            self._show.note(f"persist: output of run {number} is kept in part only: {kept.lost}")

    def _why_done(self, ran: Ran) -> str | None:
        condition = self._plan.condition
        if condition is None:
            return None
        # A run that was ended by us did not come to its end, whatever its exit code says.
        exit_code = None if ran.cut else ran.exit_code
        return self._why_holds(condition, exit_code)

    def _why_holds(self, condition: Condition, exit_code: int | None) -> str | None:
        return looking.holds(
            condition, exit_code, self._world, self._around.outside,
            lambda text: self._show.note(f"persist: {text}"), self._watching.is_over,
        )  # fmt: skip

    # After a rest

    def _needs(self, *, is_last: bool) -> bool | End:
        """Whether a rest was ordered for what only a person can decide after the last run."""
        if not self._course.iteration:
            return False
        try:
            return self._resting.order(is_last=is_last)
        except OSError as error:
            self._show.note(f"persist: no rest can be ordered: {why_not(error)}")
            return False

    def _done_meanwhile(self) -> End | None:
        """The end, where the condition holds after a rest: somebody did what was left."""
        condition = self._plan.condition
        if condition is None or not condition.by_state or not self._course.iteration:
            return None
        self._live("checking")
        why = self._why_holds(condition, None)
        self._watching.look_or_stop()
        if why is None:
            return None
        # No way leads from PAUSED to SUCCESS: the loop goes on first, and begins no run.
        self._go_on(self._course.iteration)
        end = done(why, self._exit_code)
        return end._replace(extra={**end.extra, RESTED: True})

    def _go_on(self, number: int) -> None:
        paused = self._watching.pause_facts()
        self._write("ITERATING", number, {"elapsed_s": int(self._watch.counted_s), **paused})

    # Ends

    def _end(self, end: End) -> int:
        self._write(end.state, self._course.iteration, end.extra)
        if self._course.limited:
            runs = "run" if self._course.limited == 1 else "runs"
            self._show.note(
                f"persist: loop {self._plan.loop_id}: {self._course.limited} {runs} met a rate"
                " limit and did not count"
            )
        self._tell_end(end)
        return EXIT_CODES[end.state]

    def _close_early(self) -> int:
        """Something outside ended the loop; where nobody closed it yet, it is closed here."""
        name = self._interrupts.name
        if name is None:
            return self._closed_by_somebody()
        end = End("ABANDONED", {"reason": f"interrupted by {name}"})
        try:
            self._write(end.state, self._course.iteration, end.extra)
        except ClosedError:
            return self._closed_by_somebody()
        except CannotWriteError as error:
            self._show.note(f"persist: {error}; loop {self._plan.loop_id} stays open in the log")
        self._tell_end(end)
        return self._interrupts.exit_code

    def _closed_by_somebody(self) -> int:
        loop = self._watching.closed or self._log.read().loop(self._plan.loop_id)
        state, reason = (loop.state, loop.reason) if loop is not None else ("closed", None)
        told = f"persist: loop {self._plan.loop_id} {state}: {reason or 'closed by somebody else'}"
        self._show.note(told)
        self._around.ended(state, reason or "")
        return EXIT_CODES["ABANDONED"]

    def _tidy(self) -> None:
        """Leave nothing behind that counts only while the loop is there."""
        pause = side.read_pause(self._home, self._plan.loop_id)
        if pause is not None and pause.hold is not None:
            # It came with a pause of this loop: nobody else would think of taking it back.
            said = self._around.released(pause.hold)
            if said is not None:
                self._show.note(f"persist: {said}")
        with suppress(OSError):
            side.tidy(self._home, self._plan.loop_id)

    def _tell_end(self, end: End) -> None:
        line = telling.last_line(self._plan, end, self._course.iteration)
        (self._show.note if end.state == "ABANDONED" else self._show.say)(line)
        self._around.ended(end.state, str(end.extra.get("reason", "")))

    # What is written

    def _pause(self, extra: dict[str, Any]) -> None:
        """A row that says that it rests; before the first run no way leads there."""
        if self._rows.state == "ITERATING":
            self._write("PAUSED", self._course.iteration, extra)

    def _write(self, state: str, iteration: int, extra: dict[str, Any]) -> None:
        """A row; the first one after a run says how that went."""
        self._rows.write(state, iteration, {**extra, **{
            name: value for name, value in self._facts.items() if name not in extra
        }})  # fmt: skip
        self._facts = {}

    def _live(
        self,
        phase: Phase,
        *,
        until_ms: int | None = None,
        why: str = "",
        agent_pid: int | None = None,
        output: str | None = None,
    ) -> None:
        live = Live(
            self._machine.runner, phase, self._clock.now_ms(), self._course.iteration,
            self._watch.counted_s, until_ms, why, agent_pid, output,
        )  # fmt: skip
        telling.say_live(self._home, self._plan.loop_id, live)
