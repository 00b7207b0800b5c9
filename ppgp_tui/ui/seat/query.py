"""What somebody looks for in the log: free words, and words such as `kind:todo.* since:2h`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from difflib import get_close_matches
from typing import NamedTuple

from ppgp_tui.gasp.telling.filters import Filter
from ppgp_tui.ui.views.log.event_panes import FILTERS

_WORD = re.compile(r"([a-z]{2,10}):(\S*)")
_UNITS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
_SPAN = re.compile(r"(?:\d{1,6}[smhdw])+", re.ASCII)
_PIECE = re.compile(r"(\d+)([smhdw])", re.ASCII)
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})", re.ASCII)


class Query(NamedTuple):
    """What is looked for, as it was typed at one moment."""

    typed: str
    text: str
    """The free words, one blank between them as they were typed."""
    wanted: Filter
    """The rest; its own `text` is empty."""
    said: tuple[str, ...]
    """Each filter as a heading says it: `kind todo.*`."""
    wrong: tuple[str, ...]
    """What of it could not be understood, and what is wanted instead."""

    @property
    def is_text(self) -> bool:
        """Whether nothing but words is looked for."""
        return not self.said


def query(typed: str, now_ms: int) -> Query:
    """Understand what was typed; a duration is counted back from `now_ms`."""
    members: dict[str, str] = {}
    times: dict[str, int] = {}
    said, wrong, words = [], [], []
    for word in typed.split():
        hit = _WORD.fullmatch(word)
        name, value = hit.groups() if hit else ("", "")
        if name in ("since", "until"):
            moment = _moment(value, now_ms)
            if moment is not None:
                times[f"{name}_ms"] = moment
                said.append(f"{name} {value}")
            elif value:
                wrong.append(f"{name}: wants 2h, 18:00 or 2026-09-30, not {value}")
        elif name in FILTERS:
            if value:
                members[name] = _pattern(name, value)
                said.append(f"{name} {value}")
        else:
            words.append(word)
            if hit and (near := get_close_matches(name, FILTERS, 1, 0.7)):
                wrong.append(f"there is no {name}:, did you mean {near[0]}:?")
    wanted = Filter(**members, **times)  # type: ignore[arg-type]
    text = typed if not said and not wrong else " ".join(words)
    return Query(typed, text, wanted, tuple(said), tuple(wrong))


def heading_words(asked: Query) -> str:
    """The filters in a row, then the free words: `kind todo.*, "soak"`."""
    return ", ".join((*asked.said, *_quoted(asked)))


def _quoted(asked: Query) -> Iterator[str]:
    if asked.said and asked.text:
        yield f'"{asked.text}"'


def _pattern(name: str, value: str) -> str:
    """As people shorten it: how a kind begins, `claude` for all its sessions, a part of an id."""
    if any(mark in value for mark in "*?["):
        return value
    if name == "kind" and "." in value:
        return value
    return f"{value}*" if name in ("kind", "actor") else f"*{value}*"


def _moment(text: str, now_ms: int) -> int | None:
    """A moment in Unix milliseconds: a duration ago, a clock time, a date, or both."""
    if _SPAN.fullmatch(text):
        return now_ms - sum(int(number) * _UNITS[unit] for number, unit in _PIECE.findall(text))
    try:
        now = datetime.fromtimestamp(now_ms / 1000).astimezone()
        if clock := _CLOCK.fullmatch(text):
            at = now.replace(hour=int(clock[1]), minute=int(clock[2]), second=0, microsecond=0)
            moment = at if at <= now else at - timedelta(days=1)
        elif text.isdigit():
            return None
        else:
            moment = datetime.fromisoformat(text).astimezone()
        return round(moment.timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return None
