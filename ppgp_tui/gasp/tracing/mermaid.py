"""A lineage as a Mermaid flowchart, safe for any title."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ppgp_tui.gasp.tracing.lineage import Branch, Lineage, Unlinked
from ppgp_tui.gasp.tracing.things import Thing

LONGEST = 60
"""Characters of a title in a box."""

_PLAIN = frozenset(" .,:/()+=?!'-_")
_LIST = re.compile(r"[0-9]+[.)]|[-+]")
"""How a list begins in Markdown, which a label is read as; lists are refused there."""


def mermaid(lineage: Lineage) -> str:
    """Return the flowchart: what came first on the left, each arrow with how it is known."""
    return "\n".join(["flowchart LR", *_Chart().lines(lineage)]) + "\n"


class _Chart:
    """Boxes are drawn once and called n0, n1 …: ids of the log are only ever labels."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}
        self._extra = 0

    def lines(self, lineage: Lineage) -> Iterator[str]:
        yield from self._box(lineage.up)
        for branch, upwards in ((lineage.up, True), (lineage.down, False)):
            yield from self._below(branch, upwards)
        yield f"  style {self._names[lineage.up.key]} stroke-width:3px"
        yield from self._lost(lineage.unlinked)

    def _box(self, branch: Branch) -> Iterator[str]:
        if branch.key not in self._names:
            name = self._names[branch.key] = f"n{len(self._names)}"
            yield f'  {name}["{_label(branch.thing)}"]'

    def _below(self, branch: Branch, upwards: bool) -> Iterator[str]:
        here = self._names[branch.key]
        for one in branch.branches:
            yield from self._box(one)
            there = self._names[one.key]
            first, last = (there, here) if upwards else (here, there)
            yield f'  {first} -->|"{escaped(one.ways[0].words)}"| {last}'
            yield from self._below(one, upwards)
        for artifact in branch.artifacts:
            box = f'{self._new()}["{escaped(artifact.uri)}"]'
            yield f'  {here} -->|"{escaped(artifact.how)}"| {box}'
        if branch.more:
            more = "many" if branch.too_many else str(branch.more)
            yield f'  {here} -.- {self._new()}["and {more} more"]'

    def _lost(self, unlinked: tuple[Unlinked, ...]) -> Iterator[str]:
        if not unlinked:
            return
        yield '  subgraph lost["unlinked"]'
        for one in unlinked:
            yield f'    {self._new()}["{escaped(one.reason, 120)}"]'
        yield "  end"

    def _new(self) -> str:
        self._extra += 1
        return f"x{self._extra}"


def _label(thing: Thing) -> str:
    head = escaped(" ".join(filter(None, (thing.kind, thing.status))))
    body = escaped(thing.title or thing.id)
    return f"{head}<br/>{body}" if head else body


def escaped(text: str, longest: int = LONGEST) -> str:
    """Any text as a label: one line, signs that Mermaid or HTML may read as codes of characters."""
    short = " ".join(text.split())
    if len(short) > longest:
        short = short[: longest - 1] + "…"
    start = _LIST.match(short)
    safe_from = start.end() if start else 0
    first = "".join(sign if sign.isdigit() else f"#{ord(sign)};" for sign in short[:safe_from])
    return first + "".join(map(_sign, short[safe_from:])) or " "


def _sign(sign: str) -> str:
    if sign.isalnum() or sign in _PLAIN or (ord(sign) > 0xFF and sign.isprintable()):
        return sign
    return f"#{ord(sign)};" if sign.isprintable() else "�"
