"""What a person chose on the screen, kept for this repository in their own state folder.

Only what they changed is kept; everything else stays as settings and circumstances have it. What is
kept comes before the settings, for it was chosen here; an option of the command line before both.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, get_args

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.files.own import read_at_once
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.app.manner import Motion
from ppgp_tui.ui.looks.ages import Clock
from ppgp_tui.ui.rows.layout import Density
from ppgp_tui.ui.seat.plan_choice import PlanLook, Zoom

if TYPE_CHECKING:
    from ppgp_tui.ui.seat.seat import Seat

FILE = "layout.json"
_LARGEST = 64 * 1024


class Choices(NamedTuple):
    """What was chosen; None where the person chose nothing."""

    view: str | None = None
    density: Density | None = None
    clock: Clock | None = None
    motion: Motion | None = None
    theme: str | None = None
    quiet_until_ms: int | None = None
    plan_zoom: Zoom | None = None
    plan_tree: bool | None = None


_WORDS: Mapping[str, tuple[str, ...]] = {
    "density": get_args(Density),
    "clock": get_args(Clock),
    "motion": get_args(Motion),
    "plan_zoom": get_args(Zoom),
}


def read_choices(path: Path) -> tuple[Choices, str]:
    """What is kept in `path`, and what is wrong with it: then nothing of it is used.

    A file that is not there is an empty one. Members of a newer version are passed over.
    """
    try:
        data = read_at_once(path, _LARGEST + 1)
    except FileNotFoundError:
        return Choices(), ""
    except OSError as error:
        return Choices(), _wrong(path, f"cannot be read: {error.strerror}")
    try:
        said = json.loads(data) if len(data) <= _LARGEST else None
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        return Choices(), _wrong(path, "is damaged")
    for name, value in said.items():
        if name in Choices._fields and not _may_be(name, value):
            return Choices(), _wrong(path, f"is damaged: {name} cannot be {value!r:.40}")
    return Choices(**{name: said[name] for name in Choices._fields if name in said}), ""


def _wrong(path: Path, what: str) -> str:
    return one_line(f"{path} {what}; nothing of it is used, and your next choice replaces it")


def _may_be(name: str, value: Any) -> bool:
    if name == "plan_tree":
        return isinstance(value, bool)
    if name == "quiet_until_ms":
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, str) and value in _WORDS.get(name, (value,))


def write_choices(path: Path, choices: Choices) -> None:
    """Keep what was chosen, whole or not at all. Raises OSError."""
    from ppgp_tui.session.files.safe import Folder

    said = {name: value for name, value in choices._asdict().items() if value is not None}
    path.parent.mkdir(0o700, parents=True, exist_ok=True)
    with Folder.open(path.parent) as folder:
        folder.publish(path.name, json.dumps(said, indent=2).encode() + b"\n")


def chosen(seat: Seat) -> Choices:
    """How the screen stands now."""
    names = [view.name for view in seat.views]
    look = seat.stays[names.index("plan")].plan.look if "plan" in names else PlanLook()
    manner = seat.manner
    return Choices(
        view=seat.views[seat.current].name,
        density=seat.density,
        clock=manner.clock,
        motion=manner.motion,
        theme=manner.theme_before or seat.outside.theme_in_use(),
        quiet_until_ms=manner.quiet_until_ms,
        plan_zoom=look.zoom,
        plan_tree=look.tree,
    )


def restore(seat: Seat, choices: Choices) -> None:
    """Make the screen as it was left; the theme is the program's."""
    from ppgp_tui.ui.looks import ages

    names = [view.name for view in seat.views]
    seat.density = choices.density or seat.density
    manner = seat.manner
    manner.clock = choices.clock or manner.clock
    ages.show_as(manner.clock)
    manner.motion = choices.motion or manner.motion
    manner.quiet_until_ms = choices.quiet_until_ms or 0
    if choices.view in names[: seat.numbered]:
        seat.current = names.index(choices.view)
    if "plan" in names:
        stay = seat.stays[names.index("plan")]
        look = PlanLook(choices.plan_zoom or "", choices.plan_tree or False)
        stay.plan = stay.plan._replace(look=look)


class Memory:
    """Keeps the choices made in one repository."""

    def __init__(self, folder: Path, root: Path) -> None:
        """`folder` is the root's own in the state folder."""
        self.root = root
        self.failed: Callable[[str], None] = lambda _: None
        """Told once, from a thread, why something could not be kept."""
        self._path = folder / FILE
        self._has_failed = False
        self.kept, self.wrong = read_choices(self._path)
        """What is kept, and what is wrong with the file; empty when nothing is."""
        self._last: Choices | None = None
        self._writing = Lock()
        self._threads: list[Thread] = []

    def usable_theme(self, config: Path) -> str | None:
        """The theme that was chosen; None for one that cannot be used any more, which is said."""
        if self.kept.theme is None:
            return None
        from ppgp_tui.ui.looks.settings_file import SettingsError
        from ppgp_tui.ui.looks.theme import find_theme, shipped_folder

        try:
            return find_theme(self.kept.theme, config / "themes", shipped_folder()).name
        except SettingsError as error:
            self.wrong = self.wrong or f"the theme you chose cannot be used: {error}"
            return None

    def restore(self, seat: Seat) -> None:
        """Make the screen as it was left."""
        restore(seat, self.kept)

    def begin(self, seat: Seat) -> None:
        """What the screen looks like now was not chosen just now."""
        self._last = chosen(seat)

    def note(self, seat: Seat) -> None:
        """A key was pressed: keep what it changed, beside the screen."""
        if self._last is None or seat.snapshot.root != self.root:
            return
        now = chosen(seat)
        if now == self._last:
            return
        changed = {
            name: value
            for name, value, before in zip(Choices._fields, now, self._last, strict=True)
            if value != before
        }
        self._last, self.kept = now, Choices(**(self.kept._asdict() | changed))
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = Thread(target=self._write, name="layout", daemon=True)
        self._threads.append(thread)
        thread.start()

    def finish(self) -> None:
        """Wait for what is being written, for a moment at most."""
        for thread in self._threads:
            thread.join(1.0)

    def _write(self) -> None:
        with self._writing:
            try:
                write_choices(self._path, self.kept)
            except OSError as error:
                if not self._has_failed:
                    self._has_failed = True
                    why = error.strerror or str(error)
                    self.failed(f"what you chose is not kept: {self._path}: {why}")
