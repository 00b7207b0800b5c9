"""A fast reader of whole event lines, for going through a log once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from ppgp_tui.gasp.envelope import DEEPEST, Envelope, read_line


def event_reader() -> Callable[[bytes], Envelope]:
    """Return a `line -> Envelope` that says what `read_line` says, several times as fast.

    Lines that are not sound at first sight are given to `read_line`, so nothing raises for any
    bytes.
    """
    import msgspec

    actor = msgspec.defstruct("Actor", [("id", str), ("kind", str)])
    time = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]
    members: list[tuple[str, Any]] = [
        ("id", str), ("ts_ms", time), ("actor", actor), ("kind", str), ("payload", Any),
        ("causation_id", str | None), ("correlation_id", str | None),
    ]  # fmt: skip
    decode: Callable[[bytes], Any] = msgspec.json.Decoder(msgspec.defstruct("Line", members)).decode

    def read(line: bytes) -> Envelope:
        if line.count(b"[") + line.count(b"{") > DEEPEST:
            return read_line(line)
        try:
            said = decode(line)
        except (msgspec.DecodeError, RecursionError, ValueError):
            return read_line(line)
        by = said.actor
        return Envelope(
            said.id, said.ts_ms, by.kind, by.id, said.kind, said.payload,
            said.causation_id, said.correlation_id,
        )  # fmt: skip

    return read
