"""Repositories for the pictures of an audit: the demo's goal once its agent claims it.

What the checks found and what the auditor wrote is made up, so that a picture hangs on no machine;
everything else, from the plan of the audit to the recorded verdict, is made as always.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from ppgp_tui.audit.answer import begin, end
from ppgp_tui.audit.model import Answer, AuditPlan, Check, Found, Opinion, Quote
from ppgp_tui.audit.recording import planned, record
from ppgp_tui.audit.trust import trust, trusted
from ppgp_tui.audit.underway import begun
from ppgp_tui.audit.verdict import combine
from ppgp_tui.cli.demo.hands import Hands
from ppgp_tui.cli.demo.story import Beat
from ppgp_tui.cli.demo.world import World
from ppgp_tui.session.actions import goal
from ppgp_tui.session.canonical import new_id
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.picture.audit_state import Running
from ppgp_tui.ui.acts.deeds import Deed
from tests.cli.telling import OPENED_MS, Clock, tell

NOW_MS: Final = OPENED_MS + 300_000
"""The moment of these pictures."""
NAMES: Final = ("claimed", "running", "rejected", "verified")
"""What has become of the claim in each of the repositories."""
_ASKS: Final = 11.0
"""The story's second before an agent asks its question."""
_DONE_MS, _CLAIMED_MS = OPENED_MS + 60_000, OPENED_MS + 90_000
_BEGAN_MS, _ENDED_MS = OPENED_MS + 150_000, OPENED_MS + 235_000
_TOKEN: Final = "7f3a"
_SEEN: Final = {
    "dod:1": "the page names every field",
    "dod:2": "the migration has both ways",
    "dod:3": "all three writers save one",
    "dod:4": "a batch is one transaction",
    "dod:5": "40 imports are compared",
    "dod:6": "the column is not in the schema",
    "dod:7": "the page says what to do",
    "invariant:1": "the lock ends with its batch",
    "invariant:2": "a bench holds it to 5%",
    "frozen:1": "number and hash are stored",
    "frozen:2": "one commit for both",
    "frozen:3": "there is one writer at a time",
}
"""What the auditor says of what holds."""
_AUDITOR: Final = ("codex",)
_EVIDENCE: Final = """\
- DoD 1: `docs/checkpoint.md`, read against the three writers.
- DoD 2: `python -m importer.migrate up down up` leaves the schema as it was.
- DoD 3: `pytest tests/batch`: 41 passed.
- DoD 4: `pytest tests/kill`: 50 passed.
- DoD 5: `pytest tests/golden`: 40 passed.
- DoD 6: `schema.sql` has no cursor any more.
- DoD 7: `docs/restarts.md`, walked through by two operators."""
_PRINTED: Final = {
    "importer.migrate": "up: 0007_checkpoint\ndown: 0007_checkpoint\nup: 0007_checkpoint\n",
    "tests/batch": "tests/batch/test_write.py ........\n\n41 passed in 3.1s\n",
    "tests/kill": "tests/kill/test_points.py ..........\n\n50 passed in 38.4s\n",
    "tests/golden": "tests/golden/test_rows.py ........\n\n40 passed in 9.2s\n",
}
_TWICE: Final = "tests/kill/test_points.py .......F..\n\n1 failed, 49 passed in 38.4s\n"
_SECONDS: Final = {"importer.migrate": 1.2, "tests/batch": 3.4, "tests/kill": 38.8,
                   "tests/golden": 9.5}  # fmt: skip


def told(name: str, root: Path, state: Path, pid: int) -> None:
    """Make the repository of that name."""
    engine = claimed(root, state, pid)
    if name in ("rejected", "verified"):
        judged(engine, holds=name == "verified")
    if name == "claimed":
        trust((("make", "lint"), ("pytest", "tests/batch")), state, at_ms=_CLAIMED_MS)


def claimed(root: Path, state: Path, pid: int) -> Engine:
    """Tell the story until its goal is claimed; the engine that comes back is the person's."""
    world = tell(root, state, until=_ASKS, pid=pid)
    clock = Clock()
    clock.now_ms = _DONE_MS
    actor = Actor("agent", world.sessions["claude"].key)
    agent = Engine(root, actor, clock=clock, ids=world.ids.new, state=state)
    _finish(world, agent)
    clock.now_ms = _CLAIMED_MS
    made = goal.claim(
        agent, "A killed import goes on where it stopped, and no row is written twice"
    )
    assert made.ok, made
    return person(root, state, ids=world.ids.new)


def person(root: Path, state: Path, ids: Callable[[str], str] = new_id) -> Engine:
    """The engine of whoever sits before the screen."""
    return Engine(root, Actor("user", "dev"), clock=lambda: _ENDED_MS, ids=ids, state=state)


