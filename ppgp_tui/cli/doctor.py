"""`ppgp-tui doctor`: what is amiss here, why it matters, and what to do."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ppgp_tui.session.doctor.finding import Finding, Report

_SIGNS = {"ok": "ok", "note": "note", "warning": "warn", "error": "FAIL"}


_HELP = """\
Say what is amiss here, why it matters and what to do.

Looks at the session (folders, settings, goal document, keys, Git, terminal), at the agents
(installed, connected, trusted, heard of), at the log as the agent's state (who commits it, how it
grows, merging, lease, the seven checks) and at audits (sandbox, reports, trusted commands).
Nothing is changed, ever. Exit code: 0 all is well, 1 something needs attention, 2 usage.

\b
Example:
  ppgp-tui doctor
"""


@click.command("doctor", help=_HELP)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option(
    "--root", metavar="FOLDER", type=click.Path(path_type=Path), help="The repository, exactly."
)
def doctor(root: Path | None, as_json: bool) -> None:
    """Print what the sections find."""
    from ppgp_tui.cli.aim import aim
    from ppgp_tui.session.files.root import RootError
    from ppgp_tui.session.text import one_line

    try:
        found = aim(Path.cwd(), None, root, os.environ).root
    except RootError as error:
        raise click.UsageError(one_line(str(error))) from error
    found_here = reports(found)
    (_print_json if as_json else _print)(found, found_here)
    sys.exit(any(finding.needs_attention for one in found_here for finding in one.findings))


def reports(root: Path) -> list[Report]:
    """Every section of the doctor on `root`."""
    from ppgp_tui.agents.connect.doctor import agents
    from ppgp_tui.audit.doctor import audits
    from ppgp_tui.session.doctor.finding import examine
    from ppgp_tui.session.doctor.gasp import gasp
    from ppgp_tui.session.doctor.session import session

    sections = (
        ("session", session), ("session", _terminal), ("agents", agents), ("gasp", gasp),
        ("audits", audits),
    )  # fmt: skip
    return examine(root, sections)


def _terminal(root: Path) -> Iterator[Finding]:
    from ppgp_tui.session.doctor.finding import Finding
    from ppgp_tui.ui.terminal.ability import ability, refusal

    del root
    can = ability(os.environ, sys.stdout.encoding)
    if why := refusal(os.environ, input_is_terminal=True, output_is_terminal=True):
        mend = "set TERM to what the terminal is, such as xterm-256color"
        yield Finding("note", "the app cannot be shown here", why, mend)
    signs = "ASCII signs" if can.ascii_signs else "UTF-8 signs"
    said = f"the terminal gets {signs}, {'colours' if can.colour else 'no colours'}"
    if can.ascii_signs and not os.environ.get("PPGP_ASCII"):
        why = "the locale is not UTF-8, or the output's encoding"
        yield Finding("note", said, why, "set LANG to a UTF-8 locale, such as C.UTF-8")
    else:
        yield Finding("ok", said)


def _print(root: Path, reports: list[Report]) -> None:
    from ppgp_tui.cli.out import write
    from ppgp_tui.session.text import one_line

    lines: list[str] = []
    for report in reports:
        lines.append(report.name)
        for finding in report.findings:
            where = finding.path + (f", line {finding.line}" if finding.line else "")
            behind = f" ({where})" if where and where not in finding.text else ""
            lines.append(f"  {_SIGNS[finding.state]:<4}  {one_line(finding.text + behind)}")
            for word, text in (("why", finding.why), ("do", finding.mend)):
                if text and finding.state != "ok":
                    lines.append(f"        {word}: {one_line(text)}")
        lines.append("")
    lines.append(_verdict(reports))
    write("".join(f"{line}\n" for line in lines))
    del root


def _verdict(reports: list[Report]) -> str:
    states = [finding.state for report in reports for finding in report.findings]
    wrong = sum(state in ("warning", "error") for state in states)
    notes = states.count("note")
    and_notes = f"; {notes} worth knowing" if notes else ""
    if wrong:
        return f"{wrong} of {len(states)} need{'s' if wrong == 1 else ''} attention{and_notes}"
    return f"nothing needs attention{and_notes}"


def _print_json(root: Path, reports: list[Report]) -> None:
    from ppgp_tui.cli.json_text import json_text
    from ppgp_tui.cli.out import write

    value = {
        "schema": "ppgp-tui/doctor/1",
        "root": str(root),
        "ok": not any(one.needs_attention for report in reports for one in report.findings),
        "sections": [
            {"name": report.name, "findings": [_finding(one) for one in report.findings]}
            for report in reports
        ],
    }
    write(json_text(value, indent=2))


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "state": finding.state,
        "text": finding.text,
        "why": finding.why,
        "mend": finding.mend,
        "path": finding.path or None,
        "line": finding.line,
    }
