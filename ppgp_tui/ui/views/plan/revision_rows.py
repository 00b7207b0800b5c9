"""What changed between two revisions, and the rail of all revisions, as rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from ppgp_tui.pi.plan import TodoState, TodoTask
from ppgp_tui.pi.todo import standing
from ppgp_tui.session.files.places import login
from ppgp_tui.session.model import Origin
from ppgp_tui.session.plan_history.comparing import Comparison, counted
from ppgp_tui.session.plan_history.history import PlanHistory
from ppgp_tui.session.plan_history.marks import Mark, MarkedTask, compared
from ppgp_tui.session.plan_history.revision import Revision
from ppgp_tui.ui.looks.ages import age, when, width
from ppgp_tui.ui.looks.look import Look, Role, Sign
from ppgp_tui.ui.looks.words import TASKS
from ppgp_tui.ui.rows.columns import cells, to_left, to_right, widest
from ppgp_tui.ui.rows.row import Line, Row, RowsOnDemand, Span, heading
from ppgp_tui.ui.seat.revision_choice import Compared, rail_key

_LONGEST_KEY = 12
_WHOLE_TITLE = 44
_RAIL = 12
"""Revisions of which a rail of one line is made; as many are shown as there is room for."""


class MarkWord(NamedTuple):
    """How a change is told."""

    word: str
    sign: Sign
    role: Role


MARKS: dict[Mark, MarkWord] = {
    "added": MarkWord("added", "added", "ok"),
    "reworded": MarkWord("reworded", "changed", "wait"),
    "restated": MarkWord("restated", "changed", "wait"),
    "rewired": MarkWord("re-wired", "elsewhere", "wait"),
    "removed": MarkWord("removed", "dropped", "soft"),
}
_ORDER: tuple[Mark, ...] = ("added", "reworded", "restated", "rewired", "removed")


def counts(added: int, changed: int, removed: int) -> tuple[Span, ...]:
    """`+2 ~2 /1`; what is nought is left out, and where all is, nothing is said."""
    parts: list[tuple[str, int, Role]] = [
        ("+", added, "ok"), ("~", changed, "wait"), ("/", removed, "soft"),
    ]  # fmt: skip
    spans: list[Span] = []
    for sign, number, role in parts:
        if number:
            spans.append(Span(f"{' ' if spans else ''}{sign}{number}", role, bold=role != "soft"))
    return tuple(spans)


def heading_note(shown: Compared, now_ms: int) -> str:
    """What is compared: `since you last looked, 25m`."""
    revision = shown.revision
    if shown.mode == "since":
        since = age(shown.looked_ms, now_ms)
        return f"since you last looked{f', {since}' if since else ''}"
    if shown.mode == "pair":
        held = shown.history.revisions[shown.pinned].name if shown.pinned is not None else ""
        return f"compared, {held} is held" if held else "compared"
    return ": ".join(filter(None, (made(shown.history, revision, now_ms), revision.said)))


def made_by(history: PlanHistory, revision: Revision) -> str:
    """Who made a revision; of the file as it is, that nobody is known."""
    if revision.origin != "file":
        own = revision.origin in ("call", "adopted") and revision.by == login()
        return "you" if own and revision.by else revision.by
    return "edited by hand, not recorded" if history.source == "log" else "not committed"


def made(history: PlanHistory, revision: Revision, now_ms: int) -> str:
    """`8m ago, claude`."""
    since = age(revision.ts_ms, now_ms)
    by = made_by(history, revision)
    by += ", edited by hand" if revision.origin == "adopted" else ""
    return ", ".join(filter(None, (f"{since} ago" if since else "", by)))


def thing_of(history: PlanHistory, revision: Revision) -> str:
    """What a revision stands for: the event or commit that made it."""
    if history.source == "log":
        return f"event:{revision.at}" if revision.origin != "file" else ""
    return f"commit:{revision.id}" if revision.origin == "commit" else ""


# --- what changed -------------------------------------------------------------------------------


def change_rows(
    shown: Compared, *, brief: bool = False, spaced: bool = False, most: int | None = None
) -> list[Row]:
    """A row for every task that came, changed or left, those that came first.

    `most` of them are named. `brief` leaves out what a second line would say, `spaced` says it
    without `why:` (there is room for a line of its own below each). The same list again while
    nothing differs.
    """
    found = shown.found
    if found is None:
        said = "one of these plans is no longer recorded"
        return [Row("", (Line((Span(said, "soft"),), indent=1),))]
    facts = _facts(found)
    form = brief, spaced, most
    if form not in facts.rows:
        facts.rows[form] = _change_rows(shown, found, facts, brief, spaced, most)
    return facts.rows[form]


def _change_rows(
    shown: Compared, found: Comparison, facts: _Facts, brief: bool, spaced: bool, most: int | None
) -> list[Row]:
    marked = facts.marked
    key_width = widest([one.task.key[:_LONGEST_KEY] for one in marked])
    told = _Told(shown, facts, key_width, brief, spaced)
    rows = [told.row(one) for one in marked[:most]]
    if more := len(marked) - len(rows):
        said = f"{more:,} more in the plan's history"
        rows.append(Row("", (Line((Span(said, "soft"),)),)))
    if found.change.reordered:
        line = Line((Span("the others stand in another order", "soft"),), (), "elsewhere", "wait")
        rows.append(Row("", (line,)))
    if not rows:
        rows.append(Row("", (Line((Span("no task is different", "soft"),), indent=1),)))
    return rows


class _Facts(NamedTuple):
    """One comparison by the keys of its tasks."""

    marked: list[MarkedTask]
    """The tasks that are different, in the order they are told."""
    said: Mapping[str, Mapping[Mark, str]]
    """By key what changed in a task that stayed, in words."""
    why: Mapping[str, str]
    """By key why a task left, where that was said."""
    rows: dict[tuple[bool, bool, int | None], list[Row]]
    """The rows that were made of it, by what they leave out."""


_KEPT: Final = 4
_last: list[tuple[Comparison, _Facts]] = []
"""The comparisons told last: while one is the same value, so are its facts."""


def _facts(found: Comparison) -> _Facts:
    for comparison, facts in _last:
        if comparison is found:
            return facts
    change = found.change
    marked = [one for one in compared(found.before, found.after, change) if one.mark]
    marked.sort(key=lambda one: _ORDER.index(one.mark))
    was, now = _standings(found.before), _standings(found.after)
    said: dict[str, dict[Mark, str]] = {}
    for reworded in change.reworded:
        words = _reworded(reworded.before, reworded.after)
        said.setdefault(reworded.after.key, {})["reworded"] = words
    for restated in change.restated:
        key = restated.key
        said.setdefault(key, {})["restated"] = f"{was[key]}, now {now[key]}"
    for rewired in change.rewired:
        after, before = " ".join(rewired.after), " ".join(rewired.before)
        words = f"needs {after or 'nothing'}, was {before or 'nothing'}"
        said.setdefault(rewired.key, {})["rewired"] = words
    why = {left.task.key: left.reason for left in change.removed if left.reason}
    made = _Facts(marked, said, why, {})
    _last[:] = [(found, made), *_last[: _KEPT - 1]]
    return made


def _standings(state: TodoState) -> dict[str, str]:
    """By key how each task stands, in a word; of equal keys the first counts."""
    words: dict[str, str] = {}
    for task, stands in zip(state.tasks, standing(state.tasks), strict=True):
        words.setdefault(task.key, TASKS[stands].text)
    return words


class _Told(NamedTuple):
    """Tells the changes of one comparison."""

    shown: Compared
    facts: _Facts
    key_width: int
    brief: bool
    spaced: bool

    def row(self, marked: MarkedTask) -> Row:
        task, mark = marked
        told = MARKS[mark]
        struck = mark == "removed"
        said, *more = self._said(task, mark)
        left = (
            *to_left(Span(task.key, "soft"), self.key_width),
            Span(" "),
            Span(said, "soft" if struck else "text", strike=struck),
        )
        right = (Span(told.word, told.role),)
        lines = [Line(left, right, told.sign, told.role)]
        indent = 3 + self.key_width + 1
        if not self.brief:
            lines += [Line((Span(words, "soft"),), indent=indent) for words in more]
        history = self.shown.history
        revision = self._revision(task.key)
        thing = thing_of(history, revision)
        origin = Origin(history.where) if history.where else None
        return Row(
            f"changed:{task.key}", tuple(lines), origin, f"{task.key} {said}, {told.word}",
            "its event" if thing.startswith("event") else "its commit" if thing else "",
            thing, leads=bool(thing),
        )  # fmt: skip

    def _revision(self, key: str) -> Revision:
        """The newest of the revisions compared that changed the task."""
        revisions = self.shown.history.revisions
        for at in range(self.shown.last, self.shown.first, -1):
            if key in revisions[at].keys:
                return revisions[at]
        return self.shown.revision

    def _said(self, task: TodoTask, mark: Mark) -> list[str]:
        """The words of the first line, and those of the lines below."""
        if mark == "added":
            return [task.subject]
        if mark == "removed":
            why = self.facts.why.get(task.key)
            return [task.subject, *([why if self.spaced else f"why: {why}"] if why else [])]
        told = dict(self.facts.said[task.key])
        if self.spaced:
            words = told.pop("reworded", task.subject)
            return [words, "; ".join(told.values())] if told else [words]
        first = told.pop(mark)
        return [first, *told.values()]


def _reworded(was: TodoTask, now: TodoTask) -> str:
    """`Kill test at 50 points, was 10`: of the words that went only those that differ."""
    if was.subject == now.subject:
        return f"{now.subject}, described otherwise"
    before, after = was.subject.split(), now.subject.split()
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    most = min(len(before), len(after)) - start
    while end < most and before[-1 - end] == after[-1 - end]:
        end += 1
    gone = before[start : len(before) - end]
    if not start and not end:
        return f"{now.subject}, was “{was.subject}”"
    if not gone:
        return f"{now.subject}, words added"
    left = "was" if len(after) > start + end else "without"
    return f"{now.subject}, {left} {' '.join(gone)}"


SINCE = 8
"""Changes that the session's view names; of more the number is said."""


