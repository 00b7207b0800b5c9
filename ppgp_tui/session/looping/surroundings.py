"""What a restart loop learns from its repository and tells it: the hooks its runner takes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import time_ns
from typing import TYPE_CHECKING, Any

from ppgp_tui.persist.course import Ran
from ppgp_tui.persist.limits import PHRASES
from ppgp_tui.persist.surroundings import Iteration, Need, Surroundings
from ppgp_tui.session.canonical import loop_session
from ppgp_tui.session.files.root import RootError, find_root, git_top
from ppgp_tui.session.looping.changes import Head, changes_since, head_of
from ppgp_tui.session.looping.errors import NoGoalError
from ppgp_tui.session.looping.holding import held_in

if TYPE_CHECKING:
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.looping.bound import Bound

__all__ = ["NoGoalError", "Warn", "root_of", "surroundings"]

Warn = Callable[[str], None]


def surroundings(
    cwd: Path,
    *,
    goal: bool = False,
    audited: bool = False,
    agent: str = "agent",
    phrases: tuple[str, ...] = PHRASES,
    warn: Warn = lambda _: None,
    environ: Mapping[str, str] = os.environ,
) -> Surroundings:
    """The surroundings of a loop that is started in `cwd`.

    In a Git work tree: its top for the loop's first row; for agents the root and who they are
    (`PPGP_ROOT`, `PPGP_AGENT`: what they do is an agent's, and a person's commands are not
    theirs); a person's hold; what each run changed. With `goal` the loop is bound to the goal of
    the repository: besides, the boot packet is before each prompt, and every iteration is a run in
    the log.

    `audited`: the loop has claims audited, and agents are told so. `agent` is the name of the
    agent's program, `phrases` how a rate limit is said; `warn` gets in a
    few words, once for each reason, what could not be told or recorded.
    Raises `NoGoalError` where there is nothing to be bound to.
    """
    top = git_top(cwd)
    if top is None:
        if goal:
            raise NoGoalError("--goal needs a Git work tree, and this folder is in none")
        return Surroundings()
    root = root_of(cwd, environ)
    bound: Bound | None = None
    around = _Unbound(root, top)
    if goal:
        bound = _goal_of(root)
        # What only a document has cannot be claimed.
        around = _Bound(root, top, bound, agent, phrases, warn, audited=audited)
    return Surroundings(
        before=around.before,
        environ=around.environ,
        after=around.after,
        ended=around.ended,
        held=held_in(root, around.sessions),
        needs=around.needs,
        released=around.released,
        root=str(top),
        goal=bound.name if bound is not None else None,
    )


def root_of(cwd: Path, environ: Mapping[str, str] = os.environ) -> Path:
    """The root that agents started in `cwd` belong to."""
    try:
        return find_root(cwd, None, environ)
    except RootError:  # $PPGP_ROOT names nothing
        return find_root(cwd, None, {})


def _goal_of(root: Path) -> Bound:
    from ppgp_tui.session.engine.draft import SYSTEM
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.looping.bound import goal_of

    return goal_of(Engine(root, SYSTEM))


class _Unbound:
    """A loop in a work tree."""

    def __init__(self, root: Path, top: Path) -> None:
        self._root = root
        self._top = top
        self._began = Head()
        self._loop: str | None = None
        """The loop's id, known from its first run on."""

    def before(self, iteration: Iteration) -> bytes:
        self._loop = iteration.loop_id
        self._began = head_of(self._top)
        return b""

    def environ(self, iteration: Iteration) -> Mapping[str, str]:
        return {"PPGP_ROOT": str(self._root), "PPGP_AGENT": loop_session(iteration.loop_id)}

    def sessions(self) -> set[str]:
        """The keys of the loop itself and of sessions that connected agents have in it."""
        from ppgp_tui.session.authority.identity import recorded_agents

        if self._loop is None:
            return set()
        own = loop_session(self._loop)
        return {own} | {one.session for one in recorded_agents(self._root) if one.launched == own}

    def after(self, _: Iteration, __: Ran) -> Mapping[str, Any]:
        changes = changes_since(self._top, self._began)
        return {"git": changes} if changes else {}

    def ended(self, state: str, _: str) -> None:
        """Nothing is to be done."""

    def needs(self) -> Need | None:
        """Nothing of a person."""
        return None

    def released(self, hold_id: str) -> str | None:
        """Let go of what a pause of this loop held."""
        from ppgp_tui.session.actions.loops import let_go
        from ppgp_tui.session.engine.draft import SYSTEM

        return let_go(self._top, hold_id, SYSTEM)


