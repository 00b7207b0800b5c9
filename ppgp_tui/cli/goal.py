"""`ppgp-tui goal`: proposing, confirming and changing the goal; pausing the agents."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import click

from ppgp_tui.cli.acting import acts, text_of, unique

if TYPE_CHECKING:
    from ppgp_tui.session.actions.recorded import Recorded
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.ledger import Json
    from ppgp_tui.session.engine.result import Result

_CLOSE = "verified: a person closes it with: ppgp-tui close"
_ID = click.argument("request_id", metavar="[ID]", required=False)


@click.group("goal")
def goal() -> None:
    """Propose, confirm and change the goal; pause and resume the agents."""


@goal.command("propose")
@click.argument("objective")
@acts(example='ppgp-tui goal propose "Retry survives a timeout"')
def propose(engine: Engine, objective: str) -> Result:
    """Propose a goal; it becomes one when a person confirms it.

    OBJECTIVE may be - for standard input. Prints the id of the request.
    """
    from ppgp_tui.session.actions import proposals

    return _proposed(proposals.propose(engine, text_of(objective)))


@goal.command("tweak")
@click.argument("objective")
@acts(example='ppgp-tui goal tweak "Retry survives a timeout and a restart"')
def tweak(engine: Engine, objective: str) -> Result:
    """Propose another objective for the goal; it counts when a person confirms it.

    OBJECTIVE may be - for standard input. Status and pause stay as they are.
    """
    from ppgp_tui.session.actions import proposals

    return _proposed(proposals.propose_tweak(engine, text_of(objective)))


@goal.command("confirm")
@_ID
@acts("granting", example="ppgp-tui goal confirm")
def confirm(engine: Engine, request_id: str | None) -> Result:
    """Confirm the open proposal (yours alone).

    The goal begins, or its objective changes. ID is needed only when several proposals are open.
    """
    return _decide(engine, request_id, "yes", "confirmed")


@goal.command("decline")
@_ID
@click.option("--note", help="What the proposer should know.")
@acts("granting", example='ppgp-tui goal decline --note "finish the review first"')
def decline(engine: Engine, request_id: str | None, note: str | None) -> Result:
    """Decline the open proposal (yours alone); nothing changes."""
    return _decide(engine, request_id, "no", "declined", note)


@goal.command("phase")
@click.argument("phase")
@acts(example="ppgp-tui goal phase HARDEN")
def phase(engine: Engine, phase: str) -> Result:
    """Write PHASE into the goal document and record the change.

    One of THINK, FREEZE, EXECUTE, HARDEN, SHIP, DISTILL, CLOSED. Only that word of the document
    changes.
    """
    from ppgp_tui.session.actions import goal as actions

    return actions.set_phase_of(engine, phase)


@goal.command("pause")
@click.option("--reason", default="", help="Shown to the agents and recorded.")
@acts("person", example='ppgp-tui goal pause --reason "lunch"')
def pause(engine: Engine, reason: str) -> Result:
    """Ask every agent to wait before its next call (yours alone).

    An active goal is paused with them. Works without a goal and without a log. Whether they wait,
    the app says.
    """
    from ppgp_tui.session.actions import control

    return replace(control.hold(engine, reason=reason), action="goal.pause")


@goal.command("resume")
@acts("person", example="ppgp-tui goal resume")
def resume(engine: Engine) -> Result:
    """Let the agents go on (yours alone), and with them a goal that the pause had paused."""
    from ppgp_tui.session.actions import control

    return replace(control.release(engine), action="goal.resume")


@goal.command("block")
@click.option("--blocker", required=True, help="What stops the goal.")
@click.option("--evidence", required=True, help="What was observed that shows it.")
@click.option("--why", required=True, help="Why nothing can be done without it.")
@click.option("--until", "condition", required=True, metavar="CONDITION", help="What would end it.")
@click.option(
    "--class",
    "klass",
    default="D",
    show_default=True,
    type=click.Choice(list("ABCD"), case_sensitive=False),
    metavar="A|B|C|D",
    help="Class of the blocker.",
)
@acts(
    example=(
        'ppgp-tui goal block --blocker "No token" --evidence "403 from the registry" \\\n'
        '  --why "publishing is all that is left" --until "a token in CI"'
    ),
)
def block(
    engine: Engine, blocker: str, evidence: str, why: str, condition: str, klass: str
) -> Result:
    """Say, with proof, that the goal cannot go on.

    All four parts of the proof are needed; a blocker of that class is raised on the goal.
    """
    from ppgp_tui.pi.block_proof import BlockProof
    from ppgp_tui.session.actions import goal as actions

    return actions.block(engine, BlockProof(blocker, evidence, why, condition), klass=klass)


@goal.command("unblock")
@acts(example="ppgp-tui goal unblock")
def unblock(engine: Engine) -> Result:
    """Let a blocked or paused goal go on.

    The blockers that its block raised are cleared. What a person paused, only a person resumes.
    """
    from ppgp_tui.session.actions import goal as actions

    return actions.resume(engine)


@goal.command("abandon")
@click.argument("reason")
@acts(example='ppgp-tui goal abandon "the library does this now"')
def abandon(engine: Engine, reason: str) -> Result:
    """Give the goal up, for REASON. It cannot be taken up again."""
    from ppgp_tui.session.actions import goal as actions

    return actions.abandon(engine, reason)


@goal.command("claim")
@click.argument("summary")
@click.option(
    "--dispute", metavar="WHY", default="", help="Why the verdict on the last claim is wrong."
)
@acts(example='ppgp-tui goal claim "all seven conditions hold, evidence in the document"')
def claim(engine: Engine, summary: str, dispute: str) -> Result:
    """Claim that the goal is done; SUMMARY says what was reached.

    It stays a claim, bound to contract, plan and code as they are now, until an audit has verified
    it. After a rejection something must have moved, or WHY disputes it.
    """
    from ppgp_tui.audit.on_claim import claim as claimed

    result = claimed(engine, summary, dispute=dispute)
    return result if result.ok else _with_way_out(engine, result)


@goal.command("status")
@acts(example="ppgp-tui goal status --json")
def status(engine: Engine) -> Result:
    """Print what is recorded of the goal, what was proposed for it, and whether agents are held."""
    from ppgp_tui.pi.block_proof import label_of
    from ppgp_tui.pi.goal import goal_json
    from ppgp_tui.session.actions import closing
    from ppgp_tui.session.actions.recorded import recorded
    from ppgp_tui.session.engine import goals

    seen = recorded(engine)
    state = goals.state_of(seen.ledger)
    open_ = _open_proposals(seen, engine.clock())
    control = seen.control
    held = {"id": control.hold_id, "since_ms": control.held_since_ms, "reason": control.hold_reason}
    data: Json = {
        "label": label_of(state.goal),
        "goal": goal_json(state.goal) if state.goal else None,
        "goal_revision": state.revision,
        "hold": held if control.hold_id else None,
        "proposals": open_,
        "claim": seen.ledger.claims[-1] if seen.ledger.claims and state.goal else None,
    }
    lines = _status_lines(seen, data)
    if closing.is_next(engine):
        lines.append(_CLOSE)
    return seen.result("goal.status", "\n".join(lines), data)


def _status_lines(seen: Recorded, data: Json) -> list[str]:
    from ppgp_tui.cli.times import shown
    from ppgp_tui.pi.goal_text import status_text
    from ppgp_tui.session.engine import goals
    from ppgp_tui.session.text import one_line, safe

    lines = [safe(status_text(goals.state_of(seen.ledger)))]
    control = seen.control
    if control.hold_id:
        since = shown(control.held_since_ms) if control.held_since_ms else "at no known time"
        reason = f": {one_line(control.hold_reason)}" if control.hold_reason else ""
        lines.append(f"Agents: asked to wait since {since}{reason}")
    for request_id in data["proposals"]:
        request = seen.ledger.requests[request_id]["request"]
        what = "new goal" if request["kind"] == "goal_proposal" else "new objective"
        lines.append(f"Proposed, {what} ({request_id}): {one_line(request['question'])}")
    if data["claim"]:
        audits = [one for one in seen.ledger.audits if one["claim"] == data["claim"]["id"]]
        stale = "stale, " if audits and audits[-1]["stale"] else ""
        word = f"{stale}{audits[-1]['verdict'].replace('_', ' ')}" if audits else "not verified"
        lines.append(f"Claimed, {word}: {one_line(data['claim']['summary'])}")
    return lines


def _with_way_out(engine: Engine, refused: Result) -> Result:
    """A refusal for want of a goal, and below it how there comes to be one."""
    from ppgp_tui.pi.goal_text import NO_GOAL
    from ppgp_tui.session.actions import closing
    from ppgp_tui.session.actions.recorded import recorded

    if refused.message != NO_GOAL:
        return refused
    seen, document = recorded(engine), engine.read_document()
    if closing.is_next(engine):
        return replace(refused, message=f"{NO_GOAL}\n{_CLOSE}")
    if open_ := _open_proposals(seen, engine.clock()):
        what = f"{open_[-1]} proposes one; a person confirms it with: ppgp-tui goal confirm"
    else:
        what = "propose one with: ppgp-tui goal propose OBJECTIVE"
        if document.data is not None:
            what = f"{document.path} is a document alone, in no log; {what}"
    return replace(refused, message=f"{NO_GOAL}\n{what}")


def _proposed(result: Result) -> Result:
    if not result.ok:
        return result
    request = result.data["request"]
    text = f"proposed {request}; a person confirms it with: ppgp-tui goal confirm"
    return replace(result, message=f"{text}\nwait for that with: ppgp-tui ask --resume {request}")


def _decide(
    engine: Engine,
    given: str | None,
    option: Literal["yes", "no"],
    done: str,
    note: str | None = None,
) -> Result:
    from ppgp_tui.session.actions.answering import Said
    from ppgp_tui.session.actions.recorded import recorded
    from ppgp_tui.session.actions.signing import answered
    from ppgp_tui.session.journal import RefusalError
    from ppgp_tui.session.text import one_line

    seen = recorded(engine)
    open_ = _open_proposals(seen, engine.clock())
    if given is not None:
        request_id = unique(given, "req", list(seen.ledger.requests))
        if not seen.ledger.requests[request_id]["request"]["kind"].startswith("goal_"):
            raise RefusalError("refused", f"{request_id} proposes no goal; see `answer`")
    elif len(open_) == 1:
        request_id = open_[0]
    elif open_:
        text = f"{len(open_)} proposals are open, name one: {', '.join(open_)}"
        raise RefusalError("refused", text)
    else:
        raise RefusalError("refused", "no proposal is open; `goal propose` makes one")
    entry = seen.ledger.requests[request_id]
    question = entry["request"].get("question", request_id)
    said = Said(option, None, note)
    result = answered(engine, request_id, said, seen_digest=entry["digest"])
    action = "goal.confirm" if option == "yes" else "goal.decline"
    if not result.ok:
        return replace(result, action=action)
    return replace(result, action=action, message=f"{done}: {one_line(question)}")


def _open_proposals(seen: Recorded, now_ms: int) -> list[str]:
    """Ids of the proposals a person can still decide, oldest first."""
    return [
        request_id
        for request_id, entry in seen.ledger.requests.items()
        if entry["state"] == "waiting"
        and entry["request"]["kind"] in ("goal_proposal", "goal_tweak")
        and entry["request"].get("expires_ms", now_ms) >= now_ms
    ]
