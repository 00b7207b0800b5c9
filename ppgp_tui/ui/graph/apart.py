"""Where ASCII lines would say more than there is: its joins reach out to every neighbour.

`┤` and `├` side by side do not touch; two `+` do. Gaps in which that happens need more room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ppgp_tui.ui.graph.lines import DOWN, LEFT, RIGHT, UP
from ppgp_tui.ui.graph.model import Box

Bits = Mapping[int, int]
"""Sides on which the character goes on, by column of one row."""


def unclear(
    gaps: Sequence[range],
    boxes: Iterable[Box],
    row: int,
    right: bool,
    blank: bool,
    bits: Callable[[int], Bits],
    height: int,
) -> set[int]:
    """The numbers of `gaps`, which are ranges of columns or rows, that have to be wider.

    `row` is that of a node on which edges leave it, `blank` says whether a blank stands before a
    node, `bits` gives a row and `height` is their number.
    """
    tied = [box for box in boxes if box.layer >= 0]
    if right:
        leave = {(box.x + box.width, box.y + row) for box in tied}
        arrive = {(box.x - blank, box.y + row) for box in tied}
        return {
            number
            for y in range(height)
            for number, gap in enumerate(gaps)
            if _misread_row(gap, bits(y), y, leave, arrive)
        }
    leave = {(box.x + (box.width - 1) // 2, box.y + box.height) for box in tied}
    arrive = {(box.x + (box.width - 1) // 2, box.y) for box in tied}
    return {
        number
        for number, gap in enumerate(gaps)
        if any(_misread_column(gap, bits, x, leave, arrive) for x in _columns(gap, bits))
    }


def _join(sides: int) -> bool:
    return sides.bit_count() > 2


def _misread_row(
    gap: range, bits: Bits, y: int, leave: set[tuple[int, int]], arrive: set[tuple[int, int]]
) -> bool:
    """Uprights are looked through, as where lines cross."""
    open_left = False
    for x in range(gap.start, gap.stop + 1):
        sides = bits.get(x, 0)
        if open_left and (x, y) in arrive and not sides:
            return True
        open_left = open_left or (x, y) in leave
        if sides == UP | DOWN:
            continue
        corner = bool(sides & DOWN) and not sides & UP
        if open_left and (_join(sides) or corner) and not sides & LEFT:
            return True
        open_left = _join(sides) and not sides & RIGHT
    return False


def _columns(gap: range, bits: Callable[[int], Bits]) -> set[int]:
    return {x for y in gap for x in bits(y)}


def _misread_column(
    gap: range,
    bits: Callable[[int], Bits],
    x: int,
    leave: set[tuple[int, int]],
    arrive: set[tuple[int, int]],
) -> bool:
    open_above = False
    for y in range(gap.start, gap.stop + 1):
        sides = bits(y).get(x, 0) if y < gap.stop else 0
        if open_above and (x, y) in arrive:
            return True
        open_above = open_above or (x, y) in leave
        if open_above and _join(sides) and not sides & UP:
            return True
        open_above = _join(sides) and not sides & DOWN
    return False
