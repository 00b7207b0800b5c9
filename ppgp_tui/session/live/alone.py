"""One goal document by itself, for a file that no session's settings name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ppgp_tui.session.live.composition import Known, compose
from ppgp_tui.session.model import Control, SessionSnapshot
from ppgp_tui.session.settings.settings import Settings
from ppgp_tui.session.sources.document import Look
from ppgp_tui.session.sources.goal import GoalSource


def document_alone(file: Path, root: Path, clock: Callable[[], int]) -> SessionSnapshot:
    """Return the picture of the goal document `file` (absolute) and nothing else.

    Only the parts `goal` and `inbox` say anything. Paths are relative to `root` where `file` lies
    inside it, else to its own folder.
    """
    top = root if file.is_relative_to(root) else file.parent
    settings = Settings(goal=str(file.relative_to(top)))
    goal = GoalSource(top, clock).look(settings)._replace(roles=())
    known = Known(settings, goal, Look(settings.todo, None), Look("", Control()))
    picture = compose(top, known, None, clock())
    return replace(picture, sources=picture.sources[:1])
