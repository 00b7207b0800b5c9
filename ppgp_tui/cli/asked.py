"""Every question, recorded, in the goal document or asked on disk, as the inbox has them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from ppgp_tui.cli.acting import unique
from ppgp_tui.session.actions.recorded import Recorded
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.authority.request_files import read_request
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.log.requests import recorded_request
from ppgp_tui.session.model import Origin, Request
from ppgp_tui.session.picture.inbox import inbox
from ppgp_tui.session.picture.on_disk import with_files
from ppgp_tui.session.sources.answers import AnswersSource


def all_requests(engine: Engine, seen: Recorded, *, closed: bool = False) -> Sequence[Request]:
    """All questions, those that wait first: recorded ones, those of the goal document, permissions.

    With `closed` the whole log is read for those of which nothing but the name is kept otherwise.
    """
    told = {request.id: request for request in _told(engine)} if closed else {}
    known = [_request(engine, entry, told) for entry in seen.ledger.requests.values()]
    now_ms = engine.clock()
    reading = engine.read_document().reading
    alone = _on_disk(engine, seen)
    return inbox(reading, (*(one for one in known if one), *alone), {}, now_ms, now_ms)


def find(requests: Sequence[Request], given: str) -> Request:
    """The question that `given` stands for. Raises `RefusalError`."""
    request_id = unique(given, "req", [request.id for request in requests])
    return next(request for request in requests if request.id == request_id)


def _on_disk(engine: Engine, seen: Recorded) -> Sequence[Request]:
    """Those that a waiting hook asks and nobody recorded."""
    look = AnswersSource(engine.root, engine.clock).look({})
    alone = {key: one for key, one in look.requests.items() if key not in seen.ledger.requests}
    has_log = os.path.lexists(engine.root / engine.settings.log)
    return with_files((), look._replace(requests=alone), has_log=has_log)


def _told(engine: Engine) -> Sequence[Request]:
    from ppgp_tui.session.log.tail import LogTail

    return LogTail(engine.root, engine.settings.log, engine.clock).look().says.requests


def _request(engine: Engine, entry: Json, told: Mapping[str, Request]) -> Request | None:
    if "request" not in entry:  # answered here, asked where nobody can read it any more
        return None
    whole = whole_of(engine, entry)
    if "question" not in whole and whole["id"] in told:
        return told[whole["id"]]._replace(state=entry["state"])
    said = {"id": whole["id"], "request": whole, "digest": entry["digest"]}
    request = recorded_request(said, entry["by"], None, Origin(engine.settings.log))
    return request._replace(state=entry["state"]) if request else None


def whole_of(engine: Engine, entry: Json) -> Json:
    """The question; of a closed one the ledger keeps the name only, so its file is asked."""
    asked: Json = entry["request"]
    if "question" in asked:
        return asked
    try:
        with Folder.open(engine.root, ".ppgp", "run") as run:
            kept = read_request(run, asked["id"])
    except (OSError, DamagedError):
        return asked
    return kept.request if kept.digest == entry["digest"] else asked
