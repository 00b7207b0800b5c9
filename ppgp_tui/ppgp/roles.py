"""Which document plays which PPGP role: candidate paths in order of precedence.

PPGP reference section 1.2. Paths are relative to the root, with `/`; letter case counts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ppgp_tui.named_tuple import NamedTuple
from ppgp_tui.ppgp.reading import Finding

CANDIDATES: dict[str, tuple[str, ...]] = {
    "CONSTITUTION": (
        "docs/MASTER.md", "MASTER.md", "docs/CONSTITUTION.md", "CONSTITUTION.md",
    ),
    "ROADMAP": ("docs/ROADMAP.md", "ROADMAP.md"),
    "MEMORY": (
        "docs/PROJECT_MEMORY.md", "PROJECT_MEMORY.md", "docs/MEMORY.md", "MEMORY.md",
    ),
    "ACTIVE_GOAL": ("docs/ACTIVE_GOAL.md", "ACTIVE_GOAL.md"),
}  # fmt: skip
"""Roles in the order they are shown, each with its paths; the first that exists plays the role."""


class Roles(NamedTuple):
    """The path that plays each role, and what is odd about it."""

    paths: dict[str, str | None]
    """Every role of `CANDIDATES`; None where nothing plays it."""
    findings: tuple[Finding, ...]


def candidates_of(role: str, bound: str | None = None) -> tuple[str, ...]:
    """Return the paths to look at for `role`; a path bound in the settings is the only one."""
    return (bound,) if bound else CANDIDATES[role]


def map_roles(existing: Collection[str], bound: Mapping[str, str] | None = None) -> Roles:
    """Return which of the `existing` files plays which role.

    `existing` holds regular files only, relative to the root; `bound` maps roles to paths set by
    the user. Two goal documents are two sources of truth, so the second is reported.
    """
    settings = bound or {}
    paths: dict[str, str | None] = {}
    for role in CANDIDATES:
        candidates = candidates_of(role, settings.get(role))
        paths[role] = next((path for path in candidates if path in existing), None)
    goal = paths["ACTIVE_GOAL"]
    also = [path for path in CANDIDATES["ACTIVE_GOAL"] if path in existing and path != goal]
    findings = tuple(
        Finding(
            "two-goals",
            f"{path} exists as well and is not read; {goal} is the goal document",
            None,
            f"merge {path} into {goal} or delete it",
        )
        for path in also
        if goal is not None
    )
    return Roles(paths, findings)
