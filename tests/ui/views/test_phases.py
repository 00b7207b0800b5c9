"""Time spent in each phase, steps back, and the plain word that nothing changes."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.model import Events, Part, PhaseSpan, Repo, SessionSnapshot, SourceState
from ppgp_tui.ui.views.session.phases import (
    QUIET_MS,
    changes,
    lasted,
    quiet_since,
    spent,
    steps_back,
    visits,
)
from tests.ui import picture
from tests.ui.picture import NOW, ago
from tests.ui.views.drawn import frame, pane_lines
from tests.ui.views.session_lines import VIEW, lines, with_goal
from tests.ui.views.test_session_goal import ribbon

BACK_AND_FORTH = (
    PhaseSpan("EXECUTE", ago(minutes=60), ago(minutes=40)),
    PhaseSpan("HARDEN", ago(minutes=40), ago(minutes=30)),
    PhaseSpan("EXECUTE", ago(minutes=30), None, backwards=True),
)
FORTH_AGAIN = (
    *BACK_AND_FORTH[:2],
    PhaseSpan("EXECUTE", ago(minutes=30), ago(minutes=25), backwards=True),
    PhaseSpan("HARDEN", ago(minutes=25), None),
)


def told(phase: str, spans: tuple[PhaseSpan, ...]) -> SessionSnapshot:
    events = replace(picture.events(), phases=spans)
    return replace(with_goal(phase=phase), events=Part(events))


def test_several_visits_to_one_phase_count_together_the_one_under_way_too() -> None:
    assert visits(BACK_AND_FORTH, "EXECUTE", NOW) == (50 * 60_000, 2, True)
    assert lasted(BACK_AND_FORTH, "EXECUTE", NOW) == "50m, went back"
    assert lasted(BACK_AND_FORTH, "THINK", NOW) == ""


def test_a_phase_that_a_step_back_led_out_of_is_not_ticked() -> None:
    assert ribbon(told("EXECUTE", BACK_AND_FORTH), 90) == (
        "think   freeze   ▸ EXECUTE 50m, went back   harden 10m, left   ship   distill"
    )
    assert ribbon(told("EXECUTE", BACK_AND_FORTH)) == (
        " think  freeze ▸EXECUTE  harden  ship  distill"
    )


def test_a_phase_done_in_two_visits_says_so() -> None:
    assert ribbon(told("HARDEN", FORTH_AGAIN), 80) == (
        "think   freeze   ✓ execute 25m in 2   ▸ HARDEN 35m   ship   distill"
    )
    assert spent(FORTH_AGAIN, "EXECUTE", left=False) == "25m in 2"


def opened(snapshot: SessionSnapshot, width: int = 48, key: str = "phase") -> list[str]:
    room = frame(width, 50, opened=key)
    pane = VIEW.layout(snapshot, room)[0][-1]
    return [line.rstrip() for line in pane_lines(pane, room, 46)]


def test_the_history_says_of_every_visit_how_long_since_when_by_whom_and_how_it_is_known() -> None:
    spans = (
        PhaseSpan("EXECUTE", ago(minutes=40), ago(minutes=30), by="agent:claude-0f3a9c21"),
        PhaseSpan("FREEZE", ago(minutes=30), None, True, by="system:ppgp-tui", observed=True),
    )
    shown = "\n".join(opened(told("FREEZE", spans)))
    assert re.search(r"^ ▸ FREEZE +30m, back$", shown, re.MULTILINE)
    assert "   30m ago to now\n   seen in the document" in shown
    assert "   40m ago to 30m ago\n   recorded by claude" in shown
    assert re.search(r"^ Phases seen +1 step back$", shown, re.MULTILINE)


def test_a_visit_leads_to_the_event_that_says_it() -> None:
    log = picture.events().log
    assert log is not None
    span = PhaseSpan("EXECUTE", ago(minutes=40), None, event=log.event(7).id)
    room = frame(48, 50, opened="phase")
    rows = VIEW.layout(told("EXECUTE", (span,)), room)[0][-1].rows
    (visit,) = (row for row in rows if row.key == "span:0")
    assert (visit.thing, visit.leads, visit.opens) == ("event:7", True, "its event")


def quiet(minutes: int, **parts: object) -> SessionSnapshot:
    """Everything that is known changed so long ago or longer."""
    at = ago(minutes=minutes)
    last = replace(picture.events().last, ts_ms=at)  # type: ignore[type-var]
    sources = tuple(
        SourceState(name, path, "found", changed_ms=at)
        for name, path in (("goal", "docs/ACTIVE_GOAL.md"), ("plan", ".ppgp/todo.json"))
    )
    plan = picture.full().plan.value._replace(changed_ms=at)
    shown = replace(
        picture.full(),
        events=Part(replace(picture.events(), last=last)),
        plan=Part(plan),
        repo=Part(Repo(git=True, touched_ms=at)),
        sources=sources,
    )
    return replace(shown, **parts)  # type: ignore[arg-type]


def test_that_nothing_has_changed_is_said_plainly() -> None:
    assert " . nothing has changed for 14m" in lines(quiet(14))
    wide = next(line for line in lines(quiet(14), 80) if "nothing has changed" in line)
    assert wide.endswith("log, document, plan, work tree")


def test_while_anything_changes_nothing_is_said() -> None:
    assert not any("nothing has changed" in line for line in lines(quiet(4)))


@pytest.mark.parametrize("name", ["log", "document", "plan", "work tree"])
def test_one_change_of_any_kind_is_enough(name: str) -> None:
    fresh = ago(minutes=1)
    still = quiet(14)
    last = replace(still.events.value.last, ts_ms=fresh)  # type: ignore[type-var]
    goal, plan = still.sources
    shown = {
        "log": replace(still, events=Part(replace(still.events.value, last=last))),
        "document": replace(still, sources=(goal._replace(changed_ms=fresh), plan)),
        "plan": replace(still, sources=(goal, plan._replace(changed_ms=fresh))),
        "work tree": replace(still, repo=Part(Repo(git=True, touched_ms=fresh))),
    }[name]
    assert quiet_since(shown, NOW) is None
    assert quiet_since(still, NOW) == ago(minutes=14)


def test_only_what_is_known_counts_and_the_rest_is_named() -> None:
    unknown = quiet(14, repo=Part(Repo()), sources=())
    wide = next(line for line in lines(unknown, 80) if "nothing has changed" in line)
    assert wide.endswith("log, plan")
    assert " work tree  not in Git" in opened(unknown, key="quiet")


def test_a_log_that_is_still_read_says_nothing_about_it() -> None:
    reading = (SourceState("events", "state/events.jsonl", "reading", 0.4),)
    assert quiet_since(quiet(14, sources=reading), NOW) is None


def test_where_nothing_at_all_is_known_nothing_is_said() -> None:
    empty = replace(picture.empty(), events=Part(Events()))
    assert quiet_since(empty, NOW) is None
    assert all(change.at_ms is None for change in changes(empty))


times = st.lists(st.integers(0, 1000), min_size=2, max_size=8, unique=True).map(sorted)


@given(times, st.lists(st.sampled_from(["THINK", "EXECUTE", "HARDEN"]), min_size=8, max_size=8))
def test_all_phases_together_last_as_long_as_the_history(
    moments: list[int], names: list[str]
) -> None:
    ends = [*moments[1:], None]
    spans = tuple(map(PhaseSpan, names, moments, ends))
    now = moments[-1] + QUIET_MS
    together = sum(visits(spans, name, now).spent_ms for name in set(names))
    assert together == now - moments[0]
    assert steps_back(spans) == 0
