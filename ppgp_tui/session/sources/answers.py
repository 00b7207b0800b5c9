"""Requests and answers on disk, each judged as the one who waits for it would.

`ssh-keygen` runs once for every answer that is otherwise right, so this has a thread of its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from ppgp_tui.session.authority import answer_files, request_files
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.authority.examine import judge_file
from ppgp_tui.session.authority.pins import Pins
from ppgp_tui.session.authority.request_files import RequestFile, checked_request
from ppgp_tui.session.authority.verdict import Accepted
from ppgp_tui.session.canonical import UnserialisableError, canonical
from ppgp_tui.session.files.places import data_folder
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.log.requests import shown_request
from ppgp_tui.session.model import Answer, Origin, Problem, RefusedAnswer
from ppgp_tui.session.picture.on_disk import AnswersLook, Attempt, FileRequest
from ppgp_tui.session.process import is_alive

RUN: Final = ".ppgp/run"
_MOST: Final = 1_000
"""Requests on disk that are looked at: the newest."""


class _File(NamedTuple):
    """A request on disk as it was read, and when it was written; `why` where it is none."""

    name: str
    stamp: tuple[int, ...]
    read: RequestFile | None
    why: str
    written_ms: int


class AnswersSource:
    """Looks at both folders. Not thread-safe."""

    def __init__(self, root: Path, clock: Callable[[], int]) -> None:
        self._root = root
        self._clock = clock
        self._pins = Pins(data_folder(), root)
        self._files: dict[str, _File] = {}
        self._judged: dict[tuple[str, int], tuple[object, Attempt]] = {}

    def look(self, recorded: Mapping[str, Mapping[str, Any]]) -> AnswersLook:
        """Look at everything; `recorded` are the open requests of the log as they were asked."""
        now_ms = self._clock()
        try:
            with Folder.open(self._root, *RUN.split("/")) as run:
                return self._look(run, recorded)._replace(seen_ms=now_ms)
        except FileNotFoundError:
            return AnswersLook(seen_ms=now_ms)
        except OSError as error:
            why = f"{error.filename or RUN}: {(error.strerror or str(error)).lower()}"
            problem = Problem("answers-unread", RUN, None, why, "mend or remove it")
            return AnswersLook(problems=(problem,), seen_ms=now_ms)

    def _look(self, run: Folder, recorded: Mapping[str, Mapping[str, Any]]) -> AnswersLook:
        self._files = dict(self._read_requests(run))
        asked = {key: one.read.request for key, one in self._files.items() if one.read}
        asked |= {key: dict(said) for key, said in recorded.items() if _is_sound(key, said)}
        there = answer_files.all_attempts(run)
        tried = {
            key: tuple(self._attempts(run, asked[key], sorted(there[key], reverse=True)))
            for key in asked.keys() & there.keys()
        }
        self._judged = {at: known for at, known in self._judged.items() if at[0] in tried}
        return AnswersLook(
            requests={key: _shown(key, one) for key, one in self._files.items() if one.read},
            attempts=tried,
            problems=tuple(self._damaged()),
        )

    def _read_requests(self, run: Folder) -> Iterator[tuple[str, _File]]:
        try:
            with run.child(request_files.FOLDER) as folder:
                names = folder.names()
                stamps = {name: folder.status(name) for name in names}
        except FileNotFoundError:
            return
        found = [(status.st_mtime_ns, name, status) for name, status in stamps.items() if status]
        for written, name, status in sorted(found, key=lambda one: one[:2])[-_MOST:]:
            key = name.removesuffix(".json")
            stamp = (status.st_ino, status.st_size, written, status.st_ctime_ns)
            known = self._files.get(key)
            if known is None or known.stamp != stamp:
                known = _File(name, stamp, *_read_request(run, name), written // 1_000_000)
            yield key, known

    def _attempts(
        self, run: Folder, asked: dict[str, Any], numbers: list[int]
    ) -> Iterator[Attempt]:
        request_id = asked["id"]
        for number in numbers:
            try:
                stamp = _stamp(run, request_id, number), self._pins.stamp(), canonical(asked)
                known = self._judged.get((request_id, number))
                if known is None or known[0] != stamp:
                    known = stamp, self._judge(run, asked, number)
                    self._judged[request_id, number] = known
            except FileNotFoundError:
                continue
            yield known[1]

    def _judge(self, run: Folder, asked: dict[str, Any], number: int) -> Attempt:
        verdict = judge_file(run, asked, number, self._pins.check)
        try:
            end = answer_files.read_end(run, asked["id"], number)
        except (DamagedError, OSError):
            end = None
        about = Attempt(number)
        if end is not None:
            about = about._replace(outcome=end.outcome, ended_ms=end.at_ms)
        if not isinstance(verdict, Accepted):
            return about._replace(refused=RefusedAnswer(number, verdict.shown, verdict.why))
        said = verdict.answer
        answer = Answer(
            decision=said.decision,
            attempt=number,
            by=said.by.removeprefix("user:"),
            at_ms=said.answered_ms,
            option=said.option,
            text=said.text,
            note=said.note,
            signature="verified" if verdict.signed else "unsigned",
            recorded=False,
        )
        return about._replace(answer=answer)

    def _damaged(self) -> Iterator[Problem]:
        for one in self._files.values():
            if one.read is None:
                path = f"{RUN}/{request_files.FOLDER}/{one.name}"
                text = f"{path} is no request: {one.why}"
                yield Problem("request-damaged", path, None, text, "remove it")


def _read_request(run: Folder, name: str) -> tuple[RequestFile | None, str]:
    try:
        if not name.endswith(".json"):
            return None, "its name is none of a request"
        return request_files.read_request(run, name.removesuffix(".json")), ""
    except DamagedError as error:
        return None, str(error)
    except OSError as error:
        return None, (error.strerror or str(error)).lower()


def _stamp(run: Folder, request_id: str, number: int) -> tuple[object, ...]:
    """Changes when the answer or its end do. Raises FileNotFoundError for no answer."""
    with run.child(answer_files.FOLDER) as folder:
        answer = folder.status(f"{request_id}.{number}.json")
        end = folder.status(f"{request_id}.{number}.end.json")
    if answer is None:
        raise FileNotFoundError
    return _of(answer), end and _of(end)


def _of(status: os.stat_result) -> tuple[int, ...]:
    return status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _is_sound(request_id: str, said: Mapping[str, Any]) -> bool:
    """Whether a recorded request is one whose answers can be judged."""
    try:
        checked_request(canonical(said), request_id)
    except (DamagedError, UnserialisableError):
        return False
    return True


def _shown(key: str, file: _File) -> FileRequest:
    assert file.read is not None
    origin = Origin(f"{RUN}/{request_files.FOLDER}/{key}.json")
    request = shown_request(key, file.read.request, file.read.digest, origin)
    lives = None
    if request.asker_pid is not None:
        lives = is_alive(request.asker_pid, request.asker_pid_start)
    return FileRequest(request, file.written_ms, lives)
