"""The hops around one thing as rows: what it comes from above it, what came of it below it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ppgp_tui.session.model import Origin
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks import ages
from ppgp_tui.ui.looks.ages import when
from ppgp_tui.ui.looks.look import Look, Role
from ppgp_tui.ui.rows.columns import cut, joined, to_left, to_right
from ppgp_tui.ui.rows.row import Line, Row, Span
from ppgp_tui.ui.views.log.event_panes import THIS
from ppgp_tui.ui.views.log.event_rows import ROLES
from ppgp_tui.ui.views.prose import wrapped

if TYPE_CHECKING:
    from ppgp_tui.gasp.tracing.hops import Way
    from ppgp_tui.gasp.tracing.lineage import Branch, Lineage
    from ppgp_tui.gasp.tracing.things import Artifact, Thing

_ONE_LINE = 64
"""From this width a hop fits on one line: kind, title, how it is known, status, age."""
_COLUMNS = 84
"""From this width on these stand in columns."""
_WAY, _STATUS = 17, 11
_STEPS = 8
"""Steps that are indented; deeper ones stand where the last of these does."""
_SHORT = re.compile(r"(?=[A-Za-z.-]*[0-9])[A-Za-z0-9.-]{1,10}")
"""The rest of an id that serves as a name: `T8`, `31`."""

_STATUS_ROLES: dict[str, Role] = {
    "Done": "ok", "Satisfied": "ok", "Passed": "ok", "Approved": "ok", "Promoted": "ok",
    "Merged": "ok", "Cleared": "ok",
    "InProgress": "run", "Started": "run", "started": "run", "open": "run",
    "Blocked": "stop", "Failed": "stop", "Error": "stop", "Rejected": "stop", "Conflicted": "stop",
    "Pending": "needs", "Stale": "wait", "Proposed": "wait", "Evaluated": "wait",
}  # fmt: skip
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Room(NamedTuple):
    """Where rows are drawn, and when."""

    width: int
    look: Look
    now_ms: int
    path: str
    """Of the log."""
    ahead: bool = False
    """The log goes on beyond that time."""


def lineage_rows(found: Lineage, room: Room, this: str) -> list[Row]:
    """The tree; `this` is what the thing in its middle is called in `Row.thing`."""
    above = _above(found.up)
    levels = above[0].depth if above else 0
    rows = []
    if not found.down.artifacts and _is_request(found.thing) and found.thing.status == "Pending":
        waits = [_none_yet(levels + 1, room)]
    else:
        waits = []
    keys = _Keys()
    for one in above:
        level = levels - one.depth
        rows.append(_hop(one.branch, one.ways, level, room, keys, "up"))
        if one.branch.more and one.depth:
            rows[-1] = _with_more(rows[-1], one.branch.more)
    rows.append(_this(found, levels, room, this))
    if found.up.more:
        rows.insert(0, _more(found.up, found.up.more, 0, room, "up", this, "reasons"))
    rows += _below(found.down, levels, room, keys, this)
    return rows + waits


def unlinked_rows(found: Lineage, room: Room) -> list[Row]:
    """What the log names around the thing and does not hold, each with the reason."""
    rows = []
    for number, one in enumerate(found.unlinked):
        lines = wrapped(one.reason, room.width - 4) or ["not in this log"]
        drawn = tuple(
            Line((Span(text, "soft" if at else "text"),), (), None if at else "unknown")
            for at, text in enumerate(lines)
        )
        key = f"unlinked:{number}"
        rows.append(Row(key, drawn, copy=one.id, opens="read", thing=f"event:{one.event}",
                        leads=True))  # fmt: skip
    return rows


def commit_thing(artifact: Artifact) -> str:
    """What an artifact is called in `Row.thing`; empty when it is no commit."""
    return f"commit:{artifact.commit}" if artifact.commit else ""


def thing_name(thing: Thing) -> str:
    """What a thing is called in `Row.thing`."""
    return f"event:{thing.event}" if thing.is_event else f"node:{thing.id}"


def kind_word(thing: Thing) -> str:
    """`task`, `run`, `request`; of an event its kind."""
    return "request" if _is_request(thing) else one_line(thing.kind) or "node"


def short_name(thing: Thing) -> str:
    """A thing in two or three words: `task T8`, `run 31`, `goal Make the importer…`."""
    if thing.is_event:
        return cut(thing.title, 24)
    called = _called(thing)
    return f"{kind_word(thing)} {called or cut(thing.title, 18)}".strip()


def status_span(thing: Thing) -> Span:
    """How a thing stands, as one says it; a run that nothing ended is open."""
    status = thing.status
    if any(note.startswith("open:") for note in thing.notes):
        status = "open"
    elif any(note.startswith("tombstoned") for note in thing.notes):
        return Span("tombstoned", "soft")
    elif any(note.startswith("stale") for note in thing.notes):
        return Span("stale", "wait")
    words = _CAMEL.sub(" ", one_line(status)).lower()[:40]
    return Span(words, _STATUS_ROLES.get(status, "soft"))


def way_words(ways: Iterable[Way], thing: Thing | None = None, most: int = 2) -> str:
    """How a hop is known, the strongest first, in few words: `serves`, `same id suffix`, `run`."""
    words = []
    for way in ways:
        if way.how == "relation":
            said = one_line(way.name).replace("_", " ")
        elif way.how == "member":
            said = one_line(way.name)
        elif way.how == "correlation":
            is_run = thing is not None and thing.kind == "run"
            said = "run" if is_run else "correlation"
        else:
            said = _WAYS.get(way.how, way.how)
        words.append(said)
    return ", ".join(list(dict.fromkeys(words))[:most])


_WAYS = {"same suffix": "same id suffix", "operation": "changes it"}


# --- above ---------------------------------------------------------------------------------------


class _Above(NamedTuple):
    branch: Branch
    ways: tuple[Way, ...]
    """Of every hop from here towards the thing."""
    depth: int
    """The longest way to the thing; what is far stands on top."""


def _above(up: Branch) -> list[_Above]:
    """Every reason once, the first ones on top; empty when there is none."""
    known: dict[int, Branch] = {}
    ways: dict[int, list[Way]] = {}
    steps: list[tuple[int, int]] = []
    waiting = [up]
    while waiting:
        lower = waiting.pop()
        for branch in lower.branches:
            if branch.key == up.key:
                continue
            if branch.key not in known or known[branch.key].shown_above:
                known[branch.key] = branch
            ways.setdefault(branch.key, []).extend(branch.ways)
            steps.append((lower.key, branch.key))
            waiting.append(branch)
    depth = dict.fromkeys(known, 1) | {up.key: 0}
    for _ in range(_STEPS):
        for from_, to in steps:
            depth[to] = max(depth[to], min(_STEPS, depth[from_] + 1))
    placed = [_Above(known[key], tuple(ways[key]), depth[key]) for key in known]
    return sorted(placed, key=lambda one: (-one.depth, one.branch.thing.event))


# --- below ---------------------------------------------------------------------------------------


def _below(
    branch: Branch, level: int, room: Room, keys: _Keys, this: str, root: bool = True
) -> Iterator[Row]:
    for one in branch.branches:
        row = _hop(one, one.ways, level + 1, room, keys, "down")
        cut_here = one.more and not one.branches
        yield _with_more(row, one.more) if cut_here else row
        yield from _below(one, level + 1, room, keys, this, root=False)
    for number, artifact in enumerate(branch.artifacts):
        yield _artifact(branch, artifact, number, level + 1, room)
    if branch.more and (branch.branches or root):
        yield _more(branch, branch.more, level + 1, room, "down", this if root else "", "")


# --- rows ----------------------------------------------------------------------------------------


class _Keys:
    """Keys of hops: a thing may stand in a tree more than once."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def key(self, direction: str, name: str) -> str:
        key = f"{direction}:{name}"
        times = self._seen[key] = self._seen.get(key, 0) + 1
        return key if times == 1 else f"{key}#{times}"


