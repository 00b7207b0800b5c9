"""Reads a drawn graph back, as a person does who follows the lines with a finger.

From a card the finger goes on in the reading direction. The first upright that its line meets is
its own: it follows that both ways, and every branch that leads on. A line that has turned goes
straight through whatever it meets until the next layer. Where a line runs behind an upright without
touching it, they cross.
"""

from __future__ import annotations

from rich.cells import cell_len

from ppgp_tui.ui.graph import Drawing

UP, DOWN, LEFT, RIGHT = (0, -1), (0, 1), (-1, 0), (1, 0)
Way = tuple[int, int]

_STUBS = {
    "─": {LEFT, RIGHT}, "╌": {LEFT, RIGHT}, "│": {UP, DOWN}, "╎": {UP, DOWN},
    "╯": {UP, LEFT}, "╮": {DOWN, LEFT}, "╰": {UP, RIGHT}, "╭": {DOWN, RIGHT},
    "┤": {UP, DOWN, LEFT}, "├": {UP, DOWN, RIGHT}, "┴": {UP, LEFT, RIGHT},
    "┬": {DOWN, LEFT, RIGHT}, "┼": {UP, DOWN, LEFT, RIGHT},
}  # fmt: skip
_UPRIGHT = "│╎|:"


class LooseEndError(AssertionError):
    """A line leads nowhere."""


def read(drawing: Drawing, blank_before: bool) -> set[tuple[str, str]]:
    """Return the edges (needed, needing) that the characters of `drawing` show.

    `blank_before`: a blank stands between a line and the key it leads to.
    """
    return _Reader(drawing, blank_before).edges()


