"""The lines that never scroll: the two lamp lines, the tabs, and where the picture comes from.

Lamps stand at fixed places, so an eye learns them once; a filled band appears only when a person
must act or the agents are held.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.session.picture.glance import Glance, LoopState, glance, is_known
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.audit_words import lamp
from ppgp_tui.ui.looks.look import Look, Role, Sign
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.columns import at, cells, cut, in_band, joined, width_of
from ppgp_tui.ui.rows.row import Line, Span
from ppgp_tui.ui.screen.conformity import log_lamp
from ppgp_tui.ui.screen.notices import notices, quiet_problems

if TYPE_CHECKING:
    pass

_NEEDS_COLUMN = ((100, 35), (60, 30), (0, 21))
"""Where the needs-you lamp stands, by the least width of the screen."""
_CALM = ("working", "quiet", "idle", "none")
_BOTH_CALM = 100
"""From here up there is room to say that the files are well beside what is said of the log."""
_ONE_TELLS = 60
"""Columns below which a sound log makes room for what is wrong with files, as keys need it."""
_SOUND = ("ok", "incomplete")


def lamp_lines(snapshot: SessionSnapshot, width: int, look: Look, now_ms: int) -> tuple[Line, Line]:
    """Return what and where (phase, goal, revision), and how it stands (run state, needs, …)."""
    seen = glance(snapshot)
    return _goal_line(snapshot, width, look), _state_line(snapshot, seen, width, look, now_ms)


def tab_line(
    view_names: Sequence[str],
    current: str,
    snapshot: SessionSnapshot,
    width: int,
    look: Look,  # noqa: ARG001 - every line of the frame is asked for alike
) -> Line:
    """Return the numbered views, the current one marked; the inbox says how many wait."""
    waiting = glance(snapshot).needs
    for gap, roomy, named in (
        (3, True, True),
        (2, True, True),
        (1, False, True),
        (1, False, False),
    ):
        spans: list[Span] = []
        for number, name in enumerate(view_names, 1):
            if spans:
                spans.append(Span(" " * gap))
            spans.append(Span(f"{number} " if roomy else str(number), "soft"))
            if name == current:
                spans.append(Span(name, "ink", bold=True, underline=True))
            elif named:
                spans.append(Span(name, "soft"))
            if name == "inbox" and waiting and roomy:
                spans.append(Span(f" {waiting}", "needs", bold=True))
        if cells(*spans) <= width - 2:
            break
    return Line(tuple(spans), indent=1)


def aside_line(name: str, key: str, back_key: str, back: str) -> Line:
    """Return the line over a view that has no number: its key and name, and the way back."""
    left = (Span(f"{key} " if key else "", "soft"), Span(name, "ink", bold=True, underline=True))
    right = (Span(back_key, "ink", bold=True), Span(f" back to {back}", "soft"))
    return Line(left, right if back_key else (), indent=1)


def notice_line(snapshot: SessionSnapshot, width: int, look: Look, now_ms: int) -> Line | None:
    """Return the worst problem with the picture itself, or None while all is well."""
    found = notices(snapshot, now_ms)
    if not found:
        return None
    of = "/" if width < 60 else " of "
    more = Span(f"1{of}{len(found)}" if len(found) > 1 else "", "soft")
    why = (Span("o", "ink", bold=True), Span(" why", "soft"))
    right = (*joined((more,), 0), Span("  " if more.text else ""), *why)
    mark = Span(look.sign("finding") + " ", "stop", bold=True)
    room = width - 4 - cells(mark, *right)
    text = found[0].text if width_of(found[0].text) <= room else found[0].short
    return Line((mark, Span(text, "stop", bold=True)), right, indent=1)


def now_line(snapshot: SessionSnapshot, width: int, look: Look, now_ms: int) -> Line:
    """Return the second lamp line, saying that it is of now: the rest of the screen is not."""
    return _state_line(snapshot, glance(snapshot), width, look, now_ms, before="now ")


def source_spans(
    snapshot: SessionSnapshot, width: int, now_ms: int, *, mark: str = "!", replay: bool = False
) -> tuple[Span, ...]:
    """Return file health and how the picture is kept live, for the right end of the key line.

    `mark` is the sign of a finding, `replay`: what is shown is of the past.
    """
    files, log = _files(snapshot, width, mark), log_lamp(snapshot, width)
    if files.role == "soft":
        files = Span("") if log.text and width < _BOTH_CALM else files
    elif width < _BOTH_CALM and snapshot.conformance.value.state in _SOUND:
        log = Span("" if width < _ONE_TELLS else "log ok", "soft")
    kept = Span("replay", "wait", bold=True) if replay else _watching(snapshot, now_ms)
    return joined((files, log, kept), 2)


def one_line(snapshot: SessionSnapshot, width: int, look: Look, now_ms: int) -> Line:
    """Return everything in one line, the most urgent first, for a screen too small for more."""
    seen = glance(snapshot)
    parts = [_run_forms(snapshot, seen, width, look, now_ms)[-1]]
    if seen.needs:
        parts.insert(0, needs_forms(seen, look, now_ms)[0])
    parts = [part._replace(text=part.text.strip(), band=False) for part in parts]
    phase = f"{seen.phase}, inferred" if seen.phase_inferred else seen.phase or ""
    ratio = f"{seen.done}/{seen.total}" if seen.total else ""
    parts.append(Span(f"{phase} {ratio}".strip(), "soft"))
    while len(parts) > 1 and cells(*joined(parts, 2)) > width - 2:
        parts.pop()
    return Line(joined(parts, 2), indent=1)


def _goal_line(snapshot: SessionSnapshot, width: int, look: Look) -> Line:
    left = (*_phase(snapshot, width, look), Span("  "), *_goal(snapshot, width))
    return Line(left, joined(_place(snapshot, width), 2), indent=1, cut="middle")


def _phase(snapshot: SessionSnapshot, width: int, look: Look) -> tuple[Span, ...]:
    goal = snapshot.goal.value
    if snapshot.moment is not None and not goal.phase:
        return (Span("phase not recorded", "soft"),)
    if goal.health == "MISSING":
        held = snapshot.lifecycle.value if snapshot.lifecycle.value.source != "log" else None
        said = f"Pi {held.status}" if held is not None and held.objective else "No goal yet"
        return (Span(said, "ink", bold=True),)
    if goal.phase:
        return (Span(goal.phase, "ink", bold=True, underline=True),)
    if goal.phase_inferred:
        return (Span(goal.phase_inferred, "ink", bold=True), Span(", inferred", "soft"))
    if goal.phase_raw:
        raw = cut(goal.phase_raw, 16 if width < 60 else 28, look.sign("cut"))
        return (Span(raw, "ink", bold=True),)
    return (Span("no phase", "soft"),)


def _goal(snapshot: SessionSnapshot, width: int) -> tuple[Span, ...]:
    goal = snapshot.goal.value
    if snapshot.moment is not None and not goal.goal:
        return (Span("goal not recorded", "soft"),)
    if goal.health == "MISSING":
        held = snapshot.lifecycle.value
        return (Span(held.objective),) if held.source != "log" and held.objective else ()
    if not goal.goal and goal.title:
        said = "no goal written, title: " if width >= 72 else "title: "
        return (Span(said, "soft"), Span(goal.title, "text"))
    if not goal.goal:
        return (Span(f"no goal found in {goal.path}", "soft"),)
    words = Span(goal.goal, "text")
    if goal.goal_source == "title" and width >= 72:
        return (words, Span("  from the title", "soft"))
    return (words,)


def _place(snapshot: SessionSnapshot, width: int) -> tuple[Span, ...]:
    """Plan revision, then where we are as far as there is room."""
    plan, repo = snapshot.plan.value, snapshot.repo.value
    parts = []
    if plan.revision is not None:
        parts.append(Span(f"r{plan.revision}" if width < 60 else f"plan r{plan.revision}", "soft"))
    if width >= 120:
        parts.append(Span(snapshot.root.name, "text"))
    if width >= 72 and repo.git:
        branch = f"detached {(repo.head or '')[:7]}" if repo.detached else repo.branch or ""
        ahead = f" +{repo.ahead}" if repo.ahead else ""
        behind = f" -{repo.behind}" if repo.behind else ""
        known = ahead + behind if width >= 120 else ""
        parts.append(Span(cut(branch, 28 if width < 120 else 40) + known, "soft"))
    return tuple(parts)


def _state_line(
    snapshot: SessionSnapshot,
    seen: Glance,
    width: int,
    look: Look,
    now_ms: int,
    *,
    before: str = "",
) -> Line:
    column = next(column for least, column in _NEEDS_COLUMN if width >= least)
    forms = _run_forms(snapshot, seen, width, look, now_ms)
    run = _first_fitting(forms, column - 2 - len(before))
    forms = needs_forms(seen, look, now_ms)
    last = age(seen.last_event_ms, now_ms) if width >= 100 else ""
    for short in (width < 60, True):
        right = _right_lamps(snapshot, seen, short, look, last)
        room = width - column - cells(*right) - 2
        if cells(forms[0]) <= room:
            break
    runs = (Span(before, "soft"), run) if before else (run,)
    return Line(at(column - 1, runs, _first_fitting(forms, room)), right, indent=1)


def _first_fitting(forms: Sequence[Span], room: int) -> Span:
    return next((form for form in forms if cells(form) <= room), forms[-1])


def _run_forms(
    snapshot: SessionSnapshot, seen: Glance, width: int, look: Look, now_ms: int
) -> list[Span]:
    """The run lamp, from its longest wording to its shortest."""
    wide = width >= 60
    sign, role, words = RUN[seen.run]
    texts = run_words(seen, words[0] if wide else words[1], wide, age(seen.run_since_ms, now_ms))
    if seen.agents > 1 and width >= 100:
        of = f", {seen.agents_in_run} of {seen.agents}"
        texts = [*(text + of + end for text in texts for end in (" agents", "")), *texts]
    loops = loop_lamp(snapshot, seen)
    if loops and seen.run == "none":  # nobody else is there of whom there was something to say
        sign, role = LOOP[seen.loop or "runs"]
        texts = [*loops]
    elif loops:
        # What is said of a pause is cut for no loop, an age only for one that does not run.
        able = texts if seen.run in _CALM else texts[:1]
        mark = f" L{look.sign(LOOP[seen.loop or 'runs'][0])}"
        marked = [] if wide else [text + mark for text in able]
        if seen.run in _CALM and seen.loop != "runs" and not wide:
            able = [*able, words[1]]
        texts = [*(f"{text}, {loop}" for loop in loops for text in able), *marked, *texts]
    asked, bold = seen.run in ("pause_asked", "seen"), seen.run != "none" or bool(loops)
    forms = [Span(f"{look.sign(sign)} {text}", role, bold=bold, underline=asked) for text in texts]
    waits = seen.run == "waiting_for_you" and not seen.needs
    must_show = seen.run in ("held", "violated", "lost") or waits
    return [in_band(form) for form in forms] if must_show else forms


def loop_lamp(snapshot: SessionSnapshot, seen: Glance) -> tuple[str, ...]:
    """What is said of the restart loops here beside the agents, longest first; empty without one.

    A loop of which nobody knows whether it runs is none that does. `L` is the short form of "loop".
    """
    if seen.loop is None:
        return ()
    state = "" if seen.loop == "runs" else seen.loop
    if seen.loops > 1:
        named = f"{seen.loops} loops"
        short = f"{seen.loops}L {state}".rstrip()
        return (f"{named}, one {state}", named, short) if state else (named, short)
    worst = next(one for one in snapshot.loops.value.here if is_known(one))
    of = f"{worst.iteration}/{worst.max_iterations}" if worst.max_iterations else ""
    forms = (f"loop {state} {of}", f"loop {state}" if state else "", f"L {state or of}")
    return tuple(dict.fromkeys(" ".join(form.split()) for form in forms if form.strip()))


def run_words(seen: Glance, state: str, wide: bool, since: str) -> list[str]:
    """What the run lamp says after its sign, from the longest to the shortest."""
    aged = f"{state} {since}".rstrip()
    if seen.run == "violated":
        events = count(seen.run_count, "event")
        return [f"{state}, {events} since", f"{state}, {seen.run_count:,}"][not wide :]
    if seen.run == "held":
        return [f"{aged}, 0 events since", f"{aged}, 0 new", aged][not wide :]
    if seen.run == "not_seen":
        return [f"{state} for {since}", f"not seen {since}"] if wide and since else [aged]
    return [aged]


LOOP: dict[LoopState, tuple[Sign, Role]] = {
    "gone": ("failed", "stop"),
    "asks": ("for_you", "needs"),
    "held": ("held", "held"),
    "waits": ("waits", "wait"),
    "runs": ("running", "run"),
}
"""Sign and role of what a restart loop does."""

RUN: dict[str, tuple[Sign, Role, tuple[str, str]]] = {
    "violated": ("failed", "stop", ("violated", "violated")),
    "lost": ("failed", "stop", ("pause lost", "pause lost")),
    "not_seen": ("unknown", "soft", ("pause not seen", "not seen")),
    "pause_asked": ("held", "held", ("pause asked", "pause asked")),
    "seen": ("held", "held", ("pause seen", "pause seen")),
    "held": ("held", "held", ("held", "held")),
    "waiting_for_you": ("for_you", "needs", ("waiting for you", "for you")),
    "frozen": ("held", "held", ("frozen", "frozen")),
    "stopping": ("held", "held", ("stopping", "stopping")),
    "limited": ("failed", "stop", ("model error", "model error")),
    "working": ("running", "run", ("working", "working")),
    "quiet": ("unknown", "soft", ("no evidence", "no evidence")),
    "idle": ("unknown", "text", ("idle", "idle")),
    "none": ("unknown", "soft", ("no agent connected", "no agent")),
}
"""Sign, role, and the words from 60 columns and below them."""


def needs_forms(seen: Glance, look: Look, now_ms: int) -> list[Span]:
    """The needs-you lamp, from its longest wording to its shortest."""
    if not seen.needs:
        empty = "inbox is empty" if seen.run == "waiting_for_you" else "nothing for you"
        return [Span(empty, "soft"), Span("0 for you", "soft"), Span("0", "soft")]
    words = f"{seen.needs} for you"
    sign = look.sign("for_you")
    since = age(seen.needs_oldest_ms, now_ms)
    texts = (f"{sign} {words} {since}".rstrip(), f"{sign} {words}", words, str(seen.needs))
    return [in_band(Span(text, "needs")) for text in texts]


def _right_lamps(
    snapshot: SessionSnapshot, seen: Glance, short: bool, look: Look, last: str
) -> tuple[Span, ...]:
    lamps = (_blockers(snapshot, seen, short, look), lamp(snapshot.audit.value, short, look))
    if short:
        return joined(lamps, 1)
    return joined((*lamps, Span(f"last event {last}" if last else "", "soft")), 3)


def _blockers(snapshot: SessionSnapshot, seen: Glance, short: bool, look: Look) -> Span:
    sign = look.sign("blocked")
    goal = snapshot.goal.value
    if goal.health == "MISSING" and not seen.blockers:
        return Span("")
    if not seen.blockers and goal.field_named("BLOCKERS") is None:
        return Span(f"{sign}-" if short else "blockers not known", "soft")
    if not seen.blockers:
        return Span(f"{sign}0" if short else "no blockers", "soft")
    words = str(seen.blockers) if short else f" {count(seen.blockers, 'blocker')}"
    return Span(sign + words, "stop")


def _files(snapshot: SessionSnapshot, width: int, mark: str) -> Span:
    """Unread files first, then findings, then reading, then calm; calm goes first when narrow."""
    unread = sum(source.state == "unread" for source in snapshot.sources)
    reading = [
        source.progress
        for source in snapshot.sources
        if source.state == "reading" and source.progress is not None
    ]
    goal = snapshot.goal.value
    findings = 0 if goal.health == "MISSING" else len(goal.reasons)
    findings += len(quiet_problems(snapshot))
    if unread:
        return Span(
            f"{count(unread, 'file')} unread" if width >= 60 else f"{unread} unread", "stop"
        )
    if reading:
        return Span(f"reading {int(min(reading) * 100)} %", "wait")
    if findings:
        return Span(count(findings, "finding") if width >= 60 else f"{mark}{findings}", "wait")
    return Span("files ok" if width >= 60 else "", "soft")


def _watching(snapshot: SessionSnapshot, now_ms: int) -> Span:
    watching = snapshot.watching
    if watching.mode == "live":
        return Span("live", "ok", bold=True)
    if watching.mode == "poll":
        every = "" if watching.poll_s is None else f" {watching.poll_s:g}s"
        return Span("poll" + every, "wait", bold=True)
    if watching.mode == "stale":
        return Span(f"STALE {age(watching.since_ms, now_ms)}".rstrip(), "stop", bold=True)
    return Span("starting", "soft")
