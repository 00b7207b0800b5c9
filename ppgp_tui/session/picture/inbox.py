"""What needs a person: pending bullets of the goal document, and requests made by agents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.ppgp.pending import pending_ids
from ppgp_tui.ppgp.reading import GoalReading, Item
from ppgp_tui.session.canonical import digest
from ppgp_tui.session.model import AgentState, Origin, Request, Task


def inbox(
    reading: GoalReading,
    recorded: tuple[Request, ...],
    line_ms: Mapping[int, int],
    seen_ms: int,
    now_ms: int,
    bullets: Sequence[Bullet] | None = None,
) -> tuple[Request, ...]:
    """Every request, those that wait first: by how many tasks an answer frees, then by age.

    A bullet that is also in the log is one request: its state and age are the log's, but one that
    was withdrawn because it had left the document and stands there again is asked anew. `line_ms`
    says when lines of the document were last committed: a bullet waits at least since then.
    `bullets` are those of `reading` where they are known already.
    """
    if bullets is None:
        bullets = pending_bullets(reading)
    by_id = {request.id: _at(request, now_ms) for request in recorded}
    for request in _asked(bullets, reading.path, line_ms, seen_ms):
        known = by_id.get(request.id)
        if known is None or known.state == "withdrawn":
            by_id[request.id] = request
        else:
            by_id[request.id] = _in_document(known, request)
    waiting = [request for request in by_id.values() if request.is_open]
    others = [request for request in by_id.values() if not request.is_open]
    waiting.sort(key=lambda request: (-len(request.frees), _age(request)))
    return (*waiting, *reversed(others))


def completed(
    requests: Iterable[Request],
    tasks: Sequence[Task],
    asker: Callable[[Request], tuple[AgentState | None, int | None]],
) -> tuple[Request, ...]:
    """The requests with what else an answer frees and how the one that asked is, in order.

    A document may name as scope what is no task: an answer frees only tasks of the plan.
    Those that wait come first, by how many tasks an answer frees in the end, then by age.
    """
    found = list(requests)
    if any(request.is_open for request in found):
        keys = {task.key for task in tasks}
        found = [_of_plan(one, keys) for one in found]
        needed_by = _needed_by(tasks)
        found = [_with_asker(_with_freed(one, needed_by, tasks), asker) for one in found]
    waiting = [request for request in found if request.is_open]
    waiting.sort(key=lambda one: (-len(one.frees) - len(one.frees_then), _age(one)))
    return (*waiting, *(request for request in found if not request.is_open))


def scope_keys(scope: str | None) -> tuple[str, ...]:
    """The keys that a scope may name: `T8, T9 and T10`."""
    parts = re.split(r"[,;]\s*|\s+and\s+", scope) if scope else ()
    return tuple(filter(None, (part.strip() for part in parts)))


def _of_plan(request: Request, keys: Set[str]) -> Request:
    if request.kind != "document" or set(request.frees) <= keys:
        return request
    return request._replace(frees=tuple(key for key in request.frees if key in keys))


def _needed_by(tasks: Sequence[Task]) -> Mapping[str, list[str]]:
    """By key of a task: the unfinished ones that depend on it."""
    needed_by: dict[str, list[str]] = {}
    for task in tasks:
        if task.state != "done":
            for key in task.depends_on:
                needed_by.setdefault(key, []).append(task.key)
    return needed_by


def _with_freed(
    request: Request, needed_by: Mapping[str, list[str]], tasks: Sequence[Task]
) -> Request:
    if not request.is_open or not request.frees:
        return request
    reached: set[str] = set()
    left = list(request.frees)
    while left:
        for key in needed_by.get(left.pop(), ()):
            if key not in reached:
                reached.add(key)
                left.append(key)
    reached.difference_update(request.frees)
    then = tuple(task.key for task in tasks if task.key in reached) if reached else ()
    return request._replace(frees_then=then)


def _with_asker(
    request: Request, asker: Callable[[Request], tuple[AgentState | None, int | None]]
) -> Request:
    if not request.is_open:
        return request
    state, quiet_ms = asker(request)
    if state is None and quiet_ms is None:
        return request
    return request._replace(asker_state=state, asker_quiet_ms=quiet_ms)


def _in_document(known: Request, bullet: Request) -> Request:
    """A recorded decision that stands in the document: the log has its state, the rest is read.

    Nobody asked it but the document, and it waits since the document does; recording it with an
    answer changed no word of it.
    """
    if known.kind != "document" or not known.is_open:
        return known._replace(origin=bullet.origin)
    return known._replace(
        origin=bullet.origin,
        digest=bullet.digest,
        scope=bullet.scope or known.scope,
        frees=bullet.frees or known.frees,
        created_ms=bullet.created_ms,
        asker=bullet.asker,
        evidence=bullet.evidence,
    )


def _age(request: Request) -> tuple[bool, int]:
    return request.created_ms is None, request.created_ms or 0


def _at(request: Request, now_ms: int) -> Request:
    """The request at this moment: nobody answered in time is its own state, never a no."""
    over = request.expires_ms is not None and request.expires_ms <= now_ms
    return request._replace(state="expired") if over and request.is_open else request


class Bullet(NamedTuple):
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
            scope=bullet.item.scope or "",
            frees=scope_keys(bullet.item.scope),
            created_ms=line_ms.get(bullet.item.line),
            origin=Origin(path, bullet.item.line, None, seen_ms),
        )
        for bullet in bullets
    ]


def _clean(shown: dict[str, str]) -> dict[str, str]:
    return {key: value.encode("utf-8", "replace").decode() for key, value in shown.items()}
