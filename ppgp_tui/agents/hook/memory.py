"""What an agent is told when it begins and when its memory was cut down, and the proof of it."""

from __future__ import annotations

from typing import NamedTuple

from ppgp_tui.agents.hook.observe import text_digest
from ppgp_tui.agents.hook.place import Json, Place, now_ms


def packet(place: Place) -> str:
    """The boot packet; empty where there is nothing to go on with."""
    from ppgp_tui.session.live.store import LiveSession
    from ppgp_tui.session.picture import briefing

    snapshot = briefing.looked(LiveSession(place.root, clock=now_ms), now_ms)
    return briefing.packet(snapshot, place.root)


class Facts(NamedTuple):
    """Digests of what stands; empty where nobody can tell."""

    whole: str = ""
    """Over goal, plan and contract."""
    contract: str = ""


def facts(place: Place) -> Facts:
    """Goal, plan and contract as they are now."""
    from ppgp_tui.session.actions.recorded import recorded_if_any
    from ppgp_tui.session.canonical import digest
    from ppgp_tui.session.engine.observed import contract

    found = Facts()
    with place.unhurt("goal and plan were not read"):
        ledger = recorded_if_any(place.engine).ledger
        goal = ledger.goal["objective"] if ledger.goal is not None else ""
        plan, agreed = digest(ledger.todo), contract(place.engine.read_document().reading)
        found = Facts(digest({"goal": goal, "plan": plan, "contract": agreed}), agreed)
    return found  # noqa: RET504 - nothing was found where reading failed


def told(packet: str, now: Facts) -> Json:
    """What is recorded of an agent that was told `packet`, beside the digest of it."""
    from ppgp_tui.pi.javascript import length

    return {"characters": length(packet), "contract": now.contract, "facts": now.whole}


def injected(text: str) -> str:
    """The digest of what an agent was told."""
    return text_digest(text)