def since_rows(shown: Compared | None, pane: int, now_ms: int) -> list[Row]:
    """What changed since the person last looked, as a section; nothing where nothing did."""
    if shown is None or shown.found is None:
        return []
    since = age(shown.looked_ms, now_ms)
    right = (Span(", ".join(filter(None, (since, shown.name))), "soft"),)
    title = "Since you last looked" if pane >= _WHOLE_TITLE else "Since you looked"
    rows = change_rows(shown, brief=True, most=SINCE)
    return [heading(title, right=right), *rows]


# --- the rail -----------------------------------------------------------------------------------


class RailRows(RowsOnDemand):
    """All revisions, the newest first, each made when it is looked at."""

    def __init__(self, shown: Compared, pane: int, look: Look, now_ms: int) -> None:
        self._shown = shown
        self._pane = pane
        self._look = look
        self._now_ms = now_ms
        revisions = shown.history.revisions
        self._names = widest([one.name for one in revisions[-50:]], 3)
        self._origin = Origin(shown.history.where) if shown.history.where else None

    def __len__(self) -> int:
        return len(self._shown.history)

    def row(self, index: int) -> Row:
        """See `RowsOnDemand`."""
        at = len(self) - 1 - index
        if not 0 <= at < len(self):
            raise IndexError(index)
        shown, revision = self._shown, counted(self._shown.history, at)
        here, held = at == shown.at, at == shown.pinned
        name = Span(revision.name, "ink" if here or held else "soft", bold=here)
        said, role, bold = _did(shown.history, revision), "text", False
        since = when(revision.ts_ms, self._now_ms)
        told = counts(revision.added, revision.changed, revision.removed)
        if at == shown.looked:
            said, role, bold = "you looked here", "wait", True
            since = when(shown.looked_ms, self._now_ms)
        left = (*to_left(name, self._names), Span("  "), Span(said, role, bold=bold))  # type: ignore[arg-type]
        right = (*told, Span("  "), *to_right(Span(since, "soft"), width()))
        sign: Sign | None = "held" if held else None
        line = Line(left, right, sign, "held")
        thing = thing_of(shown.history, revision)
        opens = "its event" if thing.startswith("event") else "its commit" if thing else ""
        copy = f"{revision.name}, {said}"
        return Row(rail_key(revision, at), (line,), self._origin, copy, opens, thing, bool(thing))

    def place(self, key: str) -> int | None:
        """The index of the row with that key, or None."""
        at = key.removeprefix("rev:").partition(":")[0]
        if not key.startswith("rev:") or not at.isdigit() or int(at) >= len(self):
            return None
        index = len(self) - 1 - int(at)
        return index if rail_key(self._shown.history.revisions[int(at)], int(at)) == key else None


