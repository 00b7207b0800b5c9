"""What lies on disk about requests, as values, and how it changes what the log says of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final, Literal

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.session.model import Answer, Problem, RefusedAnswer, Request

REQUESTS: Final = ".ppgp/run/requests"
ANSWERS: Final = ".ppgp/run/answers"

SHORT_ID: Final = len("req_") + 8
"""Characters of an id that a sentence names: as many as the screen shows of it."""
LATE_MS: Final = 2_000
"""A file is written just after what is recorded of it; later a difference is worth a word."""


class Attempt(NamedTuple):
    """One attempt to answer, judged; either `answer` or `refused` says how."""

    attempt: int
    answer: Answer | None = None
    refused: RefusedAnswer | None = None
    outcome: Literal["delivered", "revoked"] | None = None
    """How it ended; None while it has not."""
    ended_ms: int | None = None
    written_ms: int = 0


class FileRequest(NamedTuple):
    """A request on disk."""

    request: Request
    written_ms: int
    asker_lives: bool | None
    """Whether the process that asked still runs; None when it was not named."""


class AnswersLook(NamedTuple):
    """Both folders after a look."""

    requests: Mapping[str, FileRequest] = MappingProxyType({})
    attempts: Mapping[str, tuple[Attempt, ...]] = MappingProxyType({})
    """By the id of the request, the newest first."""
    problems: tuple[Problem, ...] = ()
    seen_ms: int | None = None


def with_files(
    recorded: Iterable[Request], look: AnswersLook, *, has_log: bool
) -> tuple[Request, ...]:
    """The recorded requests with their answers on disk, and those that are only on disk.

    Where there is a log only permissions are asked beside it: anything else that is not recorded
    could not be answered, and may have been planted.
    """
    found = {request.id: request for request in recorded}
    for key, file in look.requests.items():
        if key not in found and (not has_log or file.request.kind == "permission"):
            found[key] = _alone(file)
    return tuple(
        _answered(request, look.attempts[key]) if key in look.attempts else request
        for key, request in found.items()
    )


def _alone(file: FileRequest) -> Request:
    """A request nobody recorded lasts as long as the process that asks."""
    if file.asker_lives is False:
        return file.request._replace(state="withdrawn", reason="asker_gone")
    return file.request


def _answered(request: Request, attempts: tuple[Attempt, ...]) -> Request:
    refused = tuple(one.refused for one in attempts if one.refused)
    counted = next((one for one in attempts if one.answer), None)
    request = request._replace(refused=refused)
    if counted is None or counted.answer is None:
        return request
    known = request.answer
    if known is not None and known.attempt >= counted.attempt:
        same = next((one for one in attempts if one.attempt == known.attempt), None)
        if same is None or same.answer is None:
            return request
        seen = known._replace(signature=same.answer.signature)
        if request.state == "answered" and same.outcome == "delivered":
            return request._replace(answer=seen, state="delivered", state_ms=same.ended_ms)
        return request._replace(answer=seen)
    if not request.is_open:
        return request
    if counted.outcome == "revoked":
        return request._replace(
            answer=counted.answer, state="taken_back", state_ms=counted.ended_ms
        )
    if counted.outcome == "delivered":
        return request._replace(answer=counted.answer, state="delivered", state_ms=counted.ended_ms)
    return request._replace(answer=counted.answer, state="answered", state_ms=counted.answer.at_ms)


def disk_problems(
    requests: Iterable[Request],
    recorded: Mapping[str, Request],
    look: AnswersLook,
    now_ms: int,
    *,
    has_log: bool,
) -> Iterator[Problem]:
    """What a person must know about the files: forged, altered, planted, or not recorded."""
    yield from look.problems
    for request in requests:
        for one in request.refused:
            path = f"{ANSWERS}/{request.id}.{one.attempt}.json"
            text = f"an answer to {request.id[:SHORT_ID]} does not count, {one.word}: {one.why}"
            yield Problem("answer-refused", path, None, text, "it releases nobody; remove it")
        late = request.state_ms is None or now_ms - request.state_ms >= LATE_MS
        if has_log and request.answer and not request.answer.recorded and late:
            path = f"{ANSWERS}/{request.id}.{request.answer.attempt}.json"
            text = f"an answer to {request.id[:SHORT_ID]} is on disk and not in the log"
            yield Problem("answer-unrecorded", path, None, text, "nobody here recorded it")
    for key, file in look.requests.items():
        path = f"{REQUESTS}/{key}.json"
        known = recorded.get(key)
        if known is not None and known.digest != file.request.digest:
            text = f"{path} is not the request that was recorded"
            mend = "the recorded one is shown; remove the file, the next act writes it again"
            yield Problem("request-altered", path, None, text, mend)
        elif (
            known is None
            and has_log
            and file.request.kind != "permission"
            and now_ms - file.written_ms >= LATE_MS
        ):
            text = f"{path} asks what nobody recorded, so nothing can answer it"
            yield Problem("request-unrecorded", path, None, text, "remove it")
