"""How a view fills the screen: panes of rows, side by side or stacked.

A view is a pure function `layout(snapshot, frame)`; the app draws what it returns and keeps the
cursor and the scroll of every pane by id and row key, so nothing here remembers anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.model import Request, SessionSnapshot
from ppgp_tui.ui.app.crew import Crew, Kind
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.rows.row import Row
from ppgp_tui.ui.seat.plan_choice import PlanStay
from ppgp_tui.ui.seat.revision_choice import Compared

if TYPE_CHECKING:
    from ppgp_tui.audit.kept import Kept
    from ppgp_tui.session.picture.commit import Commit

T = TypeVar("T")
Density = Literal["compact", "normal", "roomy"]
"""No blank lines; those between sections; one between requests as well."""
GAP = 3
"""Blank columns between two columns of panes; the widths of a layout leave room for them."""


class Frame(NamedTuple):
    """The room a view has, and what the person is doing in it."""

    width: int
    height: int
    """Rows between the tab line and the key line."""
    look: Look
    now_ms: int
    cursor: Mapping[str, str] = MappingProxyType({})
    """Row key under the cursor by pane id; a pane the person has not visited is missing."""
    opened: str | None = None
    """Key of the row opened with Enter, where details have no pane of their own."""
    newer: Mapping[str, int] = MappingProxyType({})
    """By pane id, how many rows arrived above since the cursor left the top of a `newest_first`
    pane, for a heading that says `12 newer, G`; a pane that follows the newest is missing."""
    density: Density = "normal"
    filter: str = ""
    document: bytes = b""
    """The goal document as last read, for the raw text view."""
    order: tuple[str, ...] = ()
    """Ids of the requests in the order they are listed; empty: that of the snapshot."""
    changed: str = ""
    """Id of the request that changed while it was looked at, to be read again."""
    keys: Mapping[str, str] = MappingProxyType({})
    """The first key of each action by its id, as it is written."""
    trail: tuple[str, ...] = ()
    """What was gone through to what is opened, the first on the left: `view:NAME`, and things as
    in `Row.thing`."""
    more: int = 0
    """How often more was asked for of what is opened."""
    raw: bool | None = None
    """Whether events are listed one by one, not as a story; None: the person did not choose."""
    turned: frozenset[str] = frozenset()
    """Keys of the groups that the person opened or closed."""
    commits: Mapping[str, Commit | str] = MappingProxyType({})
    """By hash the commits that were read, or why one could not be; one being read is missing."""
    later: Mapping[str, Request] | None = None
    """While the past is shown: the requests as they stand now, by id."""
    kind: Callable[[str], Kind] = Crew().kind
    """What is known of a kind of agent, by its name."""
    plan: PlanStay = PlanStay()
    """How the person looks at the plan."""
    compared: Compared | None = None
    """Two revisions of the plan to be shown instead of the plan of now."""
    since: Compared | None = None
    """What changed in the plan since the person last looked; None: nothing, or nobody knows."""
    reports: Mapping[str, Kept | str] = MappingProxyType({})
    """By id of the audit the reports that were read, or why there is none to go by."""
    kept: dict[str, Any] | None = None
    """What views made for this seat, such as a drawing in which things stay where they are; by
    name. None: nothing outlasts this picture."""


def kept(frame: Frame, name: str, make: Callable[[], T]) -> T:
    """What a view made under `name` for the seat of `frame`, made with `make` the first time."""
    if frame.kept is None:
        return make()
    if name not in frame.kept:
        frame.kept[name] = make()
    found: T = frame.kept[name]
    return found


class Pane(NamedTuple):
    """A column or part of one: a scrolling list of rows."""

    id: str
    """Unique in the view, stable over widths, such as `inbox.list`."""
    rows: Sequence[Row]
    """The same object as last time when nothing differs: then nothing is compared again. May be
    lazy when every row is one line tall; see `uniform` and `Placed`."""
    width: int
    height: int | None = None
    """None: all that the panes above and below leave."""
    uniform: bool = False
    """Every row is exactly one line, so rows are only asked for when they are in view."""
    about: str = ""
    """What a detail pane shows, such as the id of the request: when it changes, the pane is a new
    one, so its cursor and scroll start anew and no row of the old one stays."""
    urgent_first: bool = False
    """What needs a person arrives at the top: while the top is in view it stays in view."""
    newest_first: bool = False
    """Rows arrive at the top; the pane stays there until the cursor leaves it."""
    reveal: str = ""
    """Key of the row to bring into view whenever this value changes, such as the lines of the
    field under the cursor of the pane beside it; the cursor does not move."""
    wide: bool = False
    """It reaches over the columns to its right, which leave its lines free (`free`)."""


def free(height: int) -> Pane:
    """Lines of a column that are left to a wide pane of a column to the left."""
    return Pane("", (), 0, height)


class Placed(Protocol):
    """What lazy rows offer besides `Sequence`: where a key is, without asking for every row."""

    def place(self, key: str) -> int | None:
        """The index of the row with that key, or None."""
        ...


Layout = tuple[tuple[Pane, ...], ...]
"""Columns from left to right, each a stack of panes from top to bottom."""


class View(Protocol):
    """One of the numbered views."""

    name: str
    """As the tab line says it."""

    def layout(self, snapshot: SessionSnapshot, frame: Frame) -> Layout:
        """Return the panes for this snapshot in this room."""
        ...
