"""What goes into a drawing of the dependency graph, and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

from ppgp_tui.ui.looks.look import Role, Sign
from ppgp_tui.ui.rows.row import Span

Zoom = Literal["cards", "keys", "dots"]
Direction = Literal["right", "down"]
Mark = Literal["", "added", "removed", "reworded", "restated", "rewired"]
"""How a task differs from the older side of a comparison; empty: it does not, or nothing is
compared."""
Order = tuple[tuple[str, ...], ...]
"""Keys by layer as drawn. A key that stands again in a later layer is its edge passing there."""


class Node(NamedTuple):
    """One task as the graph shows it. The texts may come from a file: they are cleaned here."""

    key: str
    """Identity. Of two nodes with one key the first is drawn, and edges mean it."""
    label: str
    """What is written for the key."""
    sign: Sign = "waits"
    role: Role = "soft"
    """Colour of sign, spine and state word."""
    word: str = ""
    """State word of a card, short: left out when it does not fit whole, but for the class of a
    blocker (`B 02:00`, then `B`)."""
    subject: str = ""
    needs: tuple[str, ...] = ()
    """Keys it waits for; those not among the nodes and its own are passed over."""
    needs_no_longer: tuple[str, ...] = ()
    """What it needed on the older side of a comparison only; such edges are dashed."""
    mark: Mark = ""
    faint: bool = False
    """Outside the family of the cursor: keeps sign and spine, loses weight."""
    stands_for: tuple[str, ...] = ()
    """Keys folded into this one (`12 done`, `14 more`); empty for a task of its own."""


class Box(NamedTuple):
    """Where a node is drawn, in cells from the top left of the drawing."""

    x: int
    y: int
    width: int
    height: int
    layer: int
    """0 for what needs nothing; right or down is later."""


@dataclass(frozen=True)
class Drawing:
    """A drawn graph. Its lines are painted when they are looked at."""

    width: int
    """Cells, with the blank first and last column. More than was asked for: pan with `crop`."""
    height: int
    zoom: Zoom
    direction: Direction
    boxes: Mapping[str, Box]
    order: Order
    """Pass it back as `before`, and what is there already keeps its order."""
    edges: tuple[tuple[str, str], ...]
    """(needed, needing) as drawn, from the first layer on; those of `cycle` turned round."""
    implied: int
    """Edges not drawn because a longer way says the same."""
    cycle: tuple[tuple[str, str], ...]
    """Edges (needed, needing) against the direction, drawn in `stop`; empty without circles."""
    crossings: int
    """Pairs of edges that cross between two neighbouring layers."""
    paint: Callable[[int, int, int], tuple[Span, ...]]
    """Row, first column and width in; spans exactly that many cells wide out."""

    @cached_property
    def lines(self) -> tuple[tuple[Span, ...], ...]:
        """Every line, exactly `width` cells."""
        return self.crop(0, 0, self.width, self.height)

    def crop(self, x: int, y: int, width: int, height: int) -> tuple[tuple[Span, ...], ...]:
        """The window of `width` by `height` cells at `x`, `y`; blank beyond the drawing."""
        return tuple(self.paint(row, x, width) for row in range(y, y + height))
