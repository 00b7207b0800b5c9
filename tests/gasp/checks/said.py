"""What the real command prints about a repository."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import pytest

from ppgp_tui.cli.gasp.check import main

WORDING = re.compile(
    "(not JSON: |not a valid envelope: |invalid event payload for state.ops_applied: "
    "|does not parse as ops: |does not parse as a Pack: |has malformed payload: "
    "|graph does not parse: ).*"
)
"""What follows these words is how one JSON library puts it."""


class Said(NamedTuple):
    """How the command ended, and its lines after the first."""

    code: int
    lines: list[str]
    errors: list[str]

    @property
    def normal(self) -> list[str]:
        return normalised(self.lines)

    def of(self, check: int) -> list[str]:
        """Verdict, notes and findings of one check."""
        (begin,) = [n for n, line in enumerate(self.lines) if f" check {check} — " in line]
        rest = self.lines[begin + 1 :]
        end = next((n for n, line in enumerate(rest) if not line.startswith(" ")), len(rest))
        return [self.lines[begin][1:5], *(line.removeprefix("       ") for line in rest[:end])]

    @property
    def failed(self) -> list[int]:
        """The numbers of the checks that failed."""
        return [int(found[1]) for found in map(re.compile(r"\[FAIL\] check (\d)").match, self.lines)
                if found]  # fmt: skip


def check(capsys: pytest.CaptureFixture[str], *words: str) -> Said:
    capsys.readouterr()
    code = main(words)
    out, err = capsys.readouterr()
    return Said(code, out.split("\n")[1:-1], err.split("\n")[:-1])


def normalised(lines: Iterable[str]) -> list[str]:
    return [WORDING.sub(r"\1", line) for line in lines]
