"""Loops in words: the original's own lines to the letter (persist reference section 2), and ours.

Whoever prints them makes the text of files harmless first.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from ppgp_tui.persist.live import Live, Runner, read_runner
from ppgp_tui.persist.loop import Loop
from ppgp_tui.persist.orders import Pause
from ppgp_tui.persist.reading import Reading
from ppgp_tui.persist.row import time_ms

NO_LOOPS: Final = "no loops in flight"
_NAMED: Final = 5
"""So many damaged lines are named one by one."""


class Seen(NamedTuple):
    """A loop of the log together with what is known of its runner."""

    loop: Loop
    live: Live | None = None
    """The runner's last word."""
    pause: Pause | None = None
    """What a person has ordered and not taken back."""
    alive: bool | None = None
    """Whether the runner lives; None where nobody can know."""
    left: Sequence[int] = ()
    """Where it does not, the processes that its agent left running."""

    @property
    def runner(self) -> Runner | None:
        """The process that runs it, where that was recorded."""
        return read_runner(self.loop.spawned.get("runner"))


def status_line(loop: Loop) -> str:
    """The original's line."""
    _, name = _parts(loop.prompt_file)
    return f"{loop.loop_id}  {loop.state:<18} iter={loop.iteration:<3}  prompt={name}"


def about(seen: Seen, now_ms: int) -> list[str]:
    """What the original does not tell (fault F21): folder, age, budget, condition; the runner."""
    loop = seen.loop
    folder, _ = _parts(loop.prompt_file)
    facts = [folder, *_ages(loop, now_ms), _runs(loop)]
    if loop.open:
        facts += _left(seen, now_ms)
        facts.append(f"until {loop.success_condition or 'its budget is used up'}")
        doing = [_doing(seen, now_ms)]
    else:
        doing = [loop.reason] if loop.reason else []
    if loop.late_rows:
        doing.append(f"{count(loop.late_rows, 'later row')} {_do(loop.late_rows)} not count")
    return [f"    {'; '.join(part)}" for part in (facts, doing) if part]


def whole_row(loop: Loop) -> Any:
    """The row that the loop's state is of, with every member that it was written with.

    Of a row that holds what is no JSON, or what no reader of it takes, such as NaN or a number of
    5,000 digits, only what a row has to say.
    """
    try:
        row = json.loads(loop.last_line.decode("utf-8", "replace"))
        json.dumps(row, allow_nan=False)
    except (ValueError, RecursionError):
        return {"loop_id": loop.loop_id, "iteration": loop.iteration, "to_state": loop.state}
    return row


def as_json(seen: Seen) -> dict[str, Any]:
    """A loop as `status --all --json` lists it; null is not known."""
    loop, runner, live = seen.loop, seen.runner, seen.live
    return {
        "loop_id": loop.loop_id,
        "state": loop.state,
        "open": loop.open,
        "iteration": loop.iteration,
        "reason": loop.reason,
        "max_iterations": loop.max_iterations,
        "max_wall_clock_s": loop.max_wall_clock_s,
        "success_condition": loop.success_condition,
        "agent_cmd": loop.agent_cmd,
        "prompt_file": loop.prompt_file,
        "rows": loop.rows,
        "late_rows": loop.late_rows,
        "pauses": loop.pauses,
        "limited": loop.limited,
        "first_ts": loop.first_ts,
        "last_ts": loop.last_ts,
        "line": loop.line,
        "root": _text(loop.spawned.get("root")),
        "goal": _text(loop.spawned.get("goal")),
        "runner": {**runner._asdict(), "alive": seen.alive} if runner else None,
        "phase": live.phase if live and seen.alive is not False and loop.open else None,
        "pause": seen.pause._asdict() if seen.pause else None,
    }


def damage(path: str, reading: Reading) -> Iterator[str]:
    """One line for each thing that is wrong with the log: where, and what became of it."""
    for bad in reading.bad[:_NAMED]:
        inside = f", {count(bad.salvaged, 'whole row')} inside it counted" if bad.salvaged else ""
        yield f"{path} line {bad.line}: not a row, skipped{inside}"
    if reading.bad_count > _NAMED:
        yield f"{path}: {reading.bad_count} damaged lines in all"
    if reading.incomplete_tail:
        yield f"{path}: the last line was cut short, skipped"


