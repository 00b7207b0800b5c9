"""Making a session where there is none."""

from __future__ import annotations

from collections.abc import Collection

from ppgp_tui.session.deleted_log import kept_in, restoring
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.git import GitUnknownError
from ppgp_tui.session.journal import Refused
from ppgp_tui.session.text import one_line


def init(engine: Engine, *, dry_run: bool = False) -> Result:
    """Create what a session needs; what is there already stays as it is.

    Only `.ppgp/`, its ignore file and the empty log are made; the goal document is the agent's.
    """
    missing = engine.journal.missing()
    if not missing:
        return Result("init", "unchanged", _at(engine, "a session is here already"))
    if why := lost(engine, missing):
        return Result("init", "refused", why)
    if dry_run:
        return Result(
            "init", "unchanged", f"would create {', '.join(missing)}", data={"create": [*missing]}
        )
    made = engine.journal.create()
    if isinstance(made, Refused):
        return Result("init", made.code, made.message)
    if not made:
        return Result("init", "unchanged", _at(engine, "somebody else began the session"))
    return Result("init", "done", f"created {', '.join(made)}", created=made)


def _at(engine: Engine, said: str) -> str:
    return one_line(f"{said}: {engine.root}")


def lost(engine: Engine, missing: Collection[str]) -> str:
    """Why no empty log is made: one is committed and only gone from the disk. Else empty."""
    path = str(engine.journal.log)
    if path not in missing:
        return ""
    try:
        revision = kept_in(engine.root, path)
    except GitUnknownError:
        return ""
    if revision != "HEAD":
        return ""
    return f"{path} is committed and was deleted here; bring it back: {restoring(revision, path)}"


def rebuild(engine: Engine) -> Result:
    """Write every file anew that repeats the log and does not say what the log says.

    Each action does this by itself; here nothing else is done. A plan edited by hand is no such
    file: it stays until somebody adopts or drops it.
    """
    return engine.perform(
        "rebuild",
        lambda _scene, _draft: {},
        after=lambda scene, _: list(scene.rewritten),
        said="every file says what the log says",
        is_deed=False,
    )


def restore(engine: Engine) -> Result:
    """Put recorded lines back that something took out of the log before they were committed."""
    outcome = engine.journal.restore()
    if isinstance(outcome, Refused):
        why = lost(engine, engine.journal.missing())
        return Result("restore", outcome.code, why or outcome.message)
    count = len(outcome.events)
    noun = "event" if count == 1 else "events"
    return Result(
        "restore",
        "done" if count else "unchanged",
        f"put {count} {noun} back",
        events=outcome.events,
        recorded=outcome.recorded,
        warnings=outcome.warnings,
    )
