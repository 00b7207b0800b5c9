"""Members of JSON that somebody else wrote: taken when they are what they should be."""

from __future__ import annotations

from typing import Any


def text(value: Any) -> str:
    """`value` when it is text, else nothing."""
    return value if isinstance(value, str) else ""


def texts(value: Any) -> list[str]:
    """The texts of a list; nothing when it is no list."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


def whole(value: Any) -> int | None:
    """`value` when it is a whole number, else None."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None
