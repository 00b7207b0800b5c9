"""Regular expressions that are compiled when they are first used.

The vocabulary of a dozen languages takes longer to compile than a goal document takes to read, and
most documents need little of it; a status line must not wait for the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator


class Pattern:
    """A `re.Pattern` in waiting: the same methods, compiled at the first call of one."""

    __slots__ = (
        "_flags",
        "_text",
        "findall",
        "finditer",
        "fullmatch",
        "match",
        "search",
        "split",
        "sub",
    )

    search: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    fullmatch: Callable[..., re.Match[str] | None]
    finditer: Callable[..., Iterator[re.Match[str]]]
    findall: Callable[..., list[str]]
    split: Callable[..., list[str]]
    sub: Callable[..., str]

    def __init__(self, text: str, flags: int = 0) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> object:
        """Compile, and be as fast as the compiled pattern from now on."""
        compiled = re.compile(self._text, self._flags)
        for method in ("findall", "finditer", "fullmatch", "match", "search", "split", "sub"):
            object.__setattr__(self, method, getattr(compiled, method))
        return getattr(compiled, name)
