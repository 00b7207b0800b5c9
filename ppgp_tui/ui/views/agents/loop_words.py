"""What a view says of a restart loop in a few words: its state, its budget, its last runs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from ppgp_tui.persist.loop import DRY_RUN
from ppgp_tui.session.picture.loop import Loop
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks.ages import age, time_of, when
from ppgp_tui.ui.looks.look import Look, Role, Sign
from ppgp_tui.ui.looks.loop_ends import why_closed
from ppgp_tui.ui.looks.words import Word, count
from ppgp_tui.ui.rows.row import Span

if TYPE_CHECKING:
    from ppgp_tui.persist.loop import Changes, Outcome

_CLOSED: Final = {
    "SUCCESS": Word("done", "ok", "success"),
    "BUDGET_EXHAUSTED": Word("failed", "stop", "budget used up"),
    "ABANDONED": Word("dropped", "soft", "abandoned"),
}
_PHASES: Final = {
    "starting": Word("running", "run", "starting"),
    "running": Word("running", "run", "running"),
    "stopping": Word("held", "held", "stopping"),
    "checking": Word("running", "run", "checking"),
    "paused": Word("held", "held", "paused"),
    "ended": Word("unknown", "soft", "ending"),
}
_WHY: Final = {"rate_limited": "a rate limit was met", "quick_failure": "runs fail at once"}
"""Why it waits, where its runner only names the kind of wait."""
_WAITS: Final = "waits"
_LONG_MS: Final = 30 * 60_000
"""From here on it is said when a wait ends, not how long it is still."""
_SECOND_MS: Final = 1_000
_DAY_MS: Final = 24 * 3_600_000
_MINUTE_S: Final = 60
_BAR: Final = 8
ENOUGH: Final = 3
"""So many ended runs are needed before anybody says how long the others may take."""


def loop_word(loop: Loop, now_ms: int) -> Word:
    """Its sign, role and state word: what its runner does, else what the log says."""
    if loop.dry_run:
        return Word("dropped", "soft", DRY_RUN)
    if not loop.open:
        return _CLOSED.get(loop.state, Word("unknown", "soft", one_line(loop.state)))
    if loop.orphan:
        return Word("failed", "stop", "runner gone")
    if loop.phase in ("rate_limited", "slowed"):
        return Word("waits", "wait", _wait(loop.until_ms, now_ms))
    if loop.needs_you:
        return Word("for_you", "needs", "needs you")
    if loop.pause is not None and loop.phase not in ("paused", "stopping", "ended"):
        return Word("held", "held", "pause asked")
    if loop.phase is not None:
        return _PHASES[loop.phase]
    return Word("unknown", "soft", one_line(loop.state).lower())


def _wait(until_ms: int | None, now_ms: int) -> str:
    """`again in 3m` or `waits for 02:00`; a time that is over says only that it waits."""
    if until_ms is None or until_ms <= now_ms:
        return _WAITS
    if until_ms - now_ms < _LONG_MS:
        return f"again in {age(now_ms, until_ms + _SECOND_MS - 1)}"  # never 0s
    return f"waits for {_clock(until_ms, now_ms)}"


def _clock(at_ms: int, now_ms: int) -> str:
    """`02:00` of the coming day, else the date."""
    if at_ms - now_ms >= _DAY_MS:
        return time_of(at_ms, now_ms)
    at = time.localtime(at_ms / 1000)
    return f"{at.tm_hour:02d}:{at.tm_min:02d}"


def since_ms(loop: Loop) -> int | None:
    """Since when the state shown holds."""
    return loop.phase_ms if loop.phase_ms is not None else loop.changed_ms


def state_age(loop: Loop, now_ms: int) -> str:
    """How long the state shown holds; empty where its word says already how long it will."""
    tells_end = loop.phase in ("rate_limited", "slowed") and loop.open and not loop.orphan
    tells_end = tells_end and _wait(loop.until_ms, now_ms) != _WAITS
    return "" if tells_end else when(since_ms(loop), now_ms)


def ended_runs(loop: Loop) -> int:
    """Runs that count and are over."""
    under_way = loop.open and loop.phase in ("running", "stopping", "rate_limited")
    under_way = under_way or (loop.open and loop.phase is None and loop.state == "ITERATING")
    return max(0, loop.iteration - under_way)


def run_of(loop: Loop) -> str:
    """`run 4 of 20`."""
    if not loop.open and not loop.iteration:
        return "no run"
    of = f" of {loop.max_iterations:,}" if loop.max_iterations is not None else ""
    return f"run {loop.iteration:,}{of}" if loop.iteration else f"no run yet{of and ', 0' + of}"


def bar(share: float, look: Look, cells: int = _BAR) -> tuple[Span, ...]:
    """A bar of which `share` (0 to 1) is full; some of it only when there is some, all when all."""
    full = min(cells, max(int(share * cells), 1 if share > 0 else 0))
    if share < 1:
        full = min(full, cells - 1)
    empty = look.sign("bar_empty") * (cells - full)
    return (Span(look.sign("bar_full") * full, "run"), Span(empty, "soft"))


def iterations_bar(loop: Loop, look: Look) -> tuple[Span, ...]:
    """How many of its runs are over."""
    most = loop.max_iterations
    return bar(ended_runs(loop) / most, look) if most is not None and most > 0 else ()


def left_s(loop: Loop, now_ms: int) -> float | None:
    """Seconds that its wall clock has left; None where that is not known, or nobody runs it."""
    if loop.clock is None or loop.max_wall_clock_s is None or not loop.open or loop.orphan:
        return None
    return max(0.0, loop.max_wall_clock_s - loop.clock.used_s(now_ms))


def span(seconds: float) -> str:
    """A time as rows say it: `12s`, `8m`, `1h02`."""
    return age(0, int(seconds * 1000))


def time_words(loop: Loop, now_ms: int) -> str:
    """`2h10 left`; where nobody knows that, when it began."""
    left = left_s(loop, now_ms)
    if left is not None:
        return f"{span(left)} left"
    began = age(loop.began_ms, now_ms)
    return f"began {began} ago" if began and loop.open else ""


def estimate(loop: Loop, now_ms: int) -> str:
    """`about 40m for 8 runs`, from the median of the runs that ended; empty where that is a guess.

    It says how long all of them would take: the condition may hold before.
    """
    times = [run.duration_s for run in loop.runs if not run.limited and run.duration_s is not None]
    if loop.max_iterations is None or not loop.open or loop.orphan or len(times) < ENOUGH:
        return ""
    left = loop.max_iterations - ended_runs(loop)
    if left <= 0:
        return ""
    usual = sorted(times)[len(times) // 2]
    time_left = left_s(loop, now_ms)
    too_long = time_left is not None and usual * left > time_left
    more = f", longer than the {span(time_left)} it has" if too_long and time_left else ""
    runs = count(left, "run")
    return f"{_about(usual * left)} for {runs}, the median run took {span(usual)}{more}"


def _about(seconds: float) -> str:
    """To the nearest minute: 1m42 are about two minutes, and not one."""
    return f"about {span(seconds + 30 if seconds >= _MINUTE_S else seconds)}"


def outcome(run: Outcome) -> tuple[Sign, Role, str]:
    """How a run ended: sign, role, words."""
    if run.limited:
        return "waits", "wait", "rate limit, not counted"
    how = f"exit {run.exit_code}" if run.exit_code is not None else "exit code not recorded"
    if run.cut:
        return "dropped", "held", f"{how}, cut: {one_line(run.cut)}"
    if run.signal:
        return "failed", "stop", f"{how}, {one_line(run.signal)}"
    if run.exit_code == 0:
        return "done", "ok", how
    return ("unknown", "soft", how) if run.exit_code is None else ("failed", "stop", how)


def spark(loop: Loop, look: Look, most: int) -> tuple[Span, ...]:
    """The ends of the last runs, one sign each, the newest last."""
    ends = (outcome(run) for run in loop.runs[-most:])
    return tuple(Span(look.sign(sign), role, bold=True) for sign, role, _ in ends)


def changed_words(changes: Changes | None) -> str:
    """`2 files +30 -4, 1 commit`; empty where Git said nothing."""
    if changes is None:
        return ""
    said = []
    if changes.files is not None:
        lines = ""
        if changes.insertions is not None and changes.deletions is not None and changes.files:
            lines = f" +{changes.insertions:,} -{changes.deletions:,}"
        nothing = not changes.files and not changes.commits
        said.append("nothing changed" if nothing else f"{count(changes.files, 'file')}{lines}")
    if changes.commits:
        said.append(count(changes.commits, "commit"))
    if changes.untracked:
        said.append(f"{changes.untracked:,} untracked")
    return ", ".join(said)


def condition_words(loop: Loop) -> str:
    """`until exit-code-0`, and whether it holds."""
    if not loop.condition:
        return "no condition: it ends with its budget"
    holds = ", holds now" if loop.holds else ""
    return f"until {one_line(loop.condition)}{holds}"


def doing(loop: Loop, close_key: str) -> tuple[str, Role]:
    """What a person should know of it besides, and in which role; empty where there is nothing."""
    if loop.orphan:
        closes = f": {close_key} closes it" if close_key else ""
        return f"nobody runs it any more{closes}", "stop"
    if not loop.open:
        return "" if loop.dry_run else why_closed(loop), "soft"
    if loop.pause is not None and loop.pause.need:
        return one_line(loop.pause.reason), "needs"
    if loop.pause is not None and loop.phase != "paused":
        then = "this wait" if loop.phase in ("rate_limited", "slowed") else "this run"
        return f"asked by {_by(loop.pause.by)}: rests after {then}", "held"
    if loop.pause is not None:
        return f"by {_by(loop.pause.by)}{_why(loop.pause.reason)}", "held"
    if loop.why:
        return _WHY.get(loop.why, one_line(loop.why)), "held" if loop.phase == "paused" else "soft"
    if loop.phase is None and loop.reason and loop.state == "PAUSED":
        return _WHY.get(loop.reason, one_line(loop.reason)), "soft"
    return "", "soft"


def _by(actor: str) -> str:
    return one_line(actor).removeprefix("user:")


def _why(reason: str) -> str:
    return f": {one_line(reason)}" if reason else ""


def runner_words(loop: Loop) -> str:
    """The process that runs it, and whether it still is."""
    runner = loop.runner
    if runner.state == "not recorded":
        return "not recorded: another program runs it, or nobody" if loop.open else "not recorded"
    far = runner.state == "elsewhere"
    process = f"process {runner.pid}" + (f" on {one_line(runner.host)}" if far else " here")
    alive, gone = ("alive", "gone") if loop.open else ("ending", "ended")
    known = {"alive": alive, "gone": gone, "elsewhere": "not to be seen from here"}
    return f"{process}, {known[runner.state]}"
