"""`ppgp-tui blocker`: what is in the way, of which class, and of what."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from ppgp_tui.cli.acting import acts, unique

if TYPE_CHECKING:
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Result


@click.group("blocker")
def blocker() -> None:
    """Raise, clear and list blockers."""


@blocker.command("raise")
@click.argument("text")
@click.option(
    "--class",
    "klass",
    required=True,
    type=click.Choice(list("ABCD"), case_sensitive=False),
    metavar="A|B|C|D",
    help="A solvable by the agent, B external, C a person's authority, D hard dependency.",
)
@click.option("--scope", default="", help="What it stops, as small as is true.")
@click.option("--until", metavar="DATE", help="When it ends by itself: YYYY-MM-DD.")
@click.option("--task", "tasks", multiple=True, metavar="KEY", help="A task it stops; repeatable.")
@acts(example='ppgp-tui blocker raise "No staging database" --class B --task deploy')
def raise_(
    engine: Engine, text: str, klass: str, scope: str, until: str | None, tasks: tuple[str, ...]
) -> Result:
    """Record that TEXT is in the way."""
    from ppgp_tui.session.actions import blocker as actions

    return actions.raise_(engine, text, klass=klass, scope=scope, until=until, tasks=tasks)


@blocker.command("clear")
@click.argument("blocker_id", metavar="ID")
@click.option("--reason", required=True, help="Why it no longer stands.")
@acts(example='ppgp-tui blocker clear 5c0b --reason "the database is up"')
def clear(engine: Engine, blocker_id: str, reason: str) -> Result:
    """Record that the blocker ID is gone."""
    from ppgp_tui.session.actions import blocker as actions
    from ppgp_tui.session.actions.recorded import recorded

    found = unique(blocker_id, "blk", list(recorded(engine).ledger.blockers))
    return actions.clear(engine, found, reason)


@blocker.command("list")
@acts(example="ppgp-tui blocker list --json")
def list_(engine: Engine) -> Result:
    """Print the open blockers: recorded ones with their ids, then those of the goal document."""
    from ppgp_tui.session.actions.recorded import recorded

    seen = recorded(engine)
    raised = [
        {"id": blocker_id, **{name: value.get(name) for name in _MEMBERS}}
        for blocker_id, value in seen.ledger.blockers.items()
    ]
    document = engine.read_document()
    written = [
        {"class": one.klass, **{name: getattr(one, name) for name in _WRITTEN}}
        for one in document.reading.blockers
    ]
    lines = [*_raised(raised), *_written(written, document.path)]
    data = {"blockers": raised, "document": written}
    return seen.result("blocker.list", "\n".join(lines) or "no open blocker", data)


_MEMBERS = ("class", "text", "scope", "until", "blocks", "origin")
_WRITTEN = ("inferred", "scope", "until", "text", "line")


def _raised(blockers: Iterable[dict[str, Any]]) -> Iterable[str]:
    from ppgp_tui.session.text import one_line

    for one in blockers:
        stops = ", ".join(one["blocks"] or ())
        about = [one["scope"], f"stops {stops}" if stops else "", _until(one["until"])]
        text = "; ".join(words for words in (one["text"], *about) if words)
        yield "  ".join(map(one_line, (one["id"][:12], one["class"], text)))


def _written(blockers: Iterable[dict[str, Any]], path: str) -> Iterable[str]:
    from ppgp_tui.session.text import one_line

    for one in blockers:
        klass = f"{one['class']} (inferred)" if one["inferred"] else one["class"] or "no class"
        text = _said(one)
        yield "  ".join(map(one_line, (f"{path}:{one['line']}", klass, text)))


def _said(one: dict[str, Any]) -> str:
    """The words without the class before them, which has its column; a date is said once."""
    text = str(one["text"])
    if one["class"] and not one["inferred"]:
        named = rf"^(\[{one['class']}\]|(class )?{one['class']}\s*[:.-])\s*"
        text = re.sub(named, "", text, flags=re.IGNORECASE)
    until = one["until"]
    return text if not until or until in text else f"{text}; {_until(until)}"


def _until(date: str | None) -> str:
    return f"until {date}" if date else ""
