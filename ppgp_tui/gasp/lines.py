"""The lines of a log (GASP reference section 4)."""

from __future__ import annotations


def split(log: bytes) -> list[bytes]:
    r"""Return the physical lines, blank ones too, without `\n` and one `\r` before it.

    What stands after the last `\n` is a line when it is not empty; it keeps its `\r`.
    """
    *ended, rest = log.split(b"\n")
    lines = [line.removesuffix(b"\r") for line in ended]
    return [*lines, rest] if rest else lines
