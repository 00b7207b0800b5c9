"""One revision in the history of the plan, and many of them as one value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal, overload

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.pi.plan import Removal

RevisionOrigin = Literal["call", "adopted", "pi", "commit", "file"]
"""By a call, by taking over a hand edit, in a Pi session, in a commit, or in the file as it is."""


class Revision(NamedTuple):
    """One plan in a row of plans, without the plan itself."""

    number: int | None
    at: int
    """Where its plan is to be found: index of the event, offset in the session file, or place in a
    list."""
    id: str
    """Of the event, of the entry of the session, or of the commit; empty for a file as it is."""
    ts_ms: int | None
    by: str
    origin: RevisionOrigin
    digest: str = ""
    """16 hex digits of its digest; empty where it has none."""
    added: int = 0
    changed: int = 0
    removed: int = 0
    reordered: bool = False
    keys: tuple[str, ...] = ()
    """Of the tasks that came, changed or left."""
    reasons: tuple[Removal, ...] = ()
    """Why tasks left, where that was said."""
    brief: str = ""
    """What it changed, in a few words such as `T4 done`."""
    said: str = ""
    """What whoever made it said of it all: the subject of the commit."""
    exact: bool = True
    """False: a revision was put in before it later, so what it changed is to be compared anew."""

    @property
    def name(self) -> str:
        """What it is called: `r14`, or the commit by its first digits."""
        if self.origin == "commit":
            return self.id[:7]
        if self.origin == "file":
            return "file"
        return "r?" if self.number is None else f"r{self.number}"


class Revisions(Sequence[Revision]):
    """The first so many of a list that only grows; equal when list and number are the same."""

    __slots__ = ("_count", "_kept", "older")

    def __init__(self, kept: Sequence[Revision] = (), older: int = 0) -> None:
        self._kept = kept
        self._count = len(kept)
        self.older = older
        """How many revisions before the first are known of, and not kept."""

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Revision: ...
    @overload
    def __getitem__(self, index: slice) -> list[Revision]: ...
    def __getitem__(self, index: int | slice) -> Revision | list[Revision]:
        if isinstance(index, slice):
            return [self._kept[at] for at in range(*index.indices(self._count))]
        at = index + self._count if index < 0 else index
        if not 0 <= at < self._count:
            raise IndexError(f"revision {index} of {self._count}")
        return self._kept[at]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Revisions) or self._count != other._count:
            return False
        if self.older != other.older:
            return False
        return self._kept is other._kept or self[:] == other[:]

    def __hash__(self) -> int:
        return hash((self._count, self.older))

    def __repr__(self) -> str:
        return f"Revisions({self._count}, older={self.older})"

    def numbered(self, number: int, digest: str = "") -> int | None:
        """Where the newest revision with that number is, and with that digest where one is given.

        None where there is none.
        """
        for at in range(self._count - 1, -1, -1):
            one = self._kept[at]
            if one.number == number and (not digest or not one.digest or one.digest == digest):
                return at
        return None


NO_REVISIONS: Final = Revisions()
