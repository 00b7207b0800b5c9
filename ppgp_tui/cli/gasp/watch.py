"""`ppgp-tui gasp watch`: the verdict of `gasp check`, kept live."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from ppgp_tui.cli.out import write

if TYPE_CHECKING:
    from ppgp_tui.session.model import SessionSnapshot
    from ppgp_tui.session.picture.conformance import Conformance, Finding

SCHEMA: Final = "ppgp-tui/gasp-watch/1"
_HELP: Final = """\
Print how an agent repository stands with the seven checks, and a line at every change.

Only what is new in the log is checked; Git is asked when HEAD, an index or a ref moved. A last line
without its end counts after ten seconds. Ctrl+C ends it.

Exit code: 0 everything passed at the end, 1 it did not, 2 usage.

\b
Example:
  ppgp-tui gasp watch ../agent
  ppgp-tui gasp watch --json | jq -r .state
"""


class Change(NamedTuple):
    """What differs between two verdicts."""

    worse: tuple[Finding, ...]
    better: tuple[Finding, ...]
    counts: tuple[tuple[int, int, int], ...]
    """Checks whose number of findings differs: number, before, now."""


@click.command("watch", help=_HELP)
@click.argument("repository", metavar="[REPO]", required=False, type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def watch(repository: Path | None, as_json: bool) -> None:
    """Watch until Ctrl+C."""
    root = _root(repository)
    if not root.is_dir():
        from ppgp_tui.session.text import one_line

        click.echo(f"{one_line(str(root))} is no folder: name an agent repository", err=True)
        sys.exit(1)
    sys.exit(follow(root, as_json=as_json))


def follow(root: Path, *, as_json: bool) -> int:
    """Print the verdict on `root` and its changes until Ctrl+C; return the exit code."""
    from ppgp_tui.session.live.store import LiveSession

    pictures: SimpleQueue[SessionSnapshot] = SimpleQueue()
    session = LiveSession(root)
    session.check_log()
    before: Conformance | None = None
    try:
        session.follow(pictures.put)
        while True:
            picture = pictures.get()
            now = picture.conformance.value
            if is_settled(now) and (before is None or _differs(before, now)):
                told = as_line(now, before, picture.at_ms) if as_json else sentences(now, before)
                before = now
                if not write(told):
                    break
    except KeyboardInterrupt:
        pass
    finally:
        session.close()
    return 0 if before is not None and before.findings == 0 else 1


def is_settled(now: Conformance) -> bool:
    """Whether every check has an outcome, or a reason why it has none."""
    return all(one.state not in ("unknown", "checking") for one in now.checks)


def change(before: Conformance, now: Conformance) -> Change:
    """What became worse and what better."""
    old = {(finding.check, finding.text) for finding in before.first}
    new = {(finding.check, finding.text) for finding in now.first}
    counts = (
        (one.number, was.findings, one.findings)
        for was, one in zip(before.checks, now.checks, strict=True)
        if was.findings != one.findings
    )
    return Change(
        tuple(one for one in now.first if (one.check, one.text) not in old),
        tuple(one for one in before.first if (one.check, one.text) not in new),
        tuple(counts),
    )


def sentences(now: Conformance, before: Conformance | None) -> str:
    """The lines for a person."""
    return "".join(f"{line}\n" for line in _sentences(now, before))


def as_line(now: Conformance, before: Conformance | None, at_ms: int) -> str:
    """The line for a program."""
    differs = change(before, now) if before is not None else None
    value = {
        "schema": SCHEMA,
        "at_ms": at_ms,
        "ok": now.findings == 0,
        "state": now.state,
        "lacks": list(now.lacks),
        "lines": now.lines,
        "offset": now.offset,
        "findings": now.findings,
        "checks": [
            {"number": one.number, "state": one.state, "findings": one.findings}
            for one in now.checks
        ],
        "worse": _all(differs.worse if differs else now.first),
        "better": _all(differs.better if differs else ()),
    }
    return json.dumps(value, ensure_ascii=True, separators=(",", ":")) + "\n"


def _root(repository: Path | None) -> Path:
    if repository is not None:
        return repository.absolute()
    import os

    from ppgp_tui.session.files.root import find_root

    return find_root(Path.cwd(), None, os.environ)


def _differs(before: Conformance, now: Conformance) -> bool:
    from ppgp_tui.session.picture.conformance import same_verdict

    return not same_verdict(before, now)


def _sentences(now: Conformance, before: Conformance | None) -> Iterator[str]:
    from ppgp_tui.session.text import one_line

    moment = time.strftime("%H:%M:%S")
    yield f"{moment}  {_verdict(now)}"
    differs = change(before, now) if before is not None else Change(now.first, (), ())
    said: dict[int, int] = {}
    for word, findings in (("worse", differs.worse), ("better", differs.better)):
        for one in findings:
            said[one.check] = said.get(one.check, 0) + (1 if word == "worse" else -1)
            how = word if before else "fails"
            yield f"{moment}  {how}: check {one.check}: {one_line(one.text)}"
    for number, old, new in differs.counts:
        if new - old != said.get(number, 0):
            yield f"{moment}  check {number}: {new:,} findings, before {old:,}"
    shown = len(now.first)
    if before is None and now.findings > shown:
        yield f"{moment}  and {now.findings - shown:,} more: ppgp-tui gasp check REPO"


def _verdict(now: Conformance) -> str:
    lines = f"{now.lines:,} line{'' if now.lines == 1 else 's'}" if now.lines is not None else ""
    if now.state == "absent":
        return "no log: state/events.jsonl is not there"
    if now.state == "ok":
        return f"log ok, {lines}, all seven checks passed"
    if now.state == "incomplete":
        return f"log ok, no {' and no '.join(now.lacks)}, {lines}"
    failed = [str(one.number) for one in now.checks if one.state == "failed"]
    findings = f"{now.findings:,} finding{'' if now.findings == 1 else 's'}"
    checks = f"check{'' if len(failed) == 1 else 's'} {', '.join(failed)} failed"
    return ", ".join(filter(None, (f"log: {findings}", lines, checks)))


def _all(findings: tuple[Finding, ...]) -> list[dict[str, Any]]:
    return [finding._asdict() for finding in findings]
