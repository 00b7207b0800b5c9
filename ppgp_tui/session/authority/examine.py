"""What lies among the answers to a request, each file judged: for waiters and for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ppgp_tui.session.authority.answer_files import End, attempts, read_answer, read_end
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.authority.verdict import Accepted, CheckSignature, Rejected, judge
from ppgp_tui.session.files.safe import Folder


@dataclass(frozen=True, slots=True)
class Examined:
    """One attempt on disk."""

    attempt: int
    verdict: Accepted | Rejected
    end: End | None
    """None while it has none that can be read."""


def examine(run: Folder, request: Mapping[str, Any], check: CheckSignature) -> list[Examined]:
    """Return every attempt to answer `request`, newest first. `run` is the open `.ppgp/run`.

    Runs `ssh-keygen` for each that is otherwise right. Raises `UnsafePathError` when the folder
    of answers is a link.
    """
    found = []
    for attempt in attempts(run, request["id"]):
        try:
            verdict = judge_file(run, request, attempt, check)
        except FileNotFoundError:
            continue
        found.append(Examined(attempt, verdict, _end(run, request["id"], attempt)))
    return found


def judge_file(
    run: Folder, request: Mapping[str, Any], attempt: int, check: CheckSignature
) -> Accepted | Rejected:
    """Judge one answer file; one that cannot be read is damaged. Raises FileNotFoundError."""
    try:
        data = read_answer(run, request["id"], attempt)
    except FileNotFoundError:
        raise
    except DamagedError as error:
        return Rejected("damaged", f"the answer is {error}")
    except OSError as error:
        return Rejected("damaged", f"the answer {(error.strerror or str(error)).lower()}")
    return judge(request, attempt, data, check)


def _end(run: Folder, request_id: str, attempt: int) -> End | None:
    try:
        return read_end(run, request_id, attempt)
    except (DamagedError, OSError):
        return None
