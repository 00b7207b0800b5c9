"""The words of every state, as they are heard."""

from __future__ import annotations

from ppgp_tui.ppgp.reading import CriterionState
from ppgp_tui.session.model import AgentState, Audit, RequestState, TaskState

CRITERIA: dict[CriterionState, str] = {
    "done": "done", "partial": "partly", "claimed": "claimed without evidence",
    "blocked": "blocked", "open": "open", "unknown": "not said",
}  # fmt: skip
VERIFIED = "verified by an audit"
TASKS: dict[TaskState, str] = {
    "for_you": "for you", "running": "running", "ready": "ready", "blocked": "blocked",
    "waits": "waiting", "done": "done",
}  # fmt: skip
AGENTS: dict[AgentState, str] = {
    "waiting_for_you": "waits for you", "violated": "broke the pause", "held": "held",
    "frozen": "frozen", "stopping": "is to end its turn", "limited": "stopped by its model",
    "working": "working", "idle": "idle", "quiet": "shows no sign", "ended": "ended",
    "gone": "gone",
}  # fmt: skip
REQUESTS: dict[RequestState, str] = {
    "waiting": "waits for you", "taken_back": "waits for you again, the answer was taken back",
    "answered": "is answered", "delivered": "is answered, and the one who asked has the answer",
    "acted_on": "is answered, and was acted on", "expired": "expired, nobody answered",
    "withdrawn": "was withdrawn",
}  # fmt: skip


def criterion_words(state: CriterionState, audit: Audit) -> str:
    """How a criterion stands; what is done is verified only while a verdict says so that fits."""
    is_verified = audit.state == "verified" and audit.stale is False
    return VERIFIED if is_verified and state == "done" else CRITERIA[state]


CLASSES = {"A": "solvable", "B": "external", "C": "authority", "D": "dependency"}