class _Bound(_Unbound):
    """A loop that is bound to the goal. Nothing that goes wrong here stops it."""

    def __init__(
        self,
        root: Path,
        top: Path,
        served: Bound,
        agent: str,
        phrases: tuple[str, ...],
        warn: Warn,
        *,
        audited: bool,
    ) -> None:
        super().__init__(root, top)
        self._served = served
        self._audited = audited and served.goal is not None
        self._need: Need | None = None
        self._agent = agent
        self._phrases = phrases
        self._warn = warn
        self._warned: set[str] = set()
        self._is_open = False

    def before(self, iteration: Iteration) -> bytes:
        from ppgp_tui.session.looping import bound, runs

        super().before(iteration)
        told = bound.Told("", objections=False)
        with self._unhurt("the boot packet was not made"):
            told = bound.told_before(self._root, iteration, _now_ms, audited=self._audited)
        with self._unhurt("the iteration was not recorded"):
            engine = self._engine(iteration.loop_id)
            if told.objections:
                bound.heard(engine)
            why = runs.began(engine, iteration, self._agent, audits=self._audited)
            self._is_open = why is None
            self._say("the iteration was not recorded", why)
        return told.text.encode("utf-8", "replace")

    def after(self, iteration: Iteration, ran: Ran) -> Mapping[str, Any]:
        from ppgp_tui.session.looping import runs

        self._is_open = False
        with self._unhurt("the iteration's end was not recorded"):
            why = runs.ended(self._engine(iteration.loop_id), iteration.loop_id, ran, self._phrases)
            self._say("the iteration's end was not recorded", why)
        return super().after(iteration, ran)

    def needs(self) -> Need | None:
        from ppgp_tui.session.engine.draft import SYSTEM
        from ppgp_tui.session.engine.engine import Engine
        from ppgp_tui.session.looping import bound

        with self._unhurt("whether the goal is still there was not seen"):
            self._need = bound.gone(Engine(self._root, SYSTEM), self._served)
        return self._need

    def ended(self, state: str, _: str) -> None:
        from ppgp_tui.session.looping import bound, runs

        if self._loop is None:
            return
        engine = self._engine(self._loop)
        if self._is_open:  # it never began, or its end was not waited for
            with self._unhurt("the iteration's end was not recorded"):
                self._say("the iteration's end was not recorded", runs.broken_off(engine))
        if state == "SUCCESS":
            with self._unhurt("the goal was not settled"):
                self._say("the goal was not settled", bound.settle(engine, self._loop))

    def _engine(self, loop_id: str) -> Engine:
        from ppgp_tui.session.engine.draft import Actor
        from ppgp_tui.session.engine.engine import Engine

        return Engine(self._root, Actor("agent", loop_session(loop_id)))

    @contextmanager
    def _unhurt(self, doing: str) -> Iterator[None]:
        from ppgp_tui.session.journal import RefusalError

        try:
            yield
        except RefusalError as refusal:
            self._say(doing, refusal.refused.message)
        except (OSError, ValueError) as error:
            self._say(doing, getattr(error, "strerror", None) or str(error))

    def _say(self, doing: str, why: str | None) -> None:
        if why is not None and why not in self._warned:
            self._warned.add(why)
            self._warn(f"{doing}: {why}")


def _now_ms() -> int:
    return time_ns() // 1_000_000
