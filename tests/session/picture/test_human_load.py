"""Who waited for whom, counted from the log."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.picture.human_load import (
    HOUR_MS,
    KINDS,
    HumanLoad,
    LoadLog,
    LoadRecord,
    human_load,
)

MINUTE = 60_000
BEGAN = 1_790_000_000_000
CLAUDE, CODEX = "claude-1", "codex-1"


class Log:
    """A log that is written by the minute."""

    def __init__(self) -> None:
        self.load = LoadLog()
        self.load.first_ms = BEGAN

    def person(self, minute: float, what: str, session: str = CLAUDE, **more: Any) -> None:
        self._take(minute, "human.interrupted", "user", "dev", what=what, session=session, **more)

    def asks(
        self,
        minute: float,
        request: str = "req_1",
        session: str = CLAUDE,
        since: float | None = None,
    ) -> None:
        asked = {} if since is None else {"created_ms": BEGAN + int(since * MINUTE)}
        self._take(minute, "authority.requested", "agent", session, id=request, request=asked)

    def answers(self, minute: float, request: str = "req_1") -> None:
        self._take(minute, "decision.created", "user", "dev", metadata={"request": request})

    def held(self, minute: float, session: str = CLAUDE) -> None:
        self._take(minute, "agent.held", "agent", session, session=session, hold="h", tool="Bash")

    def released(self, minute: float, session: str = CLAUDE) -> None:
        self._take(
            minute, "agent.released", "agent", session, session=session, hold="h", tool="Bash"
        )

    def works(self, minute: float, session: str = CLAUDE) -> None:
        self.load.deed(session, BEGAN + int(minute * MINUTE))

    def ends(self, minute: float, session: str = CLAUDE) -> None:
        self._take(minute, "run.finished", "agent", session, run_id="run_1")

    def after(self, minute: float, working: tuple[str, ...] = ()) -> HumanLoad:
        found = human_load(self.load.record(), BEGAN + int(minute * MINUTE), working)
        assert found is not None
        return found

    def _take(self, minute: float, kind: str, actor: str, actor_id: str, **said: Any) -> None:
        assert kind in KINDS
        self.load.take(kind, actor, actor_id, BEGAN + int(minute * MINUTE), said)


def minutes(load: HumanLoad) -> tuple[float, float]:
    """How long agents waited, and how long the person did."""
    return load.agents_waited_ms / MINUTE, load.you_waited_ms / MINUTE


def test_an_empty_log_says_nothing() -> None:
    assert human_load(LoadRecord(), BEGAN) is None


def test_an_agent_waits_from_its_question_to_the_answer() -> None:
    log = Log()
    log.asks(10)
    log.answers(24)
    load = log.after(30)
    assert minutes(load) == (14, 0)
    assert load.acts == (("answer", 1),)
    assert (load.is_hour, load.since_ms) == (False, BEGAN)


def test_an_open_question_waits_until_now() -> None:
    log = Log()
    log.asks(10)
    load = log.after(25)
    assert minutes(load) == (15, 0)
    assert load.waiting == 1


def test_an_agent_that_went_on_after_its_question_waits_from_then_on() -> None:
    log = Log()
    log.asks(10)
    log.works(18)
    log.answers(24)
    assert minutes(log.after(30)) == (6, 0)


def test_a_permission_recorded_when_it_was_answered_waits_since_it_was_asked() -> None:
    log = Log()
    log.asks(20, since=12)
    log.answers(20)
    assert minutes(log.after(30)) == (8, 0)


def test_a_pause_is_a_wait_for_the_person() -> None:
    log = Log()
    log.person(5, "pause", session="")
    log.held(6)
    log.released(10)
    log.person(10, "resume", session="")
    load = log.after(30)
    assert minutes(load) == (4, 0)
    assert load.acts == (("pause", 1),), "a resume is no interruption of its own"


def test_two_waits_of_one_agent_at_once_count_once_and_two_agents_twice() -> None:
    log = Log()
    log.asks(10, "req_1")
    log.asks(12, "req_2")
    log.answers(20, "req_1")
    log.answers(20, "req_2")
    log.asks(10, "req_3", CODEX)
    log.answers(20, "req_3")
    assert minutes(log.after(30)) == (20, 0)


def test_the_person_waits_from_a_prompt_to_the_question_that_comes_of_it() -> None:
    log = Log()
    log.person(2, "prompt")
    log.works(5)
    log.asks(9)
    log.answers(9)
    assert minutes(log.after(30))[1] == 7


def test_a_turn_that_ended_without_a_word_counts_up_to_the_last_thing_it_recorded() -> None:
    log = Log()
    log.person(2, "prompt")
    log.works(5)
    log.person(20, "prompt")
    assert minutes(log.after(30)) == (0, 3)


def test_a_turn_under_way_counts_until_now_where_the_agent_is_known_to_work() -> None:
    log = Log()
    log.person(2, "prompt")
    log.works(5)
    assert minutes(log.after(12)) == (0, 3)
    assert minutes(log.after(12, working=(CLAUDE,))) == (0, 10)


def test_the_end_of_a_run_ends_both_waits() -> None:
    log = Log()
    log.person(2, "prompt")
    log.ends(6)
    log.asks(7, "req_9", CODEX)
    log.ends(9, CODEX)
    assert minutes(log.after(30)) == (2, 4)


def test_while_another_agent_waits_for_the_person_the_person_waits_for_nobody() -> None:
    log = Log()
    log.person(0, "prompt")
    log.asks(4, session=CODEX)
    log.answers(10)
    log.asks(12, "req_2", CLAUDE)
    log.answers(12, "req_2")
    assert minutes(log.after(30)) == (6, 6)


def test_only_the_last_hour_counts_once_the_log_is_older() -> None:
    log = Log()
    log.asks(0)
    log.answers(30)
    log.person(50, "note")
    load = log.after(80)
    assert load.is_hour
    assert load.since_ms == BEGAN + 20 * MINUTE
    assert minutes(load)[0] == 10
    assert load.interruptions == 2
    assert log.after(400).interruptions == 0


EVENTS = st.lists(
    st.tuples(
        st.sampled_from([*sorted(KINDS), "deed"]),
        st.integers(0, 2 * HOUR_MS),
        st.sampled_from(["agent", "user", "system"]),
        st.sampled_from([CLAUDE, CODEX, "dev", ""]),
        st.fixed_dictionaries(
            {},
            optional={
                "what": st.sampled_from(["pause", "resume", "prompt", "note", "", 7]),
                "session": st.sampled_from([CLAUDE, CODEX, "", None]),
                "id": st.sampled_from(["req_1", "req_2", "", 3]),
                "request": st.sampled_from([{}, None, {"created_ms": BEGAN}, {"created_ms": "x"}]),
                "metadata": st.sampled_from([{}, None, {"request": "req_1"}]),
                "hold": st.sampled_from(["h", None]),
                "tool_use_id": st.sampled_from(["t1", "t2", None]),
            },
        ),
    ),
    max_size=60,
)


@given(EVENTS, st.integers(0, 3 * HOUR_MS), st.booleans())
def test_any_log_gives_times_that_are_possible(
    events: list[tuple[str, int, str, str, dict[str, Any]]], now: int, is_sorted: bool
) -> None:
    if is_sorted:
        events = sorted(events, key=lambda one: one[1])
    load = LoadLog()
    load.first_ms = BEGAN
    for kind, at, actor, actor_id, said in events:
        if kind == "deed":
            load.deed(actor_id, BEGAN + at)
        else:
            load.take(kind, actor, actor_id, BEGAN + at, said)
    found = human_load(load.record(), BEGAN + now, {CLAUDE})
    assert found is not None
    window = min(now, HOUR_MS)
    sessions = {CLAUDE, CODEX, "dev"}
    assert 0 <= found.agents_waited_ms <= window * len(sessions)
    assert 0 <= found.you_waited_ms <= window
    busiest = found.agents_waited_ms / len(sessions)
    assert found.you_waited_ms + busiest <= window + 1, "nobody waits for one who waits"
    assert 0 <= found.interruptions <= len(events)