def _finish(world: World, agent: Engine) -> None:
    """Everything that was left is done at once."""
    hands = Hands(world, "claude", agent)
    for name in tuple(world.blockers):
        hands.do(Beat(0, "claude", {"clear": {"name": name, "reason": "it is settled"}}))
    document = {
        "criteria": dict.fromkeys(range(1, 8), "[x]"),
        "set": {
            "BLOCKERS": "None.",
            "HUMAN_AUTHORITY_REQUIRED": "None.",
            "VERIFICATION_EVIDENCE": _EVIDENCE,
            "NEXT_EXECUTABLE_ACTION": "- An audit looks at the claim; the plan is done.",
        },
        "phase": "SHIP",
    }
    files = {
        "docs/restarts.md": "# Restarts\n\nStart the import again; it goes on by itself.\n",
        "src/importer/run.py": '"""Runs an import, from the newest checkpoint on."""\n',
    }
    status = {f"T{number}": "completed" for number in range(1, 14)}
    acts = {"plan": {"status": status}, "goal": document, "files": files, "commit": "Claim it"}
    hands.do(Beat(0, "claude", acts))


def plan_of(engine: Engine) -> AuditPlan:
    """The plan of an audit as it is now."""
    return planned(engine, commands=(("make", "lint"),), auditor=_AUDITOR)


def doer(root: Path, state: Path) -> Callable[[Deed], Result]:
    """Shows the plan of an audit, as on a machine that has a sandbox, and does nothing else."""

    def do(_: Deed) -> Result:
        data = {"plan": plan_of(person(root, state)), "trusted": trusted(state), "sandbox": ""}
        return Result("audit", "done", "nothing runs before you start it", data=data)

    return do


def judged(engine: Engine, *, holds: bool) -> None:
    """Record a verdict on the claim: either all of it holds, or two conditions do not."""
    plan = plan_of(engine)
    found = tuple(_found(one, holds=holds) for one in plan.checks)
    answer = _answer(plan, holds=holds)
    verdict = combine(plan, found, answer)
    result = record(
        engine, plan, found, answer, verdict, started_ms=_BEGAN_MS, command="ppgp-tui audit"
    )
    assert result.ok, result


def _found(check: Check, *, holds: bool) -> Found:
    if check.kind == "clean":
        return Found(check.id, "pass", "everything is committed")
    if not check.argv:
        return Found(check.id, "pass", f"{check.path} is there")
    name = next((word for word in check.argv if word in _PRINTED), "")
    printed, seconds = _PRINTED.get(name, ""), _SECONDS.get(name, 0.8)
    if name == "tests/kill" and not holds:
        quote = Quote(f"output:{check.id}", "1 failed, 49 passed in 38.4s")
        return Found(check.id, "fail", "exit 1, 1 failed", (quote,), 1, seconds, _TWICE)
    passed = f", {check.passed} passed" if check.passed else ""
    return Found(check.id, "pass", f"exit 0{passed}", (), 0, seconds, printed)


def _answer(plan: AuditPlan, *, holds: bool) -> Answer:
    page = Quote("docs/restarts.md", "Start the import again; it goes on by itself.", 3)
    against = {
        "dod:4": Opinion("dod:4", "fail", "killed at point 37, row 812 is written twice"),
        "dod:7": Opinion("dod:7", "fail", "the page does not say what to do when it fails again",
                         (page,)),
    }  # fmt: skip
    opinions = tuple(
        Opinion(one.id, "pass", _SEEN[one.id]) if holds or one.id not in against
        else against[one.id]
        for one in plan.criteria
    )  # fmt: skip
    objections = () if holds else ("Rows are written twice when the last batch is short",)
    said = {
        "verdict": "approved" if holds else "rejected",
        "criteria": [
            {"id": one.criterion, "outcome": one.outcome, "why": one.why} for one in opinions
        ],
        "objections": objections,
    }
    text = "\n".join((
        "I read the importer, its tests and its pages.",
        begin(_TOKEN), json.dumps(said, indent=1), end(_TOKEN),
        "<approved/>" if holds else "<disapproved/>",
    ))  # fmt: skip
    return Answer(True, opinions=opinions, objections=objections, text=text)


@contextlib.contextmanager
def under_way(root: Path, state: Path) -> Iterator[None]:
    """An audit in the middle of a command, for as long as this lasts."""
    plan = plan_of(person(root, state))
    states = {one.id: "queued" for one in plan.criteria}
    states |= {"dod:1": "pass", "dod:2": "pass", "dod:3": "pass", "dod:4": "running"}
    with begun(root) as audit:
        audit.tell(
            Running(
                started_ms=NOW_MS - 70_000,
                limit_s=900,
                stage="checking",
                states=states,
                check=next(one.id for one in plan.checks if "dod:4" in one.criteria),
                command="pytest tests/kill",
                command_ms=NOW_MS - 23_000,
                command_limit_s=900,
                output=tuple(
                    f"tests/kill/test_{name}.py ........"
                    for name in ("first_batch", "between", "in_batch", "last_batch")
                ),
                done=3,
                checks=len(plan.checks),
                evidence={"dod:1": "docs/checkpoint.md", "dod:2": "exit 0", "dod:3": "41 passed"},
                isolation="bubblewrap",
            )
        )
        yield
