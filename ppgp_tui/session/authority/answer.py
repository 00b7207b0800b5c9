"""An answer as a value: the text that is signed, the file it is carried in, and back.

Pure. `by` and `decision` are outside the signed text: they are for people to find their way, and
nothing may depend on them.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

import msgspec

from ppgp_tui.session.authority.damage import DamagedError, parse_object
from ppgp_tui.session.canonical import UnserialisableError, canonical

VERSION: Final = 1
MOST: Final = 256 * 1024
"""Bytes an answer file may have; the longest allowed text, escaped twice, is below it."""
TEXT_MOST: Final = 4000
ATTEMPTS_MOST: Final = 9999

_Id = Annotated[str, msgspec.Meta(max_length=64)]
_Actor = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
_Text = Annotated[str, msgspec.Meta(max_length=TEXT_MOST)]
_Ms = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class Answer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a person said to a request; `request` and `digest` say to which text of which."""

    request: _Id
    digest: Annotated[str, msgspec.Meta(max_length=71)]
    attempt: Annotated[int, msgspec.Meta(ge=1, le=ATTEMPTS_MOST)]
    decision: _Id
    by: _Actor
    answered_ms: _Ms
    signed: Annotated[str, msgspec.Meta(max_length=MOST)]
    """The text under the signature: canonical JSON."""
    option: Annotated[str, msgspec.Meta(max_length=32)] | None = None
    text: _Text | None = None
    note: _Text | None = None
    signature: Annotated[str, msgspec.Meta(max_length=16 * 1024)] | None = None
    """Armoured SSH signature; None for an unsigned answer."""


class _Signed(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    repo: Annotated[str, msgspec.Meta(max_length=64)]
    v: Literal[1]


def signed_text(
    *,
    repo: str,
    request: str,
    digest: str,
    attempt: int,
    answered_ms: int,
    option: str | None = None,
    text: str | None = None,
    note: str | None = None,
) -> str:
    """The text a person signs: canonical JSON over everything that makes the answer what it is."""
    said = {
        "answered_ms": answered_ms,
        "attempt": attempt,
        "digest": digest,
        "note": note,
        "option": option,
        "repo": repo,
        "request": request,
        "text": text,
        "v": VERSION,
    }
    return canonical({name: value for name, value in said.items() if value is not None}).decode()


def signed_text_of(answer: Answer, repo: str) -> str:
    """The text that must be under the signature of this answer in that repository."""
    return signed_text(
        repo=repo,
        request=answer.request,
        digest=answer.digest,
        attempt=answer.attempt,
        answered_ms=answer.answered_ms,
        option=answer.option,
        text=answer.text,
        note=answer.note,
    )


def repo_signed_for(signed: str) -> str:
    """The repository named in a signed text. Raises `DamagedError`."""
    said = parse_object(signed)
    about = {name: said[name] for name in ("repo", "v") if name in said}
    try:
        return msgspec.convert(about, _Signed).repo
    except msgspec.ValidationError as error:
        raise DamagedError(f"the signed text: {_lower(error)}") from None


def write(answer: Answer) -> bytes:
    """The bytes of an answer file. Raises `UnserialisableError` for text that is none."""
    said: dict[str, Any] = {"schema": 1, **msgspec.structs.asdict(answer)}
    return canonical({name: value for name, value in said.items() if value is not None}) + b"\n"


def parse(data: bytes) -> Answer:
    """The answer in the bytes of an answer file. Raises `DamagedError`."""
    if len(data) > MOST:
        raise DamagedError(f"longer than {MOST:,} bytes")
    said = parse_object(data)
    schema = said.pop("schema", None)
    if type(schema) is not int or schema != 1:
        raise DamagedError("its schema is not known here")
    try:
        canonical(said)
        return msgspec.convert(said, Answer)
    except (msgspec.ValidationError, UnserialisableError) as error:
        raise DamagedError(_lower(error)) from None


def _lower(error: Exception) -> str:
    said = str(error)
    return said[:1].lower() + said[1:]
