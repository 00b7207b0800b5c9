"""`ppgp-tui gasp check`: the seven conformance checks on an agent repository."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from ppgp_tui.cli.out import write
from ppgp_tui.version import __version__

if TYPE_CHECKING:
    from ppgp_tui.gasp.checks.report import CheckResult, Finding, Report

_USAGE: Final = "usage: ppgp-tui gasp check <agent-repo> [--fixture]"
_HELP: Final = f"""\
{_USAGE} [--json] [--explain]
  --fixture   additionally assert the Part VI fixture graph facts
"""
_PIECE: Final = 4096
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class Wanted(NamedTuple):
    """What the words on the command line ask for."""

    repository: str
    fixture: bool = False
    as_json: bool = False
    explain: bool = False


class UsageError(Exception):
    """The words cannot be followed; the message is for standard error."""


class _Words(click.Command):
    """Leaves its words as they are, `--` too: they are followed from left to right."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        ctx.params["words"] = tuple(args)
        return []


@click.command("check", cls=_Words, add_help_option=False)
def check(words: tuple[str, ...]) -> None:
    """Run the seven conformance checks on an agent repository.

    Exit code 0: all passed, 1: at least one failed, 2: usage.
    """
    sys.exit(main(words))


def main(words: Iterable[str]) -> int:
    """Check the repository that `words` name and print the report; return the exit code."""
    try:
        wanted = read_words(words)
    except UsageError as error:
        click.echo(printable(str(error)), err=True)
        return 2
    if wanted is None:
        write(_HELP)
        return 0
    from ppgp_tui.gasp.checks.check import check as run_checks
    from ppgp_tui.gasp.history import read_history
    from ppgp_tui.gasp.repo import read_repository

    repository = read_repository(wanted.repository)
    report = run_checks(repository, read_history(wanted.repository), fixture=wanted.fixture)
    log = repository.log if isinstance(repository.log, bytes) else b""
    if wanted.as_json:
        said = as_json(report, log if wanted.explain else None)
        write(json.dumps(said, ensure_ascii=True, indent=2) + "\n")
    else:
        first = f"ppgp-tui gasp check {__version__} — event schema 1"
        _write_lines(
            chain([first], report.lines(), _explained(report, log) if wanted.explain else ())
        )
    return 0 if report.passed else 1


def _write_lines(lines: Iterator[str]) -> None:
    """Some thousand at a time: a log of nothing but faults has millions."""
    while piece := list(islice(lines, _PIECE)):
        if not write("".join(printable(line) + "\n" for line in piece)):
            return


def read_words(words: Iterable[str]) -> Wanted | None:
    """Read the words from left to right; None: help is asked for. Raises `UsageError`."""
    flags: dict[str, bool] = {}
    repository = None
    for word in words:
        if word in ("-h", "--help"):
            return None
        if word in ("--fixture", "--json", "--explain"):
            flags[word] = True
        elif word.startswith("-"):
            raise UsageError(f"error: unknown flag `{word}`")
        elif repository is not None:
            raise UsageError("error: multiple repo paths given (one at a time)")
        else:
            repository = word
    if repository is None:
        raise UsageError(_USAGE)
    return Wanted(repository, *(name in flags for name in ("--fixture", "--json", "--explain")))


def printable(line: str) -> str:
    r"""A line as a terminal may have it: control characters of the log as `\u001b`."""
    return _CONTROL.sub(lambda sign: f"\\u{ord(sign[0]):04x}", line)


def as_json(report: Report, log: bytes | None = None) -> dict[str, Any]:
    """The report, schema `ppgp-tui/gasp-check/1`; with `log` every finding is explained."""
    return {
        "schema": "ppgp-tui/gasp-check/1",
        "ok": report.passed,
        "checks": [
            {
                "number": check.number,
                "name": check.name,
                "passed": check.passed,
                "notes": list(check.notes),
                "findings": list(_findings_json(check, log)),
            }
            for check in report.checks
        ],
    }


def _findings_json(check: CheckResult, log: bytes | None) -> Iterator[dict[str, Any]]:
    for finding in check.findings:
        place = finding.place
        yield {
            "text": finding.text,
            "rule": finding.rule,
            "path": finding.path or None,
            "line": place.line if place else None,
            "physical_line": place.physical if place else None,
            "event": place.event if place else None,
            **({} if log is None else _reason(finding, log)),
        }


def _reason(finding: Finding, log: bytes) -> dict[str, str]:
    from ppgp_tui.gasp.explain import explain

    (told,) = explain([finding], log)
    return {"told": told.event, "why": told.why, "mend": told.mend}


def _explained(report: Report, log: bytes) -> Iterator[str]:
    """Each finding once more, with the reason of its rule and what can be done."""
    from ppgp_tui.gasp.explain import explain

    findings = [finding for check in report.checks for finding in check.findings]
    waiting = [finding for finding in findings if finding.rule == "not_run"]
    numbers = ", ".join(str(finding.check) for finding in waiting)
    told_once = [finding for finding in findings if finding.rule != "not_run"] + waiting[:1]
    for told in explain(told_once, log):
        is_many = told.finding.rule == "not_run" and len(waiting) > 1
        which = f"checks {numbers}" if is_many else f"check {told.finding.check}"
        yield ""
        yield f"{which}: {told.finding.text}"
        for label, words in (
            ("where", told.where),
            ("event", told.event),
            ("why", told.why),
            ("mend", told.mend),
        ):
            if words:
                yield from textwrap.wrap(
                    printable(words), 100, initial_indent=f"  {label:<6} ",
                    subsequent_indent=" " * 9,
                )  # fmt: skip
