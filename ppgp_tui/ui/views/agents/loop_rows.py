"""The loops under the agents: those of this repository, and on demand all of the user."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set
from typing import Final

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.loop import Loop
from ppgp_tui.ui.rows.columns import joined, state_and_age
from ppgp_tui.ui.rows.layout import Frame
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.agents.loop_words import (
    condition_words,
    doing,
    iterations_bar,
    loop_word,
    run_of,
    spark,
    state_age,
    time_words,
)
from ppgp_tui.ui.views.room import ROWS_BELOW, opens

ALL: Final = "loops:all"
"""Key of the row that shows closed loops and those of other places, or hides them."""
_SPARK, _WIDE_SPARK = 8, 16
_DIGITS: Final = 4
"""So many of an id are enough for the commands."""
_NEWS_MS: Final = 10 * 60_000
"""So long the end of a loop is news."""


def loop_rows(snapshot: SessionSnapshot, frame: Frame, width: int) -> list[Row]:
    """The section; empty where the user has no loops at all. What ended just now is still there."""
    loops = snapshot.loops.value
    if not loops.seen:
        return []
    is_open = sum(loop.open for loop in loops.here)
    here = [loop for loop in loops.here if loop.open or _ended_just_now(loop, frame.now_ms)]
    closed = [loop for loop in loops.here if loop not in here]
    elsewhere = [loop for loop in loops.seen if not loop.here]
    rows = [_heading(is_open)]
    shown, more = ALL in frame.turned, loops.closed_here - (len(here) - is_open)
    alike = _namesakes(loops.seen if shown else here)
    rows += [_row(loop, frame, width, alike) for loop in here]
    if not closed and not elsewhere:
        return rows
    key = frame.keys.get("family", "")
    rows.append(_fold(key, more, loops.closed_elsewhere, elsewhere, shown=shown))
    if not shown:
        return rows
    if closed:
        rows += [blank(), heading("Closed", right=(_of(len(closed), more),))]
        rows += [_row(loop, frame, width, alike) for loop in closed]
    if elsewhere:
        shut = sum(not loop.open for loop in elsewhere)
        total = len(elsewhere) - shut + loops.closed_elsewhere
        rows += [blank(), heading("Elsewhere", right=(_of(len(elsewhere), total),))]
        rows += [_row(loop, frame, width, alike) for loop in elsewhere]
    return rows


def loops_brief(snapshot: SessionSnapshot, frame: Frame) -> list[Row]:
    """Those of this repository that are open or ended just now, each in one line."""
    now = frame.now_ms
    here = [one for one in snapshot.loops.value.here if one.open or _ended_just_now(one, now)]
    if not here:
        return []
    is_open, alike = sum(loop.open for loop in here), _namesakes(here)
    return [
        _heading(is_open),
        *(_brief(one, now, alike) for one in here),
    ]


def _heading(is_open: int) -> Row:
    return heading("Loops", right=(Span(f"{is_open or 'none'} open", "soft"),))


def _namesakes(loops: Iterable[Loop]) -> Set[str]:
    """Names that several of these have, and which so say too little."""
    return {name for name, times in Counter(loop.name for loop in loops).items() if times > 1}


def _name(loop: Loop, alike: Set[str]) -> tuple[Span, ...]:
    """Its name; where others have it too, with the beginning of its id."""
    also = (Span(f"  {loop.id[:_DIGITS]}", "soft"),) if loop.name in alike else ()
    return (Span(loop.name, "ink"), *also)


def _brief(loop: Loop, now_ms: int, alike: Set[str]) -> Row:
    word = loop_word(loop, now_ms)
    right = state_and_age(Span(word.text, word.role), Span(state_age(loop, now_ms), "soft"))
    words = (*_name(loop, alike), Span("  "), Span(run_of(loop), "soft"))
    line = Line(words, right, word.sign, word.role)
    return Row(f"loop:{loop.id}", (line,), loop.origin, loop.id, edits=loop.prompt)


def _ended_just_now(loop: Loop, now_ms: int) -> bool:
    """Whether its end is news; that of a loop that was only tried is none."""
    ended = loop.changed_ms is not None and now_ms - loop.changed_ms < _NEWS_MS
    return ended and not loop.dry_run


def _of(shown: int, total: int) -> Span:
    return Span(f"{shown} newest of {total:,}" if shown < total else str(total), "soft")


def _fold(
    key: str, closed_here: int, closed_elsewhere: int, elsewhere: list[Loop], *, shown: bool
) -> Row:
    is_open = sum(loop.open for loop in elsewhere)
    said = [f"{closed_here:,} closed"] if closed_here else []
    others = [f"{is_open} open"] if is_open else []
    others += [f"{closed_elsewhere:,} closed"] if closed_elsewhere else []
    said += [f"{', '.join(others)} elsewhere"] if others else []
    words, word = ", ".join(said), "hide" if shown else "show"
    line = Line((Span(words, "soft"),), (Span(f"{key} {word}s" if key else "", "soft"),))
    return Row(ALL, (line,), copy=words, opens=word, family=True)


def _row(loop: Loop, frame: Frame, width: int, alike: Set[str]) -> Row:
    """Name, state and age; how far it is; what must not be overlooked, and when it ends."""
    now, roomy = frame.now_ms, width >= ROWS_BELOW
    word = loop_word(loop, now)
    right = state_and_age(Span(word.text, word.role, bold=True), Span(state_age(loop, now), "soft"))
    lines = [Line(_name(loop, alike), right, word.sign, word.role)]
    far = joined((Span(run_of(loop), "soft"),), 0)
    if bars := iterations_bar(loop, frame.look):
        far = (*far, Span("  "), *bars)
    if left := time_words(loop, now):
        far = (*far, Span(f"  {left}", "soft"))
    lines.append(Line(far, spark(loop, frame.look, _WIDE_SPARK if roomy else _SPARK)))
    said, role = doing(loop, frame.keys.get("loop.abandon", ""))
    if said:
        lines.append(Line((Span(said, role),)))
    if loop.open and roomy:
        lines.append(Line((Span(condition_words(loop), "soft"),), cut="middle"))
    if not loop.here:
        lines.append(Line((Span(loop.prompt, "soft"),), cut="middle"))
    return Row(
        f"loop:{loop.id}", tuple(lines), loop.origin, loop.id, opens=opens(frame), edits=loop.prompt
    )
