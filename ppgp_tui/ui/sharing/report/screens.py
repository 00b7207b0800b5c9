"""The pictures of a report: every view at one size, and the first one in a narrow pane too."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from ppgp_tui.session.model import Plan, Session, SessionSnapshot, Watching
from ppgp_tui.ui.app.crew import Crew
from ppgp_tui.ui.graph import draw
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.sharing.pictures import picture
from ppgp_tui.ui.sharing.report.material import Picture
from ppgp_tui.ui.sharing.svg import svg
from ppgp_tui.ui.views import VIEWS
from ppgp_tui.ui.views.plan.graph import MOST_DRAWN, nodes_of

WIDE: Final = (120, 40)
NARROW: Final = (48, 24)


def graph_text(plan: Plan, look: Look) -> str:
    """The dependency graph of `plan` as text, keys and lines; empty for no or too many tasks."""
    nodes = nodes_of(plan)
    if not 0 < len(nodes) <= MOST_DRAWN:
        return ""
    lines = draw(nodes, "keys", "right", WIDE[0], look).lines
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines)


class _Still:
    """A session as it was read just now, by nobody who follows it."""

    def __init__(self, session: Session) -> None:
        self.snapshot: SessionSnapshot = replace(session.snapshot, watching=Watching("live"))
        self.document = session.document

    def want_graph(self) -> None:
        """What is known of the graph is in the picture."""


def screens(session: Session, look: Look, now_ms: int, crew: Crew | None = None) -> list[Picture]:
    """Every view of `session` drawn with `look`."""
    shots = [(view.name, WIDE) for view in VIEWS] + [(VIEWS[0].name, NARROW)]
    pictures = []
    still = _Still(session)
    for view, size in shots:
        title = f"{view.capitalize()}, {size[0]} columns"
        lines = picture(still, view, size, look, now_ms, crew)
        pictures.append(Picture(f"screens/{view}-{size[0]}.svg", title, svg(lines, look, title)))
    return pictures
