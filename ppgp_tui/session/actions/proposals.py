"""Proposing a goal or a new objective: a person confirms or declines, by answering yes or no."""

from __future__ import annotations

from typing import Final

from ppgp_tui.pi import goal_acts
from ppgp_tui.pi.goal_acts import ALREADY_EXISTS
from ppgp_tui.pi.javascript import length
from ppgp_tui.session.actions.asking import Question, ask_about
from ppgp_tui.session.engine import goals, requests
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import RefusalError

TWEAK: Final = "tweak_goal"


def propose(engine: Engine, objective: str) -> Result:
    """Propose a goal. It becomes one only when a person confirms it."""

    def question(draft: Draft) -> Question:
        goal = goals.state_of(draft.ledger).goal
        if goal is not None and goal.status != "complete":
            raise RefusalError("refused", ALREADY_EXISTS)
        return Question(_bounded(objective), kind="goal_proposal", scope="goal")

    return ask_about(engine, question, action="goal.propose")


def propose_tweak(engine: Engine, objective: str) -> Result:
    """Propose another objective for the current goal."""

    def question(draft: Draft) -> Question:
        with goals.pis_rules():
            goal_acts.current_goal(goals.state_of(draft.ledger), "unfinished")
        entry = goals.current(draft.ledger)
        return Question(
            _bounded(objective),
            kind="goal_tweak",
            scope="goal",
            evidence=requests.shortened(
                f"The goal is now:\n{entry['objective']}", requests.EVIDENCE_MOST
            ),
            tool={"name": TWEAK, "input": _about(entry)},
        )

    return ask_about(engine, question, action="goal.tweak")


def confirmed(draft: Draft, request: Json, decision: str) -> Json:
    """Do what a confirmed proposal asked for, caused by the event of the decision."""
    if request["kind"] == "goal_proposal":
        return goals.start(draft, request["question"], request=request["id"], cause=decision)
    if request["kind"] == "goal_tweak":
        entry = goals.current(draft.ledger)
        if request.get("tool", {}).get("input") != _about(entry):
            text = "the goal is no longer the one this was proposed for"
            raise RefusalError("stale", f"{text}; decline it and have it proposed again")
        return goals.tweak(draft, request["question"], cause=decision)
    return {}


def _about(entry: Json) -> Json:
    """Which goal in which words."""
    return {"goal": entry["id"], "revision": entry["revision"]}


def _bounded(objective: str) -> str:
    """The objective as Pi would take it, short enough to be read by the one who confirms it."""
    with goals.pis_rules():
        kept = goal_acts.new_objective(objective)
    if length(kept) > requests.QUESTION_MOST:
        text = f"the objective is longer than the {requests.QUESTION_MOST} characters of a question"
        raise RefusalError("refused", f"{text}; put the detail into the goal document")
    return kept
