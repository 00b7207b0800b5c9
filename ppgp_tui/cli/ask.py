"""`ppgp-tui ask`: a question for a person, and waiting for what they say."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from ppgp_tui.cli.acting import acts, text_of, unique

if TYPE_CHECKING:
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Result

FOREVER = "forever"


class _Ask(click.Command):
    """`--wait` may stand without a number; what follows it is then no value of it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        from ppgp_tui.cli.times import seconds_of

        words = list(args)
        end = words.index("--") if "--" in words else len(words)
        for at, word in enumerate(words[:end]):
            follows = words[at + 1] if at + 1 < end else ""
            if word == "--wait" and seconds_of(follows) is None:
                words[at] = f"--wait={FOREVER}"
        return super().parse_args(ctx, words)


def _seconds(_: click.Context, param: click.Parameter, value: str | None) -> float | None:
    """What `--wait` says, in seconds; infinite for no number at all."""
    from ppgp_tui.cli.times import seconds_of

    if value is None or value == FOREVER:
        return None if value is None else float("inf")
    seconds = seconds_of(value)
    if seconds is None:
        text = f"{value!r} is neither seconds nor a duration such as 10m"
        raise click.BadParameter(text, param=param)
    return seconds


@click.command("ask", cls=_Ask)
@click.argument("question", required=False)
@click.option("--option", "options", multiple=True, metavar="TEXT", help="A choice; repeatable.")
@click.option("--recommend", metavar="N|LETTER", help="The choice you advise: 2, b, yes or no.")
@click.option(
    "--class",
    "klass",
    default="C",
    show_default=True,
    type=click.Choice(list("ABCD"), case_sensitive=False),
    metavar="A|B|C|D",
    help="B external, C a person's authority, D hard dependency; A is refused: solve it.",
)
@click.option("--scope", default="", help="What waits for it, as small as is true.")
@click.option("--why", help="Why a person has to decide this, and why now.")
@click.option("--evidence", help="What was observed that bears on it.")
@click.option("--frees", multiple=True, metavar="KEY", help="A task that waits; repeatable.")
@click.option("--irreversible", is_flag=True, help="It cannot be undone afterwards.")
@click.option("--expires", metavar="WHEN", help="90s, 15m, 2h, 3d, 18:00 or a date.")
@click.option(
    "--wait", "wait_s", metavar="[SECONDS]", callback=_seconds, help="Wait for the answer."
)
@click.option("--resume", metavar="ID", help="Wait again for the answer to ID.")
@click.option("--withdraw", metavar="ID", help="Ask ID no longer.")
@acts(
    example='ppgp-tui ask "Publish 0.2.0?" --option now --option "in May" --recommend 2 --wait 600',
)
def ask(
    engine: Engine,
    question: str | None,
    options: tuple[str, ...],
    recommend: str | None,
    klass: str,
    scope: str,
    why: str | None,
    evidence: str | None,
    frees: tuple[str, ...],
    irreversible: bool,
    expires: str | None,
    wait_s: float | None,
    resume: str | None,
    withdraw: str | None,
) -> Result:
    """Ask a person QUESTION. Without --option it is answered yes or no.

    Prints the id and returns; with --wait it returns when the question is answered and prints
    the option (yes, no, a, b …) or the text on the first line. QUESTION may be - for standard
    input. Exit code 3: it expired, which is not a no; 4: the time to wait is over and the
    question stays open.
    """
    from ppgp_tui.session.actions import asking

    if sum(word is not None for word in (question, resume, withdraw)) != 1:
        raise click.UsageError("give a QUESTION, or --resume ID, or --withdraw ID")
    if withdraw is not None:
        return asking.withdraw(engine, _recorded_id(engine, withdraw))
    if resume is not None:
        from ppgp_tui.cli.waiting import resume as resume_waiting

        return resume_waiting(engine, _recorded_id(engine, resume), _limit(wait_s))
    asked = asking.Question(
        text_of(question or ""),
        klass=klass,
        scope=scope,
        why=why,
        evidence=evidence,
        options=options,
        recommended=_choice(recommend),
        irreversible=irreversible,
        frees=frees,
        expires_ms=_moment(expires, engine.clock()),
    )
    result = asking.ask(engine, asked, pid=None if wait_s is None else os.getpid())
    if not result.ok:
        return result
    hint = f"wait for the answer with: ppgp-tui ask --resume {result.data['request']}"
    if wait_s is None:
        return replace(result, message=f"{result.message}\n{hint}")
    from ppgp_tui.cli.waiting import wait

    said = f"{result.message}, waiting; if this is interrupted, {hint}"
    return wait(engine, result, _limit(wait_s), said)


def _recorded_id(engine: Engine, given: str) -> str:
    from ppgp_tui.session.actions.recorded import recorded

    return unique(given, "req", list(recorded(engine).ledger.requests))


def _limit(wait_s: float | None) -> float | None:
    """Seconds to wait; None for ever."""
    return None if wait_s is None or wait_s == float("inf") else wait_s


def _moment(expires: str | None, now_ms: int) -> int | None:
    from ppgp_tui.cli.times import moment_of

    try:
        return None if expires is None else moment_of(expires, now_ms)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--expires") from None


def _choice(said: str | None) -> str | None:
    from ppgp_tui.cli.choices import choice

    return None if said is None else choice(said)
