"""What an agent without a memory is told of the session: PPGP's boot packet with what is known now.

Hooks tell it at the start of a session, the MCP server on demand, a restart loop before each run:
the same text each time.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from ppgp_tui.pi.javascript import cut, length
from ppgp_tui.ppgp.boot import Fact, boot_packet
from ppgp_tui.session import git
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.model import Plan, Repo, Request, SessionSnapshot, SourceState
from ppgp_tui.session.picture.audit_report import NotKeptError, path_of, undecided_in
from ppgp_tui.session.picture.audit_state import Audit, Verdict
from ppgp_tui.session.sources.document import SETTLE_S

MOST: Final = 10_000
"""Characters (UTF-16 units) an agent takes whole; more would become a file with a preview."""
COMMITS: Final = 5
UNDECIDED_MOST: Final = 8
"""Criteria that are named of an audit that could not decide."""
_LINE_MOST: Final = 400
_GIT_LIMIT_S: Final = 10


def packet(snapshot: SessionSnapshot, root: Path) -> str:
    """The boot packet, at most `MOST` characters; empty where there is nothing to go on with."""
    nothing = (
        snapshot.goal.value.health == "MISSING"
        and snapshot.plan.value.source == "none"
        and not snapshot.inbox.value
    )
    return "" if nothing else bounded(boot_text(root, snapshot), snapshot.goal.value.path)


def boot_text(root: Path, snapshot: SessionSnapshot) -> str:
    """Contract, hot state and evidence for a fresh agent, of any length."""
    facts = [
        Fact("REPOSITORY", "\n".join(_repository(snapshot.repo.value))),
        Fact("LAST COMMITS", _last_commits(root) or "(none)"),
        Fact("PLAN", "\n".join(plan_lines(snapshot.plan.value))),
        Fact("WAITING FOR A PERSON", "\n".join(waiting_lines(snapshot)) or "(nothing)"),
    ]
    if said := "\n".join(claim_lines(root, snapshot)):
        facts.insert(0, Fact("LAST CLAIM", said))
    return boot_packet(snapshot.goal.value, facts, dict(snapshot.roles).get("MEMORY"))


def looked(session: LiveSession, clock: Callable[[], int]) -> SessionSnapshot:
    """Everything the app would show, as it is now."""
    began = clock()
    snapshot = session.read_all()
    if any(_not_seen_since(began, source) for source in snapshot.sources):
        time.sleep(SETTLE_S)  # perhaps in the middle of being replaced; then it is as it is
        snapshot = session.read_all()
    return replace(snapshot, at_ms=clock())


def bounded(text: str, path: str) -> str:
    """`text`, cut at the end of a line where it is longer than `MOST`; then it says so."""
    if length(text) <= MOST:
        return text
    end = f"\n(cut here, it is longer than {MOST:,} characters; the rest is in {path})\n"
    room = (MOST - length(end)) * 2
    kept = text.encode("utf-16-le", "surrogatepass")[:room].decode("utf-16-le", "ignore")
    return kept[: kept.rfind("\n")] + end if "\n" in kept else kept + end


def plan_lines(plan: Plan) -> Iterator[str]:
    """How the plan stands."""
    if plan.source == "none":
        yield "No plan is recorded."
        return
    edited = "; todo.json was edited by hand and that is not recorded" if plan.hand_edit else ""
    yield f"Plan revision {plan.revision}, {len(plan.tasks)} tasks{edited}."
    if running := plan.keys_in("running"):
        yield f"Running: {', '.join(running)}"
    if ready := plan.keys_in("ready"):
        yield f"Ready: {', '.join(ready)}"


def claim_lines(root: Path, snapshot: SessionSnapshot) -> Iterator[str]:
    """How the newest claim stands; nothing where none was made and nothing audited.

    What stands now comes first: a rejection that a later audit did not repeat is an earlier one.
    """
    audit, life = snapshot.audit.value, snapshot.lifecycle.value
    last = is_of_last_audit(audit)
    if audit.state == "claimed":
        yield f"claimed, no verdict yet: {life.claims[-1].summary}"
    elif audit.state == "running":
        yield "an audit of the claim is under way; change neither code nor plan nor contract"
    elif audit.state == "unsure":
        yield "the last audit could not decide: give evidence and claim again, or ask a person"
    elif audit.state == "stale" and (life.rejection is None or not last):
        yield "the verdict is stale: claim again when everything holds"
    elif audit.state == "verified":
        yield "an audit verified the goal; what is left is the final answer"
    if audit.state in ("unsure", "stale") and audit.verdict is not None:
        yield from _undecided(root, audit.verdict)
    if life.rejection is not None and last:
        since = f" ({', '.join(audit.moved)} moved since)" if audit.moved else ""
        yield f"last audit rejected the claim{since}: {life.rejection}"
    elif life.rejection is not None:
        yield f"an earlier audit rejected an earlier claim: {life.rejection}"


def is_of_last_audit(audit: Audit) -> bool:
    """Whether the rejection that stands is that of the newest audit, as far as the log tells."""
    newest = audit.verdict
    return newest is None or (newest.word == "rejected" and not newest.stale)


def _undecided(root: Path, verdict: Verdict) -> Iterator[str]:
    """What the audit lacked, while its report is still the one that was recorded."""
    if verdict.word != "inconclusive":
        return
    try:
        yield from undecided_lines(root, verdict.id, verdict.report_digest)
    except NotKeptError as error:
        yield f"- {verdict.why or 'nobody knows why'}; {error}"


def undecided_lines(root: Path, eval_id: str, digest: str) -> tuple[str, ...]:
    """What that audit could not check, a line each as agents are told. Raises `NotKeptError`."""
    lines = undecided_in(root, eval_id, digest)
    more = len(lines) - UNDECIDED_MOST
    return (
        *(f"- {cut(line, _LINE_MOST)}" for line in lines[:UNDECIDED_MOST]),
        *([f"- and {more} more: {path_of(eval_id)}"] if more > 0 else []),
    )


def waiting_lines(snapshot: SessionSnapshot) -> Iterator[str]:
    """What waits for a person, or was answered and not fetched.

    A proposal that was confirmed is done, fetched or not: the goal itself says so.
    """
    for request in snapshot.inbox.value:
        if request.state in ("waiting", "taken_back"):
            yield f"{request.id}: {request.question}"
        elif request.state == "answered" and not _is_confirmed(request):
            yield f"{request.id}: {request.question} (answered: call get_answer)"


def _is_confirmed(request: Request) -> bool:
    confirmed = request.answer is not None and request.answer.option == "yes"
    return confirmed and request.kind in ("goal_proposal", "goal_tweak")


def _repository(repo: Repo) -> Iterator[str]:
    if not repo.git:
        yield "No Git here."
        return
    where = "detached" if repo.detached else f"branch {repo.branch}"
    yield f"{where} at {(repo.head or 'no commit')[:12]}"
    if repo.dirty is not None:
        yield f"changed or untracked paths: {repo.dirty}"
    if repo.commits_since_goal is not None:
        yield f"commits since the goal document last changed: {repo.commits_since_goal}"


def _last_commits(root: Path) -> str:
    """The last commits, one a line; nothing where Git cannot tell."""
    try:
        said = git.ask(root, "log", f"-{COMMITS}", "--format=%h %cs %s", limit_s=_GIT_LIMIT_S)
    except git.GitUnknownError:
        return ""
    return "" if said.code else said.text


def _not_seen_since(began_ms: int, source: SourceState) -> bool:
    """Whether a file's value is an earlier one, kept while its writer may be at work."""
    watched = source.name in ("goal", "plan", "control") and source.state == "found"
    return watched and (source.seen_ms or 0) < began_ms
