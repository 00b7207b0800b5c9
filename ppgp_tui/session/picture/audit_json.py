"""How the completion stands, as plain JSON values: the member `audit` of `show --json`."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from ppgp_tui.session.picture.audit_state import Audit, Override, Running, Verdict


def audit_json(audit: Audit) -> dict[str, Any]:
    """Return it as dicts, lists and scalars; null means unknown or none."""
    return {
        "state": audit.state,
        "bound": dict(audit.bound) or None,
        "stale": audit.stale,
        "moved": list(audit.moved),
        "verdicts": [_verdict(one) for one in audit.verdicts],
        "overrides": [_override(one) for one in audit.overrides],
        "running": _running(audit.running) if audit.running else None,
    }


def _verdict(one: Verdict) -> dict[str, Any]:
    origin = asdict(one.origin) if one.origin else None
    return {**one._asdict(), "bound": dict(one.bound), "origin": origin}


def _override(one: Override) -> dict[str, Any]:
    return {**one._asdict(), "origin": asdict(one.origin) if one.origin else None}


def _running(one: Running) -> dict[str, Any]:
    return {**one._asdict(), "states": dict(one.states), "output": list(one.output)}
