"""The session view as lines of text."""

from __future__ import annotations

from dataclasses import replace

from ppgp_tui.session.model import (
    Part,
    SessionSnapshot,
)
from ppgp_tui.ui.rows.layout import Layout
from ppgp_tui.ui.views.session.session import SessionView
from tests.ui import picture
from tests.ui.views.drawn import frame, screen

VIEW = SessionView()


def lines(
    snapshot: SessionSnapshot, width: int = 48, height: int = 70, **given: object
) -> list[str]:
    return screen(VIEW, snapshot, frame(width, height, **given))


def section(shown: list[str], title: str) -> list[str]:
    """The lines of one section without its heading."""
    start = next(at for at, line in enumerate(shown) if line.startswith(f" {title}"))
    end = next((at for at in range(start, len(shown)) if not shown[at]), len(shown))
    return shown[start + 1 : end]


def with_goal(**changed: object) -> SessionSnapshot:
    return replace(picture.full(), goal=Part(picture.goal()._replace(**changed)))  # type: ignore[arg-type]


def ids(layout: Layout) -> list[list[str]]:
    return [[pane.id for pane in panes] for panes in layout]
