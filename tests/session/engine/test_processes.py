"""Many at once, killed at any moment, on a full disk: what was acknowledged is there, whole."""

import os
import random
import resource
import time
from pathlib import Path

from ppgp_tui.session.actions import blocker, goal, plan, start
from ppgp_tui.session.engine import orders
from ppgp_tui.session.journal import now_ms
from tests.session.engine.desk import CLAUDE
from tests.session.engine.life import TOGETHER, Life
from tests.session.engine.others import Other, Say, other
from tests.session.engine.repository import (
    GOAL,
    LOG,
    RUN,
    TEXT,
    TODO,
    Json,
    Repository,
    good,
    repository,
    task,
)
from tests.session.engine.rules import broken

PROCESSES = 8
ACTIONS = int(os.environ.get("PPGP_TEST_ACTIONS_AT_ONCE", "10"))
KILLS = int(os.environ.get("PPGP_TEST_KILLS", "15"))
LIMITS = int(os.environ.get("PPGP_TEST_FULL_DISKS", "15"))


def at_work(here: Repository, seed: int, actions: int) -> Other:
    """A process in which everybody acts."""

    def work(say: Say) -> None:
        here.clock = now_ms  # type: ignore[method-assign]
        life = Life(here, seed)
        for _ in range(actions):
            say(life.act(TOGETHER).as_json())

    return other(work)


def ids(here: Repository) -> list[str]:
    return [event["id"] for event in here.events()]


def stands_together(batch: list[str], log: list[str]) -> bool:
    at = log.index(batch[0])
    return log[at : at + len(batch)] == batch


def projections_are_right(here: Repository) -> None:
    """Everything beside the log says what the log says."""
    assert start.rebuild(here.engine()).code == "unchanged"
    ledger = here.ledger()
    if ledger.todo["revision"]:
        assert here.json(TODO) == ledger.todo
    if ledger.pi_revision:
        assert here.json(GOAL)["revision"] == ledger.pi_revision
    for request_id, entry in ledger.requests.items():
        if entry["state"] in ("waiting", "answered"):
            assert here.json(RUN / "requests" / f"{request_id}.json") == entry["request"]
        if entry["state"] == "answered":
            file = RUN / "answers" / f"{request_id}.{entry['attempt']}.json"
            assert here.json(file)["decision"] == entry["answer"]["decision"]
    orders_agree(here)


def orders_agree(here: Repository) -> None:
    control, kept = here.root / RUN / "control.json", here.state / orders.PAUSE
    held = here.json(RUN / "control.json")["hold"] if control.exists() else None
    assert kept.exists() == (held is not None)
    if held is not None:
        recorded = here.ledger().hold(held["id"])
        assert recorded is not None
        assert (recorded["paused"] is not None, recorded["resumed"]) == (True, None)


def test_many_processes_at_once_tear_lose_and_double_no_line(memory: Path) -> None:
    here = repository(memory / "here", TEXT)
    people = [at_work(here, seed, ACTIONS) for seed in range(PROCESSES)]
    for one in people:
        one.end()
    results = [result for one in people for result in one.results()]
    assert len(results) == PROCESSES * ACTIONS
    log = ids(here)
    assert len(log) == len(set(log))
    batches = [batch for one in people for batch in one.acknowledged()]
    assert sorted(event for batch in batches for event in batch) == sorted(log)
    assert [batch for batch in batches if not stands_together(batch, log)] == []
    assert [result for result in results if not result["ok"] and not result["message"]] == []
    assert {result["code"] for result in results} <= {
        "done", "unchanged", "refused", "stale", "expired",
    }  # fmt: skip
    assert broken(here.events()) == []
    projections_are_right(here)


def test_of_many_who_revise_the_same_plan_each_revision_is_one_and_the_others_are_told(
    memory: Path,
) -> None:
    here = repository(memory / "here")

    def revise(seed: int) -> Other:
        def work(say: Say) -> None:
            for n in range(ACTIONS):
                base = here.ledger().todo["revision"]
                call = {
                    "baseRevision": base,
                    "tasks": [task("a") | {"subject": f"{seed} {n} on {base}"}],
                }
                say(plan.revise(here.engine(CLAUDE), call).as_json())

        return other(work)

    people = [revise(seed) for seed in range(PROCESSES)]
    results = [result for one in people for result in one.end().results()]
    done = [result for result in results if result["code"] == "done"]
    stale = [result for result in results if result["code"] == "stale"]
    assert len(done) + len(stale) == PROCESSES * ACTIONS
    assert sorted(result["revisions"]["plan"] for result in done) == list(range(1, len(done) + 1))
    assert all("current revision is" in result["message"] for result in stale)
    assert here.json(TODO)["revision"] == len(done)
    assert broken(here.events()) == []


def test_killed_at_any_moment_every_act_is_wholly_there_or_wholly_absent(memory: Path) -> None:
    here = repository(memory / "here", TEXT)
    here.clock = now_ms  # type: ignore[method-assign]
    chance = random.Random(7)
    acknowledged: list[str] = []
    cut_short = 0
    for kill in range(KILLS):
        before = set(ids(here))
        one = at_work(here, kill, 1000)
        if kill % 4:
            one.until_it_writes(chance.randint(1, 6))
            time.sleep(chance.choice((0, 0.0005, 0.002)) * chance.random())
        else:
            time.sleep(chance.random() * 0.12)
        one.kill()
        one.end()
        acknowledged += [event for batch in one.acknowledged() for event in batch]
        seen = good(start.rebuild(here.engine())).events  # a phase recorded and not yet written
        log = ids(here)
        assert len(log) == len(set(log))
        assert set(acknowledged) <= set(log)
        for batch in one.intended():
            assert set(batch) <= set(log) or not set(batch) & set(log)
            assert batch[0] not in log or stands_together(batch, log)
            cut_short += batch not in one.acknowledged()
        known = before.union(seen, *one.intended())
        assert [event for event in here.events() if event["id"] not in known] == []
        projections_are_right(here)
    assert acknowledged
    assert cut_short, "some were killed while they wrote"
    assert broken(here.events()) == []


def test_on_a_full_disk_an_act_is_refused_whole_and_the_next_one_is_as_if_nothing_happened(
    memory: Path,
) -> None:
    here = repository(memory / "here", TEXT)
    here.clock = now_ms  # type: ignore[method-assign]
    good(goal.create(here.engine(), "Retry survives"))
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    chance = random.Random(3)
    codes: set[str] = set()
    for seed in range(LIMITS):
        before = here.read(LOG)
        room = (0, 1, 200, 700, 2000, 20_000)[seed % 6]
        one = full(here, seed, chance.randint(1, 3000) if seed % 7 == 6 else len(before) + room)
        results = one.end().results()
        assert one.process.exitcode == 0
        codes |= {result["code"] for result in results}
        log = here.read(LOG)
        assert log.startswith(before)
        new = [event["id"] for event in here.events()[before.count(b"\n") :]]
        assert new == [event for batch in one.acknowledged() for event in batch]
        good(blocker.raise_(here.engine(CLAUDE), "in the way", klass="B"))
        good(start.rebuild(here.engine()))
        projections_are_right(here)
    assert {"done", "disk"} <= codes
    assert broken(here.events()) == []


def full(here: Repository, seed: int, limit: int) -> Other:
    """A process whose files may not grow beyond `limit` bytes, as if the disk ended there."""

    def work(say: Say) -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        life = Life(here, seed)
        for _ in range(4):
            said: Json = life.act(TOGETHER).as_json()
            say(said)

    return other(work)
