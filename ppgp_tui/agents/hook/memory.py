"""What an agent is told when it begins and when its memory was cut down, and the proof of it."""

from __future__ import annotations

from typing import Final, NamedTuple

from ppgp_tui.agents.hook.observe import text_digest
from ppgp_tui.agents.hook.place import Json, Place, now_ms

MOST: Final = 10_000
"""Characters an agent takes whole; more would become a file with a preview."""


def packet(place: Place) -> str:
    """The boot packet, at most `MOST` characters; empty where there is nothing to go on with."""
    from ppgp_tui.agents.mcp.picture import Picture

    picture = Picture(place.root, now_ms)
    snapshot = picture.snapshot()
    nothing = (
        snapshot.goal.value.health == "MISSING"
        and snapshot.plan.value.source == "none"
        and not snapshot.inbox.value
    )
    return "" if nothing else bounded(picture.boot_text(), snapshot.goal.value.path)


def bounded(text: str, path: str) -> str:
    """`text`, cut at the end of a line where it is longer than `MOST`; then it says so."""
    if _length(text) <= MOST:
        return text
    end = f"\n(cut here, it is longer than {MOST:,} characters; the rest is in {path})\n"
    room = (MOST - _length(end)) * 2
    kept = text.encode("utf-16-le", "surrogatepass")[:room].decode("utf-16-le", "ignore")
    return kept[: kept.rfind("\n")] + end if "\n" in kept else kept + end


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
    return {"characters": _length(packet), "contract": now.contract, "facts": now.whole}


def injected(text: str) -> str:
    """The digest of what an agent was told."""
    return text_digest(text)


def _length(text: str) -> int:
    """In UTF-16 units, as agents count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
