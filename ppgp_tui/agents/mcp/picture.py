"""What a client may look at: the snapshot, the goal document, the boot packet."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from ppgp_tui.pi.block_proof import label_of
from ppgp_tui.pi.goal import goal_json
from ppgp_tui.pi.goal_text import status_text
from ppgp_tui.session.actions.recorded import Recorded
from ppgp_tui.session.engine import goals
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.briefing import (
    boot_text,
    claim_lines,
    looked,
    plan_lines,
    waiting_lines,
)
from ppgp_tui.session.picture.glance import glance
from ppgp_tui.session.picture.json_view import snapshot_json

_SURROGATE = re.compile("[\ud800-\udfff]")


class Picture:
    """Reads the session at `root` whenever it is asked; nothing is followed in between."""

    def __init__(self, root: Path, clock: Callable[[], int]) -> None:
        self.root = root
        self._clock = clock
        self._session = LiveSession(root, clock=clock)

    def snapshot(self) -> SessionSnapshot:
        """Everything the app would show, as it is now."""
        return looked(self._session, self._clock)

    def session_text(self) -> str:
        """The resource `ppgp://session`: the snapshot as `show --json` prints it."""
        return json.dumps(plain(snapshot_json(self.snapshot())), ensure_ascii=False, indent=2)

    def goal_text(self) -> str | None:
        """The resource `ppgp://goal`: the goal document as it stands; None when there is none.

        Bytes that are no UTF-8 read as U+FFFD.
        """
        snapshot = self.snapshot()
        if snapshot.goal.value.health == "MISSING":
            return None
        return self._session.document().decode("utf-8", "replace")

    def boot_text(self) -> str:
        """The resource `ppgp://boot`: contract, hot state and evidence for a fresh agent."""
        return boot_text(self.root, self.snapshot())


def session_data(snapshot: SessionSnapshot, seen: Recorded | None) -> Json:
    """The data of `get_session`: the snapshot, and what only the log tells (None without one)."""
    return {"session": plain(snapshot_json(snapshot)), "recorded": seen and _recorded(seen)}


def _recorded(seen: Recorded) -> Json:
    state = goals.state_of(seen.ledger)
    blockers = [
        {name: blocker.get(name) for name in ("id", "class", "text", "scope", "until", "blocks")}
        for blocker in seen.ledger.blockers.values()
    ]
    goal = {**goal_json(state.goal), "label": label_of(state.goal)} if state.goal else None
    return {"goal": goal, "goal_revision": state.revision, "blockers": blockers}


def session_words(root: Path, snapshot: SessionSnapshot, seen: Recorded | None) -> str:
    """The session in a few lines; the urgent first."""
    lines = list(_held(snapshot))
    if seen is not None:
        lines.append(status_text(goals.state_of(seen.ledger)))
    lines += [f"Completion: {line}" for line in claim_lines(root, snapshot)]
    lines += [*_document(snapshot), *plan_lines(snapshot.plan.value)]
    lines += [f"Waiting for a person: {line}" for line in waiting_lines(snapshot)]
    if seen is not None:
        lines += [
            f"Open blocker {blocker['id']}, class {blocker['class']}: {blocker['text']}"
            for blocker in seen.ledger.blockers.values()
        ]
    lines += [f"Problem: {problem.text}" for problem in snapshot.problems]
    return "\n".join(lines)


def _held(snapshot: SessionSnapshot) -> Iterator[str]:
    control = snapshot.control.value
    if control.hold_id is not None:
        reason = f": {control.hold_reason}" if control.hold_reason else ""
        yield f"A person asked every agent to wait{reason}. Begin no further step until released."


def _document(snapshot: SessionSnapshot) -> Iterator[str]:
    reading, lamps = snapshot.goal.value, glance(snapshot)
    if reading.health == "MISSING":
        yield f"No goal document: looked for {reading.path}."
        return
    phase = reading.phase or "no phase"
    done = f"{lamps.done} of {lamps.total} conditions done with evidence"
    yield f"Goal document {reading.path}: {reading.health}, {phase}, {done}."
    if reading.next_action is not None:
        yield f"Next executable action: {reading.next_action.text}"


class Resource(NamedTuple):
    """A resource: where it is, what it is, and how its text is made."""

    uri: str
    name: str
    mime_type: str
    description: str
    text: Callable[[Picture], str | None]


RESOURCES: Final = (
    Resource(
        "ppgp://session",
        "session",
        "application/json",
        "Everything known about the session, as `ppgp-tui show --json` prints it.",
        Picture.session_text,
    ),
    Resource(
        "ppgp://goal",
        "goal",
        "text/markdown",
        "The goal document as it stands in the repository.",
        Picture.goal_text,
    ),
    Resource(
        "ppgp://boot",
        "boot",
        "text/markdown",
        "The boot packet: contract, hot state and evidence. Read it first in a fresh context.",
        Picture.boot_text,
    ),
)


def plain(value: Any) -> Any:
    """`value` with what JSON has no form for replaced: a log may hold 1e999 or half a character."""
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {plain(key): plain(member) for key, member in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value
