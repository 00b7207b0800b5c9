"""What an audit is about, before it begins, and recording what it came to. An edge.

The report is on the disk before the log names it. What the claim is about is looked at again before
the verdict is recorded and once more under the lock: a verdict on what has moved is stale.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from ppgp_tui.audit.frozen import scope
from ppgp_tui.audit.looking import test_files
from ppgp_tui.audit.model import Answer, AuditPlan, Found, Verdict
from ppgp_tui.audit.plan import plan_of
from ppgp_tui.audit.report import encoded, report, told
from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.actions import objections
from ppgp_tui.session.canonical import is_id
from ppgp_tui.session.engine import bound, verdicts
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.engine.scene import Document, Scene
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import RefusalError

FOLDER: Final = "audits"
_DECIDES: Final = ("contract", "plan", "code", "goal")
_TRIES: Final = 3


class CannotAuditError(Exception):
    """Why there is nothing to audit; the message says what to do."""


def planned(
    engine: Engine,
    *,
    commands: tuple[tuple[str, ...], ...] = (),
    auditor: tuple[str, ...] = (),
) -> AuditPlan:
    """Return the plan for the goal as it stands now. Raises `CannotAuditError`."""
    document = engine.read_document()
    if document.why:
        raise CannotAuditError(document.why)
    about, ledger = _bound(engine, document)
    goal = ledger.goal
    if goal is None and document.reading.health == "MISSING":
        raise CannotAuditError("there is no goal here: neither a document nor one in the log")
    claims = [one for one in ledger.claims if goal is not None and one["goal_id"] == goal["id"]]
    newest = claims[-1] if claims else {}
    narrowed = scope(engine, document.reading, test_files(engine.root))
    return plan_of(
        document.reading,
        objective=goal["objective"] if goal else "",
        commands=commands,
        bound=about,
        alarms=narrowed.alarms,
        compared=narrowed.compared,
        claim=newest.get("id"),
        claimed_by=str(newest.get("by", "")),
        auditor=auditor,
    )._replace(
        goal_revision=goal["revision"] if goal else None,
        plan_revision=ledger.todo["revision"],
        open_tasks=tuple(
            f"{task['key']}: {task['subject']}"
            for task in ledger.todo["tasks"]
            if task["status"] in ("pending", "in_progress", "blocked")
        ),
    )


def record(
    engine: Engine,
    plan: AuditPlan,
    found: tuple[Found, ...],
    answer: Answer | None,
    verdict: Verdict,
    *,
    started_ms: int,
    command: str,
) -> Result:
    """Keep the report and record the verdict, stale if what it is about has moved.

    The result's `data` has `eval`, `verdict`, `stale` and the report's `path`; `verdict` and
    `stale` alone where there is no log.
    """
    eval_id = engine.ids("eval")
    for _ in range(_TRIES):
        document = engine.read_document()
        try:
            now, _ledger = _bound(engine, document)
        except CannotAuditError as error:
            return Result("audit", "refused", f"nothing was recorded: {error}")
        judged = verdict._replace(stale=moved(plan.bound, now))
        if not os.path.lexists(engine.root / engine.settings.log):
            return _unrecorded(judged)
        said = report(
            plan, found, answer, judged, eval_id=eval_id, started_ms=started_ms,
            ended_ms=engine.clock(), bound_after=now,
        )  # fmt: skip
        data, digest = encoded(said)
        try:
            _keep(engine.root, eval_id, data)
        except OSError as error:
            return Result("audit", "disk", f"the report cannot be kept: {error.strerror}")
        result = _record(engine, plan, judged, now, eval_id, digest, command)
        if result.code != "stale":
            break
    return result


def reported(root: Path, eval_id: str) -> Json | None:
    """The report of the audit with that id; None where it is not there or no report."""
    if not is_id(eval_id, "eval"):
        return None
    try:
        with Folder.open(root, ".ppgp", FOLDER, eval_id) as folder:
            said = json.loads(folder.read("report.json"))
    except (OSError, ValueError):
        return None
    return said if isinstance(said, dict) else None


def bound_of(engine: Engine) -> tuple[Json, str]:
    """What a verdict would be about now, and the id of the newest audit of the goal, or nothing.

    Raises `CannotAuditError`.
    """
    about, ledger = _bound(engine, engine.read_document())
    goal = ledger.goal
    newest = ledger.verdict_on(goal["id"] if goal is not None else None)
    return about, newest["id"] if newest is not None else ""


def moved(before: Mapping[str, str | None], now: Mapping[str, str | None]) -> bool:
    """Whether contract, plan, code or goal differ (CONTRACTS 9); a commit alone does not."""
    return any(before.get(name) != now.get(name) for name in _DECIDES)


def _unrecorded(verdict: Verdict) -> Result:
    word = verdict.word.replace("_", " ")
    text = f"{word}; nothing was recorded, because there is no log here"
    return Result("audit", "unchanged", text, data={"verdict": verdict.word,
                                                    "stale": verdict.stale})  # fmt: skip


def _record(
    engine: Engine,
    plan: AuditPlan,
    verdict: Verdict,
    now: Json,
    eval_id: str,
    digest: str,
    command: str,
) -> Result:
    report_told, path = told(verdict), f".ppgp/{FOLDER}/{eval_id}/report.json"

    def act(scene: Scene, draft: Draft) -> Json:
        under_lock = {**now, **_agreed(scene.document.reading, draft.ledger)}
        if moved(under_lock, now):
            raise RefusalError("stale", "the goal moved while the verdict was being recorded")
        data = verdicts.record(
            draft,
            verdict.word,
            verdict.why,
            eval_id=eval_id,
            bound=dict(plan.bound),
            stale=verdict.stale,
            report=report_told,
            report_digest=digest,
            isolation=verdict.isolation,
            auditor=" ".join(plan.auditor) or "none",
            command=command,
            claim=plan.claim,
        )
        return data | {"path": path}

    def after(scene: Scene, data: Json) -> list[str]:
        objections.tell(scene, data, report_told, path)
        return []

    word = verdict.word.replace("_", " ")
    return engine.perform(
        "audit", act, after=after, said=f"stale: {word}" if verdict.stale else word
    )


def _bound(engine: Engine, document: Document) -> tuple[Json, Ledger]:
    """What a claim would be about now, and the ledger that says so.

    Where there is no log the ledger is empty, and `goal` is None; without Git `code` is.
    """
    seen: list[Ledger] = []

    def act(_: Scene, draft: Draft) -> Json:
        seen.append(draft.ledger)
        return {}

    looked = engine.look("audit", act)
    if not seen and looked.code != "not_initialised":
        raise CannotAuditError(looked.message)
    ledger = seen[0] if seen else Ledger()
    about = _agreed(document.reading, ledger)
    try:
        code = bound.code_state(engine.root, document_path=document.path)
    except bound.GitUnknownError:
        return {**about, "code": None, "commit": None}, ledger
    return {**about, "code": code.digest, "commit": code.commit}, ledger


def _agreed(reading: GoalReading, ledger: Ledger) -> Json:
    """Contract, plan and goal; the code is looked at where no lock is held."""
    about = bound.bound(reading, ledger, bound.CodeState("", None))
    return {name: about[name] for name in ("contract", "plan", "evidence", "goal")}


def _keep(root: Path, eval_id: str, data: bytes) -> None:
    with Folder.open(root, ".ppgp", FOLDER, eval_id, create=True) as folder:
        folder.publish("report.json", data)
