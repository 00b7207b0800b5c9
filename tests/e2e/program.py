"""The app on a made-up session as a program: `python -m tests.e2e.program SCENE CRASHES`.

Scenes: `full` is the importer session, `hostile` the same with every text from a file hostile,
`crash` a view that fails when `5` is pressed, `moving` a picture that changes fifty times a second.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.app.app import PpgpApp
from ppgp_tui.ui.app.launch import show
from ppgp_tui.ui.rows.layout import Frame, Layout
from ppgp_tui.ui.terminal import probe
from ppgp_tui.ui.terminal.ability import ability
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.hostile import HOSTILE
from tests.ui.stand_in import FakeSession
from tests.waiting import PATIENCE_S

_KEPT = frozenset(
    {"state", "phase", "kind", "klass", "health", "match", "goal_source", "state_source", "status",
     "source", "mode", "key", "actor_kind", "code", "inferred", "asker_state", "signature"}
)  # fmt: skip
"""Members that hold one of a few words, never text from a file."""


def poisoned(value: Any, words: list[str]) -> Any:
    """`value` with every free text in it replaced by the next hostile one, again and again."""
    if isinstance(value, str):
        words.append(words.pop(0))
        return words[-1]
    if isinstance(value, tuple):
        members = getattr(value, "_fields", None)
        if members is None:
            return tuple(poisoned(part, words) for part in value)
        free = (name for name in members if name not in _KEPT)
        return value._replace(**{name: poisoned(getattr(value, name), words) for name in free})
    if is_dataclass(value) and not isinstance(value, type):
        changed = {
            member.name: poisoned(getattr(value, member.name), words)
            for member in fields(value)
            if member.name not in _KEPT and member.init
        }
        return replace(value, **changed)
    return value


def hostile() -> SessionSnapshot:
    """The full picture with hostile words wherever a file speaks."""
    words, full = list(HOSTILE), picture.full()
    log = full.events.value.log
    assert isinstance(log, picture.ListLog)
    events = tuple(
        replace(event, payload={"input_summary": HOSTILE[at % len(HOSTILE)]}, actor_id="\x1b[2J")
        for at, event in enumerate(log.events)
    )
    parts = {
        name: replace(part, value=poisoned(part.value, words), origin=poisoned(part.origin, words))
        for name in ("goal", "plan", "inbox", "agents", "repo")
        for part in (getattr(full, name),)
    }
    log_part = replace(full.events, value=replace(full.events.value, log=picture.ListLog(events)))
    return replace(full, events=log_part, root=Path("/tmp/\x1b]2;OWNED\x07"), **parts)


class FailingView:
    """A view with a mistake in it."""

    name = "failing"

    def layout(self, _: SessionSnapshot, frame: Frame) -> Layout:  # noqa: ARG002
        secret = "the value of a variable"  # noqa: F841  # must not be in the log
        raise ValueError("a mistake with \x1b]2;OWNED\x07 in its words")


def main(scene: str, crashes: str) -> int:
    """Run one scene."""
    probe.PATIENCE_S = PATIENCE_S  # type: ignore[misc]  # a test answers as soon as it may
    snapshot = hostile() if scene == "hostile" else picture.full()
    document = b"\n".join(text.encode("utf-8", "surrogatepass") for text in HOSTILE)
    session = FakeSession(snapshot, document if scene == "hostile" else picture.document())
    views = (*VIEWS[:4], FailingView(), VIEWS[5]) if scene == "crash" else VIEWS
    able = ability(os.environ, sys.stdout.encoding)
    app = PpgpApp(session, views, clock=picture.clock, ability=able)
    if scene == "moving":
        threading.Thread(target=_keep_moving, args=(session,), daemon=True).start()
    return show(app, mouse=able.mouse, crashes=Path(crashes))


def _keep_moving(session: FakeSession) -> None:
    for count in range(1, 3_000):
        time.sleep(0.02)
        session.change(picture.grown(picture.full(), count % 50))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
