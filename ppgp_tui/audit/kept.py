"""The report of an audit as it was kept, read back into values."""

from __future__ import annotations

import types
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin
from typing import get_type_hints as hints_of

from ppgp_tui.audit.model import Answer, AuditPlan, Found, Verdict
from ppgp_tui.session.picture.audit_report import UNKNOWN_FORM, report_kept
from ppgp_tui.session.picture.audit_report import NotKeptError as NotKeptError
from ppgp_tui.session.picture.audit_report import path_of as path_of


class Kept(NamedTuple):
    """A report that is still what the log says it is."""

    plan: AuditPlan
    found: tuple[Found, ...]
    answer: Answer | None
    verdict: Verdict
    started_ms: int
    ended_ms: int


def kept(root: Path, eval_id: str, digest: str) -> Kept:
    """The report of the audit `eval_id`, of which the log has `digest`. Raises `NotKeptError`."""
    said = report_kept(root, eval_id, digest)
    try:
        return Kept(
            plan=_value(AuditPlan, said["plan"]),
            found=_value(tuple[Found, ...], said["found"]),
            answer=None if said["answer"] is None else _value(Answer, said["answer"]),
            verdict=_value(Verdict, said["verdict"]),
            started_ms=_value(int, said["started_ms"]),
            ended_ms=_value(int, said["ended_ms"]),
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        raise NotKeptError(UNKNOWN_FORM) from None


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
