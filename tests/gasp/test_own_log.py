"""Lineage and story of a log that this program wrote."""

from collections import Counter
from pathlib import Path

import pytest

from ppgp_tui.gasp.telling.chapters import Chapters
from ppgp_tui.gasp.telling.story import Story
from ppgp_tui.gasp.tracing.hops import hops
from ppgp_tui.gasp.tracing.lineage import all_things, lineage, unlinked
from tests.gasp.logs import Log
from tests.session.engine.life import Life
from tests.session.engine.repository import DOCUMENT, LOG, TEXT, Repository


@pytest.fixture(scope="module", params=[1, 2, 3])
def log(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Log:
    """What people and agents left after sixty acts of all kinds."""
    folder: Path = tmp_path_factory.mktemp("own")
    repository = Repository(folder).init()
    repository.write(DOCUMENT, TEXT)
    life = Life(repository, request.param)
    for _ in range(60):
        life.step()
    return Log(repository.read(LOG))


def test_nothing_in_it_names_what_is_not_there(log: Log) -> None:
    assert list(unlinked(log.things)) == []


def test_everything_leads_up_to_the_beginning_of_the_session(log: Log) -> None:
    assert log.events[0].kind in ("session.started", "goal.created")
    for thing in all_things(log.index):
        up = lineage(log.things, thing, breadth=1000).up
        if log.index.first(thing) == 0:
            assert up.branches == ()
        elif log.events[log.index.first(thing)].causation_id is not None:
            assert up.branches, log.things.id(thing)


def test_an_answer_is_what_came_of_its_question(log: Log) -> None:
    for event in log.events:
        if event.kind == "decision.created" and "request" in event.payload["metadata"]:
            answer = log.index.number(event.payload["id"])
            question = log.index.number(event.payload["metadata"]["request"])
            assert answer is not None
            assert question is not None
            ways = {hop.thing: hop.ways for hop in hops(log.index, ~question, "down")}
            assert {way.how for way in ways[~answer]} >= {"relation", "member"}


def test_a_revised_plan_is_told_with_its_tasks(log: Log) -> None:
    story = Story(log.index)
    story.extend()
    chapters = Chapters(log.things, story)
    told = [one for group in story.groups for one in chapters.tellings(group)]
    assert Counter(at for one in told for at in one.events) == Counter(range(len(log.events)))
    for one in told:
        kinds = {log.events[at].kind for at in one.events}
        if log.events[one.events[0]].kind == "todo.revised":
            assert kinds <= {
                "todo.revised", "task.created", "task.status_changed", "state.ops_applied",
            }  # fmt: skip
            assert one.words.startswith("plan r")
        else:
            assert "task.status_changed" not in kinds
