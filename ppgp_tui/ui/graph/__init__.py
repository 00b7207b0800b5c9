"""The dependency graph as characters: values in, cells out.

`draw(nodes, zoom, direction, width, look, cursor, before)` lays the nodes out in layers and returns
a `Drawing`. Nothing here knows a snapshot or a seat. Rules of the picture:

- Layers by longest path; an edge that a longer way implies is hidden and counted.
- An edge leaves the second row of a card (or its lower centre), runs straight through empty layers
  and turns only in the gap before its target. There are no arrowheads: right or down is later.
- One lane per source in each gap; sources of one and the same target share it. Lanes share a column
  only if their spans do not touch. Where A leaves on the line on which an edge of B arrives, A's
  lane comes first, and an edge that goes straight is not joined by one that leads elsewhere too,
  else the picture lies: the first upright that a line meets is its own, with all its branches.
- Joins are drawn for one source or one target only; a crossing is the upright through a gap.
- Order within a layer is kept over updates; a change of state moves nothing.

Beside the drawing: `neighbourhood` and `fold_done` make a large plan small enough to be read,
`family`, `critical_path` and `unblocks` say what hangs on what.
"""

from ppgp_tui.ui.graph.draw import draw
from ppgp_tui.ui.graph.kin import critical_path, family, unblocks
from ppgp_tui.ui.graph.model import (
    Box,
    Direction,
    Drawing,
    Mark,
    Node,
    Order,
    Zoom,
)
from ppgp_tui.ui.graph.part import fold_done, neighbourhood

__all__ = [
    "Box", "Direction", "Drawing", "Mark", "Node", "Order", "Zoom", "critical_path", "draw",
    "family", "fold_done", "neighbourhood", "unblocks",
]  # fmt: skip
