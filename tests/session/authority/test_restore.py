"""After `.ppgp/run` was deleted, what is still open comes back from the log, and no more."""

import shutil
from pathlib import Path

import pytest

from ppgp_tui.session.authority.answer import write
from ppgp_tui.session.authority.answer_files import create_answer, read_answer
from ppgp_tui.session.authority.request_files import create_request, known_repo_id, read_request
from ppgp_tui.session.authority.restore import restore
from ppgp_tui.session.canonical import digest
from ppgp_tui.session.files.safe import Folder
from tests.session.authority.conftest import REPO, a_request


def entry(request, state="waiting", answer=None):
    """As the fold of the log has it."""
    recorded = {"request": request, "digest": digest(request), "state": state, "attempt": 0}
    if answer is None:
        return recorded
    said = {"decision": answer.decision, "by": "dev", "attempt": answer.attempt}
    said |= {"signed": answer.signed, "signature": answer.signature, "option": answer.option}
    said |= {"note": answer.note} if answer.note else {}
    return recorded | {"attempt": answer.attempt, "answer": said}


def delete_run(root: Path) -> Folder:
    shutil.rmtree(root / ".ppgp/run")
    return Folder.open(root, ".ppgp", "run", create=True)


def test_open_requests_answers_and_the_name_of_the_repository_come_back(run, root, person):
    waiting, answered = a_request(), a_request()
    answer = person.answer(answered, note="with care")
    for request in (waiting, answered):
        create_request(run, request)
    create_answer(run, answer)
    recorded = {
        waiting["id"]: entry(waiting),
        answered["id"]: entry(answered, "answered", answer),
    }
    assert restore(run, recorded | {}) == []  # nothing is missing but the name
    with delete_run(root) as new:
        assert restore(new, recorded) == [
            f"requests/{waiting['id']}.json",
            f"requests/{answered['id']}.json",
            f"answers/{answered['id']}.1.json",
        ]
        assert read_request(new, waiting["id"]).request == waiting
        assert read_answer(new, answered["id"], 1) == write(answer)
        assert known_repo_id(new) == REPO
        assert restore(new, recorded) == []


@pytest.mark.parametrize("state", ["delivered", "acted_on", "withdrawn"])
def test_what_is_over_does_not_come_back(run, person, state):
    request = a_request()
    assert restore(run, {request["id"]: entry(request, state, person.answer(request))}) == []
    assert known_repo_id(run) is None


def test_an_answer_taken_back_does_not_come_back(run):
    request = a_request()
    written = restore(run, {request["id"]: entry(request) | {"attempt": 1, "taken_back": 1}})
    assert written == [f"requests/{request['id']}.json"]


def test_what_lies_there_is_not_replaced(run, root, person):
    request = a_request()
    answer = person.answer(request)
    for folder, name in (("requests", f"{request['id']}"), ("answers", f"{request['id']}.1")):
        (root / f".ppgp/run/{folder}").mkdir()
        (root / f".ppgp/run/{folder}/{name}.json").write_bytes(b"planted")
    assert restore(run, {request["id"]: entry(request, "answered", answer)}) == []
    assert read_answer(run, request["id"], 1) == b"planted"


def test_an_entry_that_does_not_agree_with_its_digest_is_left_out(run):
    request = a_request()
    changed = entry(request) | {"request": request | {"question": "Something else?"}}
    assert restore(run, {request["id"]: changed}) == []


@pytest.mark.parametrize("request_of_others", [{}, {"id": "../x"}, {"question": 1}, None, "text"])
def test_requests_of_foreign_writers_are_left_out(run, request_of_others):
    recorded = {"request": request_of_others, "state": "waiting"}
    recorded["digest"] = digest(request_of_others)
    assert restore(run, {"x": recorded}) == []
