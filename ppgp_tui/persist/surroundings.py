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
    root: str | None = None
    """The top of the Git work tree that the loop works in, for its first row."""
    goal: str | None = None
    """What the loop is bound to (`--goal`), for its first row: the id of the log's goal, else the
    path of the goal document."""