def _hop(
    branch: Branch, ways: tuple[Way, ...], level: int, room: Room, keys: _Keys, direction: str
) -> Row:
    thing = branch.thing
    name = thing_name(thing)
    said = way_words(ways, thing, 1 if _ONE_LINE <= room.width < _COLUMNS else 2)
    if branch.shown_above and direction == "down":
        said = f"{said}, above"
    return Row(
        keys.key(direction, name),
        tuple(_lines(thing, said, level, room, this=False)),
        Origin(room.path, thing.event + 1) if thing.is_event else None,
        thing.id or thing.title,
        "go there",
        name,
        leads=True,
    )


def _this(found: Lineage, level: int, room: Room, this: str) -> Row:
    thing = found.thing
    lines = tuple(_lines(thing, "", level, room, this=True))
    return Row(THIS, lines, None, thing.id or thing.title, "", this)


def _lines(thing: Thing, said: str, level: int, room: Room, *, this: bool) -> Iterator[Line]:
    hook = _hook(level, room)
    since = to_right(Span(when(thing.ts_ms, room.now_ms, ahead=room.ahead), "soft"), ages.width())
    status = status_span(thing)
    left = (Span(hook, "soft", exact=True), *_titled(thing, room.look, this))
    deeper = len(hook) + 2 if level else 2
    if room.width >= _COLUMNS:
        mark = room.look.sign("cut")
        ways = to_left(Span(cut(said, _WAY, mark), "soft"), _WAY)
        stands = to_left(status._replace(text=cut(status.text, _STATUS, mark)), _STATUS)
        yield Line(left, (*ways, Span("  "), *stands, Span(" "), *since), indent=1)
    elif room.width >= _ONE_LINE:
        right = joined((Span(said, "soft"), status), 2)
        yield Line(left, (*right, Span("  "), *since), indent=1)
    else:
        yield Line(left, since, indent=1)
        if facts := joined((Span(said, "soft"), status), 2):
            yield Line((Span(" " * deeper, exact=True), *facts), indent=1)
    for note in _telling_notes(thing):
        for text in wrapped(note, room.width - deeper - 2)[:3]:
            yield Line((Span(" " * deeper, exact=True), Span(text, "soft")), indent=1)


