"""`ppgp-tui answer`: a person answers, or takes an answer back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ppgp_tui.cli.acting import acts, text_of

if TYPE_CHECKING:
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Result


@click.command("answer")
@click.argument("request_id", metavar="ID")
@click.argument("option", required=False)
@click.option("--text", help="Your own words in place of an option; - for standard input.")
@click.option("--note", help="Words that go with it.")
@click.option("--digest", metavar="DIGEST", help="Only if the question still has this digest.")
@click.option("--take-back", is_flag=True, help="Take your answer back, until it is delivered.")
@acts(
    "granting",
    example='ppgp-tui requests\nppgp-tui answer 5c0b yes --note "but not on Friday"',
)
def answer(
    engine: Engine,
    request_id: str,
    option: str | None,
    text: str | None,
    note: str | None,
    digest: str | None,
    take_back: bool,
) -> Result:
    """Answer a question (yours alone).

    ID may be its first digits; OPTION is yes, no or the letter of an option. The answer is signed
    and recorded; whoever waits goes on. Needs a terminal, or authority.scripted = true in your own
    config.toml, and is refused to agents.
    """
    from ppgp_tui.cli.asked import all_requests, find
    from ppgp_tui.cli.choices import choice
    from ppgp_tui.session.actions import answering
    from ppgp_tui.session.actions.answering import Said
    from ppgp_tui.session.actions.recorded import recorded
    from ppgp_tui.session.actions.signing import answered
    from ppgp_tui.session.text import one_line

    if sum((option is not None, text is not None, take_back)) != 1:
        raise click.UsageError("give an OPTION, or --text, or --take-back")
    request = find(all_requests(engine, recorded(engine)), request_id)
    if take_back:
        return answering.take_back(engine, request.id)
    said = Said(
        choice(option, request.kind) if option is not None else None,
        text_of(text) if text is not None else None,
        note,
    )
    seen = digest or request.digest or None
    result = answered(engine, request.id, said, seen_digest=seen)
    return replace(result, message=f"{result.message}: {one_line(request.question)}")
