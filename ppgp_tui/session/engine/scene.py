"""What an action finds when it has the lock: nothing of it can move before the action is over."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.engine.orders import Orders
from ppgp_tui.session.engine.projections import PlanFile
from ppgp_tui.session.files.reading import CannotReadError, read_inside
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.settings.settings import Settings
from ppgp_tui.session.sources.goal import goal_path


@dataclass(frozen=True, slots=True)
class Document:
    """The goal document, or why there is nothing to read."""

    path: str
    data: bytes | None
    reading: GoalReading
    why: str = ""
    """Why something stands there that cannot be read; empty when it was read or is not there."""

    def must_be_there(self) -> bytes:
        """Its bytes. Raises FileNotFoundError with a text for a person."""
        if self.data is None:
            raise FileNotFoundError(self.why or f"there is no {self.path}")
        return self.data


@dataclass
class Scene:
    """Everything an action needs from outside."""

    root: Path
    settings: Settings
    run: Folder
    """The open `.ppgp/run`."""
    state: Folder | None
    """The open folder of this root in the user's state folder; None where it cannot be used."""
    ledger: Ledger
    plan_file: PlanFile
    document: Document
    orders: Orders
    now_ms: int
    warnings: list[str] = field(default_factory=list)
    rewritten: list[str] = field(default_factory=list)
    """Files that repeat the log and were written in this turn, relative to the root."""
    kept: str = ""
    """Where an unusable `todo.json` was put aside."""

    def revisions(self) -> dict[str, int]:
        """Of goal, plan and order, as a caller may name them in its next action."""
        return {
            "goal": self.ledger.pi_revision,
            "plan": self.ledger.todo["revision"],
            "control": self.orders.control["generation"],
        }

    def waiting_requests(self) -> list[tuple[str, Json]]:
        """Recorded requests nobody has answered, by id, oldest first."""
        return [
            (request_id, entry)
            for request_id, entry in self.ledger.requests.items()
            if entry["state"] == "waiting"
        ]


def read_document(root: Path, settings: Settings) -> Document:
    """The goal document as it is now; links inside the root are followed, as on the screen."""
    path = goal_path(root, settings)
    why = ""
    try:
        found = read_inside(root, path)
    except CannotReadError as error:
        found, why = None, error.why
    data = found.data if found is not None else None
    return Document(path, data, read_goal(data, path, settings.goal_max_bytes), why)
