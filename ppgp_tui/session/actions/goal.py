"""Actions on the goal that need nobody's confirmation. Proposals are in `proposals`."""

from __future__ import annotations

from ppgp_tui.pi.block_proof import BlockProof, label_of
from ppgp_tui.ppgp.edits import NoSuchSpanError, set_phase
from ppgp_tui.ppgp.vocabulary import PHASES
from ppgp_tui.session.actions.documents import edit_recorded
from ppgp_tui.session.actions.person import persons_only
from ppgp_tui.session.engine import bound, goals
from ppgp_tui.session.engine.draft import Draft
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.observed import record_phase
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.engine.scene import Scene
from ppgp_tui.session.journal import RefusalError


def create(engine: Engine, objective: str) -> Result:
    """A person makes a goal; it is active at once."""

    def act(_: Scene, draft: Draft) -> Json:
        persons_only(engine)
        return goals.start(draft, objective)

    return engine.perform("goal.create", act, said="goal started")


def tweak(engine: Engine, objective: str) -> Result:
    """A person revises the objective; status and pause stay."""

    def act(_: Scene, draft: Draft) -> Json:
        persons_only(engine)
        return goals.tweak(draft, objective)

    return engine.perform("goal.tweak", act, said="goal updated")


def resume(engine: Engine) -> Result:
    """A paused or blocked goal goes on; what a person paused, only a person resumes."""

    def act(_: Scene, draft: Draft) -> Json:
        if label_of(goals.state_of(draft.ledger).goal) == "paused":
            persons_only(engine)
        return goals.resume(draft)

    return engine.perform("goal.unblock", act, said="goal resumed")


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


def claim(engine: Engine, summary: str, *, dispute: str = "") -> Result:
    """Say that the goal is done. It stays a claim until an audit has verified it.

    `dispute` says why the verdict that rejected the last claim is wrong.
    """
    document = engine.read_document()
    if document.why:
        return Result("goal.claim", "refused", f"cannot tell what is claimed: {document.why}")
    try:
        state = bound.code_state(engine.root, document_path=document.path)
    except bound.GitUnknownError as error:
        return Result("goal.claim", "refused", f"cannot tell what the claim is about: {error}")

    def act(scene: Scene, draft: Draft) -> Json:
        if scene.document.data != document.data:
            text = f"{document.path} changed while the claim was being prepared"
            raise RefusalError("stale", f"{text}; nothing was recorded, claim again")
        about = bound.bound(scene.document.reading, draft.ledger, state)
        return goals.claim(draft, summary, about, dispute=dispute)

    return engine.perform("goal.claim", act, said="claimed; only an audit can verify it")


def checkpoint(engine: Engine, summary: str) -> Result:
    """The goal document is up to date, says the agent."""

    def act(scene: Scene, draft: Draft) -> Json:
        try:
            data = scene.document.must_be_there()
        except FileNotFoundError as error:
            raise RefusalError("refused", f"{error}: nothing to vouch for") from None
        return goals.checkpoint(draft, scene.document.path, bound.sha256_hex(data), summary)

    return engine.perform("goal.checkpoint", act, said="checkpoint recorded")


def set_phase_of(engine: Engine, phase: str) -> Result:
    """Write the phase word into the goal document and record the change."""
    wanted = phase.strip().upper()

    def act(scene: Scene, draft: Draft) -> Json:
        if wanted not in PHASES:
            raise RefusalError("refused", f"{phase!r} is no phase: {', '.join(PHASES)}")
        now = scene.document
        try:
            data = now.must_be_there()
            if now.reading.phase == wanted:
                return {"phase": wanted}
            set_phase(data, now.path, wanted)
        except (FileNotFoundError, NoSuchSpanError) as error:
            raise RefusalError("refused", str(error)) from None
        record_phase(draft, now.reading, now.path, wanted, observed=False)
        return {"phase": wanted, "from": now.reading.phase}

    def after(scene: Scene, data: Json) -> list[str]:
        if "from" in data:
            path = scene.document.path
            edit_recorded(scene, data, lambda known: set_phase(known, path, wanted))
        return []

    return engine.perform("goal.phase", act, after=after, said=f"phase {wanted}")
