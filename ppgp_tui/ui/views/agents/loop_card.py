"""Everything known of one restart loop, each value with where it was read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ppgp_tui.persist.row import time_ms
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.loop import Loop
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks.ages import age, when
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.looks.loop_ends import why_closed
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.agents.loop_words import (
    bar,
    changed_words,
    doing,
    ended_runs,
    estimate,
    iterations_bar,
    left_s,
    loop_word,
    outcome,
    run_of,
    runner_words,
    since_ms,
    span,
)
from ppgp_tui.ui.views.prose import labelled, paragraph

if TYPE_CHECKING:
    from ppgp_tui.persist.loop import Outcome
    from ppgp_tui.session.picture.goal_state import Lifecycle

_COLUMN: Final = 11
_RUNS: Final = 12
_HOLDS: Final = {True: "yes", False: "no", None: "not known"}


def loop_card(snapshot: SessionSnapshot, key: str, width: int, frame: Frame) -> list[Row]:
    """The rows for the loop with that row key; empty when it is no longer there."""
    kind, _, loop_id = key.partition(":")
    loop = snapshot.loops.value.loop(loop_id) if kind == "loop" else None
    if loop is None:
        return []
    now = frame.now_ms
    word = loop_word(loop, now)
    title = Line(
        (Span(loop.name, "ink", bold=True),), (Span(word.text, word.role, bold=True),), indent=1
    )
    rows = [Row(key, (title,), loop.origin, loop.id, edits=loop.prompt)]
    said, role = doing(loop, frame.keys.get("loop.abandon", ""))
    if said and loop.open:
        rows.append(paragraph(said, width, role, key="loop.doing"))
    rows += [_budget(name, spans) for name, spans in _bars(loop, frame.look, now)]
    rows += _values(loop, _course(loop, now), width)
    about = [heading("About"), *_values(loop, _about(loop, snapshot, now), width)]
    for section in (_output(loop, now), _runs(loop, now), about):
        rows += [blank(), *section] if section else []
    return rows


def _bars(loop: Loop, look: Look, now: int) -> Iterator[tuple[str, tuple[Span, ...]]]:
    """What is used of the budgets."""
    if bars := iterations_bar(loop, look):
        yield "runs", (*bars, Span(f"  {run_of(loop)}"))
    most, left = loop.max_wall_clock_s, left_s(loop, now)
    if most and left is not None:
        used = most - left
        said = f"  {span(used)} of {span(most)}, {span(left)} left"
        yield "time", (*bar(used / most, look), Span(said))
    elif most and loop.clock is not None and not loop.open:
        used = loop.clock.used_s(now)
        yield "time", (*bar(used / most, look), Span(f"  took {span(used)} of {span(most)}"))


def _budget(name: str, spans: tuple[Span, ...]) -> Row:
    label = Span(name.ljust(_COLUMN), "soft")
    return Row(f"about:{name}", (Line((label, *spans), indent=1),))


def _values(loop: Loop, values: Iterator[tuple[str, str, str]], width: int) -> list[Row]:
    """A row for each label, value, and file that `e` opens on it; none where nothing is known."""
    return [
        labelled(name, text, width, origin=loop.origin, column=_COLUMN, lives=True)._replace(
            edits=edits
        )
        for name, text, edits in values
        if text
    ]


def _course(loop: Loop, now: int) -> Iterator[tuple[str, str, str]]:
    """What a person looks for first: how it stands, what would end it, how long that may take."""
    since = age(since_ms(loop), now)
    yield "state", f"{one_line(loop.state)} {since}".strip(), ""
    yield "why", "" if loop.open else why_closed(loop), ""
    yield "until", loop.condition or "its budget is used up: it has no condition", ""
    if loop.condition and loop.open:
        why = f": {one_line(loop.holds_why)}" if loop.holds_why else ""
        yield "holds now", f"{_HOLDS[loop.holds]}{why}", ""
    yield "to come", estimate(loop, now), ""
    limited = f"{count(loop.limited, 'run')} met a rate limit, not counted" if loop.limited else ""
    yield "limits", limited, ""


def _about(loop: Loop, snapshot: SessionSnapshot, now: int) -> Iterator[tuple[str, str, str]]:
    """What it was started with, who runs it, and where all of this was read."""
    root = f"{snapshot.root}/"
    yield "prompt", loop.prompt.removeprefix(root), loop.prompt
    here = loop.cwd is not None and f"{loop.cwd}/" == root
    yield "runs in", "this repository" if here else loop.cwd or "", ""
    yield "agent", loop.agent_cmd, ""
    yield "ends", _ends(loop) if loop.open else "", ""
    yield "goal", _goal(loop, snapshot.lifecycle.value), ""
    began = age(loop.began_ms, now)
    yield "began", f"{began} ago" if began else "", ""
    yield "runner", runner_words(loop), ""
    late = f"{count(loop.late_rows, 'row')} after its end, which change nothing"
    yield "late", late if loop.late_rows else "", ""
    yield "loop", loop.id, ""
    line = f", line {loop.origin.line:,}" if loop.origin and loop.origin.line else ""
    yield "from", f"{loop.origin.path}{line}" if loop.origin else "", ""


def _goal(loop: Loop, recorded: Lifecycle) -> str:
    """The goal that it serves, in its own words where it is the one of now."""
    if loop.goal is None or loop.goal != recorded.id or not recorded.objective:
        return loop.goal or ""
    return f"{one_line(recorded.objective)} ({loop.goal})"


def _ends(loop: Loop) -> str:
    """How it can end by itself."""
    ways = ["when the condition holds"] if loop.condition else []
    if loop.max_iterations is not None:
        ways.append(f"after {count(loop.max_iterations, 'run')}")
    if loop.max_wall_clock_s is not None:
        ways.append(f"after {span(loop.max_wall_clock_s)}")
    return ", ".join(ways)


def _runs(loop: Loop, now: int) -> list[Row]:
    """The last runs, the newest first."""
    if not loop.runs:
        return []
    newest = loop.runs[::-1][:_RUNS]
    more = len(newest) < ended_runs(loop) + loop.limited
    of = f"last {len(newest)}" if more else str(len(newest))
    return [
        heading("Runs", right=(Span(of, "soft"),)),
        *(_run(run, at, now, loop) for at, run in enumerate(newest)),
    ]


def _run(run: Outcome, at: int, now: int, loop: Loop) -> Row:
    sign, role, how = outcome(run)
    took = span(run.duration_s) if run.duration_s is not None else ""
    right = (Span(took, "soft"), Span(when(time_ms(run.ended), now).rjust(6), "soft"))
    words = (Span(f"run {run.iteration}", "soft"), Span("  "), Span(how))
    lines = [Line(words, right, sign, role)]
    if changed := changed_words(run.changes):
        lines.append(Line((Span(changed, "soft"),)))
    return Row(f"run:{len(loop.runs) - at}", tuple(lines), loop.origin, how)


def _output(loop: Loop, now: int) -> list[Row]:
    """The end of what the present or last run printed; `e` opens the whole."""
    output = loop.output
    if output is None:
        return []
    lines = tuple(Line((Span(text, exact=True),), indent=1) for text in output.lines)
    lines = lines or (Line((Span("nothing printed yet", "soft"),), indent=1),)
    return [
        heading("Output", right=(Span(when(output.changed_ms, now), "soft"),)),
        Row("loop.output", lines, copy="\n".join(output.lines), edits=output.path),
    ]
