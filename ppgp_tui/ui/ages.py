"""How long ago: short, never a clock time (those are in the origin sheet)."""

from __future__ import annotations


def age(since_ms: int | None, now_ms: int) -> str:
    """`12s`, `8m`, `1h02`, `3d`; empty when unknown. A time in the future reads `0s`."""
    if since_ms is None:
        return ""
    seconds = max(0, now_ms - since_ms) // 1000
    if seconds < 60:
        return f"{seconds}s"
    minutes = seconds // 60
    if minutes < 60:
        return f"{minutes}m"
    hours = minutes // 60
    return f"{hours}h{minutes % 60:02d}" if hours < 24 else f"{hours // 24}d"
