"""The ribbon: a session in 20 to 39 columns, for the edge of a screen.

Its lamps stand one under the other, each as wide as the ribbon; below them lies one list.
"""

from __future__ import annotations

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.glance import Glance, glance
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.audit_words import lamp, step_of
from ppgp_tui.ui.looks.look import Look
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.cells import first
from ppgp_tui.ui.rows.columns import cells, joined
from ppgp_tui.ui.rows.row import Line, Span, shown
from ppgp_tui.ui.screen.lamps import RUN, needs_forms, run_words


def lamp_lines(
    snapshot: SessionSnapshot, width: int, look: Look, now_ms: int, notice: Line | None
) -> tuple[Line, ...]:
    """Phase and revision, goal, what needs a person, run state, blockers, audit.

    A `notice` that the picture is not the truth takes the place of the goal, which is known.
    """
    seen = glance(snapshot)
    headline = Span(_headline(snapshot, width - 2), "text")
    return (
        _phase(snapshot, seen),
        notice or Line((headline,), indent=1),
        _needs(seen, width, look, now_ms),
        _run(seen, width, look, now_ms),
        _blockers(seen, look),
        _audit(snapshot, look),
    )


def past_line(at_ms: int, now_ms: int, now_key: str, width: int) -> Line:
    """That what is shown is past: a filled band, with the key that leads back to now."""
    back = f"{now_key} now" if now_key else ""
    return _band(Span(f" {age(at_ms, now_ms)} ago  {back}", "wait", bold=True, band=True), width)


def key_line(help_key: str, source: tuple[Span, ...]) -> Line:
    """Where help is, and how the picture is kept live."""
    left = (Span(help_key, "ink", bold=True), Span(" help", "soft")) if help_key else ()
    return Line(left, source[-1:], indent=1)


def _phase(snapshot: SessionSnapshot, seen: Glance) -> Line:
    goal, revision = snapshot.goal.value, snapshot.plan.value.revision
    missing = goal.health == "MISSING"
    text = "No goal yet" if missing else seen.phase or goal.phase_raw or "no phase"
    known = goal.phase is not None and not missing
    word = Span(text, "ink" if missing or seen.phase else "soft", bold=True, underline=known)
    said = (word, Span(", inferred", "soft")) if seen.phase_inferred else (word,)
    right = Span("" if revision is None else f"r{revision}", "soft")
    return Line(said, joined((right,), 1), indent=1)


def _headline(snapshot: SessionSnapshot, room: int) -> str:
    """The goal as far as whole words of it fit."""
    goal = snapshot.goal.value
    text = shown(Span(goal.goal or goal.title or ""))
    if cells(Span(text)) <= room:
        return text
    head = first(text, room)
    whole = text[len(head) : len(head) + 1] == " "
    return head if whole or " " not in head else head.rpartition(" ")[0].rstrip()


def _needs(seen: Glance, width: int, look: Look, now_ms: int) -> Line:
    if not seen.needs:
        return Line((Span("nothing for you", "soft"),), indent=1)
    forms = needs_forms(seen, look, now_ms)
    fitting = next((form for form in forms if cells(form) <= width - 2), forms[-1])
    return _band(fitting, width)


def _run(seen: Glance, width: int, look: Look, now_ms: int) -> Line:
    """The run lamp, its age at the right edge; in a band where agents are held or a pause broke."""
    sign, role, words = RUN[seen.run]
    since = age(seen.run_since_ms, now_ms)
    if seen.run in ("held", "violated", "lost"):
        forms = [f"{look.sign(sign)} {text}" for text in run_words(seen, words[1], False, since)]
        text = next((form for form in forms if len(form) <= width - 4), forms[-1])
        return _band(Span(f" {text} ", role, bold=True, band=True), width)
    asked = seen.run in ("pause_asked", "seen")
    state = Span(words[1], role, bold=seen.run != "none", underline=asked)
    left = (Span(look.sign(sign), role, bold=True), Span(" "), state)
    return Line(left, joined((Span(since, "soft"),), 1), indent=1)


def _band(span: Span, width: int) -> Line:
    """A filled band over the whole line, but for the outer columns."""
    exact = span._replace(exact=True)
    missing = width - 2 - cells(exact)
    filled = exact._replace(text=exact.text + " " * max(0, missing))
    return Line((filled,), indent=1)


def _blockers(seen: Glance, look: Look) -> Line:
    if not seen.blockers:
        return Line((Span("no blockers", "soft"),), indent=1)
    words = f"{look.sign('blocked')} {count(seen.blockers, 'blocker')}"
    return Line((Span(words, "stop"),), indent=1)


def _audit(snapshot: SessionSnapshot, look: Look) -> Line:
    audit = snapshot.audit.value
    if audit.running is None:
        return Line((lamp(audit, False, look),), indent=1)
    left = (Span(f"{look.sign('waits')} audit", "wait"),)
    return Line(left, (Span(step_of(audit), "wait", bold=True),), indent=1)
