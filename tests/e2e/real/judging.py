"""A goal that is claimed, and a scripted model that audits it for whichever agent asks."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any, Literal

from ppgp_tui.audit import whole
from ppgp_tui.session.actions import plan
from ppgp_tui.session.engine.draft import Actor
from tests.audit.truth.stage import CODE, DOCUMENT, RUN_COUNTER, RUN_RETRY, document
from tests.e2e.acting import PROGRAM
from tests.e2e.real.desk import Desk
from tests.e2e.real.dialects import Turn
from tests.e2e.real.model import Model

Says = Literal["approved", "rejected", "cut off", "nothing"]
AUDITOR = "You are an independent auditor"
OBJECTION = "The counter is kept without a lock, so two restarts can lose it."
QUOTES = (("tests/test_retry.py", "test_third_call_counts"), ("src/counter.py", "def keep(path"))


def reached(at: Desk) -> Desk:
    """What the goal asks for is there, committed, and its commands may run."""
    for path, text in {**CODE, DOCUMENT: document()}.items():
        if text is not None:
            (at.root / path).parent.mkdir(parents=True, exist_ok=True)
            (at.root / path).write_text(text)
    for words in (("add", "-A"), ("commit", "-qm", "Keep the counter, try three times")):
        subprocess.run(["git", *words], cwd=at.root, env=at.environ, check=True)
    person = at.engine(Actor("user", "dev"))
    done = [{"key": key, "subject": f"Do {key}", "status": "completed"} for key in ("T1", "T2")]
    assert plan.revise(person, {"baseRevision": 1, "tasks": done}).ok
    whole.trust(person, [tuple(RUN_RETRY.split()), tuple(RUN_COUNTER.split())])
    return at


def audited(at: Desk, auditor: str) -> dict[str, Any]:
    """The report of an audit by that agent, as the person's command prints it."""
    at.set_up(f'[audit]\nauditor = ["{auditor}"]\ntimeout_s = 120\n')
    ran = subprocess.run(
        [PROGRAM, "audit", "--json"], cwd=at.root, env=at.environ, stdin=subprocess.DEVNULL,
        capture_output=True, text=True,
    )  # fmt: skip
    assert ran.stdout, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def answers(model: Model, says: Says, others: Iterator[Turn]) -> Iterator[Turn]:
    """Answer auditors that way, everybody else with the next of `others`."""
    while True:
        words = model.requests[-1].words()
        yield Turn(answer(words, says)) if AUDITOR in words else next(others)


def answer(question: str, says: Says) -> str:
    """What an auditor says to that question."""
    token = re.findall(r"BEGIN VERDICT (\w+)", question)[-1]
    ids = list(dict.fromkeys(re.findall(r"^(dod:\d+|invariant:\d+): ", question, re.MULTILINE)))
    outcomes = ["pass"] * len(ids) if says != "rejected" else ["pass", "fail"]
    said = {
        "verdict": "rejected" if says == "rejected" else "approved",
        "criteria": [
            {"id": one, "outcome": outcome, "why": "I looked.",
             "quotes": [{"path": path, "text": text}]}
            for one, outcome, (path, text) in zip(ids, outcomes, QUOTES, strict=True)
        ],
        "notes": [],
        "objections": [OBJECTION] if says == "rejected" else [],
    }  # fmt: skip
    tag = "<disapproved/>" if says == "rejected" else "<approved/>"
    whole = f"BEGIN VERDICT {token}\n{json.dumps(said)}\nEND VERDICT {token}\n{tag}"
    if says == "nothing":
        return "It all looks fine to me."
    return whole[: len(whole) // 2] if says == "cut off" else whole
