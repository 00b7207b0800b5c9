"""What is known of the Git repository around a root, as values."""

from __future__ import annotations

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.model import Problem, Repo


class RepoLook(NamedTuple):
    """Git after a look. `repo` is from the last look that worked."""

    repo: Repo = Repo()
    touched_ms: int | None = None
    """When HEAD's commit was made or a changed file was written, whichever was later.

    What the session itself writes (`.ppgp`, `state`, marks in the goal document) does not count.
    """
    goal_written_ms: int | None = None
    """When the goal document was written whose lines have their ages in `repo`."""
    path: str = ".git"
    found: bool = False
    seen_ms: int | None = None
    stale_since_ms: int | None = None
    why: str = ""
    mend: str = ""

    def problems(self) -> tuple[Problem, ...]:
        """Why Git could not be asked, if so."""
        return (Problem("git", self.path, None, self.why, self.mend),) if self.why else ()
