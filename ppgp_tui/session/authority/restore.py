"""Requests and answers written again from the log, where `.ppgp/run` was deleted.

Only what is missing is written, and only of requests that still wait for somebody: an answer that
was delivered or taken back must not come back.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ppgp_tui.session.authority.answer import Answer
from ppgp_tui.session.authority.answer_files import create_answer
from ppgp_tui.session.authority.damage import DamagedError, parse_object
from ppgp_tui.session.authority.request_files import (
    checked_request,
    create_request,
    known_repo_id,
    set_repo_id,
)
from ppgp_tui.session.canonical import UnserialisableError, canonical
from ppgp_tui.session.files.safe import Folder


def restore(run: Folder, recorded: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Write the missing files of `recorded` requests; return the names of those written.

    `run` is the open `.ppgp/run`, `recorded` the requests of the log by id, oldest first, as
    `Ledger.requests` has them. An entry that does not agree with its own digest is left out.
    Raises `DamagedError` for a damaged repository name, and OSErrors.
    """
    due = [entry for entry in recorded.values() if _is_due(entry)]
    if due and known_repo_id(run) is None:
        with suppress(DamagedError):  # a foreign writer's idea of a name
            set_repo_id(run, due[-1]["request"]["repo"])
    written = []
    for entry in due:
        if _missing_request(run, entry):
            written.append(f"requests/{entry['request']['id']}.json")
        if entry["state"] == "answered" and _missing_answer(run, entry):
            written.append(f"answers/{entry['request']['id']}.{entry['answer']['attempt']}.json")
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
        by=f"user:{said['by']}",
        answered_ms=answered_ms,
        signed=said["signed"],
        option=said.get("option"),
        text=said.get("text"),
        note=said.get("note"),
        signature=said.get("signature"),
    )


def _is_due(entry: Mapping[str, Any]) -> bool:
    try:
        request = entry["request"]
        checked = checked_request(canonical(request), request["id"])
        return entry["state"] in ("waiting", "answered") and checked.digest == entry["digest"]
    except (KeyError, TypeError, DamagedError, UnserialisableError):
        return False  # a foreign writer's request: nobody of ours waits for it


def _missing_request(run: Folder, entry: Mapping[str, Any]) -> bool:
    try:
        create_request(run, entry["request"])
    except FileExistsError:
        return False
    return True


def _missing_answer(run: Folder, entry: Mapping[str, Any]) -> bool:
    try:
        create_answer(run, recorded_answer(entry))
    except (KeyError, TypeError, FileExistsError, DamagedError, UnserialisableError):
        return False
    return True