class _Reader:
    def __init__(self, drawing: Drawing, blank_before: bool) -> None:
        self.drawing = drawing
        self.right = drawing.direction == "right"
        self.blank = blank_before and self.right
        self.on: Way = RIGHT if self.right else DOWN
        self.back: Way = (-self.on[0], -self.on[1])
        self.aside: tuple[Way, Way] = (UP, DOWN) if self.right else (LEFT, RIGHT)
        self.grid = [_cells("".join(span.text for span in line)) for line in drawing.lines]
        self.node = {
            (x, y): key
            for key, box in drawing.boxes.items()
            for x in range(box.x, box.x + box.width)
            for y in range(box.y, box.y + box.height)
        }
        self.leave, self.arrive = _ports(drawing)
        self.begins: set[int] = set()
        layers: dict[int, int] = {}
        for box in drawing.boxes.values():
            at = box.x if self.right else box.y
            layers[box.layer] = min(at, layers.get(box.layer, at))
        self.begins = set(layers.values())
        self.found: set[str] = set()

    def edges(self) -> set[tuple[str, str]]:
        seen = set()
        for key, box in self.drawing.boxes.items():
            self.found = set()
            for step in range(box.height if self.right else box.width):
                cell = (
                    (box.x + box.width, box.y + step)
                    if self.right
                    else (box.x + step, box.y + box.height)
                )
                if self.back in self.stubs(cell, self.back) or self.crosses(cell):
                    self.straight(cell, turned=False, sure=False)
            seen |= {(key, target) for target in self.found}
        return seen

    def character(self, cell: Way) -> str:
        x, y = cell
        if cell in self.node or not (0 <= y < len(self.grid) and 0 <= x < len(self.grid[y])):
            return " "
        return self.grid[y][x]

    def stubs(self, cell: Way, _from: Way | None = None) -> set[Way]:
        """The sides on which the character of `cell` goes on."""
        character = self.character(cell)
        if character in _STUBS:
            return _STUBS[character]
        if character in "-~":
            return {LEFT, RIGHT}
        if character in "|:":
            return {UP, DOWN}
        if character == "'":
            return {UP, LEFT}
        if character == "`":
            return {UP, RIGHT}
        if character == ".":
            return {DOWN, LEFT if self.leads_right(_step(cell, LEFT)) else RIGHT}
        if character == "+":
            return {way for way, leads in self.around(cell) if leads}
        return set()

    def around(self, cell: Way) -> list[tuple[Way, bool]]:
        """An ASCII join reaches out to every neighbour that can reach back."""
        over, under = self.character(_step(cell, UP)), self.character(_step(cell, DOWN))
        left, right = _step(cell, LEFT), _step(cell, RIGHT)
        return [
            (UP, over in "|:+." or self.leaves(_step(cell, UP), DOWN)),
            (DOWN, under in "|:+'`" or self.arrives(_step(cell, DOWN), DOWN)),
            (LEFT, self.leads_right(left)),
            (RIGHT, self.led_to(right)),
        ]

    def led_to(self, cell: Way) -> bool:
        """Whether a line in ASCII could reach `cell` from the left."""
        character = self.character(cell)
        if character in _UPRIGHT:
            return self.led_to(_step(cell, RIGHT))
        return character in "-~+.'" or self.arrives(cell, RIGHT)

    def leads_right(self, cell: Way) -> bool:
        """Whether a line in ASCII seems to run from `cell` to its right neighbour."""
        character = self.character(cell)
        if character in _UPRIGHT:
            return self.leads_right(_step(cell, LEFT))
        return character in "-~+`" or self.leaves(cell, RIGHT) or (
            character == "." and not self.leads_right(_step(cell, LEFT))
        )  # fmt: skip

    def leaves(self, cell: Way, way: Way) -> bool:
        return way == self.on and cell in self.leave

    def arrives(self, cell: Way, way: Way) -> bool:
        if way != self.on:
            return False
        return cell in self.arrive or (self.blank and _step(cell, way) in self.arrive)

    def crosses(self, cell: Way) -> bool:
        return self.right and self.character(cell) in _UPRIGHT

    def straight(self, cell: Way, turned: bool, sure: bool) -> None:
        """Follow a line in the reading direction; `sure`: what was before leads here."""
        while True:
            if (cell[0] if self.right else cell[1]) in self.begins:
                turned = False
            if cell in self.node:
                self.found.add(self.node[cell])
                return
            if self.crosses(cell):
                cell = _step(cell, self.on)
                if not sure and self.back not in self.stubs(cell) and not self.crosses(cell):
                    return
                continue
            stubs = self.stubs(cell)
            if self.back not in stubs:
                beyond = _step(cell, self.on)
                if (
                    self.blank
                    and self.right
                    and self.character(cell) == " "
                    and beyond in self.node
                ):
                    self.found.add(self.node[beyond])
                    return
                if sure:
                    raise LooseEndError(f"{cell}")
                return
            sure = True
            sides = [way for way in self.aside if way in stubs]
            if sides and not turned:
                turned = True
                for way in sides:
                    self.lane(_step(cell, way), way)
            if self.on not in stubs:
                return
            cell = _step(cell, self.on)

    def lane(self, cell: Way, way: Way) -> None:
        """Follow an upright, and every branch of it that leads on."""
        while True:
            if not self.right and self.character(cell) in _UPRIGHT:
                cell = _step(cell, way)
                continue
            stubs = self.stubs(cell)
            if (-way[0], -way[1]) not in stubs:
                raise LooseEndError(f"{cell}")
            if self.on in stubs:
                self.straight(_step(cell, self.on), turned=True, sure=True)
            if way not in stubs:
                return
            cell = _step(cell, way)


def _ports(drawing: Drawing) -> tuple[set[Way], set[Way]]:
    """The cells of the nodes where edges leave and arrive: the second row, or the middle."""
    leave, arrive = set(), set()
    for box in drawing.boxes.values():
        if drawing.direction == "right":
            row = box.y + min(1, box.height - 1)
            leave.add((box.x + box.width - 1, row))
            arrive.add((box.x, row))
        else:
            column = box.x + (box.width - 1) // 2
            leave.add((column, box.y + box.height - 1))
            arrive.add((column, box.y))
    return leave, arrive


def _step(cell: Way, way: Way) -> Way:
    return cell[0] + way[0], cell[1] + way[1]


def _cells(text: str) -> list[str]:
    """One entry a cell; a wide character is followed by an empty one."""
    cells: list[str] = []
    for character in text:
        width = cell_len(character)
        if width:
            cells += [character] + [""] * (width - 1)
    return cells
