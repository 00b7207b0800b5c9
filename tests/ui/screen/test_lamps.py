"""The lines that never scroll: lamps, tabs, notice, source."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.ppgp.reading import GoalReading
from ppgp_tui.session.model import AgentState, Audit, Control, Loops, Part, Repo, SessionSnapshot
from ppgp_tui.session.picture.glance import glance
from ppgp_tui.session.picture.goal_state import Blocker
from ppgp_tui.session.picture.handshake import Handshake, HandshakeState
from ppgp_tui.session.picture.loop import Loop
from ppgp_tui.ui.screen.lamps import lamp_lines, one_line, tab_line
from tests.ui import picture, picture_loops
from tests.ui.lamps import agent, lamps, notice, unread, with_agents, working
from tests.ui.picture import NOW, ago
from tests.ui.views.drawn import ASCII, PLAIN, bands, text_of

VIEW_NAMES = ["session", "plan", "inbox", "events", "goal", "agents"]


def unanswered() -> SessionSnapshot:
    return replace(working(), inbox=Part(()))


def test_the_lamps_say_phase_goal_run_state_needs_blockers_and_audit_at_48_columns() -> None:
    assert lamps(working(), 48) == [
        " EXECUTE  Make the importer resumable       r14",
        " ▸ working 12s        ? 2 for you 6m   ⊘3 A 3/7",
    ]


def test_the_lamps_use_whole_words_and_name_the_branch_at_80_columns() -> None:
    assert lamps(working(), 80) == [
        " EXECUTE  Make the importer resumable                     plan r14  feat/resume",
        " ▸ working 12s                 ? 2 for you 6m          ⊘ 3 blockers   audit 3/7",
    ]


def test_the_lamps_add_repository_and_last_event_at_120_columns() -> None:
    three = with_agents(
        working(),
        agent("working", ago(seconds=12)),
        agent("idle", ago(minutes=8), "codex"),
        agent("idle", ago(minutes=31), "pi"),
    )
    assert lamps(three, 120) == [
        " EXECUTE  Make the importer resumable                                                "
        "plan r14  importer  feat/resume +2",
        " ▸ working 12s, 1 of 3 agents       ? 2 for you 6m                            "
        "⊘ 3 blockers   audit 3/7   last event 12s",
    ]


@pytest.mark.parametrize("width", [48, 60, 80, 100, 120, 160])
def test_run_and_needs_lamps_stand_in_the_same_place_whatever_they_say(width: int) -> None:
    column = 21 if width < 60 else 30 if width < 100 else 35
    for state in ("working", "idle", "quiet", "waiting_for_you"):
        for minutes in (1, 8, 70):
            shown = with_agents(working(), agent(state, ago(minutes=minutes)))
            line = lamps(shown, width)[1]
            assert line[1] != " "
            assert line[column - 1 : column + 2] in ("  ?", "  2")


@pytest.mark.parametrize(
    ("state", "at_48", "at_80"),
    [
        ("working", " ▸ working 2m ", " ▸ working 2m "),
        ("idle", " . idle 2m ", " . idle 2m "),
        ("quiet", " . no evidence 2m ", " . no evidence 2m "),
        ("waiting_for_you", " ? for you 2m ", " ? waiting for you 2m "),
    ],
)
def test_the_run_lamp_says_what_heartbeats_say(state: AgentState, at_48: str, at_80: str) -> None:
    shown = with_agents(working(), agent(state, ago(minutes=2)))
    assert lamps(shown, 48)[1].startswith(at_48)
    assert lamps(shown, 80)[1].startswith(at_80)


def test_no_agent_is_said_and_not_taken_for_idle() -> None:
    alone = with_agents(working())
    assert lamps(alone, 48)[1].startswith(" . no agent  ")
    assert lamps(alone, 80)[1].startswith(" . no agent connected  ")


def paused(state: HandshakeState, since_ms: int | None, broken: int = 0) -> SessionSnapshot:
    """`working()` while a pause stands and its agent took it like this."""
    (agent,) = (one.session for one in working().agents.value)
    shaken = (Handshake(agent, state, since_ms, broken),)
    since = ago(minutes=4)
    control = Control(12, "hold_1", since, "", ("*",), handshake=shaken)
    return replace(working(), control=Part(control))


def test_a_pause_that_was_asked_is_not_a_hold() -> None:
    asked = paused("requested", ago(seconds=3))
    _, second = lamp_lines(asked, 48, PLAIN, NOW)
    assert text_of(second, 48).startswith(" = pause asked 3s ")
    assert second.left[0].underline


@pytest.mark.parametrize(
    ("state", "since", "broken", "at_48", "at_80"),
    [
        ("requested", ago(seconds=3), 0, "= pause asked 3s ", "= pause asked 3s "),
        ("will_hold", ago(seconds=3), 0, "= pause asked 3s ", "= pause asked 3s "),
        ("seen", ago(seconds=3), 0, "= pause seen 3s ", "= pause seen 3s "),
        ("held", ago(minutes=4), 0, "= held 4m, 0 new ", "= held 4m, 0 events since "),
        ("violated", ago(minutes=1), 3, "✗ violated, 3 ", "✗ violated, 3 events since "),
        ("violated", ago(minutes=1), 1, "✗ violated, 1 ", "✗ violated, 1 event since "),
        ("not_seen", ago(seconds=34), 0, ". not seen 34s ", ". pause not seen for 34s "),
        ("lost", None, 0, "✗ pause lost ", "✗ pause lost "),
    ],
)
def test_a_pause_is_shown_as_the_handshake_it_is(
    state: HandshakeState, since: int | None, broken: int, at_48: str, at_80: str
) -> None:
    shown = paused(state, since, broken)
    for width, words in ((48, at_48), (80, at_80)):
        assert text_of(lamp_lines(shown, width, PLAIN, NOW)[1], width).lstrip().startswith(words)


def test_a_hold_of_one_of_several_agents_says_so_where_there_is_room() -> None:
    both = with_agents(
        paused("held", ago(minutes=4)),
        agent("held", ago(minutes=4)),
        agent("idle", ago(minutes=9), "pi"),
    )
    assert " = held 4m, 0 new, 1 of 2 " in lamps(both, 120)[1]


def test_only_what_needs_a_person_or_holds_the_agents_is_a_filled_band() -> None:
    held = with_agents(unanswered(), agent("held", ago(minutes=4)))
    calm = lamp_lines(unanswered(), 80, PLAIN, NOW)
    assert [bands(line, 80) for line in calm] == [[], []]
    assert bands(lamp_lines(working(), 80, PLAIN, NOW)[1], 80) == [" ? 2 for you 6m "]
    assert bands(lamp_lines(held, 80, PLAIN, NOW)[1], 80) == [" = held 4m, 0 events since "]


def test_with_nothing_to_answer_the_lamp_says_so_at_the_same_place() -> None:
    assert lamps(unanswered(), 48)[1] == " ▸ working 12s       nothing for you   ⊘3 A 3/7"
    assert lamps(unanswered(), 80)[1].index("nothing for you") == 30


def test_an_agent_that_waits_without_a_request_is_not_called_nothing_for_you() -> None:
    prompt = with_agents(unanswered(), agent("waiting_for_you", ago(minutes=2)))
    line = lamp_lines(prompt, 80, PLAIN, NOW)[1]
    assert "nothing for you" not in text_of(line, 80)
    assert bands(line, 80) == [" ? waiting for you 2m "]


def test_a_request_without_a_known_age_shows_no_age() -> None:
    unknown = tuple(request._replace(created_ms=None) for request in picture.requests())
    assert " ? 2 for you  " in lamps(replace(working(), inbox=Part(unknown)), 80)[1]


def test_lamps_shorten_before_they_vanish() -> None:
    many = tuple(
        picture.requests()[0]._replace(id=f"req_{number}", created_ms=ago(minutes=62))
        for number in range(12)
    )
    crowded = replace(working(), inbox=Part(many))
    assert "12 for you" in lamps(crowded, 48)[1]
    assert "12 for you" in lamps(crowded, 44)[1]
    assert "12" in lamps(crowded, 40)[1]
    assert "⊘3" in lamps(crowded, 40)[1]


def test_the_goal_is_cut_in_its_middle_and_the_revision_never() -> None:
    long = picture.goal()._replace(goal="Make the importer of the old archive resumable again")
    assert lamps(replace(working(), goal=Part(long)), 48)[0] == (
        " EXECUTE  Make the importer…resumable again r14"
    )


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        ({"phase": None, "phase_inferred": "HARDEN"}, " HARDEN, inferred  Make"),
        ({"phase": None, "phase_raw": "Owner review"}, " Owner review  Make"),
        ({"phase": None, "phase_raw": None}, " no phase  Make"),
        ({"goal": None, "title": "Product"}, " EXECUTE  no goal written, title: Product"),
        ({"goal": None, "title": None}, " EXECUTE  no goal found in docs/ACTIVE_GOAL.md"),
        ({"goal_source": "title"}, " EXECUTE  Make the importer resumable  from the title"),
    ],
)
def test_what_was_not_written_is_not_shown_as_if_it_were(
    reading: dict[str, str | None], words: str
) -> None:
    said = picture.goal()._replace(**reading)  # type: ignore[arg-type]
    assert lamps(replace(working(), goal=Part(said)), 80)[0].startswith(words)


def test_without_a_goal_document_nothing_is_said_about_blockers() -> None:
    assert lamps(picture.empty(), 80) == [
        " No goal yet                                                               main",
        " . no agent connected         nothing for you                          no audit",
    ]


def test_recorded_blockers_are_counted_also_without_a_goal_document() -> None:
    raised = Part((Blocker("blk_1", "B", "The window opens at two", "T4"),))
    assert "⊘ 1 blocker " in lamps(replace(picture.empty(), recorded_blockers=raised), 80)[1]


def test_no_blockers_is_said_only_where_the_document_says_so() -> None:
    none = picture.goal()._replace(blockers=())
    assert "no blockers" in lamps(replace(working(), goal=Part(none)), 80)[1]
    assert "⊘0" in lamps(replace(working(), goal=Part(none)), 48)[1]
    fields = tuple(field for field in none.fields if field.name != "BLOCKERS")
    silent = none._replace(fields=fields)
    assert "blockers not known" in lamps(replace(working(), goal=Part(silent)), 80)[1]


def test_an_unreadable_document_has_no_known_blockers() -> None:
    broken = replace(working(), goal=Part(GoalReading("docs/ACTIVE_GOAL.md", "MALFORMED", ())))
    assert "blockers not known" in lamps(broken, 80)[1]
    assert "⊘-" in lamps(broken, 48)[1]


def test_a_detached_head_is_called_so() -> None:
    detached = replace(working(), repo=Part(Repo(git=True, detached=True, head="4e1f09c" * 5)))
    assert lamps(detached, 80)[0].endswith("plan r14  detached 4e1f09c")


def test_signs_are_ascii_where_the_terminal_knows_no_others() -> None:
    for line in lamp_lines(working(), 80, ASCII, NOW):
        assert text_of(line, 80, ASCII).isascii()


def test_the_tabs_name_six_views_and_count_the_inbox() -> None:
    shown = working()
    assert text_of(tab_line(VIEW_NAMES, "session", shown, 48, PLAIN), 48) == (
        " 1session 2plan 3inbox 4events 5goal 6agents"
    )
    assert text_of(tab_line(VIEW_NAMES, "plan", shown, 80, PLAIN), 80) == (
        " 1 session   2 plan   3 inbox 2   4 events   5 goal   6 agents"
    )
    assert text_of(tab_line(VIEW_NAMES, "goal", shown, 40, PLAIN), 40) == " 1 2 3 4 5goal 6"


def test_the_current_view_is_underlined() -> None:
    line = tab_line(VIEW_NAMES, "plan", working(), 80, PLAIN)
    assert [span.text for span in line.left if span.underline] == ["plan"]


def test_a_tiny_screen_gets_the_most_urgent_words_first() -> None:
    assert text_of(one_line(working(), 60, PLAIN, NOW), 60) == (
        " ? 2 for you 6m  ▸ working 12s  EXECUTE 2/7"
    )
    assert text_of(one_line(working(), 39, PLAIN, NOW), 39) == " ? 2 for you 6m  ▸ working 12s"
    assert text_of(one_line(working(), 20, PLAIN, NOW), 20) == " ? 2 for you 6m"


@given(width=st.integers(1, 200), words=st.text(max_size=60), phase=st.text(max_size=40))
def test_no_words_from_a_file_move_a_lamp_out_of_its_line(
    width: int, words: str, phase: str
) -> None:
    said = picture.goal()._replace(goal=words, phase=None, phase_raw=phase)
    shown = unread(replace(working(), goal=Part(said), audit=Part(Audit(state=phase))))
    for line in lamp_lines(shown, width, PLAIN, NOW):
        text_of(line, width)
    text_of(tab_line(VIEW_NAMES, "plan", shown, width, PLAIN), width)
    text_of(one_line(shown, width, PLAIN, NOW), width)
    notice(shown, width)


# --- restart loops beside the agents ------------------------------------------------------------


def with_loop(snapshot: SessionSnapshot, *shown: Loop) -> SessionSnapshot:
    return replace(snapshot, loops=Part(Loops(shown)))


@pytest.mark.parametrize(
    ("loop", "said"),
    [
        (picture_loops.running(), "working 12s, loop 5/20"),
        (picture_loops.limited(), "working 12s, loop waits"),
        (picture_loops.paused(), "working 12s, loop held"),
        (picture_loops.pause_asked(), "working 12s, loop 5/20"),
        (picture_loops.orphan(), "working 12s, loop gone"),
    ],
)
def test_a_loop_of_this_repository_is_said_beside_the_agents(loop: Loop, said: str) -> None:
    before, after = lamps(working(), 80)[1], lamps(with_loop(working(), loop), 80)[1]
    assert after.startswith(f" ▸ {said} ")
    assert after[29:] == before[29:]


LOOPS = [
    (picture_loops.running(), "▸ loop 5/20", "▸ working 12s L▸"),
    (picture_loops.limited(), "⋯ loop waits 4/20", "▸ working, L waits"),
    (picture_loops.paused(), "= loop held 4/20", "▸ working, L held"),
    (picture_loops.orphan(), "✗ loop gone 3/20", "▸ working, L gone"),
    (picture_loops.asking(), "? loop asks 5/20", "▸ working, L asks"),
]


@pytest.mark.parametrize(("loop", "alone", "beside"), LOOPS)
def test_a_narrow_pane_says_at_a_glance_what_a_loop_does(
    loop: Loop, alone: str, beside: str
) -> None:
    """Beside an agent `L` stands for it; where no agent is connected the loop is who works."""
    nobody = replace(working(), agents=Part(()), control=Part(Control()))
    for width in (48, 60, 120):
        assert lamps(with_loop(nobody, loop), width)[1].startswith(f" {alone} ")
    assert lamps(with_loop(working(), loop), 48)[1].startswith(f" {beside} ")


def test_a_loop_that_rests_for_a_person_is_among_what_needs_you() -> None:
    asking = with_loop(working(), picture_loops.asking())
    assert "3 for you" in lamps(asking, 80)[1]
    assert glance(asking).loops_asking == 1
    assert "inbox 3" in text_of(tab_line(VIEW_NAMES, "plan", asking, 80, PLAIN), 80)


@pytest.mark.parametrize("state", ["requested", "not_seen"])
def test_a_pause_that_only_a_loop_could_see_is_said_as_the_loop_obeys_it(
    state: HandshakeState,
) -> None:
    shaken = (Handshake("*", state, ago(minutes=1)),)
    control = Control(12, "hold_1", ago(minutes=1), "", ("*",), handshake=shaken)
    alone = replace(unanswered(), agents=Part(()), control=Part(control))
    resting = with_loop(alone, picture_loops.paused())
    for width in (48, 120):
        assert lamps(resting, width)[1].startswith(" = loop held 4/20 ")
    assert "loop held" not in lamps(with_loop(alone, picture_loops.pause_asked()), 48)[1]


def test_several_loops_are_counted_and_the_worst_is_named() -> None:
    both = with_loop(working(), picture_loops.running(), picture_loops.orphan())
    assert "working 12s, 2 loops, one gone" in lamps(both, 120)[1]


@pytest.mark.parametrize("width", [48, 60, 80, 120, 160])
def test_what_is_said_of_a_pause_is_cut_for_no_loop(width: int) -> None:
    held = replace(working(), control=picture.full().control, agents=picture.full().agents)
    for shown in (held, unanswered(), picture.full()):
        before = lamps(shown, width)[1].split()
        after = lamps(with_loop(shown, picture_loops.running()), width)[1].split()
        assert set(before) <= {word.rstrip(",") for word in after} | set(after)


def test_of_a_loop_that_may_not_run_nothing_is_said() -> None:
    unknown, far = picture_loops.of_the_original(), picture_loops.elsewhere()
    closed = picture_loops.closed()
    assert lamps(with_loop(working(), unknown, far, *closed), 120) == lamps(working(), 120)
