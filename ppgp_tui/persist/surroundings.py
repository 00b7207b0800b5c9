"""What a loop knows of its repository, handed in by whoever starts it (CONTRACTS 11)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from ppgp_tui.persist.condition import Outside
from ppgp_tui.persist.course import Ran


class Iteration(NamedTuple):
    """One run of the agent, as its surroundings see it."""

    loop_id: str
    number: int
    attempt: int
    """1, and one more for each time a rate limit made the same number begin again."""
    max_iterations: int
    left_s: float
    """What the wall clock has left."""


class Need(NamedTuple):
    """Something that only a person can decide, and without which a further run is of no use."""

    id: str
    """What it is about: once a person let the loop go on without it, it is not asked again."""
    why: str
    """What is to be decided, in a few words."""
    how: str = ""
    """What a person can do about it."""
    may_be_done: bool = False
    """The decision may be that the work is done: it is waited for also after the last run."""
    is_over: bool = False
    """A person has decided it: there is nothing left that the loop could serve, and it ends."""


class Surroundings(NamedTuple):
    """Hooks of the loop; each may be left as it is. None of them may raise."""

    before: Callable[[Iteration], bytes] = lambda _: b""
    """Called before a run. Returns what is put before the prompt, such as a boot packet."""
    environ: Callable[[Iteration], Mapping[str, str]] = lambda _: {}
    """Further variables for that run."""
    after: Callable[[Iteration, Ran], Mapping[str, Any]] = lambda *_: {}
    """Called after a run. Returns what the row that follows it is to say besides (`extra`)."""
    ended: Callable[[str, str], None] = lambda *_: None
    """Called with the terminal state and the reason when the loop is closed."""
    outside: Outside = MappingProxyType({})
    """Further success conditions by name."""
    held: Callable[[], str | None] = lambda: None
    """Why a person holds the repository's agents just now, or None. Asked several times a second.

    While it says so the loop's clocks stand still, and no run begins.
    """
    needs: Callable[[], Need | None] = lambda: None
    """What only a person can decide just now. Asked after each run, and while the loop rests for
    it, every second."""
    released: Callable[[str], str | None] = lambda _: None
    """Called when the loop is over with the id of a hold that a pause of it brought along. Lets the
    repository's agents go on where it still stands, and says so."""
    root: str | None = None
    """The top of the Git work tree that the loop works in, for its first row."""
    goal: str | None = None
    """What the loop is bound to (`--goal`), for its first row: the id of the log's goal, else the
    path of the goal document."""
