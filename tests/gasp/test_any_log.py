"""What holds for the lineage and the story of any log."""

import json
import re
from collections import Counter
from copy import deepcopy
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from ppgp_tui.gasp.folding import ops as operations
from ppgp_tui.gasp.folding.fold import Fold
from ppgp_tui.gasp.telling.chapters import Chapters
from ppgp_tui.gasp.telling.filters import Filter, matcher, texts
from ppgp_tui.gasp.telling.story import Story
from ppgp_tui.gasp.tracing.edges import Edge
from ppgp_tui.gasp.tracing.hops import hops
from ppgp_tui.gasp.tracing.lineage import Branch, all_things, find, lineage, unlinked
from ppgp_tui.gasp.tracing.log_index import SOUND
from ppgp_tui.gasp.tracing.mermaid import mermaid
from ppgp_tui.gasp.tracing.spine import spine
from ppgp_tui.gasp.vocabulary import OPS_EVENT
from tests.gasp.logs import FIXTURE, Log

IDS = ["goal_1", "task_1", "task_2", "patch_1", "patch_2", "eval_1", "decision_1", "failure_1",
       "run_1", "run_2", "req_1", "claim_1", "todo:a", "odd id\n‮", ""]  # fmt: skip
KINDS = ["goal.created", "task.created", "run.started", "run.finished", "patch.proposed",
         "patch.status_changed", "eval.finished", "decision.created", "failure.observed",
         "tool.called", "authority.requested", "authority.delivered", "authority.withdrawn",
         "blocker.raised", "blocker.cleared", "todo.revised", "task.status_changed", "goal.claimed",
         "goal.phase_changed", "agent.held", "agent.released", "weather.changed",
         "thing.created"]  # fmt: skip
RELATIONS = ["serves", "advances", "blocks", "validated_by", "approved_by", "rejected_by",
             "references", "addresses", "produced_by", "depends_on", "made_up"]  # fmt: skip

ids = st.sampled_from(IDS)
events = st.integers(0, 14).map("e{}".format)
times = st.none() | st.integers(-5, 5)
anything = st.recursive(
    st.none() | st.booleans() | st.integers(0, 3) | ids,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "id"]), inner)
    ),
    max_leaves=4,
)
payloads = st.fixed_dictionaries(
    {},
    optional={
        "id": ids, "run_id": ids, "goal": ids, "task_id": ids, "patch_id": ids, "goal_id": ids,
        "title": st.text(max_size=5), "status": st.sampled_from(["Open", "Approved", "Rejected"]),
        "metadata": st.fixed_dictionaries(
            {}, optional={"request": ids, "claim": ids, "eval": ids}
        ),
        "request": st.fixed_dictionaries({}, optional={"frees": st.lists(ids, max_size=2)}),
        "blocks": st.lists(ids, max_size=2), "evidence": anything,
    },
)  # fmt: skip
props = st.dictionaries(st.sampled_from(["title", "status", "references_commit"]), anything)
artifact = st.fixed_dictionaries({"kind": ids, "uri": ids, "metadata": st.none()})
batches = st.lists(
    st.one_of(
        st.builds(lambda i, k, p: {"CreateNode": {"id": i, "kind": k, "props": p}}, ids,
                  ids.map(lambda name: name.partition("_")[0]), props),
        st.builds(lambda i, p: {"UpdateNode": {"id": i, "props": p}}, ids, props),
        st.builds(lambda i: {"TombstoneNode": {"id": i, "reason": "gone"}}, ids),
        st.builds(lambda i, a: {"AttachArtifact": {"id": i, "artifact": a}}, ids, artifact),
        st.builds(lambda deed, a, r, b: {deed: {"from": a, "rel": r, "to": b, "props": {}}},
                  st.sampled_from(["CreateRelation", "CreateRelation", "DeleteRelation"]),
                  ids, st.sampled_from(RELATIONS), ids),
    ),
    max_size=4,
)  # fmt: skip


def _event(kind_and_payload: Any, **members: Any) -> dict[str, Any]:
    kind, payload = kind_and_payload
    return {"kind": kind, "payload": payload, "schema_version": 1, **members}


