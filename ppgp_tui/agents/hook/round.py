"""Whether an agent goes on with the goal at the end of its turn, and with which words.

Only for an active goal that a person confirmed, below our own counter and the agent's cap, and not
while anything of a person's is open or nothing moves (README, "How an agent goes on").
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from ppgp_tui.agents.hook import calls
from ppgp_tui.agents.hook.control import Control
from ppgp_tui.agents.hook.place import Json, Place, now_ms
from ppgp_tui.session.actions.recorded import Recorded, recorded
from ppgp_tui.session.authority import request_files
from ppgp_tui.session.authority.request_files import RequestFile
from ppgp_tui.session.canonical import digest, digest_of
from ppgp_tui.session.engine import goals
from ppgp_tui.session.engine.pauses import CONTINUE_TEXT
from ppgp_tui.session.engine.scene import Document
from ppgp_tui.session.journal import MalformedEventError, RefusalError, event_of
from ppgp_tui.session.process import is_alive
from ppgp_tui.session.text import one_line

NEXT_MOST: Final = 500
OBSERVED: Final = (
    "run.", "agent.", "tool.", "context.", "human.", "session.", "state.ops_applied",
)  # fmt: skip
"""Kinds that hooks write by themselves, or that repeat another event: no progress."""

_TAIL = 512 * 1024
_KIND = re.compile(rb'\},"kind":"([^"]+)"')
_GIT_LIMIT_S = 5


class Round(NamedTuple):
    """Another round with these words, or why not; and what the session's file is to say."""

    words: str
    why: str
    said: Json


def next_round(place: Place, order: Control) -> Round:
    """Decide it for the turn that ends now."""
    told = place.told()
    said = _since_last_time(place, told)
    why = _why_not(place, order, told, said)
    if why:
        return Round("", why, said)
    try:
        seen = recorded(place.engine)
    except RefusalError as refusal:
        return Round("", refusal.refused.message, said)
    document = place.engine.read_document()
    said = {**said, **_progress(place, told, document)}
    why = _why_not_now(place, seen, said)
    if why:
        return Round("", why, said)
    item = _next_item(seen, document)
    goal = goals.state_of(seen.ledger).goal
    if item is None and goal is not None and goal.last_audit_rejection is not None:
        item = "what the last audit objected to"
    if item is None:
        return Round("", "nothing is left open", said)
    text = order.words.strip() or CONTINUE_TEXT
    words = f"{text}\nNext: {item}" if item else text
    counted = {"continued": said["continued"] + 1, "rounds": said["rounds"] + 1}
    return Round(words, "", {**said, **counted, "went_on_ms": now_ms()})


def _since_last_time(place: Place, told: Mapping[str, Any]) -> Json:
    """Count rounds in a row without a call; remember the answer."""
    went_on = told.get("went_on_ms")
    called = next((call.ms for call in reversed(calls.last(place)) if call.what == "pre"), 0)
    idle = isinstance(went_on, int) and called <= went_on
    rounds = told.get("rounds", 0) if idle and isinstance(told.get("rounds"), int) else 0
    return {
        "continued": told.get("continued", 0),
        "rounds": rounds,
        "last_answer": digest(place.moment.answer.encode("utf-8", "replace").decode()),
    }


def _why_not(place: Place, order: Control, told: Mapping[str, Any], said: Json) -> str:
    """Reasons that need no look at the log."""
    settings, moment = place.settings, place.moment
    limit = min(settings.continue_limit, order.rounds or settings.continue_limit)
    cap = place.adapter.rounds(place.environ)
    checks = (
        (not settings.continue_on or not order.goes_on, "going on is switched off"),
        (order.hold is not None, "paused"),
        (order.stop, "a person ended the turn"),
        (order.state == "damaged", "the order cannot be read"),
        (not place.has_log, "there is no log"),
        (moment.background, "something still runs in the background"),
        (moment.continued and not told, "it went on before and the count of it is lost"),
        (said["continued"] >= limit, f"it went on {limit} times"),
        (cap is not None and said["rounds"] >= cap - 1, "it went on without a single call"),
        (told.get("last_answer") == said["last_answer"], "its answer is the same as before"),
    )
    return next((why for is_so, why in checks if is_so), "")


