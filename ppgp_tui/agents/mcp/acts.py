"""What each tool does: the arguments, checked already, handed to the session's actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ppgp_tui.agents.mcp.arguments import Ask, Checkpoint, Clear, Nothing, Raise, Request
from ppgp_tui.agents.mcp.picture import Picture, session_data, session_words
from ppgp_tui.pi.block_proof import BlockProof
from ppgp_tui.pi.plan import render_todo, state_json
from ppgp_tui.session.actions import asking, blocker, goal, plan, proposals
from ppgp_tui.session.actions.asking import Question
from ppgp_tui.session.actions.hearing import get_answer
from ppgp_tui.session.actions.recorded import recorded
from ppgp_tui.session.engine import plans
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import RefusalError

_HOW_TO_HEAR: Final = "A person decides; get_answer tells it by this id. Go on with other work."


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the engine of its caller, the picture, what was asked here, the raw arguments."""

    engine: Engine
    picture: Picture
    asked: dict[str, str]
    received: Mapping[str, Any]


Act = Callable[[Call, Any], Result]


def propose_goal(call: Call, arguments: Mapping[str, Any]) -> Result:
    """Ask a person to confirm a goal."""
    return _asked(call, proposals.propose(call.engine, arguments["objective"]))


def tweak_goal(call: Call, arguments: Mapping[str, Any]) -> Result:
    """Ask a person to confirm another objective."""
    return _asked(call, proposals.propose_tweak(call.engine, arguments["objective"]))


def set_goal_blocked(call: Call, arguments: Mapping[str, Any]) -> Result:
    """Block the goal with proof."""
    proof = BlockProof(
        arguments["blocker"],
        arguments["evidence"],
        arguments["whyNoAutonomousPathRemains"],
        arguments["unblockCondition"],
    )
    return goal.block(call.engine, proof)


def resume_goal(call: Call, _arguments: Mapping[str, Any]) -> Result:
    """End a block; what a person paused stays paused."""
    return goal.resume(call.engine)


def abandon_goal(call: Call, arguments: Mapping[str, Any]) -> Result:
    """Give the goal up."""
    return goal.abandon(call.engine, arguments["reason"])


def complete_goal(call: Call, arguments: Mapping[str, Any]) -> Result:
    """Claim that the goal is done; the person's settings say whether an audit begins at once."""
    from ppgp_tui.audit.on_claim import claim  # the audit is much code, and seldom needed

    return claim(call.engine, arguments["summary"], dispute=arguments.get("dispute", ""))


def get_todo(call: Call, _arguments: Mapping[str, Any]) -> Result:
    """Tell the plan as it is recorded, in Pi's words."""
    seen = recorded(call.engine)
    state = plans.plan_of(seen.ledger)
    edited = seen.plan_file.state in ("edited", "damaged")
    path = call.engine.settings.todo
    warnings = [f"{path} holds an edit by hand that is not recorded"] if edited else []
    data = {"state": state_json(state), "hand_edit": edited}
    return seen.result("todo.get", render_todo(state), data, *warnings)


def todo(call: Call, _arguments: Mapping[str, Any]) -> Result:
    """Replace the plan; the raw call goes on, for Pi's outcomes depend on it."""
    return plan.revise(call.engine, dict(call.received), as_tool=True)


def request_authority(call: Call, arguments: Ask) -> Result:
    """Ask a person; the answer comes by `get_answer`."""
    engine = call.engine
    expires_ms = None
    if arguments.expires_s is not None:
        expires_ms = engine.clock() + arguments.expires_s * 1000
    question = Question(
        arguments.question,
        klass=arguments.klass,
        scope=arguments.scope,
        why=arguments.why or None,
        evidence=arguments.evidence or None,
        options=tuple(arguments.options),
        recommended=arguments.recommended,
        irreversible=arguments.irreversible,
        frees=tuple(arguments.frees),
        expires_ms=expires_ms,
    )
    return _asked(call, asking.ask(engine, question))


def _asked(call: Call, result: Result) -> Result:
    if not result.ok:
        return result
    call.asked[result.data["request"]] = result.data["digest"]
    return replace(result, message=f"Asked {result.data['request']}. {_HOW_TO_HEAR}")


def answer_of(call: Call, arguments: Request) -> Result:
    """Tell what became of a request."""
    return get_answer(call.engine, arguments.request, call.asked.get(arguments.request))


def raise_blocker(call: Call, arguments: Raise) -> Result:
    """Record what is in the way."""
    return blocker.raise_(
        call.engine,
        arguments.text,
        klass=arguments.klass,
        scope=arguments.scope,
        until=arguments.until,
        tasks=arguments.tasks,
    )


def clear_blocker(call: Call, arguments: Clear) -> Result:
    """Record that it is gone."""
    return blocker.clear(call.engine, arguments.blocker, arguments.reason)


def checkpoint(call: Call, arguments: Checkpoint) -> Result:
    """Vouch for the goal document."""
    return goal.checkpoint(call.engine, arguments.summary)


def get_session(call: Call, _arguments: Nothing) -> Result:
    """Tell the whole picture; it works without a log too."""
    snapshot = call.picture.snapshot()
    try:
        seen = recorded(call.engine)
    except RefusalError as refusal:
        words = session_words(call.picture.root, snapshot, None)
        warnings = (refusal.refused.message,)
        data = session_data(snapshot, None)
        return Result("session.get", "unchanged", words, warnings=warnings, data=data)
    words = session_words(call.picture.root, snapshot, seen)
    return seen.result("session.get", words, session_data(snapshot, seen))
