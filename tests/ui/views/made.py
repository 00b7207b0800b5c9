"""Snapshots nobody would write by hand: parts missing, hostile words, nothing or very much."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from ppgp_tui.ppgp.reading import (
    Authority,
    Blocker,
    Criterion,
    Field,
    Finding,
    GoalReading,
    Item,
    NextAction,
    Section,
)
from ppgp_tui.session.model import (
    Agent,
    Answer,
    Audit,
    Control,
    Option,
    Part,
    Plan,
    Problem,
    RefusedAnswer,
    Repo,
    Request,
    SessionSnapshot,
    SourceState,
    Task,
    Watching,
)
from ppgp_tui.session.picture.audit_state import Override, Running, Verdict
from ppgp_tui.ui.views.goal.fields import FIELDS
from tests.ui.picture import NOW
from tests.ui.views import made_loops
from tests.ui.views.made_events import many_events
from tests.ui.views.made_words import lines, origins, some_words, times, words

items = st.builds(Item, words, lines)
several_items = st.lists(items, max_size=3).map(tuple)


def tuples(
    each: st.SearchStrategy[object], most: int = 4, by: str = ""
) -> st.SearchStrategy[tuple[object, ...]]:
    """Up to `most` of them, no two alike in `by` where its source makes sure of that."""
    unique = (lambda value: getattr(value, by)) if by else None
    return st.lists(each, max_size=most, unique_by=unique).map(tuple)


goals = st.builds(
    GoalReading,
    path=words,
    health=st.sampled_from(["CONFORMANT", "PARTIAL", "MALFORMED", "MISSING"]),
    reasons=tuples(st.builds(Finding, words, words, st.one_of(st.none(), lines), words), by="text"),
    title=some_words,
    goal=some_words,
    goal_source=st.sampled_from([None, "field", "mapped", "title"]),
    phase=st.sampled_from([None, "THINK", "EXECUTE", "CLOSED"]),
    phase_raw=some_words,
    phase_inferred=st.sampled_from([None, "HARDEN"]),
    phase_line=st.one_of(st.none(), lines),
    fields=st.lists(
        st.builds(
            Field,
            st.sampled_from(list(FIELDS)),
            words,
            st.sampled_from(["canonical", "alias", "mapped"]),
            lines,
            lines,
            words,
            several_items,
        ),
        max_size=5,
        unique_by=lambda field: field.name,
    ).map(tuple),
    sections=tuples(st.builds(Section, words, lines, lines, words), by="line"),
    dod=tuples(
        st.builds(
            Criterion,
            st.integers(1, 9),
            words,
            st.sampled_from(["done", "claimed", "partial", "open", "blocked", "unknown"]),
            st.sampled_from([None, "box", "word", "column", "cross-reference"]),
            several_items,
            lines,
        ),
        by="number",
    ),
    blockers=tuples(
        st.builds(
            Blocker,
            st.sampled_from([None, "A", "B", "C", "D"]),
            st.booleans(),
            some_words,
            some_words,
            words,
            lines,
        )
    ),
    authority=st.builds(Authority, several_items, several_items, several_items),
    next_action=st.one_of(
        st.none(), st.builds(NextAction, words, lines, st.booleans(), some_words)
    ),
    line_count=st.integers(0, 9_000),
    bytes=st.integers(0, 9_000_000),
)

keys = st.one_of(st.sampled_from(["T1", "T2", "T3"]), words)
tasks = st.builds(
    Task,
    keys,
    words,
    st.just("pending"),
    st.lists(keys, max_size=3).map(tuple),
    some_words,
    st.sampled_from(["done", "running", "ready", "waits", "blocked", "for_you"]),
    some_words,
    times,
)
plans = st.builds(
    Plan,
    source=st.sampled_from(["log", "todo.json", "none"]),
    revision=st.one_of(st.none(), st.integers(0, 99)),
    tasks=st.one_of(
        tuples(tasks, 6),
        tasks.map(lambda task: tuple(Task(f"K{n}", task.subject, "pending") for n in range(300))),
    ),
    hand_edit=st.booleans(),
    changed_ms=times,
    changed_by=some_words,
)
requests = st.builds(
    Request,
    id=st.sampled_from(["req_1", "req_2", "req_3"]),
    state=st.sampled_from(
        ["waiting", "answered", "delivered", "acted_on", "expired", "withdrawn", "taken_back"]
    ),
    digest=words,
    kind=st.sampled_from(["document", "ask"]),
    klass=st.sampled_from(["", "A", "C", "?"]),
    question=words,
    scope=words,
    why=some_words,
    evidence=some_words,
    options=tuples(st.builds(Option, st.sampled_from("abc"), words, some_words), 3, by="key"),
    recommended=st.sampled_from([None, "a"]),
    irreversible=st.booleans(),
    frees=st.lists(keys, max_size=3).map(tuple),
    asker=some_words,
    created_ms=times,
    expires_ms=times,
    origin=origins,
    frees_then=st.lists(keys, max_size=3).map(tuple),
    state_ms=times,
    reason=st.one_of(st.just("asker_gone"), words),
    answer=st.one_of(
        st.none(),
        st.builds(
            Answer,
            decision=words,
            attempt=st.integers(1, 3),
            by=words,
            at_ms=times,
            option=some_words,
            text=some_words,
            note=some_words,
            signature=st.sampled_from(["verified", "unsigned", "unchecked"]),
            recorded=st.booleans(),
        ),
    ),
    refused=tuples(st.builds(RefusedAnswer, st.integers(1, 3), words, words), 2),
    damage=words,
    cwd=some_words,
    tool=some_words,
    tool_input=some_words,
    asker_state=st.sampled_from([None, "waiting_for_you", "working", "quiet", "gone"]),
    asker_quiet_ms=times,
)
agents = st.builds(
    Agent,
    session=words,
    agent=words,
    state=st.sampled_from(["waiting_for_you", "held", "working", "idle", "quiet", "ended", "gone"]),
    since_ms=times,
    contact_ms=times,
    last_tool=some_words,
    model=some_words,
    pane=some_words,
    pid=st.one_of(st.none(), st.integers(1, 99_999)),
    continued=st.integers(0, 50),
    origin=origins,
)
sources = st.builds(
    SourceState,
    name=st.sampled_from(["goal", "plan", "events", "control", "git", "agents"]),
    path=words,
    state=st.sampled_from(["absent", "found", "reading", "unread"]),
    progress=st.one_of(st.none(), st.floats(0, 1)),
    seen_ms=times,
    changed_ms=times,
    why=words,
)


verdicts = st.builds(
    Verdict,
    words,
    st.sampled_from(["approved", "approved_with_notes", "rejected", "inconclusive"]),
    why=words,
    at_ms=times,
    goal=words,
    claim=some_words,
    bound=st.just({}),
    stale=st.booleans(),
    report_digest=words,
    isolation=words,
    auditor=words,
    origin=origins,
)
overrides = st.builds(Override, words, words, words, some_words, times, origins)
audits_running = st.builds(
    Running,
    st.integers(NOW - 400_000_000, NOW + 60_000),
    st.integers(1, 9_000),
    st.sampled_from(["planning", "checking", "asking", "recording"]),
    st.dictionaries(words, st.sampled_from(["queued", "running", "passed", "failed"]), max_size=3),
    words,
    words,
    times,
    st.one_of(st.none(), st.integers(1, 900)),
    st.lists(words, max_size=3).map(tuple),
    st.integers(0, 9),
    st.integers(0, 9),
)
audits = st.builds(
    Audit,
    st.sampled_from(
        [None, "claimed", "running", "verified", "rejected", "unsure", "stale", "taken"]
    ),
    st.sampled_from([None, True, False]),
    st.lists(st.sampled_from(["contract", "plan", "code", "goal"]), max_size=2).map(tuple),
    st.lists(verdicts, max_size=2).map(tuple),
    st.lists(overrides, max_size=2).map(tuple),
    st.one_of(st.none(), audits_running),
    st.just({}),
)


def part(values: st.SearchStrategy[object]) -> st.SearchStrategy[Part[object]]:
    return st.builds(Part, values, st.just(1), origins, times)


snapshots: st.SearchStrategy[SessionSnapshot] = st.builds(
    SessionSnapshot,
    root=st.just(Path("/home/dev/importer")),
    at_ms=st.just(NOW),
    goal=part(goals),
    plan=part(plans),
    inbox=part(tuples(requests, 3, by="id")),
    control=part(
        st.builds(Control, hold_id=st.sampled_from([None, "hold_1"]), held_since_ms=times)
    ),
    agents=part(tuples(agents, 4, by="session")),
    events=part(many_events()),
    repo=part(
        st.builds(
            Repo,
            git=st.booleans(),
            branch=some_words,
            detached=st.booleans(),
            head=some_words,
            dirty=st.one_of(st.none(), st.integers(0, 9)),
            ahead=st.one_of(st.none(), st.integers(0, 9)),
            behind=st.one_of(st.none(), st.integers(0, 9)),
            other_goals=st.lists(words, max_size=3, unique=True).map(tuple),
        )
    ),
    loops=part(made_loops.loops(words, times, NOW)),
    audit=part(audits),
    problems=tuples(
        st.builds(
            Problem,
            st.sampled_from(["plan-missing", "hand-edit", "settings", "other"]),
            words,
            st.one_of(st.none(), lines),
            words,
            words,
        ),
        by="text",
    ),
    sources=tuples(sources),
    watching=st.builds(
        Watching,
        st.sampled_from(["live", "poll", "stale", "starting"]),
        st.one_of(st.none(), st.floats(0.1, 60)),
        times,
        words,
    ),
)