def _telling_notes(thing: Thing) -> Iterator[str]:
    """What else is to know; that a run is open, its status says."""
    for note in thing.notes:
        if not note.startswith("open:") and note != "no node: no graph change creates it":
            yield note


def _titled(thing: Thing, look: Look, this: bool) -> tuple[Span, ...]:
    if thing.is_event:
        sign = to_left(Span(look.sign(thing.sign), ROLES.get(thing.sign, "soft"), bold=True), 2)
        return (*sign, Span(thing.title, "ink" if this else "text", bold=this))
    called, title = _called(thing), _title(thing)
    tombstoned = any(note.startswith("tombstoned") for note in thing.notes)
    words = " ".join(filter(None, (called, title))) or one_line(thing.id)[:60] or "no name"
    return (
        Span(f"{kind_word(thing)}  ", "soft"),
        Span(words, "ink" if this else "text", bold=this, strike=tombstoned),
    )


def _called(thing: Thing) -> str:
    """The short name within the id: `T8` of `todo:T8`, `31` of `run_31`; empty for a long one."""
    for before in ("todo:", f"{thing.kind}_", "req_"):
        rest = thing.id.removeprefix(before)
        if rest != thing.id:
            return one_line(rest) if _SHORT.fullmatch(rest) or before == "todo:" else ""
    return ""


def _title(thing: Thing) -> str:
    title = one_line(thing.title)
    if thing.kind == "run" and title.startswith("todo:"):
        return f"on {title[5:]}"
    return "" if title == thing.id else title


def _is_request(thing: Thing) -> bool:
    return thing.kind in ("request", "authority") or thing.id.startswith("req_")


def _hook(level: int, room: Room) -> str:
    step = 2 if room.width >= _ONE_LINE or level <= 4 else 1
    return f"{' ' * (step * min(level, _STEPS))}{room.look.sign('elsewhere')} " if level else ""


def _artifact(branch: Branch, artifact: Artifact, number: int, level: int, room: Room) -> Row:
    """Something outside the log; a commit can be looked at."""
    thing = commit_thing(artifact)
    what = f"commit {artifact.commit[:7]}" if thing else one_line(artifact.uri)
    kind = "" if thing else f"{one_line(artifact.kind) or 'artifact'}  "
    left = (Span(_hook(level, room), "soft", exact=True), Span(kind, "soft"), Span(what))
    said = "artifact" if artifact.how == "artifact" else "references commit"
    where = one_line(artifact.uri.rpartition("@")[0]) if thing else ""
    line = Line(left, (Span(said, "soft"),), indent=1, cut="middle")
    lines = [line]
    if where and room.width < _ONE_LINE:
        lines.append(Line((Span(" " * (len(_hook(level, room)) + 2), exact=True),
                           Span(where, "soft")), indent=1, cut="middle"))  # fmt: skip
    key = f"artifact:{branch.key}:{number}"
    copied = artifact.commit or artifact.uri
    return Row(key, tuple(lines), None, copied, "diff" if thing else "", thing, leads=bool(thing))


def _with_more(row: Row, more: int) -> Row:
    """`row`, with how many hops from there are not shown."""
    first = row.lines[0]
    return row._replace(
        lines=(first._replace(left=(*first.left, Span(f"  +{more}", "soft"))), *row.lines[1:])
    )


def _more(
    branch: Branch, more: int, level: int, room: Room, direction: str, this: str, what: str
) -> Row:
    many = "many" if branch.too_many else f"{more:,}"
    said = " ".join(filter(None, (f"and {many} more", what)))
    line = Line((Span(_hook(level, room), "soft", exact=True), Span(said, "soft")), indent=1)
    thing = this or thing_name(branch.thing)
    return Row(f"more:{direction}:{branch.key}", (line,), None, said, "show", thing, leads=True)


def _none_yet(level: int, room: Room) -> Row:
    words = (Span("decision  ", "soft"), Span("none yet", "needs"))
    return Row("", (Line((Span(_hook(level, room), "soft", exact=True), *words), indent=1),))
