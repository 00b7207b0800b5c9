"""`ppgp-tui close`: the end of a goal that is verified, or that a person takes with a reason."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ppgp_tui.cli.acting import acts

if TYPE_CHECKING:
    from ppgp_tui.ppgp.distil import Lasting
    from ppgp_tui.session.actions.closing import Outlook
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Result


@click.command("close")
@click.option(
    "--override", metavar="WHY", help="Close it although it is not verified; WHY is kept for ever."
)
@click.option("--keep-document", is_flag=True, help="Leave the goal document where it is.")
@acts(
    "granting",
    example='ppgp-tui close\nppgp-tui close --override "the customer has accepted it as it is"',
)
def close(engine: Engine, override: str | None, keep_document: bool) -> Result:
    """Close the goal: it is done, and its document goes (yours alone).

    Refused unless an audit has verified the goal and contract, plan and code are still what it
    verified. The document is removed only where Git has it as it stands. Says first what outlives
    the goal and belongs in other documents, and asks at a terminal; carrying it over is the
    agent's work, in phase DISTILL.
    """
    from ppgp_tui.session.actions import closing
    from ppgp_tui.session.journal import RefusalError

    ahead = closing.outlook(engine)
    if not ahead.goal:
        raise RefusalError("refused", "there is no goal here that could be closed")
    if ahead.why_not and override is None:
        text = f"{ahead.why_not}: run `ppgp-tui audit`, or close it with a reason (--override)"
        raise RefusalError("refused", text)
    if not click.get_current_context().params["as_json"]:
        for line in _lines(ahead, override, keep_document):
            click.echo(line, err=True)
    if _is_asked() and not click.confirm("Close it?", default=False, err=True):
        raise RefusalError("refused", "nothing was closed")
    result = closing.close(engine, override=override, keep_document=keep_document)
    if not result.ok:
        return result
    data = {**result.data, "phase": ahead.document.reading.phase, "lasting": _lasting(ahead)}
    return replace(result, data=data)


def _is_asked() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _lines(ahead: Outlook, override: str | None, keep_document: bool) -> Iterator[str]:
    """What closing does, and what it does not."""
    from ppgp_tui.session.text import one_line

    yield one_line(ahead.goal)
    if ahead.why_not:
        yield f"  NOT verified: {one_line(ahead.why_not)}"
        yield f"  closed all the same, and recorded as that, because: {one_line(override or '')}"
    else:
        yield f"  verified: {ahead.verdict}"
    yield from (f"  {line}" for line in _open(ahead))
    if ahead.document.data is None:
        return
    path = one_line(ahead.document.path)
    kept = "you want to keep it" if keep_document else ahead.kept
    yield f"  {path} stays: {kept}" if kept else f"  {path} is removed; Git keeps it"
    yield from (f"  {one_line(line)}" for line in _distil(ahead))


def _open(ahead: Outlook) -> Iterator[str]:
    """What is left behind unanswered."""
    if ahead.blockers:
        yield f"{ahead.blockers} blocker{'s are' if ahead.blockers > 1 else ' is'} still open"
    if ahead.questions:
        yield f"{ahead.questions} question{'s' if ahead.questions > 1 else ''} still unanswered"
    if ahead.is_audited:
        yield "an audit is under way; what it finds will not count"


def _distil(ahead: Outlook) -> Iterator[str]:
    fields = _fields(ahead)
    phase = ahead.document.reading.phase
    if fields and phase not in ("DISTILL", "CLOSED"):
        yield f"the phase is {phase or 'not named'}, not DISTILL: nothing says that it is distilled"
    for role in dict.fromkeys(one.role for one in fields):
        where = ahead.roles.get(role) or "no document plays it"
        named = ", ".join(_named(one) for one in fields if one.role == role)
        yield f"for {role} ({where}): {named}"
    if fields:
        yield "whether those documents hold it, only a reader can tell"


def _named(one: Lasting) -> str:
    count = f" ({one.items} item{'s' if one.items > 1 else ''})" if one.items else ""
    return f"{one.field}{count} line {one.line}"


def _fields(ahead: Outlook) -> tuple[Lasting, ...]:
    from ppgp_tui.ppgp.distil import lasting

    return lasting(ahead.document.reading)


def _lasting(ahead: Outlook) -> list[dict[str, Any]]:
    return [{**one._asdict(), "path": ahead.roles.get(one.role)} for one in _fields(ahead)]
