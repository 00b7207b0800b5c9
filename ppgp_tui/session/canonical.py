"""Canonical JSON, digests and ids: the same value always gives the same bytes.

Standard library only: agent hooks use it too.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Mapping
from typing import Any, Final

LIMIT: Final = 2**53
"""Integers must be smaller than this in size, so that every JSON reader keeps them exact."""

DEPTH: Final = 127
"""Deeper nesting is refused by the readers of the log (GASP reference section 11)."""

_ID = re.compile(r"[a-z]+_[0-9a-f]{32}", re.ASCII)
_PREFIX = re.compile(r"[a-z]+", re.ASCII)
_PLAIN_SESSION = re.compile(r"[A-Za-z0-9._-]{1,96}", re.ASCII)


class UnserialisableError(ValueError):
    """A value canonical JSON has no form for; the message says where and why."""


def canonical(value: Any) -> bytes:
    """Return `value` as canonical JSON without a newline.

    UTF-8, keys sorted by code point, no blanks, non-ASCII raw. Mappings, lists, tuples, strings,
    integers, booleans and None are allowed. Raises `UnserialisableError` for floats, integers of
    2^53 and above, lone surrogates, keys that are no strings and nesting deeper than 127.
    """
    return encode(ordered(value))


def digest(value: Any) -> str:
    """Return `sha256:` and 64 hex digits over the canonical JSON of `value`."""
    return digest_of(canonical(value))


def digest_of(data: bytes) -> str:
    """Return `sha256:` and 64 hex digits over `data`."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def new_id(prefix: str) -> str:
    """Return a random id such as `event_` and 32 hex digits; `prefix` is lower-case letters."""
    if not _PREFIX.fullmatch(prefix):
        raise ValueError(f"an id prefix is lower-case letters, not {prefix!r}")
    return f"{prefix}_{secrets.token_hex(16)}"


def is_id(text: str, prefix: str | None = None) -> bool:
    """Whether `text` is an id (of that prefix), and so safe to be part of a file name."""
    return bool(_ID.fullmatch(text)) and (prefix is None or text.startswith(prefix + "_"))


def session_key(agent: str, session: str) -> str:
    """Return the key of an agent's session, always safe to be a file name.

    `agent` is our own name of the agent (`claude`), `session` whatever the agent calls its session.
    """
    if _PLAIN_SESSION.fullmatch(session):
        return f"{agent}-{session}"
    data = session.encode("utf-8", "surrogatepass")
    return f"{agent}-{hashlib.sha256(data).hexdigest()[:32]}"


def loop_session(loop_id: str) -> str:
    """The session key under which a restart loop acts, and its agents that name no session."""
    return session_key("persist", loop_id)


def ordered(value: Any, where: str = "value", depth: int = 0) -> Any:
    """Return a copy of `value` with every mapping's keys sorted, or raise `UnserialisableError`.

    `where` names the value in messages, `depth` is the nesting around it.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _text(value, where)
    if isinstance(value, int):
        if not -LIMIT < value < LIMIT:
            raise UnserialisableError(f"{where}: integers end below 2^53, {value} does not")
        return value
    if isinstance(value, float):
        raise UnserialisableError(f"{where}: floats have no single form, write {value!r} as text")
    if not isinstance(value, Mapping | list | tuple):
        raise UnserialisableError(f"{where}: {type(value).__name__} is not JSON")
    if depth == DEPTH:
        raise UnserialisableError(f"{where}: nested deeper than {DEPTH}")
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise UnserialisableError(f"{where}: key {key!r} is not text")
            _text(key, where)
        return {key: ordered(value[key], f"{where}.{key}", depth + 1) for key in sorted(value)}
    return [ordered(item, f"{where}[{index}]", depth + 1) for index, item in enumerate(value)]


def encode(value: Any) -> bytes:
    """Return JSON bytes in the key order given: for values that `ordered` has already passed."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode()


def _text(text: str, where: str) -> str:
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            raise UnserialisableError(f"{where}: a lone surrogate is not text") from None
    return text
