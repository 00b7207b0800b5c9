"""Edges as characters: pieces of line that meet, cross and pass, one row at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
_DRAWN = " │││─╯╮┤─╰╭├─┴┬┼"
_DASHED = " ╎╎╎╌╯╮┤╌╰╭├╌┴┬┼"
_ASCII = " |||-'.+-`.+-+++"
_ASCII_DASHED = " :::~'.+~`.+~+++"

DASHED, PLAIN, BRIGHT, WRONG = range(4)
"""How an edge is drawn; where several share a cell the greatest counts."""


class Piece(NamedTuple):
    """A straight piece of line with all edges that run along it."""

    upright: bool
    at: int
    """Column of an upright piece, row of a level one."""
    begin: int
    end: int
    """Last cell, included."""
    from_node: bool
    """The first cell is drawn through, as one that touches a node."""
    to_node: bool
    sources: tuple[int, ...]
    targets: tuple[int, ...]
    """Every source has an edge to every target; there is one of them at least on either side."""


class Cell:
    """What meets in one cell."""

    __slots__ = ("bits", "level", "meets", "upright")

    def __init__(self) -> None:
        self.bits = 0
        self.level = self.upright = -1
        self.meets = False


class Drawn(NamedTuple):
    """One character of an edge."""

    character: str
    weight: int
    sides: int
    """On which it goes on."""


def edge_cells(
    pieces: Iterable[Piece],
    row: int,
    first: int,
    last: int,
    weight: Callable[[Piece], int],
    ascii_only: bool,
) -> dict[int, Drawn]:
    """Return the characters of `row` by column, from `first` to before `last`.

    Where pieces end they join. Where both run through they cross, and the upright is drawn.
    """
    cells: dict[int, Cell] = {}
    for piece in pieces:
        if piece.upright:
            if first <= piece.at < last:
                _add(cells, piece.at, _bits(piece, row, UP, DOWN), weight(piece), True)
        elif piece.begin < last and piece.end >= first:
            heavy = weight(piece)
            for x in range(max(first, piece.begin), min(last, piece.end + 1)):
                _add(cells, x, _bits(piece, x, LEFT, RIGHT), heavy, False)
    return {x: _drawn(cell, ascii_only) for x, cell in cells.items()}


def _bits(piece: Piece, at: int, back: int, on: int) -> int:
    bits = back | on
    if at == piece.begin and not piece.from_node:
        bits &= ~back
    if at == piece.end and not piece.to_node:
        bits &= ~on
    return bits


def _add(cells: dict[int, Cell], x: int, bits: int, weight: int, upright: bool) -> None:
    cell = cells.get(x)
    if cell is None:
        cell = cells[x] = Cell()
    cell.bits |= bits
    if bits not in (UP | DOWN, LEFT | RIGHT):
        cell.meets = True
    if upright:
        if weight > cell.upright:
            cell.upright = weight
    elif weight > cell.level:
        cell.level = weight


def _drawn(cell: Cell, ascii_only: bool) -> Drawn:
    if cell.level >= 0 and cell.upright >= 0 and not cell.meets:
        bits, weight = UP | DOWN, cell.upright
    else:
        bits, weight = cell.bits, max(cell.level, cell.upright)
    if weight == DASHED:
        return Drawn((_ASCII_DASHED if ascii_only else _DASHED)[bits], weight, bits)
    return Drawn((_ASCII if ascii_only else _DRAWN)[bits], weight, bits)
