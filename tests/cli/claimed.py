"""A repository whose goal is claimed, with one command that proves it and a document in Git."""

from __future__ import annotations

import json
from typing import Any

from tests.cli.acting import Place
from tests.session.journals import git

DOCUMENT = """\
# Retry

## GOAL
Retry survives a timeout.

## PHASE
DISTILL

## DEFINITION_OF_DONE
- [x] The counter is kept on disk (`counter.py`).

## FROZEN_DECISIONS
- One counter for each order, because orders are retried alone.

## INVARIANTS
- No order is sent twice.

## VERIFICATION_EVIDENCE
- DoD 1: `counter.py` keeps it.
"""
PATH = "docs/ACTIVE_GOAL.md"
COUNTER = "KEPT = True\n"
CHECK = ["grep", "-q", "KEPT = True", "counter.py"]
TAKEN = tuple(
    word for one in ("dod:1", "invariant:1", "frozen:1") for word in ("--take", f"{one}=I read it")
)
"""What no check here can show, taken by the person."""


def claimed(place: Place, *, trusted: bool = True, check: list[str] = CHECK) -> Place:
    """A confirmed goal, committed whole, and claimed by the agent."""
    place.json("goal", "propose", "Retry survives a timeout", agent=True)
    place.json("goal", "confirm")
    written(place, trusted=trusted, check=check)
    place.json("goal", "claim", "the counter survives", agent=True)
    return place


def written(place: Place, *, trusted: bool = True, check: list[str] = CHECK) -> None:
    """The document, the code and the command, committed whole."""
    (place.root / "docs").mkdir()
    (place.root / PATH).write_text(DOCUMENT)
    (place.root / "counter.py").write_text(COUNTER)
    settings = f"[verify]\ncommands = [{json.dumps(check)}]\n"
    (place.root / ".ppgp" / "config.toml").write_text(settings)
    git(place.root, "init", "-q")
    commit(place)
    if trusted:
        trust(place)


def commit(place: Place) -> None:
    git(place.root, "add", "-A")
    git(place.root, "commit", "-qm", "Go on", "--allow-empty")


def trust(place: Place) -> None:
    """The person lets the command run here, as their answer at a terminal does."""
    from ppgp_tui.audit import whole
    from ppgp_tui.session.engine.draft import Actor
    from ppgp_tui.session.engine.engine import Engine

    engine = Engine(place.root, Actor("user", "dev"))
    whole.trust(engine, whole.untrusted(engine, whole.planned_for(engine)))


def break_it(place: Place) -> None:
    (place.root / "counter.py").write_text("KEPT = False\n")


def audit(place: Place, *words: str, code: int) -> Any:
    """The report of an audit that ends with `code`."""
    said = place.act("audit", "--json", *TAKEN, *words)
    assert said.code == code, (said.out, said.err)
    return json.loads(said.out)
