"""Requests on disk: `.ppgp/run/requests/ID.json`, and the name of the repository they are asked in.

Anybody who writes in the repository may have planted or changed such a file, so reading checks
everything; only the digest says that it is the request the log tells of.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

import msgspec

from ppgp_tui.session.authority.damage import DamagedError, parse_object, read_bounded
from ppgp_tui.session.canonical import UnserialisableError, canonical, digest_of, is_id
from ppgp_tui.session.engine.requests import (
    EVIDENCE_MOST,
    OPTION_KEYS,
    OPTION_MOST,
    OPTIONS_MOST,
    QUESTION_MOST,
    RULE_MOST,
    RULES_MOST,
    TOOL_INPUT_MOST,
    allowed,
)
from ppgp_tui.session.files.safe import Folder

FOLDER: Final = "requests"
REPO_ID: Final = "repo-id"
MOST: Final = 1024 * 1024

_REPO = re.compile(r"[0-9a-f]{32}", re.ASCII)
_Question = Annotated[str, msgspec.Meta(min_length=1, max_length=QUESTION_MOST)]
_Rule = Annotated[str, msgspec.Meta(min_length=1, max_length=RULE_MOST)]
_Option_text = Annotated[str, msgspec.Meta(min_length=1, max_length=OPTION_MOST)]
_Word = Annotated[str, msgspec.Meta(max_length=200)]
_Long = Annotated[str, msgspec.Meta(max_length=QUESTION_MOST)]
_Ms = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class _Option(msgspec.Struct, forbid_unknown_fields=True):
    key: str
    label: _Option_text
    detail: _Option_text | None = None


class _Asker(msgspec.Struct, forbid_unknown_fields=True):
    actor: _Word
    cwd: _Long
    session: _Word | None = None
    pid: int | None = None
    pid_start: int | None = None


class _Tool(msgspec.Struct, forbid_unknown_fields=True):
    name: _Word
    input: Any
    session: Annotated[list[_Rule], msgspec.Meta(min_length=1, max_length=RULES_MOST)] | None = None


class _Request(msgspec.Struct, forbid_unknown_fields=True, rename={"klass": "class"}):
    schema: Literal[1]
    id: str
    repo: _Word
    kind: Literal["question", "goal_proposal", "goal_tweak", "permission", "document", "gate"]
    klass: Literal["A", "B", "C", "D"]
    scope: _Long
    question: _Question
    options: Annotated[list[_Option], msgspec.Meta(max_length=OPTIONS_MOST)]
    irreversible: bool
    frees: list[_Word]
    asker: _Asker
    created_ms: _Ms
    why: _Question | None = None
    evidence: Annotated[str, msgspec.Meta(min_length=1, max_length=EVIDENCE_MOST)] | None = None
    recommended: str | None = None
    tool: _Tool | None = None
    expires_ms: _Ms | None = None


@dataclass(frozen=True, slots=True)
class RequestFile:
    """A whole request as it lies on disk, and its digest."""

    request: dict[str, Any]
    digest: str


@dataclass(frozen=True, slots=True)
class DamagedRequest:
    """A file among the requests that is none; `why` is for a person."""

    name: str
    why: str


def create_request(run: Folder, request: Mapping[str, Any]) -> str:
    """Put a request on disk and return its digest. `run` is the open `.ppgp/run`.

    Raises `DamagedError` for a request that readers would refuse, FileExistsError if its id is
    taken, and other OSErrors; then nothing was written.
    """
    data = canonical(request)
    checked_request(data, request.get("id"))
    with run.child(FOLDER, create=True) as folder:
        folder.publish(f"{request['id']}.json", data + b"\n", exclusive=True)
    return digest_of(data)


def read_request(run: Folder, request_id: str) -> RequestFile:
    """Return the request with that id.

    Raises `DamagedError` for content that is no such request, FileNotFoundError, and other
    OSErrors (`UnsafePathError` for a link). Whether it was recorded, the log's digest says.
    """
    if not is_id(request_id, "req"):
        raise DamagedError("not the id of a request")
    with run.child(FOLDER) as folder:
        data = read_bounded(folder, f"{request_id}.json", MOST)
    return checked_request(data.removesuffix(b"\n"), request_id)


def list_requests(run: Folder) -> list[RequestFile | DamagedRequest]:
    """Return every request on disk in order of id, and what lies among them and is none.

    Raises `UnsafePathError` when the folder is a link.
    """
    try:
        with run.child(FOLDER) as folder:
            names = folder.names()
    except FileNotFoundError:
        return []
    return [_listed(run, name) for name in names]


def checked_request(data: bytes, request_id: Any) -> RequestFile:
    """The request `request_id` in canonical `data`, every member of it what it should be.

    Raises `DamagedError`.
    """
    value = parse_object(data)
    try:
        if canonical(value) != data:
            raise DamagedError("not canonical JSON")
        seen = msgspec.convert(value, _Request)
    except (msgspec.ValidationError, UnserialisableError) as error:
        said = str(error)
        raise DamagedError(said[:1].lower() + said[1:]) from None
    if seen.id != request_id or not is_id(seen.id, "req"):
        raise DamagedError(f"it is not the request {request_id}")
    if [option.key for option in seen.options] != list(OPTION_KEYS[: len(seen.options)]):
        raise DamagedError("its options are not a, b, c …")
    if seen.recommended not in (None, *allowed(value["options"], seen.kind)):
        raise DamagedError("the recommended option is not offered")
    if seen.tool is not None and len(canonical(value["tool"]["input"])) > TOOL_INPUT_MOST:
        raise DamagedError(f"the input of the tool is longer than {TOOL_INPUT_MOST:,} bytes")
    return RequestFile(value, digest_of(data))


def repo_id(run: Folder) -> str:
    """The random name of this repository's run folder, made on first use.

    Raises `DamagedError` when the file holds something else, and OSErrors.
    """
    for _ in range(2):
        known = known_repo_id(run)
        if known is not None:
            return known
        set_repo_id(run, secrets.token_hex(16))
    raise DamagedError(f"{REPO_ID} comes and goes")


def known_repo_id(run: Folder) -> str | None:
    """The name of this repository, or None when it has none yet. Raises as `repo_id`."""
    try:
        data = read_bounded(run, REPO_ID, 64)
    except FileNotFoundError:
        return None
    name = data.decode("ascii", "replace").strip().strip('"')
    if not _REPO.fullmatch(name):
        raise DamagedError(f".ppgp/run/{REPO_ID} is damaged; remove it, a new one is made")
    return name


def set_repo_id(run: Folder, name: str) -> None:
    """Name the repository, unless it has a name. Raises `DamagedError` for what is none."""
    if not _REPO.fullmatch(name):
        raise DamagedError("not the name of a repository")
    try:
        run.publish(REPO_ID, canonical(name) + b"\n", exclusive=True)
    except FileExistsError:
        return


def _listed(run: Folder, name: str) -> RequestFile | DamagedRequest:
    try:
        if not name.endswith(".json"):
            raise DamagedError("not a request")
        return read_request(run, name.removesuffix(".json"))
    except DamagedError as error:
        return DamagedRequest(name, str(error))
    except OSError as error:
        return DamagedRequest(name, (error.strerror or str(error)).lower())
