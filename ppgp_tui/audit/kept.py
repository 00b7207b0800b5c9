"""The report of an audit as it was kept, read back into values. An edge.

It counts only while it is the very file whose digest the log has: one that was changed since says
nothing that anybody could rely on.
"""

from __future__ import annotations

import json
import types
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Union, get_args, get_origin
from typing import get_type_hints as hints_of

from ppgp_tui.audit.model import Answer, AuditPlan, Found, Verdict
from ppgp_tui.session.canonical import digest_of, is_id
from ppgp_tui.session.safefiles import Folder

FOLDER: Final = "audits"
NAME: Final = "report.json"
MOST_BYTES: Final = 32 * 1024 * 1024


class NotKeptError(Exception):
    """Why there is no report to go by; the message says it in a few words."""


class Kept(NamedTuple):
    """A report that is still what the log says it is."""

    plan: AuditPlan
    found: tuple[Found, ...]
    answer: Answer | None
    verdict: Verdict
    started_ms: int
    ended_ms: int


def path_of(eval_id: str) -> str:
    """Where the report of that audit is kept, relative to the root."""
    return f".ppgp/{FOLDER}/{eval_id}/{NAME}"


def kept(root: Path, eval_id: str, digest: str) -> Kept:
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
        said = json.loads(data)
        return Kept(
            plan=_value(AuditPlan, said["plan"]),
            found=_value(tuple[Found, ...], said["found"]),
            answer=None if said["answer"] is None else _value(Answer, said["answer"]),
            verdict=_value(Verdict, said["verdict"]),
            started_ms=_value(int, said["started_ms"]),
            ended_ms=_value(int, said["ended_ms"]),
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise NotKeptError("the report is written in a way that is not known here") from None


def _value(kind: Any, said: Any) -> Any:
    """`said`, as `report.plain` wrote it, as a value of `kind`. Raises TypeError."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind is Any:
        return said
    if origin in (Union, types.UnionType):
        return (
            None
            if said is None
            else _value(next(one for one in parts if one is not type(None)), said)
        )
    if origin is Literal:
        return said if said in parts else _wrong(kind, said)
    if origin is tuple:
        if not isinstance(said, list) or parts[1:] != (...,):
            _wrong(kind, said)
        return tuple(_value(parts[0], one) for one in said)
    if origin is Mapping:
        return {str(key): _value(parts[1], one) for key, one in _object(said).items()}
    if isinstance(kind, type) and issubclass(kind, tuple):
        return _named(kind, _object(said))
    if kind is float and isinstance(said, int):
        return said / 1000
    if type(said) is kind:
        return said
    return _wrong(kind, said)


def _named(kind: Any, said: Mapping[str, Any]) -> Any:
    """A NamedTuple by its members; those that newer programs added are left aside."""
    given = {}
    for name, hint in _hints(kind).items():
        key = "milliseconds" if name == "seconds" and "milliseconds" in said else name
        if key in said:
            given[name] = _value(hint, said[key])
    return kind(**given)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return hints_of(kind)


def _object(said: Any) -> dict[str, Any]:
    return said if isinstance(said, dict) else _wrong(dict, said)


def _wrong(kind: Any, said: Any) -> Any:
    raise TypeError(f"{type(said).__name__} is no {kind}")
