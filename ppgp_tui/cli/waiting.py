"""Waiting for the answer to a question, in this process or anew in a later one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

import click

from ppgp_tui.session.actions import asking
from ppgp_tui.session.actions.hearing import get_answer
from ppgp_tui.session.actions.recorded import recorded
from ppgp_tui.session.authority.answer import Answer
from ppgp_tui.session.authority.pins import Pins
from ppgp_tui.session.authority.waiter import (
    Delivered,
    DeliveredBefore,
    Expired,
    Stopped,
    TimedOut,
    Waiter,
)
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.ledger import Json
from ppgp_tui.session.engine.result import Code, Result
from ppgp_tui.session.files.places import data_folder
from ppgp_tui.session.journal import MalformedEventError, RefusalError, event_of
from ppgp_tui.session.text import one_line

ACTION: Final = "ask"
NOT_A_NO: Final = "nobody answered it: that is neither a yes nor a no"

UNSIGNED: Final = "this answer is unsigned: no key is pinned and ssh-keygen is not installed"


def wait(engine: Engine, asked: Result, limit_s: float | None, said: str) -> Result:
    """Say that, and wait for the answer to what `asked` has just recorded, at most `limit_s`."""
    request_id = str(asked.data["request"])
    with _left_open(request_id):
        click.echo(said, err=True)
        watch = _Withdrawals(engine, request_id)
        request = recorded(engine).ledger.requests[request_id]["request"]
        result = _wait(engine, request, limit_s, watch)
    return replace(
        result,
        events=(*asked.events, *result.events),
        recorded=asked.recorded,
        created=asked.created,
        warnings=(*asked.warnings, *result.warnings),
        data={**asked.data, **result.data},
    )


def resume(engine: Engine, request_id: str, limit_s: float | None) -> Result:
    """Wait again, or tell the answer that is there already."""
    watch = _Withdrawals(engine, request_id)
    told = get_answer(engine, request_id, None)
    state = told.data["state"]
    if state == "waiting":
        entry = recorded(engine).ledger.requests.get(request_id)
        if entry is None:
            text = f"{request_id} waits in the goal document only; nothing is delivered to anybody"
            raise RefusalError("refused", text)
        with _left_open(request_id):
            click.echo(f"waiting for the answer to {request_id}", err=True)
            return _wait(engine, entry["request"], limit_s, watch)
    if state == "answered":
        warnings = (*told.warnings, *(() if told.data["signed"] else (UNSIGNED,)))
        message = _told(told.data.get("option"), told.data)
        return replace(told, action=ACTION, message=message, warnings=warnings)
    code: Code = "expired" if state == "expired" else "refused"
    return replace(told, action=ACTION, code=code, message=f"{request_id} {state}: {NOT_A_NO}")


@contextmanager
def _left_open(request_id: str) -> Iterator[None]:
    """Who interrupts what is inside, once it was said that it waits, is told how it goes on."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo(f"interrupted; {_open(request_id)}", err=True)
        raise SystemExit(130) from None


def _wait(
    engine: Engine, request: Json, limit_s: float | None, withdrawn: Callable[[], str | None]
) -> Result:
    request_id = str(request["id"])
    waiter = Waiter(
        engine.root,
        request,
        Pins(data_folder(), engine.root, os.environ),
        str(engine.actor),
        lambda line: click.echo(one_line(line), err=True),
        engine.clock,
    )
    outcome = waiter.wait(limit_s, stopped=withdrawn)
    about: Json = {"request": request_id}
    match outcome:
        case Delivered() | DeliveredBefore():
            return _delivered(engine, request, outcome)
        case Expired():
            return Result(ACTION, "expired", f"{request_id} expired: {NOT_A_NO}", data=about)
        case TimedOut():
            return Result(ACTION, "timeout", f"no answer yet; {_open(request_id)}", data=about)
        case Stopped(reason):
            text = f"{request_id} was withdrawn ({reason}): {NOT_A_NO}"
            return Result(ACTION, "refused", text, data=about)


def _delivered(engine: Engine, request: Json, got: Delivered | DeliveredBefore) -> Result:
    """Record the delivery, then tell the answer: what was told is on record whatever comes next."""
    request_id = str(request["id"])
    receipt = asking.deliver(engine, request_id)
    before = isinstance(got, DeliveredBefore)
    data = {**_said(got.answer, request), "signed": got.signed, "delivered_before": before}
    warnings = list(receipt.warnings)
    if not receipt.ok and not before:
        warnings.append(f"delivered, but that is not recorded yet: {receipt.message}")
    if not got.signed:
        warnings.append(UNSIGNED)
    return replace(
        receipt,
        action=ACTION,
        code="done",
        message=_told(got.answer.option, data),
        warnings=tuple(warnings),
        data={"request": request_id, **data},
    )


def _said(answer: Answer, request: Json) -> Json:
    labels = {option["key"]: option["label"] for option in request["options"]}
    said: Json = {
        "option": answer.option,
        "label": labels.get(answer.option or ""),
        "text": answer.text,
        "note": answer.note,
        "decision": answer.decision,
        "attempt": answer.attempt,
        "answered_ms": answer.answered_ms,
    }
    return {name: value for name, value in said.items() if value is not None}


def _told(option: str | None, data: Json) -> str:
    """The option or the text on the first line; a label and a note below, each on its own."""
    lines = [option or one_line(data.get("text", ""))]
    lines += [f"{name}: {one_line(data[name])}" for name in ("label", "note") if data.get(name)]
    return "\n".join(lines)


def _open(request_id: str) -> str:
    return f"the question stays open; wait again with: ppgp-tui ask --resume {request_id}"


class _Withdrawals:
    """Notices that a question is withdrawn, reading no more of the log than is new."""

    def __init__(self, engine: Engine, request_id: str) -> None:
        self._path = engine.root / engine.settings.log
        self._id = request_id
        self._at = self._size()

    def __call__(self) -> str | None:
        """The reason, once it is withdrawn."""
        size = self._size()
        if size == self._at:
            return None
        try:
            with self._path.open("rb") as log:
                log.seek(self._at if size > self._at else 0)
                new = log.read()
        except OSError:
            return None
        whole = new.rfind(b"\n") + 1
        self._at = (self._at if size > self._at else 0) + whole
        reasons = (self._reason(line) for line in new[:whole].splitlines())
        return next((reason for reason in reasons if reason is not None), None)

    def _reason(self, line: bytes) -> str | None:
        if b"authority.withdrawn" not in line or self._id.encode() not in line:
            return None
        try:
            event = event_of(line)
        except MalformedEventError:
            return None
        payload = event["payload"]
        if event["kind"] != "authority.withdrawn" or not isinstance(payload, dict):
            return None
        return str(payload.get("reason")) if payload.get("id") == self._id else None

    def _size(self) -> int:
        try:
            return int(self._path.stat().st_size)
        except OSError:
            return 0
