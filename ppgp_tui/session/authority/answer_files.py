"""Answers on disk: `.ppgp/run/answers/ID.N.json`, and `ID.N.end.json` that ends an attempt.

The person's taking back and the waiter's delivery race for the one name of the end: whoever
creates it has won, and the other is told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Final, Literal

import msgspec

from ppgp_tui.session.authority import answer as answers
from ppgp_tui.session.authority.answer import ATTEMPTS_MOST, Answer
from ppgp_tui.session.authority.damage import DamagedError, parse_object, read_bounded
from ppgp_tui.session.canonical import canonical, is_id
from ppgp_tui.session.files.safe import Folder

FOLDER: Final = "answers"

Outcome = Literal["delivered", "revoked"]
_END_MOST = 4096
_NAME = re.compile(r"(req_[0-9a-f]{32})\.([1-9][0-9]{0,3})\.json", re.ASCII)


class _EndFile(msgspec.Struct, forbid_unknown_fields=True):
    schema: Literal[1]
    outcome: Outcome
    by: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    at_ms: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


@dataclass(frozen=True, slots=True)
class End:
    """How an attempt ended. `mine`: this call ended it; else somebody was there before."""

    outcome: Outcome
    by: str
    at_ms: int
    mine: bool = False


def create_answer(run: Folder, answer: Answer) -> None:
    """Put an answer on disk for its waiter. `run` is the open `.ppgp/run`.

    Raises FileExistsError when its attempt has an answer already, and other OSErrors.
    """
    data = answers.write(answer)
    answers.parse(data)  # what a waiter would refuse is refused here
    with run.child(FOLDER, create=True) as folder:
        folder.publish(_answer_name(answer.request, answer.attempt), data, exclusive=True)


def read_answer(run: Folder, request_id: str, attempt: int) -> bytes:
    """Return the bytes of an answer, unjudged.

    Raises FileNotFoundError, `DamagedError` for a file too long, and other OSErrors.
    """
    with run.child(FOLDER) as folder:
        return read_bounded(folder, _answer_name(request_id, attempt), answers.MOST)


def attempts(run: Folder, request_id: str) -> list[int]:
    """Numbers of the attempts that have a file, of any content, newest first.

    Raises `UnsafePathError` when the folder is a link.
    """
    return sorted(all_attempts(run).get(request_id, ()), reverse=True)


def all_attempts(run: Folder) -> dict[str, set[int]]:
    """The attempts on disk of every request by its id."""
    found: dict[str, set[int]] = {}
    try:
        with run.child(FOLDER) as folder:
            names = folder.names()
    except FileNotFoundError:
        return found
    for name in names:
        if match := _NAME.fullmatch(name):
            found.setdefault(match[1], set()).add(int(match[2]))
    return found


def free_attempt(run: Folder, request_id: str, after: int = 0) -> int:
    """Return the first number above `after` that is free, for a new answer.

    `after` is the last attempt in the log. What lies under a number, an answer or an end, may be
    garbage somebody planted: it is passed by. Raises `DamagedError` when none is left.
    """
    try:
        with run.child(FOLDER) as folder:
            taken = set(folder.names())
    except FileNotFoundError:
        taken = set()
    for attempt in range(after + 1, ATTEMPTS_MOST + 1):
        names = {_answer_name(request_id, attempt), _end_name(request_id, attempt)}
        if not names & taken:
            return attempt
    raise DamagedError(f"no attempt is free; clear .ppgp/run/{FOLDER} of {request_id}")


def end_attempt(
    run: Folder, request_id: str, attempt: int, outcome: Outcome, *, by: str, at_ms: int
) -> End:
    """End an attempt as delivered or revoked; the first to do so decides, for all.

    Returns this end, or the one that was there before. Raises `DamagedError` when something else
    lies there, and OSErrors.
    """
    said = {"schema": 1, "outcome": outcome, "by": by, "at_ms": at_ms}
    try:
        with run.child(FOLDER, create=True) as folder:
            name = _end_name(request_id, attempt)
            folder.publish(name, canonical(said) + b"\n", exclusive=True)
    except FileExistsError:
        end = read_end(run, request_id, attempt)
        if end is None:
            raise DamagedError("the end of the attempt comes and goes") from None
        return end
    return End(outcome, by, at_ms, mine=True)


def read_end(run: Folder, request_id: str, attempt: int) -> End | None:
    """How an attempt ended, None while it has not. Raises `DamagedError` and OSErrors."""
    try:
        with run.child(FOLDER) as folder:
            data = read_bounded(folder, _end_name(request_id, attempt), _END_MOST)
    except FileNotFoundError:
        return None
    try:
        said = msgspec.convert(parse_object(data), _EndFile)
    except msgspec.ValidationError as error:
        raise DamagedError(f"the end of the attempt: {error}") from None
    return End(said.outcome, said.by, said.at_ms)


def _answer_name(request_id: str, attempt: int) -> str:
    return f"{_part(request_id)}.{attempt}.json"


def _end_name(request_id: str, attempt: int) -> str:
    return f"{_part(request_id)}.{attempt}.end.json"


def _part(request_id: str) -> str:
    if not is_id(request_id, "req"):
        raise DamagedError("not the id of a request")
    return request_id
