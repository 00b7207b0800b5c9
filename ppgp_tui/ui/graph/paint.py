"""A layout painted: nodes with their states, edges with their weight, the cursor on one of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from rich.cells import cell_len, split_text

from ppgp_tui.ui.graph.layout import Layout
from ppgp_tui.ui.graph.lines import BRIGHT, DASHED, PLAIN, WRONG, Drawn, Piece, edge_cells
from ppgp_tui.ui.graph.model import Node, Zoom
from ppgp_tui.ui.graph.size import clean, label_of, sign_of, word_of, wrapped
from ppgp_tui.ui.looks.look import Look, Role
from ppgp_tui.ui.rows.cells import exactly
from ppgp_tui.ui.rows.row import Span

_EDGE: dict[int, Role] = {DASHED: "edge", PLAIN: "edge", BRIGHT: "ink", WRONG: "stop"}


class Painter:
    """Paints windows of one layout."""

    def __init__(
        self,
        layout: Layout,
        nodes: Mapping[str, Node],
        zoom: Zoom,
        look: Look,
        cursor: str,
        gone: frozenset[tuple[str, str]],
    ) -> None:
        self._layout = layout
        self._nodes = [nodes[key] for key in layout.keys]
        self._zoom = zoom
        self._look = look
        self._cursor = cursor
        self._gone = gone
        self._family = any(node.faint for node in self._nodes)

    def __call__(self, row: int, x: int, width: int) -> tuple[Span, ...]:
        """The spans of `row` from column `x` on, exactly `width` cells."""
        spans: list[tuple[int, Span]] = []
        for at in self._layout.nodes.get(row, ()):
            box = self._layout.boxes[at]
            if box.x < x + width and box.x + box.width > x:
                node = self._nodes[at]
                here = box.x
                for span in node_row(
                    node, row - box.y, self._zoom, box.width, box.height,
                    node.key == self._cursor, self._look,
                ):  # fmt: skip
                    spans.append((here, span))
                    here += cell_len(span.text)
        pieces = self._layout.pieces.get(row)
        if pieces:
            cells = edge_cells(pieces, row, x, x + width, self._weight, self._look.ascii)
            spans += _runs(cells)
        return _window(sorted(spans, key=lambda one: one[0]), x, width)

    def _weight(self, piece: Piece) -> int:
        return max(
            self._weight_of(source, target) for source in piece.sources for target in piece.targets
        )

    def _weight_of(self, source: int, target: int) -> int:
        one, other = self._nodes[source], self._nodes[target]
        if (source, target) in self._layout.turned:
            return WRONG
        if "removed" in (one.mark, other.mark) or (one.key, other.key) in self._gone:
            return DASHED
        return BRIGHT if self._family and not one.faint and not other.faint else PLAIN


def _runs(cells: Mapping[int, Drawn]) -> Iterator[tuple[int, Span]]:
    """Neighbouring characters of one weight as one span, with the column it begins in."""
    begin, text, weight = 0, "", -1
    for x in sorted(cells):
        cell = cells[x]
        if x != begin + len(text) or cell.weight != weight:
            if text:
                yield begin, Span(text, _EDGE[weight], exact=True)
            begin, text, weight = x, "", cell.weight
        text += cell.character
    if text:
        yield begin, Span(text, _EDGE[weight], exact=True)


def _window(placed: list[tuple[int, Span]], x: int, width: int) -> tuple[Span, ...]:
    """What of `placed`, from left to right, is seen from column `x` on; blanks between."""
    seen: list[Span] = []
    at = x
    for begin, span in placed:
        text, end = span.text, begin + cell_len(span.text)
        if end <= x or begin >= x + width:
            continue
        if begin < x:
            text, begin = split_text(text, x - begin)[1], x
        if end > x + width:
            text = exactly(text, x + width - begin)
            end = x + width
        if begin > at:
            seen.append(Span(" " * (begin - at), exact=True))
        seen.append(span if text is span.text else span._replace(text=text))
        at = end
    if at < x + width:
        seen.append(Span(" " * (x + width - at), exact=True))
    return tuple(seen)


@lru_cache(maxsize=16_384)
def node_row(
    node: Node, row: int, zoom: Zoom, width: int, height: int, under: bool, look: Look
) -> tuple[Span, ...]:
    """One row of a node, exactly `width` cells."""
    if zoom == "cards":
        return _card_row(node, row, width, height, under, look)
    sign, role = sign_of(node, look)
    text = sign if zoom == "dots" else sign + label_of(node, look)
    return (_words(exactly(text, width), role, node, under),)


def _words(text: str, role: Role, node: Node, under: bool, on: Role | None = None) -> Span:
    """Sign, key and state word."""
    if under:
        return Span(text, "ink", band=True, exact=True)
    struck = node.mark == "removed"
    return Span(text, role, bold=not node.faint, strike=struck, exact=True, on=on)


def _card_row(
    node: Node, row: int, width: int, height: int, under: bool, look: Look
) -> tuple[Span, ...]:
    sign, role = sign_of(node, look)
    bare = look.ascii or look.ansi
    on: Role = "field" if under else "card"
    spine = Span("[", role, bold=True) if bare else Span(" ", role, band=True, exact=True)
    inner = width - 2
    if row:
        lines = wrapped(clean(node.subject, look.ascii_words), inner, height - 1, look.sign("cut"))
        text = lines[row - 1] if row <= len(lines) else ""
        words = Span(
            exactly(text, inner),
            _subject_role(node, under),
            bold=under,
            strike=node.mark == "removed",
            exact=True,
            on=on,
        )
    else:
        head = f"{sign} {label_of(node, look)}"
        word = word_of(node, inner - cell_len(head) - 1, look)
        blanks = " " * (inner - cell_len(head) - cell_len(word))
        words = _words(exactly(head + blanks + word, inner), role, node, under, on)
    end = Span("]", role, bold=True) if bare else words._replace(text=" ", strike=False)
    return spine, words, end


def _subject_role(node: Node, under: bool) -> Role:
    if under:
        return "ink"
    soft = node.faint or node.mark == "removed" or node.sign in ("done", "verified")
    return "soft" if soft and node.mark in ("", "removed") else "text"
