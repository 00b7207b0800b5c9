"""Git takes uncommitted lines out of the log: they are reported, they count, and they come back."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ppgp_tui.session.actions import (
    answering,
    asking,
    blocker,
    control,
    goal,
    plan,
    proposals,
    start,
)
from ppgp_tui.session.actions.answering import Said
from ppgp_tui.session.actions.asking import Question
from ppgp_tui.session.engine import goals
from tests.session.engine import rules
from tests.session.engine.checks import failures
from tests.session.engine.desk import CLAUDE
from tests.session.engine.repository import (
    GOAL,
    LOG,
    TEXT,
    TODO,
    Json,
    Repository,
    good,
    refused,
    repository,
    task,
)


def stash(here: Repository) -> None:
    here.git("stash", "--quiet")


def reset(here: Repository) -> None:
    here.git("reset", "--quiet", "--hard")


def check_out(here: Repository) -> None:
    here.git("checkout", "--quiet", "--force", "HEAD", "--", ".")


def go_back(here: Repository) -> None:
    """The lines are committed, and then the commit is given up."""
    here.git("add", "-A")
    here.git("commit", "--quiet", "-m", "Given up")
    here.git("reset", "--quiet", "--hard", "HEAD~1")


TAKEN: list[Callable[[Repository], None]] = [stash, reset, check_out, go_back]


@pytest.fixture
def committed(memory: Path) -> Repository:
    """A session whose first plan is committed."""
    here = repository(memory / "here", TEXT, git=True)
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    here.git("add", "-A")
    here.git("commit", "--quiet", "-m", "Plan")
    return here


def act(here: Repository) -> dict[str, str]:
    """Acts of every kind that are acknowledged and not committed."""
    good(goal.create(here.engine(), "Retry survives"))
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a", "completed"), task("b")]}))
    stays = good(blocker.raise_(here.engine(CLAUDE), "stays", klass="B")).data["blocker"]
    goes = good(blocker.raise_(here.engine(CLAUDE), "goes", klass="B")).data["blocker"]
    open_ = good(asking.ask(here.engine(CLAUDE), Question("Open?"))).data["request"]
    answered = good(asking.ask(here.engine(CLAUDE), Question("Answered?"))).data["request"]
    good(answering.answer(here.engine(), answered, Said("yes"), key=here.key))
    good(control.hold(here.engine()))
    return {"stays": stays, "goes": goes, "open": open_, "answered": answered}


def go_on(here: Repository, made: dict[str, str]) -> None:
    """Acts on what was cut, as if nothing had happened."""
    call = {"baseRevision": 2, "tasks": [task("a", "completed"), task("b"), task("c")]}
    good(plan.revise(here.engine(CLAUDE), call))
    good(blocker.clear(here.engine(CLAUDE), made["goes"], "gone"))
    good(answering.answer(here.engine(), made["open"], Said("no"), key=here.key))
    good(asking.deliver(here.engine(CLAUDE), made["answered"]))
    good(control.release(here.engine()))
    good(goal.tweak(here.engine(), "Retry survives a crash"))


def summary(here: Repository, made: dict[str, str]) -> Json:
    ledger = here.ledger()
    state = goals.state_of(ledger)
    return {
        "plan": ledger.todo,
        "tasks": sorted(ledger.tasks_on_record),
        "goal": (state.revision, state.goal and (state.goal.objective, state.goal.status)),
        "blockers": list(ledger.blockers) == [made["stays"]],
        "requests": {name: ledger.requests[made[name]]["state"] for name in ("open", "answered")},
        "files": (here.json(TODO), here.json(GOAL)["goal"]["objective"]),
        "control": here.json(".ppgp/run/control.json")["hold"],
    }


def undisturbed(folder: Path) -> Json:
    here = repository(folder, TEXT)
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    made = act(here)
    go_on(here, made)
    return summary(here, made)


@pytest.mark.parametrize("take", TAKEN)
def test_what_was_acknowledged_is_reported_as_cut_still_counts_and_comes_back(
    committed: Repository, memory: Path, take: Callable[[Repository], None]
) -> None:
    here = committed
    before = here.events()
    made = act(here)
    acknowledged = [event["id"] for event in here.events()]
    take(here)
    assert here.events() == before
    assert len(here.engine().journal.cut().lines) == len(acknowledged) - len(before)
    go_on(here, made)
    expected = undisturbed(memory / "undisturbed")
    assert summary(here, made) == expected
    meanwhile = [event["id"] for event in here.events()]
    restored = good(start.restore(here.engine()))
    assert list(restored.events) == acknowledged[len(before) :]
    log = [event["id"] for event in here.events()]
    assert log == [*meanwhile, *restored.events]
    assert here.engine().journal.cut().lines == ()
    assert summary(here, made) == expected
    assert start.rebuild(here.engine()).code == "unchanged"
    events = here.events()
    assert [*rules.causes(events), *rules.pairs(events), *rules.vocabulary(events)] == []
    refused(start.restore(here.engine()))


def test_an_act_while_lines_are_missing_says_how_many(committed: Repository) -> None:
    good(blocker.raise_(committed.engine(CLAUDE), "in the way", klass="B"))
    stash(committed)
    result = good(plan.revise(committed.engine(CLAUDE), {"tasks": [task("a", "completed")]}))
    (warning,) = result.warnings
    assert warning.startswith("2 recorded events were removed from the log, perhaps by Git")


@pytest.mark.parametrize("take", TAKEN)
def test_a_plan_file_that_git_brought_back_is_no_edit(
    committed: Repository, take: Callable[[Repository], None]
) -> None:
    good(plan.revise(committed.engine(CLAUDE), {"tasks": [task("a", "completed")]}))
    take(committed)
    assert committed.json(TODO)["revision"] == 1
    good(plan.revise(committed.engine(CLAUDE), {"tasks": [task("a", "completed"), task("b")]}))
    assert committed.json(TODO)["revision"] == 3


def test_a_session_that_git_cleaned_away_is_reported_and_comes_back_whole(memory: Path) -> None:
    here = repository(memory / "here", git=True)
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    made = act(here)
    log, todo = here.read(LOG), here.read(TODO)
    here.git("clean", "--quiet", "-fdx")
    assert not (here.root / LOG).exists()
    assert len(here.engine().journal.cut().lines) == log.count(b"\n")
    assert "no session here" in refused(goal.abandon(here.engine(), "x"), "not_initialised")
    good(start.restore(here.engine()))
    assert here.read(LOG) == log
    good(start.rebuild(here.engine()))
    assert here.read(TODO) == todo
    assert here.json(".ppgp/run/control.json")["hold"] is not None
    assert here.request_state(made["answered"]) == "answered"


def test_a_session_begun_again_after_git_cleaned_it_away_goes_on_where_it_was(
    memory: Path,
) -> None:
    here = repository(memory / "here", git=True)
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    here.git("clean", "--quiet", "-fdx")
    good(start.init(here.engine()))
    good(plan.revise(here.engine(CLAUDE), {"baseRevision": 1, "tasks": [task("a", "completed")]}))
    good(start.restore(here.engine()))
    assert here.ledger().todo["revision"] == 2
    assert here.json(TODO)["tasks"][0]["status"] == "completed"


def test_a_cut_cause_is_not_named_and_another_one_is_found(committed: Repository) -> None:
    made = good(goal.create(committed.engine(), "Retry survives")).data["goal"]
    reset(committed)
    good(plan.revise(committed.engine(CLAUDE), {"tasks": [task("a", "completed")]}))
    event = committed.newest("todo.revised")
    known = [other["id"] for other in committed.events()]
    assert event["causation_id"] in known
    assert event["correlation_id"] == made
    assert rules.causes(committed.events()) == []


def test_history_stays_append_only_through_cuts_and_restores(memory: Path) -> None:
    from tests.session.engine.checks import add_manifest

    here = repository(memory / "here", TEXT, git=True)
    add_manifest(here.root)
    for n, take in enumerate([stash, reset, check_out]):
        good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a") | {"subject": f"{n}"}]}))
        here.git("add", "-A")
        here.git("commit", "--quiet", "-m", f"Plan {n}")
        good(proposals.propose(here.engine(CLAUDE), f"Goal {n}"))
        take(here)
        good(blocker.raise_(here.engine(CLAUDE), f"in the way {n}", klass="B"))
        good(start.restore(here.engine()))
    here.git("add", "-A")
    here.git("commit", "--quiet", "-m", "End")
    assert failures(here.root) == {}
