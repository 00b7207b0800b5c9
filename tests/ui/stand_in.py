"""Stand-ins for what the frame is given: a session, small views, and the program around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.travel.destination import Destination
from ppgp_tui.ui.acts.deeds import Deed
from ppgp_tui.ui.keys.keymap import Keymap
from ppgp_tui.ui.keys.table import action_table
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.looks.theme import find_theme, shipped_folder
from ppgp_tui.ui.rows.layout import GAP, Frame, Layout, Pane
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading, words
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.seat.seat import Seat
from tests.ui import picture


def look(name: str = "harbor", **parts: bool) -> Look:
    """The look of a shipped theme."""
    return find_theme(name, shipped_folder()).look(**parts)


@dataclass
class FakeSession:
    """A session that shows what it is given."""

    snapshot: SessionSnapshot
    text: bytes = b""
    listener: Callable[[SessionSnapshot], None] | None = None
    read_again: int = 0
    closed: bool = False
    checks: int = 0
    wants: int = 0

    def document(self) -> bytes:
        return self.text

    def follow(self, on_change: Callable[[SessionSnapshot], None]) -> None:
        self.listener = on_change

    def read_all(self) -> SessionSnapshot:
        self.read_again += 1
        return self.snapshot

    def check_log(self) -> None:
        self.checks += 1

    def want_graph(self) -> None:
        self.wants += 1

    def close(self) -> None:
        self.closed = True

    def change(self, snapshot: SessionSnapshot) -> None:
        """A newer picture, as the session's threads would bring it."""
        self.snapshot = snapshot
        if self.listener is not None:
            self.listener(snapshot)


@dataclass
class Journeys:
    """Remembers which moments were asked for, and brings none of them."""

    wanted: list[Destination] = field(default_factory=list)
    played: tuple[int, int | None, float] | None = None

    def go(self, wanted: Destination) -> None:
        self.wanted.append(wanted)

    def play(self, at: int, ts_ms: int | None, speed: float) -> None:
        self.played = (at, ts_ms, speed)

    def stop(self) -> None:
        self.played = None


@dataclass
class Told:
    """A program around the seat that remembers what it was asked."""

    copied: list[str] = field(default_factory=list)
    left: int = 0
    suspended: int = 0
    reread_count: int = 0
    checked_log: int = 0
    theme: str = "harbor"
    deeds: list[Deed] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)
    sessions: list[str] = field(default_factory=list)
    asked_again: int = 0
    edited: list[tuple[str, int]] = field(default_factory=list)
    reports: list[tuple[str, str]] = field(default_factory=list)
    audits: Sequence[str] = ()
    travels: Any = field(default_factory=lambda: Journeys())

    def leave(self) -> None:
        self.left += 1

    def to_background(self) -> None:
        self.suspended += 1

    def copy(self, text: str) -> str:
        self.copied.append(text)
        return f"sent to the terminal's clipboard, {len(text):,} characters"

    def reread(self) -> None:
        self.reread_count += 1

    def check_log(self) -> None:
        self.checked_log += 1

    def read_commit(self, name: str) -> None:
        self.commits.append(name)

    def read_report(self, eval_id: str, digest: str) -> None:
        self.reports.append((eval_id, digest))

    def under_way(self) -> Sequence[str]:
        return self.audits

    def use_theme(self, name: str) -> None:
        self.theme = name

    def look_again(self) -> None:
        self.asked_again += 1

    def edit(self, path: str, line: int) -> None:
        self.edited.append((path, line))

    def show_all(self) -> None:
        self.sessions.append("all")

    def open_session(self, key: str, view: str) -> None:
        self.sessions.append(f"{key} {view}".strip())

    def go_home(self) -> None:
        self.sessions.append("home")

    def traveller(self) -> Any:
        return self.travels

    def open_file(self, path: str, line: int) -> None:
        self.edited.append((path, line))

    def do(self, deed: Deed) -> None:
        self.deeds.append(deed)

    def theme_in_use(self) -> str:
        return self.theme

    def themes(self) -> Sequence[str]:
        return (self.theme, *(name for name in ("harbor", "paper") if name != self.theme))


