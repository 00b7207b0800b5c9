"""What is wrong with the picture itself, the worst first: unread, stale, rewritten, torn."""

from __future__ import annotations

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.model import Origin, Problem, SessionSnapshot, SourceState
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.words import count

_QUIET = ("plan-", "hand-edit", "settings", "agent-file", "log-outbox")
"""Codes of problems that leave the picture true: they are findings, not notices."""
_RUN = ".ppgp/run/"
"""The names of files in there are ids: they tell a person nothing."""
_SAID_ABOVE = ("log-rewritten", "log-torn")
TORN_AFTER_MS = 10_000
"""A last line without its end is being written; only when it stays so is it a problem."""


class Notice(NamedTuple):
    """One problem, in a long and a short wording, and where it lies."""

    text: str
    short: str
    origin: Origin | None = None


def notices(snapshot: SessionSnapshot, now_ms: int) -> tuple[Notice, ...]:
    """Return every problem that makes the picture less than the truth, the worst first."""
    found = [
        *(_unread(snapshot, source, now_ms) for source in _unread_sources(snapshot)),
        *_not_watched(snapshot, now_ms),
        *_rewritten(snapshot),
        *_torn(snapshot, now_ms),
        *_problems(snapshot),
    ]
    seen: dict[str, Notice] = {}
    for notice in found:
        seen.setdefault(notice.text, notice)
    return tuple(seen.values())


def quiet_problems(snapshot: SessionSnapshot) -> tuple[Problem, ...]:
    """Return what is wrong in files other than the goal document while the picture is true."""
    return tuple(found for found in snapshot.problems if found.code.startswith(_QUIET))


def _unread_sources(snapshot: SessionSnapshot) -> list[SourceState]:
    return [source for source in snapshot.sources if source.state == "unread"]


def _unread(snapshot: SessionSnapshot, source: SourceState, now_ms: int) -> Notice:
    name = _name(source.path)
    part = getattr(snapshot, source.name, None)
    since = age(getattr(part, "stale_since_ms", None), now_ms)
    why = f": {one_line(source.why)}" if source.why else ""
    old = f". Picture is {since} old" if since else ""
    return Notice(
        f"{name} cannot be read{why}{old}",
        f"{name} unread" + (f", picture {since} old" if since else ""),
        Origin(source.path),
    )


def _not_watched(snapshot: SessionSnapshot, now_ms: int) -> list[Notice]:
    watching = snapshot.watching
    if watching.mode != "stale":
        return []
    since = age(watching.since_ms, now_ms)
    old = f"picture is {since} old" if since else "picture is old"
    why = f": {one_line(watching.why)}" if watching.why else ""
    return [Notice(f"{old}, changes are not seen{why}", f"{old}, changes not seen")]


def _rewritten(snapshot: SessionSnapshot) -> list[Notice]:
    broken = snapshot.events.value.rewritten
    if broken is None:
        return []
    path = _log_path(snapshot)
    place = f"{_name(path)} line {broken.line}"
    lost = f", {count(broken.lost_lines, 'line')} gone" if broken.lost_lines else ""
    return [
        Notice(
            f"{place} differs from what was read before{lost}",
            f"{_name(path)}:{broken.line} rewritten",
            Origin(path, broken.line),
        )
    ]


def _torn(snapshot: SessionSnapshot, now_ms: int) -> list[Notice]:
    torn = snapshot.events.value.torn
    if torn is None or now_ms - torn.since_ms < TORN_AFTER_MS:
        return []
    path = _log_path(snapshot)
    since = age(torn.since_ms, now_ms)
    return [
        Notice(
            f"{_name(path)}: last line cut off for {since}. Waiting for the rest",
            f"{_name(path)}: last line cut {since}",
            Origin(path, offset=torn.offset),
        )
    ]


def _problems(snapshot: SessionSnapshot) -> list[Notice]:
    """What sources reported themselves and is not said above."""
    said = {source.path for source in _unread_sources(snapshot)}
    notices = []
    for problem in snapshot.problems:
        if problem.path in said or problem.code.startswith((*_QUIET, *_SAID_ABOVE)):
            continue
        name, text = _name(problem.path), one_line(problem.text)
        place = name if problem.line is None else f"{name} line {problem.line}"
        named = name in text or problem.path.startswith(_RUN)
        words = text if named else f"{place}: {text}"
        mend = f"; {one_line(problem.mend)}" if problem.mend else ""
        notices.append(Notice(words + mend, words, Origin(problem.path, problem.line)))
    return notices


def _log_path(snapshot: SessionSnapshot) -> str:
    origin = snapshot.events.origin
    return origin.path if origin else "state/events.jsonl"


def _name(path: str) -> str:
    return one_line(path.rsplit("/", 1)[-1])
