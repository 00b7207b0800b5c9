"""What the report rests on: the log's conformance, what is wrong, and the files themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ppgp_tui.session.sharing.markdown import code, table, text
from ppgp_tui.session.text import sentence
from ppgp_tui.ui.plain.ages import counted
from ppgp_tui.ui.sharing.report.material import Material, SourceFile, moment
from ppgp_tui.version import __version__

_CHECKS = {
    "passed": "passed", "failed": "failed", "checking": "not finished", "unchecked": "not checked",
    "unknown": "not checked",
}  # fmt: skip


def conformance(material: Material) -> Iterator[str]:
    """How the log stands with each check, and the first findings."""
    known = material.snapshot.conformance.value
    if known.state == "absent":
        yield "There is no log."
        return
    if known.lines is not None:
        yield f"{counted(known.lines, 'line')} were checked."
        yield ""
    yield from table(
        ("check", "", "outcome"),
        (
            (str(one.number), text(one.name),
             f"{_CHECKS[one.state]}" + (f", {counted(one.findings, 'finding')}" if one.findings
                                        else "") + (f": {text(one.why)}" if one.why else ""))
            for one in known.checks
        ),
    )  # fmt: skip
    if known.first:
        yield ""
        for finding in known.first:
            place = f" ({code(finding.path)}, line {finding.line})" if finding.line else ""
            yield f"- check {finding.check}: {text(finding.text)}{place}"
    more = known.findings - len(known.first)
    if more > 0:
        yield f"- and {counted(more, 'finding')} more"


def problems(material: Material) -> Iterator[str]:
    """What is wrong with files, and what the goal document lacks."""
    snapshot = material.snapshot
    goal = snapshot.goal.value
    found = [(goal.path, one.line, one.text, one.mend) for one in goal.reasons]
    found += [(one.path, one.line, one.text, one.mend) for one in snapshot.problems]
    found += [
        (one.path, None, f"could not be read: {one.why}", "")
        for one in snapshot.sources
        if one.state == "unread"
    ]
    if not found:
        yield "None is known."
    home = f"{Path.home()}"
    for path, line, words, mend in found:
        shown = path.replace(home, "~", 1) if path.startswith(home) else path
        place = f"{shown}, line {line}" if line else shown
        what_to_do = f" What to do: {text(sentence(mend))}" if mend else ""
        yield f"- {code(place)}: {text(sentence(words))}{what_to_do}"


def provenance(material: Material) -> Iterator[str]:
    """The files with their digests, the commit, and what made the report."""
    yield from table(
        ("file", "bytes", "lines", "changed, UTC", "SHA-256"),
        (_file(one) for one in material.files),
    )
    yield ""
    repo, events = material.snapshot.repo.value, material.snapshot.events.value
    if not repo.git:
        yield "- Not in a Git repository."
    else:
        place = "detached" if repo.detached else f"branch {code(repo.branch or 'unknown')}"
        head = f"commit {code(repo.head)}" if repo.head else "no commit yet"
        yield f"- {head}, {place}"
        if repo.dirty:
            yield f"- {counted(repo.dirty, 'path')} changed and not committed"
        if events.uncommitted:
            yield f"- {counted(events.uncommitted, 'line')} of the log not committed"
    if material.since_ms is not None:
        yield f"- story and changes since {moment(material.since_ms)} UTC"
    yield f"- made by ppgp-tui {__version__} at {moment(material.now_ms)} UTC"


def _file(one: SourceFile) -> tuple[str, ...]:
    if one.bytes is None:
        return code(one.path), text(one.why or "not there"), "", "", ""
    return (
        code(one.path),
        f"{one.bytes:,}",
        f"{one.lines:,}",
        moment(one.changed_ms),
        code(one.digest),
    )
