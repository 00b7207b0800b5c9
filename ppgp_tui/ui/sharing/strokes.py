"""Lines and blocks of the screen as shapes, which meet whatever font a reader has."""

from __future__ import annotations

from typing import Final

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
_BITS: Final[dict[str, int]] = {
    "│": 3, "╎": 3, "─": 12, "╌": 12, "╭": 10, "╮": 6, "╰": 9, "╯": 5, "├": 11, "┤": 7, "┬": 14,
    "┴": 13, "┼": 15,
}  # fmt: skip
_DASHED: Final = "╎╌"
_ROUND: Final = {"╭": (1, 1), "╮": (-1, 1), "╰": (1, -1), "╯": (-1, -1)}
"""Corners, and to which side and how they turn."""
_BLOCKS: Final = "▁▂▃▄▅▆▇█"
SHAPES: Final = "".join(_BITS) + _BLOCKS
"""Characters that are drawn as shapes."""
_TURN: Final = 4.0


def strokes(run: str, x: float, top: float, wide: float, high: float, ink: str) -> str:
    """`run`, characters of `SHAPES`, as shapes in cells `wide` by `high` from `x`, `top` on."""
    whole, dashed, blocks = "", "", ""
    for at, character in enumerate(run):
        left = x + at * wide
        if character in _BLOCKS:
            blocks += _block(character, left, top, wide, high, ink)
        elif character in _DASHED:
            dashed += _lines(character, left, top, wide, high)
        else:
            whole += _lines(character, left, top, wide, high)
    if whole:
        blocks += f'<path d="{whole}" fill="none" stroke="{ink}"/>'
    if dashed:
        blocks += f'<path d="{dashed}" fill="none" stroke="{ink}" stroke-dasharray="3 2"/>'
    return blocks


def _block(character: str, x: float, top: float, wide: float, high: float, ink: str) -> str:
    tall = high * (1 + _BLOCKS.index(character)) / 8
    at = f'x="{x:g}" y="{top + high - tall:g}" width="{wide:g}" height="{tall:g}"'
    return f'<rect {at} fill="{ink}"/>'


def _lines(character: str, x: float, top: float, wide: float, high: float) -> str:
    """The path of one character: to the middle of the cell from each side that it reaches."""
    middle, centre = x + wide / 2, top + high / 2
    if character in _ROUND:
        side, way = _ROUND[character]
        end, edge = middle + side * wide / 2, centre + way * high / 2
        return (
            f"M{end:g} {centre:g}H{middle + side * _TURN:g}"
            f"Q{middle:g} {centre:g} {middle:g} {centre + way * _TURN:g}V{edge:g}"
        )
    bits = _BITS[character]
    left = x if bits & _LEFT else middle
    right = x + wide if bits & _RIGHT else middle
    upper = top if bits & _UP else centre
    lower = top + high if bits & _DOWN else centre
    across = f"M{left:g} {centre:g}H{right:g}" if left != right else ""
    upright = f"M{middle:g} {upper:g}V{lower:g}" if upper != lower else ""
    return across + upright
