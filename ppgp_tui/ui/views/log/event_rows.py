"""Events as rows, the newest first, each decoded and worded only when it is in view."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from ppgp_tui.gasp.telling.sentence import Sentence, sentence
from ppgp_tui.gasp.vocabulary import OPS_EVENT
from ppgp_tui.session.model import Event, EventLog, Origin, SessionSnapshot
from ppgp_tui.ui.looks import ages
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.looks.look import Look, Role
from ppgp_tui.ui.rows.columns import cut, to_left, to_right
from ppgp_tui.ui.rows.row import Line, Row, RowsOnDemand, Span

LOG_PATH = "state/events.jsonl"
_WITH_KIND = 76
"""From this width a row also says the kind of the event and what it is about."""
_KIND, _ABOUT, _ACTOR = 20, 5, 6

ROLES: dict[str, Role] = {
    "done": "ok", "verified": "ok", "added": "ok", "running": "run", "for_you": "needs",
    "blocked": "stop", "failed": "stop", "finding": "stop", "held": "held", "changed": "wait",
    "elsewhere": "wait",
}  # fmt: skip
"""Colour of a sentence's sign; the others are soft."""


def log_path(snapshot: SessionSnapshot) -> str:
    """Where the log is, relative to the root."""
    origin = snapshot.events.origin
    return origin.path if origin else LOG_PATH


def told(event: Event, names: Mapping[str, str]) -> Sentence:
    """The event in words; a line that could not be read whole says so by its sign."""
    said = sentence(event, names)
    if event.error is not None:
        return Sentence("finding", said.words, said.about, said.actor)
    if event.kind == OPS_EVENT:
        from ppgp_tui.gasp.telling.change_words import change_words  # not shown at the start

        changed = change_words(event.payload, names)
        words = changed if changed.startswith("graph ") else f"graph: {changed}"
        return said._replace(words=words)
    return said


class EventRows(RowsOnDemand):
    """All events, or the ones at `indexes` (newest first), as one-line rows."""

    def __init__(
        self,
        log: EventLog,
        names: Mapping[str, str],
        look: Look,
        now_ms: int,
        width: int,
        path: str,
        *,
        indexes: Sequence[int] | None = None,
        opens: str = "",
        moment: int | None = None,
    ) -> None:
        """`moment`: the event whose moment is shown; it is marked, and later ones lose weight."""
        self._log = log
        self._moment = moment
        self._names = names
        self._look = look
        self._now_ms = now_ms
        self._width = width
        self._path = path
        self._indexes = indexes
        self._opens = opens
        self._count = len(log) if indexes is None else len(indexes)

    def __len__(self) -> int:
        return self._count

    def row(self, index: int) -> Row:
        """See `RowsOnDemand`."""
        if not -self._count <= index < self._count:
            raise IndexError(index)
        at = index % self._count
        number = self._count - 1 - at if self._indexes is None else self._indexes[at]
        return self._row(self._log.event(number))

    def place(self, key: str) -> int | None:
        """The index of the row with that key, or None."""
        kind, _, number = key.partition(":")
        if kind != "event" or not number.isdecimal():
            return None
        index = int(number)
        if self._indexes is None:
            return self._count - 1 - index if index < self._count else None
        at = bisect_left(self._indexes, -index, key=lambda found: -found)
        found = at < self._count and self._indexes[at] == index
        return at if found else None

    def _row(self, event: Event) -> Row:
        said = told(event, self._names)
        role = ROLES.get(said.sign, "soft")
        quiet = said.sign == "unknown"
        words = Span(said.words, "soft" if quiet else "text")
        if self._moment is not None and event.index > self._moment:
            words, role = words._replace(role="soft"), "soft"
        elif event.index == self._moment:
            words = words._replace(role="wait", bold=True, underline=True)
        line = Line((words,), self._right(event, said), said.sign, role)
        origin = Origin(self._path, event.line or None, event.offset)
        key = f"event:{event.index}"
        return Row(key, (line,), origin, said.words, self._opens, key)

    def _right(self, event: Event, said: Sentence) -> tuple[Span, ...]:
        mark = self._look.sign("cut")
        actor = to_left(Span(cut(short_actor_name(said.actor), _ACTOR, mark), "soft"), _ACTOR)
        since = to_right(self._since(event), ages.width())
        right = (*actor, Span(" "), *since)
        if self._width < _WITH_KIND:
            return right
        kind = to_left(Span(cut(event.kind, _KIND - 1, mark), "soft"), _KIND)
        about = to_left(Span(cut(said.about, _ABOUT - 1, mark), "soft"), _ABOUT)
        return (*kind, *about, *right)

    def _since(self, event: Event) -> Span:
        if event.index == self._moment:
            return Span("here", "wait", bold=True)
        ahead = self._moment is not None
        return Span(when(event.ts_ms, self._now_ms, ahead=ahead), "soft")


def short_actor_name(actor: str) -> str:
    """An actor that fits, where its first part says enough: `ppgp` for `ppgp-tui`."""
    first = actor.partition("-")[0]
    return first if len(actor) > _ACTOR and 3 <= len(first) <= _ACTOR else actor
