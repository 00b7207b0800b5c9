"""View 1: phases, criteria and blockers."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ppgp_tui.ppgp.reading import Blocker, Criterion, GoalReading
from ppgp_tui.session.model import Blocker as RecordedBlocker
from ppgp_tui.session.model import (
    Part,
    PhaseSpan,
    SessionSnapshot,
)
from tests.ui import picture
from tests.ui.picture import ago
from tests.ui.views.drawn import frame
from tests.ui.views.session_lines import VIEW, lines, section, with_goal


def ribbon(snapshot: SessionSnapshot, width: int = 48) -> str:
    return next(
        row
        for pane in VIEW.layout(snapshot, frame(width, 40))[0]
        for at in range(len(pane.rows))
        if pane.rows[at].key == "phase"
        for row in ["".join(span.text for span in pane.rows[at].lines[0].left)]
    )


def test_only_phases_that_were_seen_to_end_are_ticked() -> None:
    unseen = replace(picture.full(), events=Part(replace(picture.events(), phases=())))
    assert ribbon(picture.full()) == "✓think ✓freeze ▸EXECUTE  harden  ship  distill"
    assert ribbon(unseen) == " think  freeze ▸EXECUTE  harden  ship  distill"


def test_a_wide_ribbon_says_how_long_each_phase_took() -> None:
    assert ribbon(picture.full(), 80) == (
        "✓ think 12m   ✓ freeze 4m   ▸ EXECUTE 1h02   harden   ship   distill"
    )


def test_a_ribbon_without_room_for_ages_cuts_no_phase() -> None:
    times = [40 * 60, 30 * 60, 20 * 60, 10 * 60, 5 * 60]
    names = ("THINK", "FREEZE", "EXECUTE", "HARDEN")
    spans = [
        PhaseSpan(name, ago(minutes=since), ago(minutes=until))
        for name, since, until in zip(names, times, times[1:], strict=False)
    ]
    phases = (*spans, PhaseSpan("SHIP", ago(minutes=times[-1]), None))
    goal = picture.full().goal.value._replace(phase="SHIP")
    events = replace(picture.events(), phases=phases)
    snapshot = replace(picture.full(), events=Part(events), goal=Part(goal))
    assert ribbon(snapshot, 80) == "✓think ✓freeze ✓execute ✓harden ▸SHIP  distill"
    assert "SHIP 5h" in "\n".join(lines(snapshot, 80))


def test_a_phase_that_went_back_is_called_so() -> None:
    back = (PhaseSpan("EXECUTE", ago(minutes=5), None, backwards=True),)
    snapshot = replace(picture.full(), events=Part(replace(picture.events(), phases=back)))
    assert any("EXECUTE 5m, went back" in line for line in lines(snapshot))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            {"phase": None, "phase_inferred": "HARDEN", "phase_raw": "hardening, day 3"},
            'HARDEN, inferred from "hardening, day 3"',
        ),
        ({"phase": None, "phase_raw": "Owner review"}, "phase Owner review"),
        ({"phase": None, "phase_raw": None}, "no phase named"),
        ({"phase": "CLOSED"}, "✓think ✓freeze  execute  harden  ship  distill ▸CLOSED"),
    ],
)
def test_a_phase_the_document_does_not_name_is_not_invented(
    said: dict[str, str | None], words: str
) -> None:
    assert ribbon(with_goal(**said)) == words


def test_each_criterion_shows_its_state_in_sign_and_word() -> None:
    states = ["done", "claimed", "partial", "open", "blocked", "unknown"]
    dod = tuple(
        Criterion(at, f"thing {at}", state, None, (), 26 + at)  # type: ignore[arg-type]
        for at, state in enumerate(states, 1)
    )
    assert section(lines(with_goal(dod=dod)), "Done when") == [
        " ✓ thing 1                                 done",
        " ◌ thing 2                              claimed",
        " ◔ thing 3                               partly",
        " - thing 4                                 open",
        " ⊘ thing 5                              blocked",
        " . thing 6                             not said",
    ]


def test_the_bar_is_full_only_when_everything_is_done() -> None:
    dod = tuple(Criterion(at, "x", "done" if at else "open", "box", (), 27) for at in range(40))
    title = next(line for line in lines(with_goal(dod=dod)) if line.startswith(" Done when"))
    assert title.split() == ["Done", "when", "▰▰▰▰▰▰▰▰▰▱", "39", "of", "40", "done"]


@pytest.mark.parametrize(
    ("goal", "words"),
    [
        (
            GoalReading("docs/ACTIVE_GOAL.md", "MISSING", ()),
            [" no goal document: looked for", " docs/ACTIVE_GOAL.md"],
        ),
        (
            GoalReading("docs/ACTIVE_GOAL.md", "MALFORMED", ()),
            [" docs/ACTIVE_GOAL.md holds no goal"],
        ),
        (
            GoalReading("docs/ACTIVE_GOAL.md", "PARTIAL", (), goal="Ship it"),
            [" docs/ACTIVE_GOAL.md names no criteria"],
        ),
    ],
)
def test_without_criteria_it_says_why(goal: GoalReading, words: list[str]) -> None:
    assert section(lines(replace(picture.full(), goal=Part(goal))), "Done when") == words


def test_blockers_say_class_scope_and_what_was_only_inferred() -> None:
    blockers = (
        Blocker("C", False, "T8", None, "Owner decides", 75),
        Blocker("B", True, None, "2026-10-23", "Observation window", 76),
        Blocker(None, False, None, None, "Something odd", 77),
    )
    assert section(lines(with_goal(blockers=blockers)), "Blocked") == [
        " ⊘ C Owner decides                           T8",
        " ⊘ B, inferred: Observation…   until 2026-10-23",
        " ⊘ no class: Something odd",
    ]


def test_what_only_the_log_tells_of_is_blocked_too() -> None:
    written = (Blocker("C", False, "T8", None, "Owner decides", 75),)
    recorded = (
        RecordedBlocker("blk_1", "C", "Owner decides", "T8", line=75, since_ms=ago(minutes=6)),
        RecordedBlocker("blk_2", "D", "The mirror is down", tasks=("T2",), since_ms=ago(minutes=9)),
    )
    shown = replace(with_goal(blockers=written), recorded_blockers=Part(recorded))
    assert section(lines(shown), "Blocked") == [
        " ⊘ C Owner decides                       T8  6m",
        " ⊘ D The mirror is down                  T2  9m",
    ]


def test_a_blocker_does_not_repeat_the_class_and_scope_beside_it() -> None:
    texts = (
        "T11 only: Type B external asynchronous. The staging window opens tonight",
        "Class C: owner decides",
        "C",
        "Be careful: it is B-side work",
    )
    scopes = ("T11", None, None, None)
    classes = ("B", "C", "C", "B")
    blockers = tuple(
        Blocker(klass, False, scope, None, text, 75)  # type: ignore[arg-type]
        for klass, scope, text in zip(classes, scopes, texts, strict=True)
    )
    assert [line.rstrip() for line in section(lines(with_goal(blockers=blockers)), "Blocked")] == [
        " ⊘ B The staging window opens tonight       T11",
        " ⊘ C owner decides",
        " ⊘ C C",
        " ⊘ B Be careful: it is B-side work",
    ]
