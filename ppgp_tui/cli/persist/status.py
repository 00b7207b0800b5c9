"""`persist status`: the loops that are not closed, or all of them."""

from __future__ import annotations

import argparse
import json
from typing import Any

from ppgp_tui.cli.persist.printing import say, warn
from ppgp_tui.cli.persist.seeing import (
    NotOneError,
    at_most_one,
    home,
    log_of,
    not_found,
    now_ms,
    seen,
)
from ppgp_tui.persist import words
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.loop import Loop
from ppgp_tui.persist.reading import Reading


def add(parser: argparse.ArgumentParser) -> None:
    """The options."""
    parser.add_argument("--loop-id", metavar="ID", help="only this loop, where it is listed")
    parser.add_argument("--json", action="store_true", help="whole last rows, as JSON")
    parser.add_argument("--all", action="store_true", help="closed loops too")
    parser.add_argument("--compat", action="store_true", help="the original's lines and no more")


def run(args: argparse.Namespace) -> int:
    """Print them; what is wrong with the log goes to standard error and hides no loop."""
    where = home()
    reading = log_of(where).read()
    warn(*words.damage(str(where.log), reading))
    if late := words.late(reading):
        warn(late)
    try:
        listed = _listed(reading, args.loop_id, every=args.all)
        if args.loop_id is not None and not listed and not args.compat:
            warn(*_why_unlisted(reading, args.loop_id))
    except NotOneError as error:
        warn(*error.args)
        return 1
    if args.json:
        say(*json.dumps(_json(where, reading, listed, args), indent=2).split("\n"))
        return 0
    now, lines = now_ms(), []
    for loop in listed:
        lines.append(words.status_line(loop))
        if not args.compat:
            lines += words.about(seen(where, loop), now)
    say(*lines or [words.NO_LOOPS])
    return 0


def _listed(reading: Reading, given: str | None, *, every: bool) -> list[Loop]:
    if given is None:
        return list(reading.loops if every else reading.open)
    found = at_most_one(given, reading, only_open=not every)
    return [found] if found else []


def _why_unlisted(reading: Reading, given: str) -> tuple[str, ...]:
    """Nothing on standard output must not look as if the loop had never been."""
    loop = at_most_one(given, reading)
    if loop is None:
        return not_found(given)
    return (f"loop {loop.loop_id} is closed ({loop.state}); --all lists it",)


def _json(
    where: Home, reading: Reading, listed: list[Loop], args: argparse.Namespace
) -> dict[str, Any]:
    value: dict[str, Any] = {"open_loops": [words.whole_row(one) for one in listed if one.open]}
    damaged = bool(reading.bad_count or reading.incomplete_tail)
    if args.compat:
        return value
    if args.all:
        value["loops"] = [words.as_json(seen(where, one)) for one in listed]
        value["good_rows"] = reading.good_rows
    if args.all or damaged:
        value["bad_lines"] = [bad.line for bad in reading.bad]
        value["incomplete_tail"] = reading.incomplete_tail
    return value