one_event = st.builds(
    _event,
    st.tuples(st.sampled_from(KINDS), payloads | anything)
    | st.tuples(st.just(OPS_EVENT), batches)
    | st.tuples(st.just(OPS_EVENT), batches | anything),
    id=events,
    ts_ms=times,
    actor=st.fixed_dictionaries({"kind": st.sampled_from(["agent", "user"]), "id": ids}),
    causation_id=st.none() | events,
    correlation_id=st.none() | ids,
)
sound_lines = st.lists(one_event.map(lambda event: json.dumps(event).encode()), max_size=15)
broken_line = st.binary(max_size=20).filter(lambda line: b"\n" not in line) | st.builds(
    lambda line, at, junk: line[:at] + junk + line[at + 1 :],
    st.sampled_from(FIXTURE.splitlines()),
    st.integers(0, 300),
    st.binary(max_size=2).filter(lambda line: b"\n" not in line),
)
any_lines = st.lists(
    one_event.map(lambda event: json.dumps(event).encode()) | broken_line, max_size=12
)
logs = any_lines.map(lambda lines: Log(b"\n".join(lines)))
sound_logs = sound_lines.map(lambda lines: Log(b"\n".join(lines)))


def log_of(*events: tuple[str, Any]) -> Log:
    told = [_event(one, id="e0", ts_ms=at) for at, one in enumerate(events)]
    return Log(b"\n".join(json.dumps(one).encode() for one in told))


LINKS_THEN_BURIES = log_of(
    (OPS_EVENT, []),
    ("goal.created", {"id": "task_1"}),
    (OPS_EVENT, [
        {"CreateRelation": {"from": "task_1", "rel": "serves", "to": "goal_1", "props": {}}},
        {"TombstoneNode": {"id": "goal_1", "reason": "gone"}},
    ]),
)  # fmt: skip
"""Events of one id, the last of which links a node that it does not change."""


def branches(branch: Branch) -> list[Branch]:
    return [branch, *(below for one in branch.branches for below in branches(one))]


@given(logs)
@settings(max_examples=100)
def test_everything_in_any_log_has_a_lineage(log: Log) -> None:
    for thing in all_things(log.index):
        found = lineage(log.things, thing, log.things.id(thing))
        for tree in (found.up, found.down):
            opened = [one.key for one in branches(tree) if not one.shown_above]
            assert len(opened) == len(set(opened)), "nothing is opened twice"
            assert all(one.ways for one in branches(tree)[1:])
        mermaid(found)
    list(spine(log.things))


@given(logs)
@example(LINKS_THEN_BURIES)
@settings(max_examples=100)
def test_up_and_down_are_each_others_reverse(log: Log) -> None:
    things = list(all_things(log.index))
    ups = {(other, thing) for thing in things for other, _ in hops(log.index, thing, "up")}
    downs = {(thing, other) for thing in things for other, _ in hops(log.index, thing, "down")}
    both = set(things)
    assert {one for one in ups if one[0] in both} == {one for one in downs if one[1] in both}


@given(sound_logs)
@settings(max_examples=100)
def test_every_hop_stands_in_the_log(log: Log) -> None:
    names = log.index.names
    relations = {(names[one.source], one.name, names[one.target]) for one in log.index.relations}
    for thing in all_things(log.index):
        for other, ways in hops(log.index, thing, "up"):
            for way in ways:
                ends = (log.things.id(thing), log.things.id(other))
                if way.how == "relation":
                    assert {(ends[0], way.name, ends[1]), (ends[1], way.name, ends[0])} & relations
                elif way.how == "same suffix":
                    assert ends[0].partition("_")[2] == ends[1].partition("_")[2]
                else:
                    assert way.event is not None
                    event = log.events[way.event]
                    if way.how == "cause":
                        cause = log.index.causes[way.event]
                        assert log.events[cause].id == event.causation_id
                        assert log.index.homes[cause] == other
                    elif way.how == "correlation":
                        assert event.correlation_id == ends[1]
                    else:
                        assert set(ends) <= {*texts(event)}


@given(logs)
@settings(max_examples=100)
def test_whatever_is_not_linked_is_listed_with_the_reason(log: Log) -> None:
    listed = list(unlinked(log.things))
    at = {one.event for one in listed}
    for thing in all_things(log.index):
        linked = hops(log.index, thing, "up") or hops(log.index, thing, "down")
        assert linked or log.index.first(thing) in at
    assert all(one.reason for one in listed)


