"""What a document is divided into: a title, a preamble, sections and the lines of each."""

from __future__ import annotations

from ppgp_tui.ppgp.marks import Mark
from ppgp_tui.ppgp.names import Name

HEADINGS = ("atx", "setext")
"""Styles of real headings."""
STRONG = (*HEADINGS, "bold", "key")
"""Styles that divide a document; all others are labels inside its text."""
FLAT = 99
"""Level of what every heading is above: the preamble, a title, front matter."""


class Section:
    """One section: the mark that started it and the lines that belong to it."""

    __slots__ = ("body", "end", "form", "host", "labels", "level", "mark", "name")

    def __init__(self, mark: Mark | None, level: int, name: Name | None, host: Section | None):
        self.mark = mark
        """None for the text before the first section."""
        self.level = level
        self.name = name
        self.host = host
        """For labels, the section they stand in."""
        self.body: list[int] = []
        """Indexes of its lines, from 0, without the line of the mark."""
        self.labels: set[int] = set()
        """Indexes of lines in it that are labels of their own."""
        self.end = 0
        """Index after its last line, blank lines at the end left out."""
        self.form: str | None = None
        """What follows the first inner label, when the section is grouped by inner labels."""

    @property
    def line(self) -> int:
        """Line number of the mark, from 1; of the first body line when there is no mark."""
        return (self.mark.at if self.mark else self.body[0] if self.body else 0) + 1

    @property
    def first(self) -> int:
        """Index of the first line below its label; an underline belongs to the label."""
        return self.line + (self.style == "setext")

    @property
    def label(self) -> str:
        """The words of the heading or label."""
        return self.mark.label if self.mark else ""

    @property
    def value(self) -> str:
        """Text on the same line as the label."""
        return self.mark.value if self.mark else ""

    @property
    def style(self) -> str:
        """How the mark is written; empty for the text before the first section."""
        return self.mark.style if self.mark else ""

    @property
    def is_closed_field(self) -> bool:
        """Whether it is a field that takes labels and deeper headings as its own text."""
        return self.name is not None and self.name.role not in ("status", "mixed")

    @property
    def is_status(self) -> bool:
        """Whether it tells how things stand, in any words."""
        return self.name is not None and self.name.role == "status"


class Outline:
    """A document as a title, a preamble and sections in order."""

    __slots__ = (
        "bold_sections",
        "goal_below",
        "headings",
        "preamble",
        "sections",
        "title",
        "title_line",
    )

    def __init__(self) -> None:
        self.title: str | None = None
        self.title_line: int | None = None
        self.preamble = Section(None, FLAT, None, None)
        self.sections: list[Section] = []
        self.headings: list[str] = []
        """Words of every real heading, in order."""
        self.goal_below = False
        """A heading below the title names the goal."""
        self.bold_sections = False
        """Bold lines start sections here: several name fields, or there are no other headings."""
