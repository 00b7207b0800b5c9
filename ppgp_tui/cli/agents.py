"""`ppgp-tui agents`: who works here, and what a person wants of one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ppgp_tui.cli.acting import acts, text_of

if TYPE_CHECKING:
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.session.model import Agent, Request

_session = click.argument("session", metavar="SESSION")


@click.group("agents")
def agents() -> None:
    """See the agents here; freeze, thaw, end, stop or tell one of them.

    SESSION is what `agents list` shows, or its beginning. Freezing and ending need an agent that
    ppgp-tui run started; stopping a turn and notes need one that is connected.
    """


@agents.command("list")
@acts(example="ppgp-tui agents list\nppgp-tui agents list --json")
def list_(engine: Engine) -> Result:
    """List the agents that leave a heartbeat here."""
    from ppgp_tui.session.engine.result import Result

    known = _known(engine, _asked(engine))
    data = {"agents": [{**one._asdict(), "origin": None} for one in known]}
    lines = "\n".join(_line(one) for one in known) or "no agent is connected here"
    return Result("agents.list", "unchanged", lines, data=data)


@agents.command("freeze")
@_session
@acts("person", example="ppgp-tui agents freeze claude-0f3a")
def freeze(engine: Engine, session: str) -> Result:
    """Stop an agent's processes where they are, until `thaw`.

    A model request under way may fail for it. To let it finish a call first, pause instead.
    """
    from ppgp_tui.session.actions import processes

    return processes.freeze(engine, _meant(engine, session))


@agents.command("thaw")
@_session
@acts("person", example="ppgp-tui agents thaw claude-0f3a")
def thaw(engine: Engine, session: str) -> Result:
    """Let a frozen agent go on."""
    from ppgp_tui.session.actions import processes

    return processes.thaw(engine, _meant(engine, session))


@agents.command("kill")
@_session
@acts("person", example="ppgp-tui agents kill claude-0f3a")
def kill(engine: Engine, session: str) -> Result:
    """End an agent: it is asked first, and made to after five seconds."""
    from ppgp_tui.session.actions import processes

    return processes.kill(engine, _meant(engine, session))


@agents.command("stop")
@_session
@acts("person", example="ppgp-tui agents stop claude-0f3a")
def stop(engine: Engine, session: str) -> Result:
    """Let an agent's turn end at its next hook point."""
    from ppgp_tui.session.actions import turns

    return turns.stop_turn(engine, _meant(engine, session))


@agents.command("note")
@_session
@click.argument("text")
@acts("person", example="ppgp-tui agents note claude-0f3a 'Use the staging host.'")
def note(engine: Engine, session: str, text: str) -> Result:
    """Tell an agent something at its next hook point. TEXT may be - for standard input."""
    from ppgp_tui.session.actions import turns

    return turns.send_note(engine, text_of(text), (_meant(engine, session),))


def _known(engine: Engine, requests: tuple[Request, ...] = ()) -> tuple[Agent, ...]:
    from ppgp_tui.session.sources.agents import AgentsSource, agents_now

    look = AgentsSource(engine.root, engine.clock).look()
    return agents_now(look, requests, engine.clock())


def _asked(engine: Engine) -> tuple[Request, ...]:
    """What waits for a person; nothing where the log cannot be read: agents are there anyway."""
    from ppgp_tui.cli.asked import all_requests
    from ppgp_tui.session.actions.recorded import recorded_if_any
    from ppgp_tui.session.journal import RefusalError

    try:
        return tuple(all_requests(engine, recorded_if_any(engine)))
    except RefusalError:
        return ()


def _meant(engine: Engine, given: str) -> str:
    """The session that `given` names or begins like. Raises `RefusalError`."""
    from ppgp_tui.session.journal import RefusalError
    from ppgp_tui.session.text import one_line

    all_of_them = _known(engine)
    known = [one.session for one in all_of_them]
    fits = [one for one in known if one.startswith(given)]
    if len(fits) > 1:
        over = {one.session for one in all_of_them if one.state in ("ended", "gone")}
        fits = [one for one in fits if one not in over] or fits
    if given in known or len(fits) == 1:
        return given if given in known else fits[0]
    if fits:
        raise RefusalError("refused", one_line(f"{given!r} could be any of {', '.join(fits)}"))
    there = f"; here are {', '.join(known)}" if known else ""
    raise RefusalError("refused", one_line(f"no session here is called {given!r}{there}"))


def _line(one: Agent) -> str:
    from ppgp_tui.session.text import one_line

    word = "frozen" if one.frozen_since_ms is not None else one.state.replace("_", " ")
    facts = [word]
    if one.last_tool:
        facts.append(f"last call {one.last_tool}")
    if one.pane:
        facts.append(f"pane {one.pane}")
    if one.pid is not None:
        facts.append(f"process {one.pid}")
    if one.exit_code is not None:
        facts.append(f"exit code {one.exit_code}")
    runs = one.exit_code is None and one.state not in ("ended", "gone")
    facts.append("can be frozen" if one.launched and runs else "cannot be frozen")
    return f"{one_line(one.session)}  {one_line(', '.join(facts))}"
