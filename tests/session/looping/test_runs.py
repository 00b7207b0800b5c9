"""However loops begin, end and are killed: their runs in the log are one after the other."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.persist.course import Ran
from ppgp_tui.persist.limits import PHRASES
from ppgp_tui.persist.surroundings import Iteration
from ppgp_tui.session.actions import goal
from ppgp_tui.session.actions.recorded import recorded
from ppgp_tui.session.canonical import loop_session, new_id
from ppgp_tui.session.engine import runs as engine_runs
from ppgp_tui.session.engine.draft import Actor, Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.looping import runs
from tests.session.engine import rules

LOOPS = ("0123456789ab", "ba9876543210")
Step = tuple[str, int]


class Ledger:
    """A repository's log, and the engines of all who write to it."""

    def __init__(self, folder: Path) -> None:
        self.root, self.state = folder / "root", folder / "state"
        self.root.mkdir()
        person = self.engine(Actor("user", "dev"))
        assert isinstance(person.journal.create(), tuple)
        assert goal.create(person, "Retry survives").ok

    def engine(self, actor: Actor) -> Engine:
        return Engine(self.root, actor, state=self.state)

    def of(self, loop: str) -> Engine:
        return self.engine(Actor("agent", loop_session(loop)))

    def session(self, name: str, loop: str | None) -> None:
        """A connected agent begins a session, inside a loop or by itself."""

        def act(_: object, draft: Draft) -> dict[str, Any]:
            metadata = {"agent": "claude", **({"loop": loop} if loop else {})}
            engine_runs.start(draft, new_id("run"), "session", metadata)
            return {}

        assert self.engine(Actor("agent", name)).perform("run.start", act).ok

    def open(self) -> dict[str, Any]:
        return dict(recorded(self.of(LOOPS[0])).ledger.open_runs)

    def events(self, kind: str = "") -> list[dict[str, Any]]:
        lines = (self.root / "state/events.jsonl").read_text().splitlines()
        return [event for event in map(json.loads, lines) if event["kind"].startswith(kind)]


STEPS = st.lists(
    st.tuples(st.sampled_from(["begins", "session", "ends", "breaks"]), st.integers(0, 1)),
    max_size=9,
)


@settings(max_examples=15)
@given(STEPS)
def test_no_two_iterations_are_open_and_nothing_stays_open_after_an_end(steps: list[Step]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        log = Ledger(Path(folder))
        log.session("claude-mine", None)
        for number, (step, which) in enumerate(steps, 1):
            loop = LOOPS[which]
            if step == "begins":
                assert runs.began(log.of(loop), Iteration(loop, number, 1, 50, 9.0), "a") is None
            elif step == "session":
                log.session(f"claude-{number}", loop)
            elif step == "ends":
                assert runs.ended(log.of(loop), loop, Ran(number % 2, 0.1), PHRASES) is None
            else:
                assert runs.broken_off(log.of(loop)) is None
            of_loops = [key for key, run in log.open().items() if "loop" in run]
            iterations = [key for key in of_loops if key.startswith("persist-")]
            assert len(iterations) <= 1
            if step in ("ends", "breaks"):
                assert of_loops == []
        assert "claude-mine" in log.open(), "runs of others are never touched"
        finished = [event["payload"]["run_id"] for event in log.events("run.finished")]
        assert len(finished) == len(set(finished)), "no run ends twice"
        events = log.events()
        assert rules.vocabulary(events) + rules.causes(events) + rules.pairs(events) == []
