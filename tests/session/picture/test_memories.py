"""What an agent can have forgotten, and what it was told anew."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.picture.memories import KEPT, Facts, Memory, MemoryLog, memory_line
from ppgp_tui.session.picture.origin import Origin

CLAUDE, OTHER, CODEX = "claude-1", "claude-2", "codex-1"
HERE = Origin("state/events.jsonl", 7)


def facts(revision: int = 13, goal: str = "goal_1 Ship it") -> Facts:
    return Facts(goal=goal, revision=revision, plan=f"sha256:{revision}")


def start(told: int | None = 4212, contract: str = "sha256:c", **about: Any) -> dict[str, Any]:
    """The payload of a run; `told` is the size of the packet, None where that is not recorded."""
    metadata: dict[str, Any] = {"agent": "claude", "source": "startup", **about}
    if told is not None:
        metadata["told"] = {"characters": told, "contract": contract, "facts": "sha256:f"}
        metadata["injected"] = "sha256:p" if told else ""
    return {"run_id": "run_1", "metadata": metadata}


def cut(injected: str = "sha256:p", contract: str = "sha256:c", size: int = 900) -> dict[str, Any]:
    told = {"characters": size, "contract": contract}
    return {"trigger": "auto", "before": "", "after": "", "injected": injected, "told": told}


def newest(log: MemoryLog, session: str = CLAUDE) -> Memory:
    return log.found()[session][0]


def test_the_first_session_was_told_nothing_before() -> None:
    log = MemoryLog()
    log.started(CLAUDE, start(), 1_000, facts(), HERE)
    assert memory_line(newest(log)) == (
        "new session: told nothing before, plan r13, boot packet injected (4,212 characters)"
    )


def test_a_compaction_says_what_changed_since_the_agent_was_told() -> None:
    log = MemoryLog()
    log.started(CLAUDE, start(), 1_000, facts(13), HERE)
    log.compacted(CLAUDE, cut(), 2_000, facts(14), HERE)
    assert memory_line(newest(log)) == (
        "compacted: goal same, plan r13 → r14, constraints same, "
        "boot packet injected (900 characters)"
    )
    log.compacted(CLAUDE, cut(contract="sha256:d"), 3_000, facts(14, "goal_2 Other"), HERE)
    assert memory_line(newest(log)).startswith(
        "compacted: goal changed, plan r14 same, constraints changed,"
    )


def test_a_session_that_was_told_nothing_stands_out() -> None:
    log = MemoryLog()
    log.started(CLAUDE, start(), 1_000, facts(13), HERE)
    log.started(OTHER, start(told=0), 2_000, facts(14), HERE)
    memory = newest(log, OTHER)
    assert memory.stands_out
    assert not memory.same_session
    assert memory_line(memory) == (
        "new session, nothing injected: goal same, plan r13 → r14, constraints same"
    )
    log.started(CODEX, start(told=0), 3_000, facts(), HERE)
    assert memory_line(newest(log, CODEX)) == "new session, nothing injected"


def test_where_nothing_was_to_be_told_nothing_stands_out() -> None:
    log = MemoryLog()
    log.started(CLAUDE, start(told=0), 1_000, Facts(), HERE)
    assert not newest(log).stands_out
    assert memory_line(newest(log)) == "new session, there was nothing to tell"


def test_what_an_agent_was_not_told_is_not_what_it_knows() -> None:
    log = MemoryLog()
    log.started(CLAUDE, start(), 1_000, facts(13), HERE)
    log.compacted(CLAUDE, cut(injected=""), 2_000, facts(14), HERE)
    log.compacted(CLAUDE, cut(), 3_000, facts(15), HERE)
    assert (newest(log).plan_before, newest(log).plan_after) == (13, 15)


def test_a_run_of_which_no_hook_tells_leaves_open_what_was_told() -> None:
    log = MemoryLog()
    log.started(CLAUDE, start(told=None), 1_000, facts(), HERE)
    assert newest(log).told is None
    assert not newest(log).stands_out
    assert memory_line(newest(log)).endswith("whether it was told anything is not recorded")


@pytest.mark.parametrize(
    "about", [{"source": "persist", "loop": "nightly"}, {"source": ""}, {"source": 7}]
)
def test_other_runs_are_no_memories(about: dict[str, Any]) -> None:
    log = MemoryLog()
    log.started(CLAUDE, start(**about), 1_000, facts(), HERE)
    assert log.found() == {}


@pytest.mark.parametrize(
    ("source", "words"), [("resume", "resumed"), ("clear", "cleared"), ("startup", "new session")]
)
def test_it_says_how_the_context_began_anew(source: str, words: str) -> None:
    log = MemoryLog()
    log.started(CLAUDE, start(source=source), 1_000, facts(), HERE)
    assert memory_line(newest(log)).startswith(f"{words}: ")


def test_constraints_follow_from_the_digest_over_all_where_the_rest_is_the_same() -> None:
    log = MemoryLog()
    log.compacted(CLAUDE, {"after": "sha256:a", "injected": "p"}, 1_000, facts(), HERE)
    log.compacted(CLAUDE, {"after": "sha256:a", "injected": "p"}, 2_000, facts(), HERE)
    assert newest(log).constraints == "same"
    log.compacted(CLAUDE, {"after": "sha256:b", "injected": "p"}, 3_000, facts(), HERE)
    assert newest(log).constraints == "changed"
    log.compacted(CLAUDE, {"after": "sha256:c", "injected": "p"}, 4_000, facts(99), HERE)
    assert newest(log).constraints == "unknown"


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(
    ["metadata", "source", "told", "injected", "after", "trigger", "characters", "contract"]
)
PAYLOADS = st.dictionaries(NAMES, st.dictionaries(NAMES, JUNK) | JUNK)


@given(
    st.lists(
        st.tuples(st.booleans(), st.sampled_from([CLAUDE, OTHER, CODEX, ""]), PAYLOADS),
        max_size=30,
    )
)
def test_any_payload_gives_a_line_and_never_more_than_are_kept(
    events: list[tuple[bool, str, dict[str, Any]]],
) -> None:
    log = MemoryLog()
    for at, (is_start, session, payload) in enumerate(events):
        take = log.started if is_start else log.compacted
        take(session, payload, at, facts(at), HERE)
    for session, found in log.found().items():
        assert session
        assert 0 < len(found) <= KEPT
        assert [one.at_ms for one in found] == sorted(
            (one.at_ms or 0 for one in found), reverse=True
        )
        for one in found:
            assert memory_line(one)
            assert one.stands_out == (one.told is False)  # a plan is always recorded here