def late(reading: Reading) -> str | None:
    """What to say of rows that came after a loop's end, or None."""
    if not reading.late:
        return None
    more = f" and {len(reading.late) - _NAMED} more" if len(reading.late) > _NAMED else ""
    return f"rows after the end of {', '.join(reading.late[:_NAMED])}{more} do not count"


def span(seconds: float) -> str:
    """A time as `12s`, `8m`, `1h02` or `3d`."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole}s"
    if whole < 3600:
        return f"{whole // 60}m"
    return f"{whole // 3600}h{whole // 60 % 60:02d}" if whole < 86_400 else f"{whole // 86_400}d"


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _parts(path: str) -> tuple[str, str]:
    """The folder of a path, and its name there."""
    folder, slash, name = path.rstrip("/").rpartition("/")
    return folder or slash or "(no folder recorded)", name


def _ages(loop: Loop, now_ms: int) -> Iterator[str]:
    for word, text in (("began", loop.first_ts), ("ended", "" if loop.open else loop.last_ts)):
        at_ms = time_ms(text)
        if at_ms is not None:
            yield f"{word} {span((now_ms - at_ms) / 1000)} ago"


def _runs(loop: Loop) -> str:
    run = f"run {loop.iteration}" if loop.iteration else "no run yet"
    of = f" of {loop.max_iterations}" if loop.max_iterations is not None else ""
    limited = f", {loop.limited} more met a rate limit" if loop.limited else ""
    return f"{run}{of}{limited}"


def _left(seen: Seen, now_ms: int) -> Iterator[str]:
    limit, live = seen.loop.max_wall_clock_s, seen.live
    began = time_ms(seen.loop.first_ts)
    if limit is None or seen.alive is False:
        return
    if live is not None:
        stands = live.phase in ("paused", "ended")
        used = live.counted_s + (0 if stands else (now_ms - live.since_ms) / 1000)
        yield f"{span(limit - used)} of {span(limit)} left"
    elif began is not None:
        left = limit - (now_ms - began) / 1000
        yield f"at most {span(left)} of {span(limit)} left" if left > 0 else "its time is over"


def _doing(seen: Seen, now_ms: int) -> str:
    runner = seen.runner
    if runner is None:
        return "its runner is not recorded, as the original leaves it"
    if seen.alive is None:
        return f"its runner is on {runner.host}, which cannot be looked at from here"
    if not seen.alive:
        close = f"close it with: ppgp-tui persist abandon {seen.loop.loop_id}"
        which = ", ".join(map(str, seen.left[:_NAMED])) + (", …" if len(seen.left) > _NAMED else "")
        left = f", what its agent started runs on (process {which})" if seen.left else ""
        return f"its runner (process {runner.pid}) is gone{left}; {close}"
    live = seen.live
    words = _phase(live, _since(seen.loop, live), now_ms) if live is not None else "it runs"
    asked = seen.pause is not None and (live is None or live.phase != "paused")
    order = f"; {seen.pause.told}: no further run begins" if seen.pause and asked else ""
    return f"{words} (process {runner.pid}){order}"


def _since(loop: Loop, live: Live) -> int:
    """Since when it does what it does; a run goes on since its row, whoever held it meanwhile."""
    row_ms = time_ms(loop.last_ts)
    is_row = live.phase == "running" and loop.state == "ITERATING"
    return row_ms if is_row and loop.iteration == live.iteration and row_ms else live.since_ms


def _phase(live: Live, since_ms: int, now_ms: int) -> str:
    since = span((now_ms - since_ms) / 1000)
    until = f", goes on in {span((live.until_ms - now_ms) / 1000)}" if live.until_ms else ""
    match live.phase:
        case "running":
            return f"run {live.iteration} for {since}"
        case "stopping":
            return f"run {live.iteration} is told to end"
        case "checking":
            return f"run {live.iteration} is over, its outcome is looked at for {since}"
        case "rate_limited":
            return f"waits for a rate limit{until}"
        case "slowed":
            return f"waits after quick failures{until}"
        case "paused":
            return f"rests for {since}: {live.why}" if live.why else f"rests for {since}"
        case "starting":
            return "starts"
        case "ended":
            return "ends"


def count(number: int, thing: str) -> str:
    """As in `2 rows`."""
    many = "es" if thing.endswith("s") else "s"
    return f"{number} {thing}{'' if number == 1 else many}"


def _do(number: int) -> str:
    return "does" if number == 1 else "do"
