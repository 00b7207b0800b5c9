"""Proposing a goal or a new objective: a person confirms or declines, by answering yes or no."""

from __future__ import annotations

from ppgp_tui.pi import goal_acts
from ppgp_tui.pi.goal_acts import ALREADY_EXISTS, GoalRefusedError
from ppgp_tui.pi.javascript import trim
from ppgp_tui.session.actions.asking import Question, ask_if
from ppgp_tui.session.engine import goals
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import RefusalError


def propose(engine: Engine, objective: str) -> Result:
    """Propose a goal. It becomes one only when a person confirms it."""

    def allowed(draft: Draft) -> None:
        state = goals.state_of(draft.ledger)
        if state.goal is not None and state.goal.status != "complete":
            raise RefusalError("refused", ALREADY_EXISTS)
        _bounded(objective)

    question = Question(trim(objective), kind="goal_proposal", scope="goal")
    return ask_if(engine, question, allowed, action="goal.propose")


def propose_tweak(engine: Engine, objective: str) -> Result:
    """Propose another objective for the current goal."""

    def allowed(draft: Draft) -> None:
        try:
            goal_acts.current_goal(goals.state_of(draft.ledger), "unfinished")
        except GoalRefusedError as refusal:
            raise RefusalError("refused", str(refusal)) from None
        _bounded(objective)

    question = Question(trim(objective), kind="goal_tweak", scope="goal")
    return ask_if(engine, question, allowed, action="goal.tweak")


def _bounded(objective: str) -> None:
    try:
        goal_acts.new_objective(objective)
    except GoalRefusedError as refusal:
        raise RefusalError("refused", str(refusal)) from None
