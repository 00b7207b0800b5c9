"""What a demo's agent does while a person watches: the same actions that its commands would call.

Only checks, calls and the end of a run, which no command records, are put on record here as a
hook would.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from ppgp_tui.cli.demo import document, plan, records
from ppgp_tui.cli.demo.heartbeat import Json
from ppgp_tui.cli.demo.story import Beat
from ppgp_tui.cli.demo.world import GOAL, TODO, World
from ppgp_tui.ppgp.edits import NoSuchSpanError
from ppgp_tui.session.actions import blocker as blockers
from ppgp_tui.session.actions import goal as goals
from ppgp_tui.session.actions import plan as plans
from ppgp_tui.session.actions.documents import NotEditedError, edit_document
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.engine.scene import Scene
from ppgp_tui.session.text import one_line

_TRIES = 3


class Hands:
    """One agent's hands.

    An act that is refused is said on standard error, and the story goes on: a person may have
    changed what it was about.
    """

    def __init__(self, world: World, who: str, engine: Engine) -> None:
        """Act as `engine`'s actor, the session of `who`."""
        self._world = world
        self._who = who
        self._engine = engine

    def do(self, beat: Beat) -> None:
        """Everything the beat tells but its call and its question, in the order of the script."""
        for name, act in self._acts().items():
            if name in beat.acts:
                act(beat.acts[name])

    def called(self, call: str) -> None:
        """Record a call that is over."""
        tool, _, summary = call.partition(" ")
        run = self._world.sessions[self._who].run
        self._observe("tool.called", lambda draft: records.tool_called(draft, run, tool, summary))

    def _acts(self) -> dict[str, Callable[[Any], None]]:
        return {
            "files": self._files, "check": self._check, "plan": self._revise, "goal": self._edit,
            "raise": self._raise, "clear": self._clear, "checkpoint": self._checkpoint,
            "commit": self._commit, "claim": self._claim, "finish": self._finish,
        }  # fmt: skip

    def _revise(self, change: Json) -> None:
        for _ in range(_TRIES):
            state = json.loads((self._world.root / TODO).read_bytes())
            result = plans.revise(self._engine, plan.call_for(state, change))
            if result.code != "stale":
                break
        _told(result)

    def _edit(self, edit: Json) -> None:
        def change(known: bytes) -> bytes:
            try:
                return document.edited(known.decode(), edit).encode()
            except ValueError as error:
                raise NoSuchSpanError(str(error)) from None

        def after(scene: Scene, _: Json) -> list[str]:
            try:
                edit_document(scene, change)
            except NotEditedError as error:
                _say(f"{GOAL}: {error}")
            return []

        if edit.keys() - {"phase"}:
            _told(self._engine.perform("edit", lambda *_: {}, after=after))
        if "phase" in edit:
            _told(goals.set_phase_of(self._engine, edit["phase"]))

    def _raise(self, blocker: Json) -> None:
        result = blockers.raise_(
            self._engine,
            blocker["text"],
            klass=blocker["class"],
            scope=blocker["scope"],
            tasks=blocker["blocks"],
        )
        if _told(result):
            self._world.blockers[blocker["name"]] = result.data["blocker"]

    def _clear(self, cleared: Json) -> None:
        raised = self._world.blockers.pop(cleared["name"], None)
        if raised is not None:
            _told(blockers.clear(self._engine, raised, cleared["reason"]))

    def _check(self, check: Json) -> None:
        self._observe("eval.finished", lambda draft: records.check_finished(draft, check))

    def _checkpoint(self, summary: str) -> None:
        _told(goals.checkpoint(self._engine, summary))

    def _claim(self, summary: str) -> None:
        _told(goals.claim(self._engine, summary))

    def _files(self, texts: dict[str, str]) -> None:
        for path, text in texts.items():
            self._world.repository.write(path, text, self._engine.clock())

    def _commit(self, message: str) -> None:
        self._world.commit(message, self._who, self._engine.clock())

    def _finish(self, outcome: str) -> None:
        run = self._world.sessions[self._who].run
        self._observe("run.finished", lambda draft: records.run_finished(draft, run, outcome))

    def _observe(self, kind: str, act: Callable[[Draft], None]) -> None:
        def observed(_: Scene, draft: Draft) -> Json:
            act(draft)
            return {}

        _told(self._engine.perform(kind, observed))


def _told(result: Result) -> bool:
    """Whether it worked; what did not is said."""
    if not result.ok:
        _say(f"{result.action}: {result.message}")
    return result.ok


def _say(text: str) -> None:
    sys.stderr.write(f"{one_line(text)}\n")
