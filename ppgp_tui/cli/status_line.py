"""The status line in words and signs, the same as the app's lamps say them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppgp_tui.ui.looks.ages import age

SIGNS = {
    "failed": "✗F", "for_you": "??", "running": "▸>", "held": "==", "unknown": "..",
    "blocked": "⊘!",
}  # fmt: skip
"""Each sign and its ASCII form."""

_COLOURS = {
    "failed": "red,bold", "for_you": "yellow,bold", "running": "cyan", "held": "magenta",
    "unknown": "default", "blocked": "red",
}  # fmt: skip
"""What a tmux bar draws each sign in."""

_RUN = {
    "violated": ("failed", "violated"),
    "lost": ("failed", "pause lost"),
    "not_seen": ("unknown", "pause not seen for"),
    "pause_asked": ("held", "pause asked"),
    "seen": ("held", "pause seen"),
    "held": ("held", "held"),
    "waiting_for_you": ("for_you", "waiting for you"),
    "frozen": ("held", "frozen"),
    "stopping": ("held", "stopping"),
    "limited": ("failed", "model error"),
    "working": ("running", "working"),
    "quiet": ("unknown", "no evidence"),
    "idle": ("unknown", "idle"),
}


_LOOP = {
    "gone": ("failed", "gone"),
    "asks": ("for_you", "asks"),
    "held": ("held", "held"),
    "waits": ("unknown", "waits"),
    "runs": ("running", ""),
}


def line(status: Mapping[str, Any], now_ms: int, *, ascii_only: bool) -> str:
    """Return `? 2 for you 6m  ▸ working 12s  ⊘3  A claimed  EXECUTE 2/7`, as far as it is known.

    `status` has the members of a `Glance`. The most urgent stands first, because bars cut at the
    right.
    """
    return "  ".join(text for _, text in _parts(status, now_ms, ascii_only))


def tmux_line(status: Mapping[str, Any], now_ms: int, *, ascii_only: bool) -> str:
    """The same in colours, as a tmux bar reads them; nothing in its words is a command of tmux."""
    return "  ".join(
        f"#[fg={_COLOURS[sign]}]{escaped(text)}#[default]" if sign else escaped(text)
        for sign, text in _parts(status, now_ms, ascii_only)
    )


def escaped(text: str) -> str:
    """`text` as words in a tmux bar."""
    return text.replace("#", "##")


def _parts(status: Mapping[str, Any], now_ms: int, ascii_only: bool) -> list[tuple[str, str]]:
    """What there is to say, the most urgent first: the sign that colours it, and the words."""
    signs = {name: pair[ascii_only] for name, pair in SIGNS.items()}
    parts = []
    if status["needs"]:
        since = age(status["needs_oldest_ms"], now_ms)
        parts.append(("for_you", f"{signs['for_you']} {status['needs']} for you {since}"))
    # That an agent waits for you is what the count has just said.
    if status["run"] in _RUN and not (status["needs"] and status["run"] == "waiting_for_you"):
        parts.append(_run(status, signs, now_ms))
    if status["loop"]:
        parts.append(_loop(status, signs, now_ms))
    if status["blockers"]:
        parts.append(("blocked", f"{signs['blocked']}{status['blockers']}"))
    if status["audit"]:
        parts.append(_audit(status, signs))
    parts.append(("", _progress(status)))
    return [(sign, text.strip()) for sign, text in parts if text.strip()]


def _run(status: Mapping[str, Any], signs: Mapping[str, str], now_ms: int) -> tuple[str, str]:
    sign, words = _RUN[status["run"]]
    if status["run"] == "violated":
        broken = status["run_count"]
        noun = "event" if broken == 1 else "events"
        return sign, f"{signs[sign]} {words}, {broken} {noun} since"
    since = "" if status["run"] == "lost" else age(status["run_since_ms"], now_ms)
    return sign, f"{signs[sign]} {words} {since}"


def _loop(status: Mapping[str, Any], signs: Mapping[str, str], now_ms: int) -> tuple[str, str]:
    """What the restart loop here does, or the one of several that needs a look most."""
    sign, words = _LOOP[status["loop"]]
    if status["loops"] > 1:
        one = f", one {words}" if words else ""
        return sign, f"{signs[sign]} {status['loops']} loops{one}"
    since = age(status["loop_since_ms"], now_ms) if status["loop"] != "gone" else ""
    return sign, " ".join(filter(None, (signs[sign], "loop", words, since)))


def _audit(status: Mapping[str, Any], signs: Mapping[str, str]) -> tuple[str, str]:
    """How far an audit is, or what is recorded of one; whether that still fits `show` knows."""
    state = status["audit"]
    if state == "running":
        return "running", f"A {status['audit_done']}/{status['audit_checks']}"
    if state == "rejected":
        return "failed", f"A {signs['failed']}"
    return "for_you" if state == "unsure" else "", f"A {state}"


def _progress(status: Mapping[str, Any]) -> str:
    phase = status["phase"] or ""
    inferred = ", inferred" if phase and status["phase_inferred"] else ""
    ratio = f" {status['done']}/{status['total']}" if status["total"] else ""
    return f"{phase}{inferred}{ratio}"