def _why_not_now(place: Place, seen: Recorded, said: Json) -> str:
    """Reasons from the log and the files beside it."""
    goal = goals.state_of(seen.ledger).goal
    if goal is None or goal.status != "active" or not goal.auto_continue:
        return "no goal is active"
    for entry in seen.ledger.requests.values():
        if entry["state"] == "waiting" and entry["by"] == place.key:
            return "it waits for a person"
    if _asks_permission(place):
        return "it waits for a person"
    if why := _waits_for_a_verdict(seen):
        return why
    if said["still"] >= place.settings.continue_no_progress:
        return f"nothing changed in {said['still']} rounds"
    return ""


def _asks_permission(place: Place) -> bool:
    if place.run is None:
        return False
    try:
        found = request_files.list_requests(place.run)
    except OSError:
        return False
    for one in found:
        if isinstance(one, RequestFile) and one.request["kind"] == "permission":
            asker = one.request["asker"]
            alive = is_alive(asker.get("pid", 0), asker.get("pid_start"))
            if asker.get("session") == place.key and alive:
                return True
    return False


def _waits_for_a_verdict(seen: Recorded) -> str:
    """Why the newest claim of the goal leaves the next step to others; empty where it does not."""
    goal = seen.ledger.goal
    mine = [one for one in seen.ledger.claims if goal is not None and one["goal_id"] == goal["id"]]
    if not mine:
        return ""
    on_it = [audit for audit in seen.ledger.audits if audit["claim"] == mine[-1]["id"]]
    if not on_it:
        return "the goal is claimed and waits for its audit"
    undecided = on_it[-1]["verdict"] == "inconclusive" and not on_it[-1]["stale"]
    return "the audit could not decide: a person has to" if undecided else ""


def _progress(place: Place, told: Mapping[str, Any], document: Document) -> Json:
    """What had moved by now, and for how many rounds it has not moved since."""
    now = digest([_last_event(place), _head(place), digest_of(document.data or b"")])
    still = told.get("still", 0)
    same = told.get("progress") == now and isinstance(still, int)
    return {"progress": now, "still": still + 1 if same else 0}


def _last_event(place: Place) -> str:
    """The id of the newest event that is work; empty where the end of the log has none."""
    try:
        with (place.root / place.settings.log).open("rb") as log:
            size = log.seek(0, 2)
            log.seek(max(0, size - _TAIL))
            lines = log.read(_TAIL).split(b"\n")
    except OSError:
        return ""
    for line in reversed(lines):
        kind = _KIND.search(line)
        if kind is None or kind[1].decode("utf-8", "replace").startswith(OBSERVED):
            continue
        try:
            return str(event_of(line)["id"])
        except MalformedEventError:
            continue
    return ""


def _head(place: Place) -> str:
    try:
        ran = subprocess.run(
            ["git", "rev-parse", "HEAD"],
            cwd=place.root,
            capture_output=True,
            timeout=_GIT_LIMIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return ran.stdout.decode("ascii", "replace").strip()


def _next_item(seen: Recorded, document: Document) -> str | None:
    """The next open item of the plan, else of the document; None when all of it is done."""
    tasks = seen.ledger.todo["tasks"]
    if tasks:
        return _next_task(tasks)
    reading = document.reading
    if reading.next_action is not None:
        return one_line(reading.next_action.text)[:NEXT_MOST]
    if reading.dod and all(criterion.state == "done" for criterion in reading.dod):
        return None
    return ""


def _next_task(tasks: list[Json]) -> str | None:
    done = {task["key"] for task in tasks if task["status"] == "completed"}
    left = [task for task in tasks if task["key"] not in done]
    ready = [task for task in left if done.issuperset(task.get("dependsOn", ()))]
    running = [task for task in left if task["status"] == "in_progress"]
    chosen = next(iter((*running, *ready, *left)), None)
    if chosen is None:
        return None
    return f"{chosen['key']}: {one_line(chosen['subject'])}"[:NEXT_MOST]
