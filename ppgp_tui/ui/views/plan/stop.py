"""What stops a task: the very request or blocker, its class, its words and who is to act."""

from __future__ import annotations

from typing import NamedTuple

from ppgp_tui.session.model import Origin, Request, SessionSnapshot, Task
from ppgp_tui.session.picture.blockers import in_the_way
from ppgp_tui.session.text import one_line
from ppgp_tui.ui.looks.words import CLASSES, plain


class Stop(NamedTuple):
    """One thing that stops a task."""

    klass: str
    text: str
    who: str
    """Who or what is waited for: `you`, `until 02:00`, or empty."""
    since_ms: int | None
    origin: Origin | None
    request: str = ""
    """Id of the request, where it is one."""
    asker: str = ""


def asked_of(snapshot: SessionSnapshot, task: Task) -> Request | None:
    """The open request that stops `task`: one about this very task before one that frees it too."""
    if task.stopped_by is None:
        return None
    waits = [one for one in snapshot.inbox.value if one.is_open]
    own = next((one for one in waits if one.scope == task.key), None)
    if own is not None:
        return own
    return next((one for one in waits if task.key in one.frees and _yours(task)), None)


def _yours(task: Task) -> bool:
    return task.state == "for_you" or (task.stopped_by or "").endswith("you")


def stops_of(snapshot: SessionSnapshot, task: Task) -> list[Stop]:
    """Everything that stops `task` or stands in its way, what a person can answer first."""
    found = []
    request = asked_of(snapshot, task)
    if request is not None:
        found.append(
            Stop(
                request.klass, one_line(plain(request.question)), "you",
                request.created_ms, request.origin, request.id, request.asker or "",
            )
        )  # fmt: skip
    for blocker in in_the_way(snapshot):
        if blocker.scope != task.key and task.key not in blocker.tasks:
            continue
        klass = blocker.klass or ""
        if klass == "C" and request is not None:
            continue
        who = _who(task, klass, blocker.until or "")
        text = one_line(plain(blocker.text))
        found.append(Stop(klass, text, who, blocker.since_ms, blocker.origin))
    return found


def _who(task: Task, klass: str, until: str) -> str:
    """Who or what is waited for: said by the blocker, else by the state word of the task."""
    said, _, rest = (task.stopped_by or "").partition(" ")
    if not until and said == klass and rest != "you":
        until = rest
    return f"until {until}" if until else "you" if klass == "C" else ""


def stop_words(stop: Stop) -> str:
    """`C, your answer: Drop the column?`, `B external, until 02:00: window opens`."""
    if stop.who == "you":
        return f"{stop.klass}, your answer".lstrip(", ")
    named = f"{stop.klass} {CLASSES.get(stop.klass, '')}".strip()
    return ", ".join(filter(None, (named, stop.who)))
