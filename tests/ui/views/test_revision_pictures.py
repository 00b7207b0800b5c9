"""The plan's history at every usual size, as text beside this file.

As in `test_pictures`: `PPGP_GOLDEN=write` writes them; look at the difference first.
"""

from __future__ import annotations

import pytest

from ppgp_tui.session.plan_history.comparing import between
from ppgp_tui.ui.rows.layout import free
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from ppgp_tui.ui.views.plan.blame_rows import blame_rows
from ppgp_tui.ui.views.plan.compared import GRAPH, marked_nodes
from ppgp_tui.ui.views.plan.plan import PlanView
from ppgp_tui.ui.views.plan.revision_rows import since_rows
from tests.ui import picture
from tests.ui.picture_history import LOOKED, history, with_history
from tests.ui.pressing import press
from tests.ui.stand_in import seat
from tests.ui.views.drawn import ASCII, PLAIN, composed, text_of
from tests.ui.views.test_pictures import SIZES, looks_like

SHOWN = {
    "since": ("2", "["),
    "step": ("2", "[", "[", "["),
    "pair": ("2", "=", "[", "[", "["),
}


def sitting(width: int, height: int, *keys: str) -> Seat:
    # A drawing keeps the order of the one before.
    fresh = [PlanView() if view.name == "plan" else view for view in VIEWS]
    of = seat(with_history(), width, height, fresh)
    of.lately.looked = LOOKED
    of.arrange()
    return press(of, *keys)


def shown(of: Seat, *, ascii_only: bool = False) -> list[str]:
    """The view alone, as it is composed, without the graph: that has pictures of its own."""
    room = of.frame()._replace(look=ASCII if ascii_only else PLAIN)
    columns = of.views[of.current].layout(of.snapshot, room)
    left = [[pane for pane in column if pane.id not in (GRAPH, "")] for column in columns]
    above = sum(pane.height or 0 for pane in left[0] if pane.wide)
    layout = (left[0], *([free(above), *column] for column in left[1:]))
    return composed(tuple(map(tuple, layout)), room)


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("name", SHOWN)
def test_the_history_at_each_size(name: str, width: int, height: int) -> None:
    looks_like(f"history-{name}-{width}x{height}", shown(sitting(width, height, *SHOWN[name])))


@pytest.mark.parametrize("name", SHOWN)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_history_with_ascii_signs(name: str, width: int, height: int) -> None:
    lines = shown(sitting(width, height, *SHOWN[name]), ascii_only=True)
    looks_like(f"history-{name}-{width}x{height}-ascii", lines)
    assert all(line.replace("▌", " ").isascii() for line in lines)


def test_the_graph_marks_what_came_changed_and_left_and_keeps_lost_edges() -> None:
    found = between(history(), 11, 13)
    assert found is not None
    nodes = {node.key: node for node in marked_nodes(found, picture.plan())}

    marks = {key: node.mark for key, node in nodes.items() if node.mark}
    assert marks == {
        "T5": "restated", "T9": "reworded", "T10": "added", "T11": "added", "T12": "rewired",
        "T13": "removed",
    }  # fmt: skip
    assert [nodes[key].word for key in ("T10", "T11", "T9", "T13", "T5")] == [
        "new", "B 02:00", "chg", "gone", "runs",
    ]  # fmt: skip
    assert (nodes["T13"].needs, nodes["T13"].needs_no_longer) == ((), ("T3",))
    assert nodes["T12"].needs_no_longer == ("T9",)


@pytest.mark.parametrize("key", ["T9", "T13", "T1"])
@pytest.mark.parametrize("width", [48, 72])
def test_blame_at_each_width_of_a_sheet(key: str, width: int) -> None:
    rows = blame_rows(history(), key, width, picture.NOW)
    lines = [text_of(line, width) for row in rows for line in row.lines]
    looks_like(f"history-blame-{key}-{width}", lines)


@pytest.mark.parametrize("width", [39, 48, 52, 80])
def test_what_changed_since_the_last_look_in_the_session(width: int) -> None:
    of = sitting(80, 24)
    rows = since_rows(of.frame().since, width, picture.NOW)
    lines = [text_of(line, width) for row in rows for line in row.lines]
    looks_like(f"history-session-{width}", lines)
