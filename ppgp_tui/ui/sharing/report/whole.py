"""The report as one Markdown text: the same for the same files and the same moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ppgp_tui.session.sharing.markdown import text
from ppgp_tui.ui.looks.words import plain
from ppgp_tui.ui.sharing.report import now, past, proof
from ppgp_tui.ui.sharing.report.material import Material, moment


def report(material: Material, drawn: str = "") -> str:
    """The whole report; `drawn` is the plan's graph as text.

    Pictures are named by their files, which lie beside it. Every word of a file is escaped.
    """
    goal = material.snapshot.goal.value
    about = plain(goal.goal or goal.title or "no goal")
    lines = [
        f"# {text(about)}",
        "",
        f"Report of {text(material.snapshot.root.name)} as of {moment(material.now_ms)} UTC.",
    ]
    first, *others = material.pictures or (None,)
    if first is not None:
        lines += ["", f"![{first.title}]({first.name})"]
    sections: tuple[tuple[str, Iterable[str]], ...] = (
        ("Where it stands", now.standing(material)),
        ("Goal and done when", now.goal(material)),
        ("Plan", now.plan(material, drawn)),
        ("What changed", past.changes(material)),
        ("Blockers", now.blockers(material)),
        ("Requests", now.requests(material)),
        ("Story", past.story(material)),
        ("Agents and the person", now.agents(material)),
        ("Conformance of the log", proof.conformance(material)),
        ("Open problems", proof.problems(material)),
        ("What this rests on", proof.provenance(material)),
    )
    for title, section in sections:
        lines += ["", f"## {title}", "", *section]
    if others:
        lines += ["", "## Screens"]
        for one in others:
            lines += ["", f"### {one.title}", "", f"![{one.title}]({one.name})"]
    return "\n".join(_once_blank(lines)) + "\n"


def _once_blank(lines: Iterable[str]) -> Iterator[str]:
    """The lines without a second blank one after a blank one."""
    before = ""
    for line in lines:
        if line or before:
            yield line
        before = line