def _did(history: PlanHistory, revision: Revision) -> str:
    return ", ".join(filter(None, (revision.brief, made_by(history, revision))))


def rail_line(shown: Compared, pane: int) -> Line:
    """`r12 you looked, r13 ~1, r14 +2 ~1 /1`, and where that is known from if there is room."""
    source = {"pi session": "from Pi", "git": "from Git", "file": "file only"}
    where = (Span(source.get(shown.history.source, "from the log"), "soft"),)
    right = where if pane >= 60 or shown.history.source != "log" else ()
    room = pane - 3 - cells(*right)
    return Line(_fitting(shown, room), right, indent=1)


def _fitting(shown: Compared, room: int) -> tuple[Span, ...]:
    """As many revisions around the one at hand as there is room for."""
    count = len(shown.history)
    first = last = min(max(0, shown.at), count - 1)
    wanted = _nearest(shown, count)
    spans = _rail(shown, range(first, last + 1))
    for at in wanted:
        tried = (min(first, at), max(last, at))
        longer = _rail(shown, range(tried[0], tried[1] + 1))
        if cells(*longer) > room:
            continue
        (first, last), spans = tried, longer
    return spans


def _nearest(shown: Compared, count: int) -> Sequence[int]:
    """The revisions to show besides, the most wanted first: those compared, then others near."""
    step = 1 if shown.at == shown.first else -1
    other = shown.last if step > 0 else shown.first
    between = range(shown.at + step, other + step, step)[:_RAIL]
    others = [at for away in range(1, _RAIL) for at in (shown.at + away, shown.at - away)]
    return [at for at in dict.fromkeys((*between, *others)) if 0 <= at < count]


def _rail(shown: Compared, places: Iterable[int]) -> tuple[Span, ...]:
    spans: list[Span] = []
    for at in places:
        revision = counted(shown.history, at)
        here = at == shown.at
        spans += [Span(", ", "soft")] if spans else []
        spans.append(Span(revision.name, "ink" if here else "soft", bold=here))
        if at == shown.pinned:
            spans.append(Span(" held", "held"))
        if at == shown.looked:
            spans.append(Span(" you looked", "wait"))
        elif told := counts(revision.added, revision.changed, revision.removed):
            spans += [Span(" "), *told]
    return tuple(spans)
