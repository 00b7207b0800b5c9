"""Restart loops that nobody would write: any state, any words, any numbers."""

from __future__ import annotations

from hypothesis import strategies as st

from ppgp_tui.persist.live import Phase
from ppgp_tui.persist.loop import Changes, Outcome
from ppgp_tui.session.picture.loop import Loop, LoopClock, LoopOutput, LoopPause, LoopRunner
from ppgp_tui.session.picture.loops import Loops

PHASES: tuple[Phase | None, ...] = (
    None, "starting", "running", "stopping", "rate_limited", "slowed", "paused", "ended",
)  # fmt: skip


def loops(
    words: st.SearchStrategy[str], times: st.SearchStrategy[int | None], now_ms: int
) -> st.SearchStrategy[Loops]:
    """Up to three of them, with these words and times."""
    number = st.one_of(st.none(), st.integers(-1, 10**9))
    seconds = st.floats(0, 10**7)
    some = st.one_of(st.none(), words)
    moments = st.integers(now_ms - 400_000_000, now_ms + 60_000)
    runs = st.builds(
        Outcome, st.integers(0, 10**6), number, some, st.one_of(st.none(), seconds),
        st.booleans(), some, words,
        st.one_of(st.none(), st.builds(Changes, number, number, number, number, number)),
    )  # fmt: skip
    runner = st.builds(
        LoopRunner,
        st.sampled_from(["alive", "gone", "elsewhere", "not recorded"]),
        number,
        words,
    )
    loop = st.builds(
        Loop,
        id=words,
        state=st.one_of(words, st.sampled_from(["SPAWNED", "SUCCESS", "PAUSED", "ABANDONED"])),
        open=st.booleans(),
        prompt=words,
        here=st.booleans(),
        iteration=st.integers(0, 10**9),
        max_iterations=number,
        max_wall_clock_s=number,
        clock=st.one_of(st.none(), st.builds(LoopClock, seconds, moments, st.booleans())),
        phase=st.sampled_from(PHASES),
        phase_ms=times,
        until_ms=times,
        why=words,
        pause=st.one_of(st.none(), st.builds(LoopPause, words, moments, words)),
        runner=runner,
        reason=some,
        condition=words,
        holds=st.sampled_from([None, True, False]),
        holds_why=words,
        agent_cmd=words,
        cwd=some,
        goal=some,
        runs=st.lists(runs, max_size=4).map(tuple),
        limited=st.integers(0, 9),
        late_rows=st.integers(0, 9),
        began_ms=times,
        changed_ms=times,
        output=st.one_of(
            st.none(),
            st.builds(LoopOutput, words, st.lists(words, max_size=3).map(tuple), times),
        ),
    )
    several = st.lists(loop, max_size=3, unique_by=lambda one: one.id).map(tuple)
    return st.builds(Loops, several, st.integers(0, 50), st.integers(0, 50))
