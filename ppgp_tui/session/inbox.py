"""What needs a person: pending bullets of the goal document, and requests in the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ppgp_tui.ppgp.pending import pending_ids
from ppgp_tui.ppgp.reading import GoalReading, Item
from ppgp_tui.session.canonical import digest
from ppgp_tui.session.model import Origin, Request


def inbox(
    reading: GoalReading,
    recorded: tuple[Request, ...],
    line_ms: Mapping[int, int],
    seen_ms: int,
    now_ms: int,
    bullets: Sequence[Bullet] | None = None,
) -> tuple[Request, ...]:
    """Every request, those that wait first: by how many tasks an answer frees, then by age.

    A bullet that is also in the log is one request: its state and age are the log's. `line_ms`
    says when lines of the document were last committed: a bullet waits at least since then.
    `bullets` are those of `reading` where they are known already.
    """
    if bullets is None:
        bullets = pending_bullets(reading)
    by_id = {request.id: _at(request, now_ms) for request in recorded}
    for request in _asked(bullets, reading.path, line_ms, seen_ms):
        known = by_id.get(request.id)
        by_id[request.id] = replace(known, origin=request.origin) if known else request
    waiting = [request for request in by_id.values() if request.is_open]
    others = [request for request in by_id.values() if not request.is_open]
    waiting.sort(key=lambda request: (-len(request.frees), _age(request)))
    return (*waiting, *reversed(others))


def _age(request: Request) -> tuple[bool, int]:
    return request.created_ms is None, request.created_ms or 0


def _at(request: Request, now_ms: int) -> Request:
    """The request at this moment: nobody answered in time is its own state, never a no."""
    over = request.expires_ms is not None and request.expires_ms <= now_ms
    return replace(request, state="expired") if over and request.is_open else request


@dataclass(frozen=True, slots=True)
class Bullet:
    """A pending decision as it stands in the goal document."""

    id: str
    item: Item
    digest: str
    """Over what a person is shown of it: an answer is to these words and no others."""


def pending_bullets(reading: GoalReading) -> tuple[Bullet, ...]:
    """The decisions a person owes according to the document, in its order."""
    pending = reading.authority.pending
    bullets = []
    for item, name in zip(pending, pending_ids(reading.path, pending), strict=True):
        shown = {"id": name, "kind": "document", "class": "C", "question": item.text}
        bullets.append(Bullet(name, item, digest(_clean(shown))))
    return tuple(bullets)


def _asked(
    bullets: Sequence[Bullet], path: str, line_ms: Mapping[int, int], seen_ms: int
) -> list[Request]:
    return [
        Request(
            id=bullet.id,
            state="waiting",
            digest=bullet.digest,
            kind="document",
            klass="C",
            question=bullet.item.text,
            created_ms=line_ms.get(bullet.item.line),
            origin=Origin(path, bullet.item.line, None, seen_ms),
        )
        for bullet in bullets
    ]


def _clean(shown: dict[str, str]) -> dict[str, str]:
    return {key: value.encode("utf-8", "replace").decode() for key, value in shown.items()}
