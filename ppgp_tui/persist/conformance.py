"""The rules of restart loops, checked here and now on the code that is installed.

Each check is a name and a function that yields what it found wrong, nothing when the rule is kept.
The rules: persist reference sections 3 to 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ppgp_tui.persist import condition, limits, reading, row, states, words
from ppgp_tui.persist.budget import Budget
from ppgp_tui.persist.command import understand
from ppgp_tui.persist.course import Begin, Course, End, Ran, Wait
from ppgp_tui.persist.row import Row

Check = Callable[[], Iterator[str]]

_OPEN: Final = ("SPAWNED", "ITERATING", "PAUSED")
_ENDS: Final = ("SUCCESS", "BUDGET_EXHAUSTED", "ABANDONED")
_LEGAL: Final = {
    ("SPAWNED", "ITERATING"), ("SPAWNED", "ABANDONED"),
    *(("ITERATING", to) for to in ("ITERATING", "PAUSED", *_ENDS)),
    *(("PAUSED", to) for to in ("ITERATING", "BUDGET_EXHAUSTED", "ABANDONED")),
}  # fmt: skip


def all_checks() -> dict[str, Check]:
    """Every check by name, in the order of the rules."""
    return {
        "states": _states,
        "rows": _rows,
        "reading": _reading,
        "damage": _damage,
        "conditions": _conditions,
        "rate limits": _limits,
        "budgets": _budgets,
        "prompt": _prompt,
        "messages": _messages,
    }


def _states() -> Iterator[str]:
    for before in (*_OPEN, *_ENDS):
        for after in (*_OPEN, *_ENDS):
            if states.may_go(before, after) != ((before, after) in _LEGAL):
                yield f"{before} → {after}"
    yield from (state for state in _OPEN if not states.is_open(state))
    yield from (state for state in _ENDS if states.is_open(state))


def _rows() -> Iterator[str]:
    one = Row(row.time_text(1_790_000_000_999), "0badc0ffee12", "/été/P.md", 2, "SPAWNED",
              "ITERATING", {"elapsed_s": 0})  # fmt: skip
    written = (
        rb'{"ts":"2026-09-21T14:13:20+00:00","loop_id":"0badc0ffee12","prompt_file":"/\u00e9t\u00e9'
        rb'/P.md","iteration":2,"from_state":"SPAWNED","to_state":"ITERATING",'
        rb'"extra":{"elapsed_s":0}}'
    )
    yield from _differs("a row as it is written", row.encode(one), written + b"\n")
    yield from _differs("a row as it is read", row.decode(written), one)
    more = written[:-1] + b',"further":[1]}'
    yield from _differs("a row with a further member", row.decode(more), one)
    for what, line in {"a list": b"[]", "no loop": b'{"to_state":"SUCCESS"}'}.items():
        yield from _differs(f"{what} for a row", row.decode(line), None)


def _reading() -> Iterator[str]:
    spawned, ran, won = _row("SPAWNED", 0), _row("ITERATING", 1), _row("SUCCESS", 1)
    for what, log in {
        "plain": spawned + ran,
        "with CR": (spawned + ran).replace(b"\n", b"\r\n"),
        "with a byte-order mark": row.BYTE_ORDER_MARK + spawned + ran,
        "with blank lines": spawned + b"\n \n" + ran,
        "without its last line end": (spawned + ran)[:-1],
        "with NUL bytes at a line's end": (spawned + ran)[:-1] + b"\0\0\n",
    }.items():
        found = reading.read(log)
        said = [(loop.state, loop.rows) for loop in found.loops], found.bad, found.incomplete_tail
        yield from _differs(f"a log {what}", said, ([("ITERATING", 2)], (), False))
    late = reading.read(spawned + ran + won + ran)
    counted = [(loop.state, loop.late_rows) for loop in late.loops]
    yield from _differs("a row after the end", counted, [("SUCCESS", 1)])
    yield from _differs("an empty log", reading.read(b"").loops, ())


def _damage() -> Iterator[str]:
    spawned, ran = _row("SPAWNED", 0), _row("ITERATING", 1)
    torn = reading.read(spawned + ran[:40])
    yield from _differs("a line cut short", (torn.good_rows, torn.incomplete_tail), (1, True))
    glued = reading.read(spawned[:40] + spawned + ran)
    said = [bad.line for bad in glued.bad], [(loop.state, loop.rows) for loop in glued.loops]
    yield from _differs("two lines glued together", said, ([1], [("ITERATING", 2)]))


def _conditions() -> Iterator[str]:
    world = _Files({"STATUS": "RUNNING\nNOT DONE\n"})
    for text, exit_code, expected in (
        ("exit-code-0", 0, True),
        ("exit-code-0", 1, False),
        ("file-exists:STATUS", 1, True),
        ("file-exists:DONE", 0, False),
        ("grep:DONE:STATUS", 1, True),
        ("grep:D.NE:STATUS", 1, False),
        ("grep:DONE:MISSING", 1, False),
        ("line:DONE:STATUS", 1, False),
        ("line:NOT DONE:STATUS", 1, True),
        ("regex:^NOT D.NE$:STATUS", 1, True),
    ):
        why = condition.holds(condition.parse(text), exit_code, world)
        yield from _differs(text, why is not None, expected)
    for text in ("exit-code-zero", "file-exists:", "grep::STATUS", "regex:(:STATUS"):
        try:
            condition.parse(text)
        except condition.ConditionError:
            continue
        yield f"{text} was taken for a condition"


def _limits() -> Iterator[str]:
    said = "You’ve hit your WEEKLY limit"
    for what, exit_code, lines, expected in (
        ("at the end", 1, (said,), True),
        ("20 lines before the end", 1, (said, *["-"] * 19), True),
        ("21 lines before the end", 1, (said, *["-"] * 20), False),
        ("in a good run", 0, (said,), False),
    ):
        found = limits.is_limited(exit_code, lines, limits.PHRASES)
        yield from _differs(f"a limit {what}", found, expected)
    waits = [limits.wait_s(number, 60, 3600, 100_000) for number in range(1, 9)]
    yield from _differs("waits", waits, [60, 120, 240, 480, 960, 1920, 3600, 3600])
    yield from _differs("a wait by the clock's end", limits.wait_s(3, 60, 3600, 7), 7)


def _budgets() -> Iterator[str]:
    limited = Ran(1, 5.0, last_lines=("usage limit reached",))
    course = Course.of(Budget(max_iterations=2, max_wall_clock_s=600)).begun(1)
    for wait in (60, 120):
        course, then = course.after_run(limited, None, limits.PHRASES, 0)
        yield from _differs("after a limited run", then, Wait(wait, "rate_limited"))
        yield from _differs("the run after it", course.before_run(0), Begin(1))
    over = End("BUDGET_EXHAUSTED", {"reason": "wall-clock", "elapsed_s": 600})
    yield from _differs("the clock's end during a wait", course.before_run(600), over)
    course, _ = course.after_run(Ran(1, 5.0), None, limits.PHRASES, 0)
    course = course.begun(2)
    used_up = End("BUDGET_EXHAUSTED", {"reason": "max_iterations", "iterations": 2})
    yield from _differs("after the last run", course.before_run(10), used_up)
    _, then = course.after_run(limited, "DONE exists", limits.PHRASES, 0)
    yield from _differs(
        "work that is done at a limit", isinstance(then, End) and then.state, "SUCCESS"
    )


def _prompt() -> Iterator[str]:
    prompt = "Don't; $(touch x) `y` {} > z"
    agent = understand("agent -p '{}' '{\"a\":{}}'", "arg", shell=False)
    argv = agent.call(prompt.encode(), "/p").argv
    yield from _differs("the arguments", argv, ("agent", "-p", prompt, '{"a":{}}'))
    in_shell = understand("agent '{}'", "arg", shell=True).call(prompt.encode(), "/p").argv
    if any(prompt in word and word != prompt for word in in_shell):
        yield "the prompt is part of a shell's text"


def _messages() -> Iterator[str]:
    (loop,) = reading.read(_row("ITERATING", 14)).loops
    line = "0badc0ffee12  ITERATING          iter=14   prompt=P.md"
    yield from _differs("a line of status", words.status_line(loop), line)


class _Files:
    """A small outside world."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    def exists(self, path: str) -> bool:
        return path in self._texts

    def text(self, path: str) -> str | None:
        return self._texts.get(path)


def _row(state: str, iteration: int) -> bytes:
    return row.encode(Row("", "0badc0ffee12", "/p/P.md", iteration, "SPAWNED", state, {}))


def _differs(what: str, found: object, expected: object) -> Iterator[str]:
    if found != expected:
        yield f"{what}: {found!r} and not {expected!r}"
