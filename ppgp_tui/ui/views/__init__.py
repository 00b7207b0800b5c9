"""The six views: functions from the snapshot to rows. No Textual, no files, no state.

Only the first is imported at once: a start shows no other.
"""

from __future__ import annotations

from importlib import import_module

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.rows.layout import Frame, Layout, View
from ppgp_tui.ui.views.session.session import SessionView


class _Later:
    """The view `NameView` of the module `folder.name`, imported when it is looked at."""

    def __init__(self, folder: str, name: str = "") -> None:
        self.folder = folder
        self.name = name or folder
        self._view: View | None = None

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """Return its panes."""
        if self._view is None:
            module = import_module(f"{__name__}.{self.folder}.{self.name}")
            self._view = getattr(module, f"{self.name.capitalize()}View")()
        return self._view.layout(snapshot, frame)


VIEWS: tuple[View, ...] = (
    SessionView(),
    _Later("plan"),
    _Later("inbox"),
    _Later("log", "events"),
    _Later("goal"),
    _Later("agents"),
)
"""In the order of the keys 1 to 6."""
RIBBON: View = _Later("session", "ribbon")
"""In place of the first where the screen is too narrow for it."""
AUDIT: View = _Later("audit")
"""It has no number: `A` leads there, and Esc back."""
