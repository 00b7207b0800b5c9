"""What the doctor says: findings, in sections."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, NamedTuple

State = Literal["ok", "note", "warning", "error"]
"""`warning` and `error` need somebody's attention; a `note` is worth knowing."""


class Finding(NamedTuple):
    """One fact about a root, why it matters, and what to do about it."""

    state: State
    text: str
    why: str = ""
    mend: str = ""
    path: str = ""
    line: int | None = None

    @property
    def needs_attention(self) -> bool:
        """Whether the doctor's exit code speaks of it."""
        return self.state in ("warning", "error")


Section = Callable[[Path], Iterable[Finding]]
"""Looks at a root. What it has to say beside Git or the disk failing are findings."""


class Report(NamedTuple):
    """The findings of one section."""

    name: str
    findings: tuple[Finding, ...]


def examine(root: Path, sections: Iterable[tuple[str, Section]]) -> list[Report]:
    """Ask every section; those of the same name are one report. Never raises.

    A section that fails in a way nobody foresaw says so and hides no other.
    """
    reports: dict[str, list[Finding]] = {}
    for name, section in sections:
        found = reports.setdefault(name, [])
        try:
            found.extend(section(root))
        except Exception as error:
            said = f"could not be looked at: {type(error).__name__}: {error}"
            why = "this part of the doctor failed, so nothing is known about the rest of it"
            found.append(Finding("error", said, why, "please report it with this line"))
    return [Report(name, tuple(found)) for name, found in reports.items()]
