"""The rules of the handshake, on values alone."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.picture.handshake import (
    SETTLE_MS,
    UNSEEN_MS,
    Calls,
    Handshake,
    Hold,
    Recorded,
    handshakes,
    hold_of,
    standing,
)
from ppgp_tui.session.sources.heartbeat import Heartbeat, heartbeat

NOW = 1_790_000_000_000
SINCE = NOW - 60_000
HOLD = Hold("hold_1", SINCE, 12)

moments = st.integers(SINCE - 60_000, NOW)
maybe = st.one_of(st.none(), moments)
beats = st.builds(
    lambda session, state, since, told, event, calls: heartbeat(
        session, {"state": state, "since_ms": since, "last_event": event}, told, calls
    ),
    st.sampled_from(["claude-1", "codex-2", "pi-3"]),
    st.sampled_from(["idle", "working", "ended", None]),
    maybe,
    maybe,
    st.sampled_from(["Stop", "PreModelRequest", "UserPromptSubmit", None]),
    st.sampled_from([b"", b"%d pre 11 go a - Bash\n" % SINCE, b"%d post 11 go a - Bash\n" % SINCE]),
)
sessions = st.lists(
    st.tuples(beats, st.booleans()), max_size=3, unique_by=lambda one: one[0].session
)
names = st.sampled_from(["claude-1", "codex-2", "pi-3", "nobody-9"])
told = st.dictionaries(
    names,
    st.integers(0, 3).flatmap(
        lambda passed: st.builds(
            Calls, maybe, st.just(passed), moments if passed else st.none(), maybe, maybe
        )
    ),
    max_size=3,
)
recorded = st.builds(
    Recorded,
    st.dictionaries(names, st.lists(maybe, min_size=1, max_size=4).map(tuple), max_size=3),
    st.dictionaries(names, moments, max_size=2),
)
holds = st.builds(
    Hold, st.just("hold_1"), st.one_of(st.none(), st.just(SINCE)), st.just(12),
    st.sampled_from([("*",), ("claude-1",), ("claude-1", "nobody-9")]),
)  # fmt: skip


@given(
    hold=holds,
    sessions=sessions,
    calls=told,
    held=st.dictionaries(names, maybe, max_size=2),
    recorded=recorded,
    lost=st.booleans(),
)
def test_whatever_the_files_say_the_handshake_keeps_its_word(
    hold: Hold,
    sessions: list[tuple[Heartbeat, bool]],
    calls: dict[str, Calls],
    held: dict[str, int | None],
    recorded: Recorded,
    lost: bool,
) -> None:
    found = handshakes(hold, sessions, calls, held, recorded, NOW, lost=lost)
    assert found, "a pause that stands is always said"
    assert len({one.session for one in found}) == len(found)
    runs = {beat.session: runs for beat, runs in sessions}
    for one in found:
        assert one.session == "*" or hold.concerns(one.session)
        if one.state == "violated":
            assert one.count > 0
            assert one.since_ms is not None
        elif one.session in runs:
            assert one.count == 0
            assert runs[one.session], "who is gone owes nothing"
        if lost:
            assert one.state in ("lost", "violated")
        else:
            assert one.state != "lost"
        if one.state == "held":
            assert one.session in held
        if one.state == "not_seen" and one.session in runs:
            assert hold.since_ms is not None
            assert NOW - hold.since_ms >= UNSEEN_MS
    if any(runs.get(beat.session) and hold.concerns(beat.session) for beat, _ in sessions):
        assert "*" not in {one.session for one in found}


@given(sessions=sessions, recorded=recorded, later=st.lists(moments, max_size=3))
def test_events_before_the_first_sign_of_the_pause_never_break_it(
    sessions: list[tuple[Heartbeat, bool]], recorded: Recorded, later: list[int]
) -> None:
    """Without a hook that read the order, nothing that is recorded is called a violation."""
    asked = [
        (beat, runs) for beat, runs in sessions if beat.since_ms is None or beat.since_ms <= SINCE
    ]
    unseen = recorded._replace(held={})
    found = handshakes(HOLD, asked, {}, {}, unseen, NOW)
    assert "violated" not in {one.state for one in found}


def test_who_is_named_and_not_there_is_asked_and_then_has_not_seen_it() -> None:
    hold = HOLD._replace(who=("claude-1",))
    nobody = Recorded({}, {})
    assert handshakes(hold, [], {}, {}, nobody, SINCE + 1) == (
        Handshake("claude-1", "requested", SINCE),
    )
    assert handshakes(hold, [], {}, {}, nobody, NOW)[0].state == "not_seen"


# What stands ------------------------------------------------------------------------------------


def stands(ordered: Hold | None, kept: Hold | None, **more: object) -> tuple[Hold | None, bool]:
    given: dict[str, object] = {
        "released": (),
        "written": (NOW - 9_000, NOW - 9_000),
        "now_ms": NOW,
    }
    return standing(ordered, kept, **(given | more))  # type: ignore[arg-type]


def test_the_order_stands_where_both_say_the_same() -> None:
    assert stands(None, None) == (None, False)
    assert stands(HOLD, None) == (HOLD, False)
    assert stands(HOLD, HOLD) == (HOLD, False)


def test_the_generation_is_that_of_the_first_order_that_held() -> None:
    later = HOLD._replace(generation=19)
    assert stands(later, HOLD) == (HOLD, False)
    assert stands(HOLD, HOLD._replace(generation=None)) == (HOLD, False)


def test_a_kept_pause_without_its_order_is_lost() -> None:
    assert stands(None, HOLD) == (HOLD, True)
    assert stands(HOLD._replace(id="hold_2"), HOLD) == (HOLD, True)


def test_a_kept_pause_whose_release_is_recorded_is_over() -> None:
    assert stands(None, HOLD, released=("hold_1",)) == (None, False)


def test_while_an_act_may_be_writing_nothing_is_lost() -> None:
    assert stands(None, HOLD, written=(None, NOW - SETTLE_MS + 1)) == (None, False)
    assert stands(None, HOLD, written=(NOW, NOW - 9_000)) == (None, False)
    assert stands(None, HOLD, written=(None, NOW - SETTLE_MS)) == (HOLD, True)


def test_a_pause_is_read_as_far_as_it_makes_sense() -> None:
    said = {"generation": 3, "hold": {"id": "hold_1", "since_ms": 5, "who": ["a", 7]}}
    assert hold_of(said) == Hold("hold_1", 5, 3, ("a",))
    assert hold_of({"hold": {"id": "hold_1", "since_ms": "x"}}) == Hold("hold_1", None, None)
    for nothing in ({}, {"hold": None}, {"hold": "x"}, {"hold": {"id": ""}}, {"hold": {}}):
        assert hold_of(nothing) is None