@given(sound_logs)
@settings(max_examples=100)
def test_the_relations_are_those_of_the_fold(log: Log) -> None:
    fold = Fold()
    for event, state in zip(log.events, log.index.states, strict=True):
        if (event.kind == OPS_EVENT and state == SOUND) or state == 3:
            fold.take_ops(operations.decode(deepcopy(event.payload)), 0)
    names = log.index.names
    found = [(names[one.source], one.name, names[one.target]) for one in log.index.relations]
    assert found == [(one.source, one.rel, one.target) for one in fold.graph.relations]
    for number, name in enumerate(names):
        known = fold.graph.nodes.get(name)
        node = log.things.node(number)
        assert (node and node.as_json()) == (known and known.as_json())


@given(logs)
@settings(max_examples=100)
def test_every_event_of_any_log_is_told_once(log: Log) -> None:
    story = Story(log.index)
    story.extend()
    chapters = Chapters(log.things, story)
    found: Counter[int] = Counter()
    for group in story.groups:
        chapter = chapters.chapter(group)
        assert chapter.duration_ms is None or chapter.duration_ms >= 0
        tellings = list(chapters.tellings(group))
        assert all(one.words for one in tellings)
        found.update(event for one in tellings for event in one.events)
        assert all(story.group_of(event) is group for event in story.events(group))
    assert found == Counter(range(len(log.events)))


filters = st.builds(
    Filter,
    kind=st.sampled_from(["", "*.created", "patch.*", "state.ops_applied"]),
    actor=st.sampled_from(["", "agent", "goal_1", "user:*"]),
    run=st.sampled_from(["", "run_1"]),
    goal=st.sampled_from(["", "goal_1"]),
    since_ms=st.sampled_from([None, 0]),
    until_ms=st.sampled_from([None, 3]),
    text=st.sampled_from(["", "PATCH"]),
)


@given(logs, filters)
@settings(max_examples=100)
def test_a_filter_keeps_what_all_of_its_parts_keep(log: Log, wanted: Filter) -> None:
    def kept(one: Filter) -> set[int]:
        matches = matcher(one, log.index)
        return {at for at, event in enumerate(log.events) if matches(at, event)}

    everything = set(range(len(log.events)))
    assert kept(wanted) == everything.intersection(*(kept(one) for one in wanted.parts()))
    story = Story(log.index)
    story.extend()
    chapters = Chapters(log.things, story)
    told = [one for group in story.groups for one in chapters.tellings(group)]

    def sentences(one: Filter) -> set[int]:
        is_wanted = chapters.wanted(one)
        return {telling.events[0] for telling in told if is_wanted(telling)}

    leaders = {one.events[0] for one in told}
    parts = [sentences(one) for one in wanted.parts()]
    assert sentences(wanted) == leaders.intersection(*parts)


BOX = r'[nx]\d+\["[^"\[\]{}<>`#\n]*(?:(?:#\d+;|<br/>)[^"\[\]{}<>`#\n]*)*"\]'
LINE = re.compile(
    rf'flowchart LR|  {BOX}|    {BOX}|  [nx]\d+ -->\|"[^"|\n]*"\| (?:[nx]\d+|{BOX})'
    rf'|  n\d+ -\.- {BOX}|  style n\d+ stroke-width:3px|  subgraph lost\["unlinked"\]|  end'
)


@given(logs, st.text())
@settings(max_examples=100)
def test_a_chart_is_only_boxes_and_arrows_whatever_the_titles_are(log: Log, title: str) -> None:
    for thing in all_things(log.index):
        found = lineage(log.things, thing)
        named = found.up._replace(thing=found.thing._replace(title=title, kind=title))
        for line in mermaid(found._replace(up=named)).splitlines():
            assert LINE.fullmatch(line), line


@given(logs)
def test_an_exact_id_finds_what_it_names(log: Log) -> None:
    for thing in all_things(log.index):
        name = log.things.id(thing)
        found = find(log.index, name)
        if thing < 0:
            assert found == thing
        elif log.events[thing].error is None:
            assert found is not None


def test_an_edge_names_its_event() -> None:
    index = Log(FIXTURE).index
    assert [one.event for one in index.relations] == [4, 7, 9]
    assert isinstance(next(iter(index.relations)), Edge)
