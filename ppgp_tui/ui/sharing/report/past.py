"""What happened: what the plan became, and the runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ppgp_tui.gasp.telling.chapters import Chapter
from ppgp_tui.gasp.telling.sentence import short_actor
from ppgp_tui.pi.plan_change import PlanChange
from ppgp_tui.session.plan_history.comparing import step
from ppgp_tui.session.sharing.markdown import code, table, text
from ppgp_tui.ui.plain.ages import counted
from ppgp_tui.ui.sharing.report.material import Material, moment

REVISIONS: Final = 40
"""So many of the newest revisions of the plan are told one by one."""


def changes(material: Material) -> Iterator[str]:
    """What each revision of the plan changed, the newest first, with the reasons given."""
    history, since = material.snapshot.history.value, material.since_ms
    wanted = [
        at
        for at, one in enumerate(history.revisions)
        if since is None or (one.ts_ms is not None and one.ts_ms >= since)
    ]
    if not wanted:
        yield f"No change of the plan is recorded{_since(since)}."
        return
    yield f"{counted(len(wanted), 'revision')} of the plan{_since(since)}, {history.words()}."
    for at in wanted[: -REVISIONS - 1 : -1]:
        revision = history.revisions[at]
        by = short_actor("agent", revision.by) if revision.by else "by nobody named"
        when = moment(revision.ts_ms) or "at an unknown time"
        yield from ("", f"### {text(revision.name)}, {when}, {text(by)}", "")
        compared = step(history, at)
        if compared is None:
            yield "- What it changed is not known."
        else:
            yield from list(_changed(compared.change)) or ["- Nothing that counts."]
    older = len(wanted) - REVISIONS
    if older > 0:
        yield from ("", f"{counted(older, 'older revision')} not told here.")


def story(material: Material) -> Iterator[str]:
    """Every run, and what happened in it in sentences, in the order of the log."""
    if material.no_story:
        yield f"There is no story: {text(material.no_story)}."
        return
    if not material.told:
        yield f"Nothing is recorded{_since(material.since_ms)}."
    if material.untold:
        yield f"{counted(material.untold, 'older event')} not told here."
    for chapter, sentences in material.told:
        yield from ("", f"### {_heading(chapter)}", "")
        yield from table(
            ("UTC", "who", "what"),
            ((moment(one.ts_ms), text(one.actor), text(one.words)) for one in sentences),
        )


def _heading(chapter: Chapter) -> str:
    events = counted(chapter.events, "event")
    if chapter.state == "no run":
        return f"Outside of runs, {events}"
    parts = [f"Run {code(chapter.run)}", text(chapter.title)]
    if chapter.state == "open":
        parts.append("still open")
    elif chapter.state == "unknown":
        parts.append("neither begin nor end is in this log")
    else:
        parts += (text(chapter.outcome), chapter.time_words)
    if chapter.starts > 1:
        parts.append(f"started {chapter.starts} times")
    return ", ".join(filter(None, (*parts, events)))


def _changed(change: PlanChange) -> Iterator[str]:
    for task in change.added:
        yield f"- added {code(task.key)} {text(task.subject)}{_needs(task.depends_on)}"
    for left in change.removed:
        why = f" (because: {text(left.reason)})" if left.reason else " (no reason given)"
        yield f"- removed {code(left.task.key)} {text(left.task.subject)}{why}"
    for restated in change.restated:
        yield f"- {code(restated.key)} {_WORDS[restated.before]} to {_WORDS[restated.after]}"
    for reworded in change.reworded:
        before, after = reworded.before, reworded.after
        if before.subject != after.subject:
            yield f"- {code(after.key)} “{text(before.subject)}” to “{text(after.subject)}”"
        else:
            yield f"- {code(after.key)} described anew"
    for rewired in change.rewired:
        yield f"- {code(rewired.key)}{_needs(rewired.after) or ' needs nothing now'}"
    if change.reordered:
        yield "- the tasks in another order"


_WORDS = {"pending": "open", "in_progress": "running", "completed": "done"}


def _needs(keys: Iterable[str]) -> str:
    listed = ", ".join(code(key) for key in keys)
    return f", needs {listed}" if listed else ""


def _since(ms: int | None) -> str:
    return f" since {moment(ms)}" if ms is not None else ""
