"""Actions on the goal that need nobody's confirmation. Proposals are in `proposals`."""

from __future__ import annotations

from ppgp_tui.pi.block_proof import BlockProof
from ppgp_tui.ppgp.edits import NoSuchSpanError, set_phase
from ppgp_tui.ppgp.vocabulary import PHASES
from ppgp_tui.session.actions.documents import replace_document
from ppgp_tui.session.engine import bound, goals
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine, Scene
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.observed import record_phase
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.journal import RefusalError


def create(engine: Engine, objective: str) -> Result:
    """A person makes a goal; it is active at once."""
    return engine.perform(
        "goal.create", lambda _, draft: goals.start(draft, objective), said="goal started"
    )


def tweak(engine: Engine, objective: str) -> Result:
    """A person revises the objective; status and pause stay."""
    return engine.perform(
        "goal.tweak", lambda _, draft: goals.tweak(draft, objective), said="goal updated"
    )


def resume(engine: Engine) -> Result:
    """A paused or blocked goal goes on."""
    return engine.perform("goal.unblock", lambda _, draft: goals.resume(draft), said="goal resumed")


def block(engine: Engine, proof: BlockProof, *, klass: str = "D", scope: str = "goal") -> Result:
    """The goal cannot go on, with proof."""
    return engine.perform(
        "goal.block",
        lambda _, draft: goals.block(draft, proof, klass=klass, scope=scope),
        said="goal blocked",
    )


def abandon(engine: Engine, reason: str) -> Result:
    """The goal is given up."""
    return engine.perform(
        "goal.abandon", lambda _, draft: goals.abandon(draft, reason), said="goal abandoned"
    )


def claim(engine: Engine, summary: str) -> Result:
    """Say that the goal is done. It stays a claim until an audit has verified it."""
    path, document = engine.read_document()
    try:
        state = bound.code_state(engine.root, document_path=path)
    except bound.GitUnknownError as error:
        return Result("goal.claim", "refused", f"cannot tell what the claim is about: {error}")

    def act(scene: Scene, draft: Draft) -> Json:
        if scene.document != document:
            raise RefusalError("stale", f"{path} changed while the claim was being prepared")
        return goals.claim(draft, summary, bound.bound(scene.reading, draft.ledger, state))

    return engine.perform("goal.claim", act, said="claimed; only an audit can verify it")


def checkpoint(engine: Engine, summary: str) -> Result:
    """The goal document is up to date, says the agent."""

    def act(scene: Scene, draft: Draft) -> Json:
        if scene.document is None:
            raise RefusalError("refused", f"there is no {scene.document_path} to vouch for")
        return goals.checkpoint(
            draft, scene.document_path, bound.sha256_hex(scene.document), summary
        )

    return engine.perform("goal.checkpoint", act, said="checkpoint recorded")


def set_phase_of(engine: Engine, phase: str) -> Result:
    """Write the phase word into the goal document and record the change."""
    wanted = phase.strip().upper()
    edited: dict[str, bytes] = {}

    def act(scene: Scene, draft: Draft) -> Json:
        if wanted not in PHASES:
            raise RefusalError("refused", f"{phase!r} is no phase: {', '.join(PHASES)}")
        if scene.document is None:
            raise RefusalError("refused", f"there is no {scene.document_path} to write it into")
        if scene.reading.phase == wanted:
            return {"phase": wanted, "unchanged": True}
        try:
            edited["document"] = set_phase(scene.document, scene.reading, wanted)
        except NoSuchSpanError as error:
            raise RefusalError("refused", str(error)) from None
        record_phase(draft, scene.reading, scene.document_path, wanted, observed=False)
        return {"phase": wanted, "from": scene.reading.phase}

    def after(scene: Scene, data: Json) -> list[str]:
        if "document" in edited:
            note_refused_edit(scene, data, edited["document"])
        return []

    return engine.perform("goal.phase", act, after=after, said=f"phase {wanted}")


def note_refused_edit(scene: Scene, data: Json, changed: bytes) -> None:
    """Write the document; the log entry stands even if that is refused, and the result says so."""
    try:
        replace_document(scene, changed)
        data["document"] = scene.document_path
    except RefusalError as refusal:
        data["document_refused"] = str(refusal)
        scene.warnings.append(f"recorded, but not written into the document: {refusal}")
