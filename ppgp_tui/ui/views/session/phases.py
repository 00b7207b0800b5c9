"""How long each phase took, what led back, and since when nothing has changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ppgp_tui.gasp.telling.sentence import short_actor
from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.model import Origin, PhaseSpan, SessionSnapshot
from ppgp_tui.ui.looks.ages import age, when
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading

QUIET_MS = 5 * 60_000
"""So long nothing has to change before that is worth a line."""
_WIDE = 60


class Visits(NamedTuple):
    """All that was seen of one phase."""

    spent_ms: int
    """In all visits together; the one under way counts up to now."""
    times: int
    back: bool
    """The last of them began by going back."""


def visits(spans: Sequence[PhaseSpan], phase: str, now_ms: int) -> Visits:
    """What `spans` say of `phase`; zero of everything where it was not seen."""
    own = [span for span in spans if span.phase == phase]
    spent = sum((now_ms if one.until_ms is None else one.until_ms) - one.since_ms for one in own)
    return Visits(max(0, spent), len(own), bool(own) and own[-1].backwards)


def steps_back(spans: Sequence[PhaseSpan]) -> int:
    """How often a phase began by going back."""
    return sum(span.backwards for span in spans)


def lasted(spans: Sequence[PhaseSpan], phase: str, now_ms: int) -> str:
    """`1h02`, or `5m, went back`: all visits together; empty where nobody saw that phase begin."""
    seen = visits(spans, phase, now_ms)
    return age(0, seen.spent_ms) + (", went back" if seen.back else "") if seen.times else ""


def spent(spans: Sequence[PhaseSpan], phase: str, *, left: bool) -> str:
    """`12m`, or `12m in 2` visits, `left` where a step back led out of it; empty if not seen."""
    seen = visits([span for span in spans if span.until_ms is not None], phase, 0)
    if not seen.spent_ms:
        return ""
    more = f" in {seen.times}" if seen.times > 1 else ""
    return age(0, seen.spent_ms) + more + (", left" if left else "")


class Change(NamedTuple):
    """One kind of thing that changes, and when it last did."""

    what: str
    at_ms: int | None
    why: str = ""
    """Why nobody knows when; empty where it is known, or there is no such thing."""


def changes(snapshot: SessionSnapshot) -> tuple[Change, ...]:
    """When log, document, plan and work tree last changed, as far as the picture knows."""
    sources = {source.name: source for source in snapshot.sources}
    goal, plan = sources.get("goal"), sources.get("plan")
    repo, last = snapshot.repo.value, snapshot.events.value.last
    reading = any(source.state == "reading" for source in snapshot.sources)
    found = [
        Change("log", last.ts_ms if last else None, "still being read" if reading else ""),
        Change("document", goal.changed_ms if goal else None),
        Change("plan", _latest(plan.changed_ms if plan else None, snapshot.plan.value.changed_ms)),
    ]
    git = "" if repo.git else "not in Git"
    return (*found, Change("work tree", repo.touched_ms, git))


def _latest(*times: int | None) -> int | None:
    return max((time for time in times if time is not None), default=None)


def quiet_since(snapshot: SessionSnapshot, now_ms: int) -> int | None:
    """Since when nothing has changed; None while something did of late, or too little is known.

    A log that is still being read, and the past, say nothing about it.
    """
    found = changes(snapshot)
    if snapshot.moment is not None or found[0].why:
        return None
    last = _latest(*(change.at_ms for change in found))
    return last if last is not None and now_ms - last >= QUIET_MS else None


def quiet_rows(snapshot: SessionSnapshot, width: int, now_ms: int) -> list[Row]:
    """One plain sentence when nothing has changed for a while, and what was looked at for it."""
    since = quiet_since(snapshot, now_ms)
    if since is None:
        return []
    known = [change.what for change in changes(snapshot) if change.at_ms is not None]
    words = Span(f"nothing has changed for {age(since, now_ms)}", "ink")
    looked = Span(", ".join(known) if width >= _WIDE else "", "soft")
    return [Row("quiet", (Line((words,), (looked,), "unknown"),), opens="read")]


def history_rows(snapshot: SessionSnapshot, width: int, now_ms: int) -> Iterator[Row]:
    """Every visit to a phase, the newest first, then when each thing last changed."""
    from ppgp_tui.ui.views.prose import labelled  # a start opens none

    spans = snapshot.events.value.phases
    if spans:
        note = f"{count(steps_back(spans), 'step')} back" if steps_back(spans) else ""
        yield blank()
        yield heading("Phases seen", right=(Span(note, "soft"),))
        for number, span in enumerate(reversed(spans)):
            yield _visit(snapshot, span, number, width, now_ms)
        yield from _sums(spans, width, now_ms)
    if snapshot.moment is None:
        yield blank()
        yield heading("Last changed")
        for change in changes(snapshot):
            at = _moment(change.at_ms, now_ms)
            yield labelled(change.what, change.why or at or "not known", width, column=11)


def _visit(snapshot: SessionSnapshot, span: PhaseSpan, number: int, width: int, now_ms: int) -> Row:
    """One visit: how long, from when to when, by whom, and how it is known."""
    under_way = span.until_ms is None
    took = age(span.since_ms, now_ms if span.until_ms is None else span.until_ms)
    back = ", back" if span.backwards else ""
    first = Line(
        (Span(span.phase),),
        (Span(f"{took}{back}", "soft"),),
        "running" if under_way else "done",
        "run" if under_way else "ok",
    )
    end = "now" if span.until_ms is None else _moment(span.until_ms, now_ms)
    about = Span(f"{_moment(span.since_ms, now_ms)} to {end}", "soft")
    known = _known_by(snapshot, span)
    lines = [first, Line((about,), (Span(known, "soft"),) if width >= _WIDE else ())]
    if width < _WIDE and known:
        lines.append(Line((Span(known, "soft"),)))
    index = _index(snapshot, span)
    place = log_origin(snapshot)
    thing = "" if index is None else f"event:{index}"
    opens = "its event" if thing else ""
    return Row(f"span:{number}", tuple(lines), place, opens=opens, thing=thing, leads=bool(thing))


def _moment(at_ms: int | None, now_ms: int) -> str:
    """`30m ago`, or `14:05` where the person wants times of day; empty when unknown."""
    shown = when(at_ms, now_ms)
    return f"{shown} ago" if shown and shown == age(at_ms, now_ms) else shown


def _known_by(snapshot: SessionSnapshot, span: PhaseSpan) -> str:
    """Who changed the phase and recorded it, or that it was only seen in the document."""
    if not span.by:
        return ""
    if span.observed:
        return "seen in the document"
    kind, _, name = span.by.partition(":")
    return f"recorded by {snapshot.events.value.names.get(span.by) or short_actor(kind, name)}"


def _index(snapshot: SessionSnapshot, span: PhaseSpan) -> int | None:
    log = snapshot.events.value.log
    return log.index_of(span.event) if log is not None and span.event else None


def log_origin(snapshot: SessionSnapshot) -> Origin | None:
    """The log, as the place where phases were read."""
    return snapshot.events.origin


def _sums(spans: Sequence[PhaseSpan], width: int, now_ms: int) -> Iterator[Row]:
    """Phases that were visited more than once, all visits together."""
    from ppgp_tui.ui.views.prose import labelled

    for phase in dict.fromkeys(span.phase for span in spans):
        seen = visits(spans, phase, now_ms)
        if seen.times > 1:
            words = f"{age(0, seen.spent_ms)} in {seen.times} visits"
            yield labelled("together", f"{phase} {words}", width, column=11)
