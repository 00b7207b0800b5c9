"""What a restart loop learns from its repository and tells it: the hooks its runner takes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ppgp_tui.persist.condition import Outside
from ppgp_tui.persist.course import Ran
from ppgp_tui.persist.surroundings import Iteration, Surroundings
from ppgp_tui.session.looping.changes import Head, changes_since, head_of
from ppgp_tui.session.looping.holding import held_in
from ppgp_tui.session.root import RootError, find_root, git_top


class NoGoalError(Exception):
    """`--goal` where there is nothing to be bound to; the message says what to do."""


def surroundings(
    cwd: Path,
    *,
    goal: bool = False,
    agent: str = "",  # noqa: ARG001
    outside: Outside = MappingProxyType({}),
    warn: Callable[[str], None] = lambda _: None,  # noqa: ARG001
    environ: Mapping[str, str] = os.environ,
) -> Surroundings:
    """The surroundings of a loop that is started in `cwd`.

    In a Git work tree: the root for the loop's first row and for its agents (`PPGP_ROOT`), a
    person's hold, and what each run changed. With `goal` besides: see `bound`. `agent` is the
    agent's command, `outside` further conditions by name, `warn` gets what went wrong on the way in
    a few words. Raises `NoGoalError`.
    """
    top = git_top(cwd)
    if top is None:
        if goal:
            raise NoGoalError("--goal needs a Git work tree, and this folder is in none")
        return Surroundings()
    try:
        root = find_root(cwd, None, environ)
    except RootError:
        root = top
    began = Head()

    def before(_: Iteration) -> bytes:
        nonlocal began
        began = head_of(top)
        return b""

    def after(_: Iteration, __: Ran) -> Mapping[str, Any]:
        changes = changes_since(top, began)
        return {"git": changes} if changes else {}

    return Surroundings(
        before=before,
        environ=lambda _: {"PPGP_ROOT": str(root)},
        after=after,
        held=held_in(root),
        outside=outside,
        root=str(top),
    )