def task_row(key: str, subject: str, *, opens: str = "read", lines: int = 1) -> Row:
    """A row with one sign, some words, a state and a path it came from."""
    more = tuple(Line((Span(f"line {at} of {key}", "soft"),)) for at in range(1, lines))
    first = Line((Span(f"{key} ", "soft"), Span(subject)), (Span("ready", "soft"),), sign="ready")
    origin = picture.plan_origin() if key == "T1" else None
    return Row(key, (first, *more), origin=origin, opens=opens)


@dataclass
class TaskView:
    """A list, with details beside it from 100 columns and in its place when opened below."""

    name: str = "tasks"

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        tasks = snapshot.plan.value.tasks
        rows = [task_row(task.key, task.subject) for task in tasks]
        if frame.filter:
            rows = [row for row in rows if frame.filter.casefold() in words(row).casefold()]
        if not rows:
            rows = [Row("", (Line((Span("no task", "soft"),), indent=1),))]
        shown = (heading("Tasks", right=(Span(str(len(tasks)), "soft"),)), *rows)
        chosen = frame.cursor.get("tasks.list", tasks[0].key if tasks else "")
        if frame.width >= 100:
            half = (frame.width - GAP) // 2
            beside = Pane("tasks.detail", _detail(frame.opened or chosen), half, about=chosen)
            return ((Pane("tasks.list", shown, frame.width - GAP - half),), (beside,))
        if frame.opened:
            return ((Pane("tasks.card", _detail(frame.opened), frame.width, about=frame.opened),),)
        return ((Pane("tasks.list", shown, frame.width),),)


def _detail(key: str) -> tuple[Row, ...]:
    return (
        heading(f"About {key}"),
        Row(f"{key}.needs", (Line((Span("needs nothing"),)),)),
        blank(),
        Row("", tuple(Line((Span(f"words about {key}, line {at}"),)) for at in range(40))),
    )


@dataclass
class LogRows:
    """The events newest first, made when they are drawn."""

    snapshot: SessionSnapshot

    def __len__(self) -> int:
        return self.snapshot.events.value.count

    def __getitem__(self, index: int) -> Row:
        log = self.snapshot.events.value.log
        assert log is not None
        event = log.event(len(log) - 1 - index)
        return Row(event.id, (Line((Span(event.kind),), (Span("1m", "soft"),)),))

    def place(self, key: str) -> int | None:
        log = self.snapshot.events.value.log
        assert log is not None
        index = log.index_of(key)
        return None if index is None else len(log) - 1 - index


@dataclass
class LogView:
    """Rows made on demand that follow the newest, under a heading of their own."""

    name: str = "log"

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        newer = frame.newer.get("log.list")
        note = "follows the newest" if newer is None else f"{newer} newer, G"
        head = heading("Events", right=(Span(note, "soft"),))
        rows = LogRows(snapshot) if snapshot.events.value.log else ()
        return (
            (
                Pane("log.head", (head,), frame.width, height=1),
                Pane("log.list", rows, frame.width, uniform=True, newest_first=True),  # type: ignore[arg-type]
            ),
        )


@dataclass
class TextView:
    """Words only: nothing the cursor can stand on."""

    name: str = "text"
    lines: int = 100

    def layout(self, _: SessionSnapshot, frame: Frame) -> Layout:
        rows = tuple(Row("", (Line((Span(f"line {at}"),), indent=1),)) for at in range(self.lines))
        return ((Pane("text", rows, frame.width),),)


def seat(
    snapshot: SessionSnapshot | None = None,
    width: int = 80,
    height: int = 24,
    views: Sequence[object] | None = None,
    drawn_with: Look | None = None,
    clock: Callable[[], int] = picture.clock,
) -> Seat:
    """A seat before `snapshot` (the full picture unless told) in a terminal of that size."""
    shown = views if views is not None else (TaskView(), LogView(), TextView())
    table = action_table([view.name for view in shown])  # type: ignore[attr-defined]
    session = FakeSession(snapshot or picture.full(), picture.document())
    made = Seat(session, shown, Keymap(table), drawn_with or look(), Told(), clock)  # type: ignore[arg-type]
    made.resize(width, height)
    return made


def told(of: Seat) -> Told:
    """What the seat asked of the program around it."""
    assert isinstance(of.outside, Told)
    return of.outside


def text(of: Seat) -> list[str]:
    """The screen as plain lines."""
    return [line.text for line in screen_lines(of)]
