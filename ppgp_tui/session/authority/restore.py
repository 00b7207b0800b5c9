"""Requests and answers written again from the log, where `.ppgp/run` was deleted.

Only what is missing is written, and only of requests that still wait for somebody: an answer that
was delivered or taken back must not come back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppgp_tui.session.authority.answer import Answer
from ppgp_tui.session.authority.answer_files import attempts, create_answer
from ppgp_tui.session.authority.damage import DamagedError, parse_object
from ppgp_tui.session.authority.request_files import (
    create_request,
    known_repo_id,
    set_repo_id,
)
from ppgp_tui.session.canonical import UnserialisableError, digest
from ppgp_tui.session.safefiles import Folder


def restore(run: Folder, recorded: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Write the missing files of `recorded` requests; return the names of those written.

    `run` is the open `.ppgp/run`, `recorded` the requests of the log by id, oldest first, as
    `Ledger.requests` has them. An entry that does not agree with its own digest is left out.
    Raises `DamagedError` for a damaged repository name, and OSErrors.
    """
    due = [entry for entry in recorded.values() if _is_due(entry)]
    if due and known_repo_id(run) is None:
        set_repo_id(run, due[-1]["request"]["repo"])
    written = []
    for entry in due:
        written += _restored(run, entry)
    return written


def recorded_answer(entry: Mapping[str, Any]) -> Answer:
    """The answer of a recorded request, as it was given. Raises `DamagedError`."""
    said = entry["answer"]
    answered_ms = parse_object(said["signed"]).get("answered_ms")
    if type(answered_ms) is not int:
        raise DamagedError("the recorded answer does not say when it was given")
    return Answer(
        request=entry["request"]["id"],
        digest=entry["digest"],
        attempt=said["attempt"],
        decision=said["decision"],
        by=said["by"],
        answered_ms=answered_ms,
        signed=said["signed"],
        option=said.get("option"),
        text=said.get("text"),
        note=said.get("note"),
        signature=said.get("signature"),
    )


def _is_due(entry: Mapping[str, Any]) -> bool:
    try:
        return (
            entry["state"] in ("waiting", "answered")
            and digest(entry["request"]) == entry["digest"]
        )
    except (KeyError, TypeError, UnserialisableError):
        return False


def _restored(run: Folder, entry: Mapping[str, Any]) -> list[str]:
    request_id = entry["request"].get("id", "")
    written = []
    try:
        create_request(run, entry["request"])
        written.append(f"requests/{request_id}.json")
    except FileExistsError:
        pass
    except DamagedError:
        return []  # a foreign writer's request of another shape: nobody of ours waits for it
    if entry["state"] != "answered":
        return written
    try:
        answer = recorded_answer(entry)
        if answer.attempt not in attempts(run, request_id):
            create_answer(run, answer)
            written.append(f"answers/{request_id}.{answer.attempt}.json")
    except (KeyError, TypeError, DamagedError, FileExistsError):
        pass
    return written
