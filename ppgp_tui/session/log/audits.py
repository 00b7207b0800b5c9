"""What the log says of audits: their verdicts, and what a person took in spite of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, cast, get_args

from ppgp_tui.gasp.telling.sentence import short_actor
from ppgp_tui.session.members import text
from ppgp_tui.session.picture.audit_state import AuditRecord, Override, Verdict, Word
from ppgp_tui.session.picture.origin import Origin

_KEPT: Final = 200
KINDS: Final = ("eval.finished", "decision.created")


class AuditLog:
    """Gathers them line by line."""

    def __init__(self) -> None:
        self._verdicts: tuple[Verdict, ...] = ()
        self._overrides: tuple[Override, ...] = ()

    def take(
        self,
        kind: str,
        actor: tuple[str, str],
        ts_ms: int | None,
        payload: Mapping[str, Any],
        origin: Callable[[], Origin],
    ) -> None:
        """Take in one event of `KINDS`; those of others, in another shape, say nothing here."""
        metadata = payload.get("metadata")
        if not isinstance(metadata, dict):
            return
        if kind == "eval.finished" and metadata.get("type") == "audit":
            self._finished(ts_ms, payload, metadata, origin)
        elif metadata.get("type") == "verdict":
            self._decided(payload, metadata)
        elif metadata.get("type") == "override":
            override = Override(
                text(payload.get("reason")), short_actor(*actor), text(metadata.get("goal")),
                text(metadata.get("eval")) or None, ts_ms, origin(),
            )  # fmt: skip
            self._overrides = (*self._overrides, override)[-_KEPT:]

    def record(self) -> AuditRecord:
        """Everything gathered so far."""
        return AuditRecord(self._verdicts, self._overrides)

    def _finished(
        self,
        ts_ms: int | None,
        payload: Mapping[str, Any],
        metadata: Mapping[str, Any],
        origin: Callable[[], Origin],
    ) -> None:
        word, bound = metadata.get("verdict"), metadata.get("bound")
        if word not in get_args(Word) or not isinstance(bound, dict):
            return
        verdict = Verdict(
            id=text(payload.get("id")),
            word=cast(Word, word),
            at_ms=ts_ms,
            goal=text(bound.get("goal")),
            why=text(metadata.get("why")),
            claim=text(metadata.get("claim")) or None,
            bound=bound,
            stale=metadata.get("stale") is True,
            report_digest=text(metadata.get("report_digest")),
            isolation=text(metadata.get("isolation")),
            auditor=text(metadata.get("auditor")),
            origin=origin(),
        )
        self._verdicts = (*self._verdicts, verdict)[-_KEPT:]

    def _decided(self, payload: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
        """The reason of a verdict stands in its decision."""
        about, why = metadata.get("eval"), text(payload.get("reason"))
        self._verdicts = tuple(
            one._replace(why=why) if one.id == about else one for one in self._verdicts
        )
