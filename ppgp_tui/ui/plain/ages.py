"""How long something lasted, in words that are heard."""

from __future__ import annotations


def lasted(since_ms: int | None, now_ms: int) -> str:
    """`12 seconds`, `8 minutes`, `1 hour 2 minutes`, `3 days`; empty when unknown."""
    if since_ms is None:
        return ""
    seconds = max(0, now_ms - since_ms) // 1000
    minutes, hours = seconds // 60, seconds // 3600
    if seconds < 60:
        return counted(seconds, "second")
    if minutes < 60:
        return counted(minutes, "minute")
    if hours < 24:
        rest = minutes % 60
        return counted(hours, "hour") + (f" {counted(rest, 'minute')}" if rest else "")
    return counted(hours // 24, "day")


def counted(number: int, noun: str) -> str:
    """`1 request`, `2 requests`, `1,204 events`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
