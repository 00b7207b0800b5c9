"""Asking a person: what is recorded, what is refused, and what becomes of a question."""

import os
import shutil
from pathlib import Path

import pytest

from ppgp_tui.session.actions import answering, asking, plan, start
from ppgp_tui.session.actions.answering import Said
from ppgp_tui.session.actions.asking import Question
from ppgp_tui.session.authority.request_files import read_request
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.process import start_of
from tests.session.engine.desk import CLAUDE, CODEX
from tests.session.engine.repository import LOG, RUN, TEXT, Repository, good, refused, task
from tests.session.engine.rules import graph


def ask(here: Repository, **about: object) -> str:
    question = Question(**{"text": "Publish 0.2.0?", **about})
    return good(asking.ask(here.engine(CLAUDE), question)).data["request"]


def test_a_question_is_recorded_and_lies_beside_the_log_with_the_same_digest(
    here: Repository,
) -> None:
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    result = asking.ask(
        here.engine(CLAUDE),
        Question(
            "Publish 0.2.0?",
            klass="B",
            scope="Step A",
            why="It is ready.",
            evidence="All tests pass.",
            options=("now", "later"),
            recommended="b",
            irreversible=True,
            frees=("a",),
            expires_ms=here.now_ms + 60_000,
        ),
        pid=os.getpid(),
    )
    asked = good(result).data["request"]
    payload = here.newest("authority.requested")["payload"]
    assert payload["request"] == {
        "schema": 1,
        "id": asked,
        "repo": here.read(RUN / "repo-id").decode().strip().strip('"'),
        "kind": "question",
        "class": "B",
        "scope": "Step A",
        "question": "Publish 0.2.0?",
        "why": "It is ready.",
        "evidence": "All tests pass.",
        "options": [{"key": "a", "label": "now"}, {"key": "b", "label": "later"}],
        "recommended": "b",
        "irreversible": True,
        "frees": ["todo:a"],
        "asker": {
            "actor": "agent:claude-1",
            "session": "claude-1",
            "cwd": str(Path.cwd()),
            "pid": os.getpid(),
            "pid_start": start_of(os.getpid()),
        },
        "created_ms": here.newest("authority.requested")["ts_ms"],
        "expires_ms": payload["request"]["expires_ms"],
    }
    with Folder.open(here.root, ".ppgp", "run") as run:
        assert read_request(run, asked).digest == payload["digest"] == result.data["digest"]
    assert result.created == (f".ppgp/run/requests/{asked}.json",)
    nodes, relations, _ = graph(here.events())
    assert nodes[asked]["props"]["status"] == "Pending"
    assert (asked, "blocks", "todo:a") in relations


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({"klass": "A"}, "a class A blocker is technical and reversible: solve it, do not ask"),
        ({"klass": "E"}, "a request's class is B, C or D, not 'E'"),
        ({"text": " \n"}, "the question is empty"),
        ({"text": "x" * 4001}, "the question is longer than 4000 characters"),
        ({"why": "x" * 4001}, "the why is longer than 4000 characters"),
        ({"evidence": "x" * 8001}, "the evidence is longer than 8000 characters"),
        ({"scope": "x" * 4001}, "this cannot be asked"),
        ({"options": ("x",) * 10}, "at most 9 options, not 10"),
        ({"options": ("x" * 501,)}, "the option is longer than 500 characters"),
        ({"options": ("now",), "recommended": "b"}, "the recommended option 'b' is not offered"),
        ({"recommended": "maybe"}, "the recommended option 'maybe' is not offered"),
        ({"frees": ("zz",)}, "todo:zz is no task of the plan"),
        ({"expires_ms": 5}, "a request cannot expire before it is asked"),
        ({"kind": "oracle"}, "no kind of request is called 'oracle'"),
        ({"tool": {"name": "x" * 300, "input": {}}}, "this cannot be asked"),
        ({"tool": {"name": "Bash", "input": {"x": "y" * 300_000}}}, "this cannot be asked"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_a_question_out_of_its_bounds_is_refused_and_not_recorded(
    here: Repository, about: dict, said: str
) -> None:
    question = Question(**{"text": "Publish?", **about})
    assert said in refused(asking.ask(here.engine(CLAUDE), question))
    assert "authority.requested" not in here.kinds()
    assert not (here.root / RUN / "requests").exists()


def test_a_question_asked_in_a_folder_whose_name_is_no_text_is_asked(
    here: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = here.root / os.fsdecode(b"caf\xe9")
    odd.mkdir()
    monkeypatch.chdir(odd)
    ask(here)
    request = here.newest("authority.requested")["payload"]["request"]
    assert request["asker"]["cwd"].endswith("caf\ufffd")


def test_a_question_asked_from_a_folder_that_is_gone_is_asked(
    here: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = here.root / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    ask(here)
    request = here.newest("authority.requested")["payload"]["request"]
    assert request["asker"]["cwd"] == ""


def test_a_damaged_name_of_the_repository_is_refused_with_what_to_do(here: Repository) -> None:
    here.write(RUN / "repo-id", "nonsense")
    said = refused(asking.ask(here.engine(CLAUDE), Question("Publish?")))
    assert "repo-id is damaged; remove it" in said


# Withdrawn, delivered, acted on ------------------------------------------------------------------


def test_a_question_is_withdrawn_for_one_of_the_known_reasons_and_once(here: Repository) -> None:
    asked = ask(here)
    assert "a reason is one of asker" in refused(
        asking.withdraw(here.engine(CLAUDE), asked, "bored")
    )
    good(asking.withdraw(here.engine(CLAUDE), asked))
    event = here.newest("authority.withdrawn")
    assert event["payload"] == {"id": asked, "reason": "asker"}
    assert event["causation_id"] == here.newest("authority.requested")["id"]
    assert "does not wait" in refused(asking.withdraw(here.engine(CLAUDE), asked))
    answered = answering.answer(here.engine(), asked, Said("yes"), key=here.key)
    assert refused(answered) == "the request was withdrawn: asker"


def test_an_answer_is_delivered_once_and_then_acted_on_with_the_askers_next_act(
    here: Repository,
) -> None:
    asked = ask(here)
    assert "is not answered" in refused(asking.deliver(here.engine(CLAUDE), asked))
    good(answering.answer(here.engine(), asked, Said("yes"), key=here.key))
    good(asking.deliver(here.engine(CLAUDE), asked))
    assert here.newest("authority.delivered")["payload"] == {
        "id": asked,
        "attempt": 1,
        "decision": here.newest("decision.created")["payload"]["id"],
        "to": "agent:claude-1",
    }
    assert "is not answered" in refused(asking.deliver(here.engine(CLAUDE), asked))
    good(plan.revise(here.engine(CODEX), {"tasks": [task("a")]}))
    assert here.request_state(asked) == "delivered", "somebody else went on"
    refused(plan.revise(here.engine(CLAUDE), {"baseRevision": 9, "tasks": []}), "stale")
    assert plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}).code == "unchanged"
    assert here.request_state(asked) == "delivered", "nothing was recorded by the asker"
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a", "completed")]}))
    assert here.request_state(asked) == "acted_on"
    event = here.newest("authority.consumed")
    assert event["causation_id"] == here.newest("authority.delivered")["id"]
    assert event["payload"]["by"] == "claude-1"


def test_receiving_another_answer_is_no_act_on_the_first(here: Repository) -> None:
    first, second = ask(here), ask(here, text="And 0.3.0?")
    for asked in (first, second):
        good(answering.answer(here.engine(), asked, Said("yes"), key=here.key))
        good(asking.deliver(here.engine(CLAUDE), asked))
    assert here.request_state(first) == "delivered"
    ask(here, text="What now?")
    assert (here.request_state(first), here.request_state(second)) == ("acted_on", "acted_on")


# Files beside the log ----------------------------------------------------------------------------


def test_requests_and_answers_come_back_from_the_log_with_the_next_act(here: Repository) -> None:
    open_, answered, closed = ask(here), ask(here, text="B?"), ask(here, text="C?")
    good(answering.answer(here.engine(), answered, Said("yes"), key=here.key))
    good(asking.withdraw(here.engine(CLAUDE), closed))
    names = [
        f"requests/{open_}.json",
        f"requests/{answered}.json",
        f"answers/{answered}.1.json",
        "repo-id",
    ]
    files = {name: here.read(RUN / name) for name in names}
    shutil.rmtree(here.root / RUN)
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    assert {name: here.read(RUN / name) for name in names} == files
    assert not (here.root / RUN / "requests" / f"{closed}.json").exists()
    assert start.rebuild(here.engine()).code == "unchanged"


def test_lost_files_of_requests_are_written_again_and_nothing_else_is(here: Repository) -> None:
    open_, answered = ask(here), ask(here, text="B?")
    good(answering.answer(here.engine(), answered, Said("yes"), key=here.key))
    names = [f"requests/{open_}.json", f"answers/{answered}.1.json"]
    files = {name: here.read(RUN / name) for name in names}
    here.write("docs/ACTIVE_GOAL.md", TEXT.replace("EXECUTE", "HARDEN"))  # nobody recorded that
    log = here.read(LOG)
    assert asking.restore_files(here.engine()).code == "unchanged"
    shutil.rmtree(here.root / RUN)
    result = asking.restore_files(here.engine())
    assert (result.code, result.events) == ("done", ())
    assert len(result.created) == 3
    assert {name: here.read(RUN / name) for name in names} == files
    assert here.read(LOG) == log
    assert asking.restore_files(here.engine()).code == "unchanged"


def test_files_of_requests_that_cannot_be_written_are_named(here: Repository) -> None:
    ask(here)
    shutil.rmtree(here.root / RUN / "requests")
    (here.root / RUN / "requests").symlink_to(here.folder)
    result = asking.restore_files(here.engine())
    assert (result.ok, result.code) == (False, "disk")
    assert "could not be written again" in result.message


@pytest.mark.parametrize("how", ["changed", "linked", "long"])
def test_a_request_that_other_hands_changed_is_set_right(here: Repository, how: str) -> None:
    asked = ask(here)
    file = here.root / RUN / "requests" / f"{asked}.json"
    right = file.read_bytes()
    if how == "changed":
        file.write_bytes(right.replace(b"Publish 0.2.0?", b"Fix the typo?"))
    elif how == "long":
        file.write_bytes(right * 1000)
    else:
        file.unlink()
        file.symlink_to(here.folder / "elsewhere.json")
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    assert file.read_bytes() == right
    assert not file.is_symlink()
    assert not (here.folder / "elsewhere.json").exists()


def test_a_folder_of_requests_that_is_a_link_is_named_and_not_followed(here: Repository) -> None:
    elsewhere = here.folder / "elsewhere"
    elsewhere.mkdir()
    (here.root / RUN / "requests").symlink_to(elsewhere)
    result = asking.ask(here.engine(CLAUDE), Question("Publish?"))
    assert good(result).recorded == "log"
    assert any("requests could not be written" in warning for warning in result.warnings)
    assert list(elsewhere.iterdir()) == []
