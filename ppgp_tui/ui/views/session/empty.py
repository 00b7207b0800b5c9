"""What is shown where there is nothing yet: what was looked for, and what to do next."""

from __future__ import annotations

from ppgp_tui.session.model import SessionSnapshot, SourceState
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.columns import joined
from ppgp_tui.ui.rows.layout import Frame, Layout, Pane
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.goal.fields import FIELDS
from ppgp_tui.ui.views.prose import READABLE, paragraph, wrapped

_LOOKED_FOR = (
    ("goal", "docs/ACTIVE_GOAL.md"),
    ("events", "state/events.jsonl"),
    ("plan", ".ppgp/todo.json"),
)
_STATES = {"absent": "absent", "found": "found", "reading": "reading", "unread": "cannot be read"}


def empty_layout(snapshot: SessionSnapshot, frame: Frame) -> Layout:
    """Return the inviting screen of an empty repository."""
    width = min(frame.width, READABLE)
    tall = frame.height >= 22
    rows = [
        heading("No goal here yet"),
        *([blank()] if frame.height >= 18 else []),
        paragraph(
            "ppgp-tui shows what an agent is working towards: its goal, its plan, what it needs "
            "from you, live. Looking changes nothing.",
            width,
        ),
        blank(),
        *_loops(snapshot, frame),
        heading("Looked for", right=(Span(_place(snapshot), "soft"),)),
        *(_source(snapshot, *looked, frame) for looked in _LOOKED_FOR),
        _git(snapshot),
        *_elsewhere(snapshot, width),
        blank(),
        heading("Next"),
        *_bring_back(snapshot),
        _step(f"begin a session, also {frame.keys.get('palette', ':')} begin", "ppgp-tui init"),
        _step("write a goal", "docs/ACTIVE_GOAL.md"),
        _step("watch a made-up session", "ppgp-tui demo"),
        *([blank()] if tall else []),
        paragraph(
            _outline(tall),
            width,
            "soft",
            indent=3,
        ),
    ]
    return ((Pane("session.main", rows, width),),)


def _outline(roomy: bool) -> str:
    """What a goal document looks like."""
    if not roomy:
        return (
            "That file is Markdown. A heading GOAL and a sentence are a beginning: then view 5 "
            "names the other twelve."
        )
    *names, last = FIELDS
    return (
        f"That file is Markdown with a heading each for {', '.join(names)} and {last}. It shows up "
        "here as soon as it is saved."
    )


def _loops(snapshot: SessionSnapshot, frame: Frame) -> list[Row]:
    """Restart loops need no goal: those that run here all the same."""
    if not snapshot.loops.value.here:
        return []
    from ppgp_tui.ui.views.agents.loop_rows import loops_brief  # a first picture seldom has any

    rows = loops_brief(snapshot, frame)
    return [*rows, blank()] if rows else []


def _source(snapshot: SessionSnapshot, name: str, usual: str, frame: Frame) -> Row:
    source = next((found for found in snapshot.sources if found.name == name), None)
    if source is None:
        source = SourceState(name, usual, "absent")
    there = source.state == "found"
    since = age(source.changed_ms, frame.now_ms) if there else ""
    words = joined((Span(_STATES[source.state], "soft"), Span(since, "soft")), 2)
    why = f", {source.why}" if source.why else ""
    line = Line(
        (Span(source.path), Span(why, "soft")),
        words,
        "done" if there else "finding" if source.state == "unread" else "open",
        "ok" if there else "stop" if source.state == "unread" else "soft",
    )
    return Row(f"source:{name}", (line,), copy=source.path)


def _git(snapshot: SessionSnapshot) -> Row:
    repo = snapshot.repo.value
    if not repo.git:
        looked = next((found.state for found in snapshot.sources if found.name == "git"), "absent")
        words = "not a repository" if looked == "absent" else _STATES[looked]
        line = Line((Span("git"),), (Span(words, "soft"),), "open")
        return Row("source:git", (line,))
    branch = f"detached at {(repo.head or '')[:7]}" if repo.detached else repo.branch or "no branch"
    state = ""
    if repo.dirty is not None:
        state = ", clean" if not repo.dirty else f", {count(repo.dirty, 'changed path')}"
    commits = "" if repo.head else ", no commit yet"
    line = Line((Span(f"git, {branch}{commits}{state}"),), (Span("found", "soft"),), "done", "ok")
    return Row("source:git", (line,), copy=repo.branch or "")


def _elsewhere(snapshot: SessionSnapshot, width: int) -> list[Row]:
    others = snapshot.repo.value.other_goals
    if not others:
        return []
    rows = [
        Row(
            f"ref:{other}",
            tuple(
                Line((Span(text),), sign=None if at else "elsewhere")
                for at, text in enumerate(wrapped(other, width - 4))
            ),
            copy=other,
        )
        for other in others[:20]
    ]
    return [blank(), heading("Goals on other refs", "not switched to"), *rows]


def _bring_back(snapshot: SessionSnapshot) -> list[Row]:
    """A log that Git has is to be brought back, and not to be begun anew."""
    known = snapshot.conformance.value
    path = next((one.path for one in known.first if known.state == "failed" and one.check == 4), "")
    return [_step(f"bring back {path}", f"git restore {path}")] if path == _LOOKED_FOR[1][1] else []


def _step(words: str, command: str) -> Row:
    return Row(f"next:{command}", (Line((Span(words),), (Span(command, "ink", bold=True),)),),
               copy=command)  # fmt: skip


def _place(snapshot: SessionSnapshot) -> str:
    return f"in {snapshot.root.name}" if snapshot.root.name else ""
