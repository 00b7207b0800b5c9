"""A story as rows: a run's heading with its state and how long it took, its sentences below it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ppgp_tui.gasp.telling.sentence import short_actor
from ppgp_tui.session.model import EventLog, Origin
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks import ages
from ppgp_tui.ui.looks.ages import age, when
from ppgp_tui.ui.looks.look import Look, Role, Sign
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.columns import cut, joined, to_left, to_right
from ppgp_tui.ui.rows.row import Line, Row, RowsOnDemand, Span
from ppgp_tui.ui.views.log.event_rows import ROLES, short_actor_name
from ppgp_tui.ui.views.log.story_list import Entry, StoryList, entry_key

if TYPE_CHECKING:
    from ppgp_tui.gasp.telling.chapters import Chapter, Telling
    from ppgp_tui.session.log.graph import Folded

_INDENT = 5
"""Column of a sentence's first word: two behind its run's."""
_ACTOR = 6
_NARROW, _WIDE = 10, 24
"""Most cells of an outcome; a longer one is cut in a wide list, one word in a narrow one."""
_WITH_ACTOR = 60
_NAME = 24
"""Most characters of a run's id that are its name; of a longer one the first six are."""
_BAD = re.compile(r"error|aborted|refused|rejected|failed|loop_?aborted|interrupted")
_KEPT = 4_096


class Words(NamedTuple):
    """What the folded log says of one row."""

    key: str
    chapter: Chapter | None
    telling: Telling | None
    ts_ms: int | None
    """Of the newest event, for a heading."""
    actor: str = ""
    """Who began it, for a heading."""


class StoryWords:
    """Words of rows, kept for the next picture while their events are the same."""

    def __init__(self) -> None:
        self._of: Folded | None = None
        self._known: dict[Entry, tuple[int, Words]] = {}

    def words(self, folded: Folded, entry: Entry, log: EventLog, names: Mapping[str, str]) -> Words:
        """The words of one row; reads the events it tells of."""
        if folded is not self._of or len(self._known) > _KEPT:
            self._known.clear()
            self._of = folded
        grown = len(log) if entry.is_head else 0
        kept = self._known.get(entry)
        if kept is None or kept[0] != grown:
            kept = self._known[entry] = (grown, _read(folded, entry, names))
        return kept[1]


def _read(folded: Folded, entry: Entry, names: Mapping[str, str]) -> Words:
    from ppgp_tui.gasp.telling.chapters import Chapters

    with folded.reading() as inside:
        chapters = Chapters(inside.things, inside.story, names)
        key = entry_key(inside, entry)
        if entry.events:
            return Words(key, None, chapters.telling(list(entry.events)), None)
        group = inside.story.groups[entry.group]
        newest = inside.things.event_at(group.last).ts_ms
        begun = inside.things.event_at(group.first if group.started < 0 else group.started)
        actor = short_actor(begun.actor_kind, begun.actor_id)
        return Words(key, chapters.chapter(group), None, newest, actor)


