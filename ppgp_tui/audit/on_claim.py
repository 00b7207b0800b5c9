"""A claim, and the audit that follows it by itself where the person wants that. An edge.

Whoever claims is no judge of it: the audit is a process of its own, in a session of its own, so
that it goes on when the agent, its shell or its MCP server end. It is begun only by the setting
`audit.on_claim` of the person's own file, and only where every command of it has been let run.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from time import monotonic, sleep
from typing import Final

from ppgp_tui.session.actions import goal, objections
from ppgp_tui.session.actions.recorded import recorded
from ppgp_tui.session.canonical import loop_session
from ppgp_tui.session.engine import goals
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import RefusalError

QUICK_S: Final = 20.0
"""A verdict that is there within this time is told with the claim; clients wait for a minute."""
CLAIMED: Final = (
    "Claimed, not complete: the Goal stays open until an audit, which a person starts, has "
    "verified it. Tell the person that the claim waits for it."
)
_BY_LOOP: Final = (
    "Claimed, not complete: the Goal stays open until an audit has verified it. The restart loop "
    "that you run in makes that audit as soon as this run is over: end your turn."
)
BY_A_PERSON: Final = "Claimed; only an audit can verify it: ppgp-tui audit."
_BEGUN: Final = (
    "Claimed, not complete: an audit has begun and goes on by itself. Its objections come to you "
    "as a note. Change neither code nor plan nor contract meanwhile: the verdict would be stale."
)
_APPROVED: Final = "The audit verified the Goal. Write the final answer to the person."
_REJECTED: Final = "The audit rejected the claim. Address these objections before you claim again:"
_UNDECIDED: Final = (
    "The audit could not decide; a person has to. Tell them what it could not check, and end your "
    "turn."
)
_POLL_S: Final = 0.1
_PROGRAM: Final = "from ppgp_tui.cli.entry import main; main()"


def claim(engine: Engine, summary: str, *, dispute: str = "", quick_s: float = QUICK_S) -> Result:
    """Claim that the goal is done, and have it audited where the settings say so.

    The result's `data` has `audit`: `waits` (a person starts it), `loop` (the restart loop of the
    agent makes it after the run), `begun`, or the verdict; and `why` an audit that should have
    begun did not.
    """
    result = goal.claim(engine, summary, dispute=dispute)
    if not result.ok:
        return result
    if not engine.settings.audit_on_claim:
        return _waits(engine, result)
    if why := why_not(engine):
        return _waits(engine, result, why)
    try:
        process = _begin(engine)
    except OSError as error:
        return _waits(engine, result, f"no process could be started: {error.strerror}")
    if not _ends(process, quick_s):
        return _told(result, _BEGUN, "begun")
    return _with_verdict(engine, result)


def why_not(engine: Engine) -> str:
    """Why no audit may begin by itself now; empty where one may."""
    from ppgp_tui.audit import whole
    from ppgp_tui.audit.recording import CannotAuditError
    from ppgp_tui.session.sources.audit import running_now

    if running_now(engine.root) is not None:
        return "another audit is under way"
    try:
        unknown = whole.untrusted(engine, whole.planned_for(engine))
    except CannotAuditError as error:
        return str(error)
    if unknown:
        noun = "commands" if len(unknown) > 1 else "command"
        return f"no person has let {len(unknown)} of its {noun} run here"
    return ""


def _begin(engine: Engine) -> subprocess.Popen[bytes]:
    """The audit as a process that nobody's end ends; nothing of the caller's streams is its own."""
    return subprocess.Popen(
        # -P: no module of the repository is taken for one of ours.
        [sys.executable, "-P", "-c", _PROGRAM, "audit", "--root", str(engine.root)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        cwd=engine.root,
    )


def _ends(process: subprocess.Popen[bytes], within_s: float) -> bool:
    until = monotonic() + within_s
    while process.poll() is None:
        if monotonic() >= until:
            return False
        sleep(_POLL_S)
    return True


def _with_verdict(engine: Engine, result: Result) -> Result:
    try:
        ledger = recorded(engine).ledger
    except RefusalError:
        return _told(result, _BEGUN, "begun")
    mine = (one for one in reversed(ledger.audits) if one["claim"] == result.data["claim"])
    verdict = next(mine, None)
    if verdict is None:
        return _waits(engine, result, "it ended without a verdict")
    word, goal_now = verdict["verdict"], goals.state_of(ledger).goal
    if verdict["stale"]:
        said = "The verdict is stale: something moved while the audit ran. Claim again when done."
    elif word == "rejected" and goal_now is not None and goal_now.last_audit_rejection is not None:
        objections.heard(engine)
        said = f"{_REJECTED}\n\n{goal_now.last_audit_rejection.report}"
    elif word == "inconclusive":
        said = "\n".join((_UNDECIDED, *objections.undecided(engine, verdict["id"])))
    else:
        said = _APPROVED
    return _told(result, said, word, eval=verdict["id"], stale=verdict["stale"])


def _waits(engine: Engine, result: Result, why: str = "") -> Result:
    """A person starts the audit, or the loop that the agent runs in does.

    `why` it did not begin by itself, where it should have.
    """
    more = {"why": why} if why else {}
    if _in_auditing_loop(engine):
        return _told(result, _BY_LOOP, "loop", **more)
    said = BY_A_PERSON if engine.actor.kind == "user" else CLAIMED
    return _told(result, f"{said} None began by itself: {why}." if why else said, "waits", **more)


def _in_auditing_loop(engine: Engine) -> bool:
    """Whether whoever acts works in an iteration of a restart loop that has claims audited."""
    try:
        runs = recorded(engine).ledger.open_runs
    except RefusalError:
        return False
    loop = runs.get(engine.actor.id, {}).get("loop")
    return loop is not None and "audits" in runs.get(loop_session(loop), {})


def _told(result: Result, message: str, audit: str, **more: Json | str | bool) -> Result:
    return replace(result, message=message, data={**result.data, "audit": audit, **more})
