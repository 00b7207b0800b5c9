"""The report of an audit as it was kept, and what nobody could check in it. An edge.

It counts only while it is the very file whose digest the log has: one that was changed since says
nothing that anybody could rely on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from ppgp_tui.session.canonical import digest_of, is_id
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.text import one_line

FOLDER: Final = "audits"
NAME: Final = "report.json"
MOST_BYTES: Final = 32 * 1024 * 1024
CANNOT_CHECK: Final = "cannot be checked: "
UNKNOWN_FORM: Final = "the report is written in a way that is not known here"


class NotKeptError(Exception):
    """Why there is no report to go by; the message says it in a few words."""


def path_of(eval_id: str) -> str:
    """Where the report of that audit is kept, relative to the root."""
    return f".ppgp/{FOLDER}/{eval_id}/{NAME}"


def report_kept(root: Path, eval_id: str, digest: str) -> Any:
    """The report of the audit `eval_id`, of which the log has `digest`. Raises `NotKeptError`."""
    if not is_id(eval_id, "eval"):
        raise NotKeptError("the log names no report")
    try:
        with Folder.open(root, ".ppgp", FOLDER, eval_id) as folder:
            status = folder.status(NAME)
            if status is not None and status.st_size > MOST_BYTES:
                raise NotKeptError("the report was changed since: it is too long for one")
            data = folder.read(NAME)
    except FileNotFoundError:
        raise NotKeptError("the report is gone: what the log says is all there is") from None
    except OSError as error:
        raise NotKeptError(f"the report cannot be read: {error.strerror or error}") from None
    if digest_of(data) != digest:
        raise NotKeptError("the report was changed since: what the log says is all that counts")
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise NotKeptError(UNKNOWN_FORM) from None


def undecided_in(root: Path, eval_id: str, digest: str) -> tuple[str, ...]:
    """What that audit could not check, and why, one criterion a line. Raises `NotKeptError`."""
    said = report_kept(root, eval_id, digest)
    try:
        return tuple(
            cannot_check(str(one["criterion"]["text"]), str(one["why"]))
            for one in said["verdict"]["judged"]
            if one["outcome"] == "cannot_check"
        )
    except (KeyError, TypeError):
        raise NotKeptError(UNKNOWN_FORM) from None


def cannot_check(criterion: str, why: str) -> str:
    """The line that says it of one criterion."""
    return f"{CANNOT_CHECK}{one_line(criterion)}: {one_line(why)}"