class StoryRows(RowsOnDemand):
    """The rows of a story, each worded when it is looked at."""

    def __init__(
        self,
        listed: StoryList,
        folded: Folded,
        words: StoryWords,
        log: EventLog,
        names: Mapping[str, str],
        look: Look,
        now_ms: int,
        width: int,
        path: str,
        opens: str = "",
        raw_key: str = "",
        *,
        ahead: bool = False,
    ) -> None:
        """`ahead`: the story goes on beyond the time of what is shown, which is the past."""
        self._listed = listed
        self._folded = folded
        self._words = words
        self._log = log
        self._names = names
        self._look = look
        self._now_ms = now_ms
        self._width = width
        self._path = path
        self._opens = opens
        self._raw_key = raw_key
        self._ahead = ahead

    def __len__(self) -> int:
        return len(self._listed.entries)

    def row(self, index: int) -> Row:
        """See `RowsOnDemand`."""
        entry = self._listed.entries[index]
        said = self._words.words(self._folded, entry, self._log, self._names)
        if entry.left_out:
            return self._left_out(entry, said)
        if said.telling is not None:
            return self._sentence(said, said.telling)
        assert said.chapter is not None
        return self._head(entry, said, said.chapter)

    def place(self, key: str) -> int | None:
        """The index of the row with that key, or None."""
        return self._listed.places.get(key)

    def _sentence(self, said: Words, telling: Telling) -> Row:
        role = ROLES.get(telling.sign, "soft")
        quiet = telling.sign == "unknown"
        words = plain_quotes(telling.words, self._look)
        left = (Span(words, "soft" if quiet else "text"),)
        right: tuple[Span, ...] = to_right(
            Span(when(telling.ts_ms, self._now_ms, ahead=self._ahead), "soft"), ages.width()
        )
        if self._width >= _WITH_ACTOR:
            mark = self._look.sign("cut")
            actor = Span(cut(short_actor_name(telling.actor), _ACTOR, mark), "soft")
            right = (*to_left(actor, _ACTOR), Span(" "), *right)
        line = Line(left, right, telling.sign, role, indent=_INDENT)
        return Row(said.key, (line,), self._origin(telling.events[0]), words, self._opens, said.key)

    def _origin(self, index: int) -> Origin | None:
        """The line of an event."""
        if index >= len(self._log):
            return None
        event = self._log.event(index)
        return Origin(self._path, event.line or None, event.offset)

    def _head(self, entry: Entry, said: Words, chapter: Chapter) -> Row:
        newest = when(said.ts_ms, self._now_ms, ahead=self._ahead)
        since = to_right(Span(newest, "soft"), ages.width())
        is_open = entry.group in self._listed.opened
        folded_in = "" if is_open else f"  {count(chapter.events, 'event')}"
        if chapter.state == "no run":
            left = (Span("outside of runs", "soft", bold=True), Span(folded_in, "soft"))
            line = Line(left, since, "unknown")
            turn = "hide" if is_open else "show"
            return Row(said.key, (line,), None, "outside of runs", turn, family=True)
        sign, role = _sign(chapter)
        left = (Span(run_title(chapter, said.actor), "ink", bold=True), Span(folded_in, "soft"))
        state = self._state(chapter, role)
        line = Line(left, (*state, Span("  "), *since), sign, role)
        began = self._origin(chapter.begins)
        return Row(said.key, (line,), began, chapter.run, self._opens, said.key, family=True)

    def _state(self, chapter: Chapter, role: Role) -> tuple[Span, ...]:
        """`open 6m`, `completed 34m`; what is not known is not said."""
        took = duration_words(chapter, self._now_ms)
        if chapter.state == "open":
            return joined((Span("open", role, bold=True), Span(took, "soft")), 1)
        if chapter.state == "unknown":
            return (Span("neither begin nor end seen" if self._width >= 60 else "unknown", "soft"),)
        outcome = one_line(chapter.outcome).replace("_", " ") or "finished"
        if self._width < _WITH_ACTOR and len(outcome) > _NARROW:
            first = outcome.split(" ")[0]
            outcome = first if role == "stop" or first in ("promoted", "completed") else "finished"
        shown = Span(cut(outcome, _WIDE, self._look.sign("cut")), role)
        return joined((shown, Span(took, "soft")), 1)

    def _left_out(self, entry: Entry, said: Words) -> Row:
        words = f"{count(entry.left_out, 'earlier event')}: {self._raw_key} lists them"
        return Row(said.key, (Line((Span(words, "soft"),), indent=_INDENT),))


def plain_quotes(words: str, look: Look) -> str:
    """`words` with the quotation marks that a terminal of few characters has."""
    return words.replace("‘", "'").replace("’", "'") if look.ascii else words


def run_title(chapter: Chapter, actor: str) -> str:
    """A run in a few words: `claude on T5`, `claude, session 2c0691`, `evolve session day 175`."""
    title = one_line(chapter.title)
    if title.startswith("todo:"):
        return f"{actor or 'run'} on {title[5:]}"
    if title in ("", "session"):
        short = one_line(chapter.run).removeprefix("run_")
        name = short if len(short) <= _NAME else f"{short[:6]}"
        called = f"session {name}" if title else f"run {name}"
        return ", ".join(filter(None, (one_line(actor), called)))
    return title


def duration_words(chapter: Chapter, now_ms: int) -> str:
    """How long a run took, or has been open; empty where a time is missing or went backwards."""
    if chapter.state == "open":
        begun = chapter.started_ms
        return age(begun, now_ms) if begun is not None and begun <= now_ms else ""
    if chapter.duration_ms is None:
        return ""
    return age(0, chapter.duration_ms)


def _sign(chapter: Chapter) -> tuple[Sign, Role]:
    if chapter.state == "open":
        return "running", "run"
    if chapter.state == "unknown":
        return "unknown", "soft"
    return ("failed", "stop") if _BAD.match(chapter.outcome) else ("done", "ok")
