"""What a goal document says, as values.

Everything a screen or a script may ask of a goal document is here and nothing is guessed: where the
document is silent the member is None or empty, and what was concluded rather than read is marked.
Field meanings: PPGP reference section 2; blockers section 5; authority section 6.
"""

from __future__ import annotations

from typing import Literal

from ppgp_tui.named_tuple import NamedTuple

Health = Literal["CONFORMANT", "PARTIAL", "MALFORMED", "MISSING"]
CriterionState = Literal["done", "claimed", "partial", "open", "blocked", "unknown"]
StateSource = Literal["box", "word", "column", "cross-reference"]
FieldMatch = Literal["canonical", "alias", "mapped"]
GoalSource = Literal["field", "mapped", "title"]
BlockerClass = Literal["A", "B", "C", "D"]


class Finding(NamedTuple):
    """Something about the document that a person should know, with its place."""

    code: str
    """Short stable word, such as `missing-field` or `empty-field`."""
    text: str
    line: int | None
    """Line number from 1; None when it concerns the whole document."""
    mend: str = ""
    """What to do about it; empty when nothing needs doing."""


class Item(NamedTuple):
    """One entry of a field: a bullet, a numbered line, a table row, or a lone paragraph."""

    text: str
    """Without list marker; continuation lines joined by one blank."""
    line: int
    scope: str | None = None
    """What a decision is about, where the document says so in so many words: `Scope: T8`."""


class Field(NamedTuple):
    """One of the thirteen fields as found in the document."""

    name: str
    """Canonical name, such as `DEFINITION_OF_DONE`."""
    heading: str
    """The words that stood there."""
    match: FieldMatch
    """`mapped` (a synonym) never counts towards conformance."""
    line: int
    end_line: int
    """Last line of the field, inclusive."""
    text: str
    items: tuple[Item, ...]

    @property
    def empty(self) -> bool:
        """Present, but says nothing at all."""
        return not self.text.strip()


class Section(NamedTuple):
    """A section that is none of the thirteen fields; kept, never dropped."""

    title: str
    line: int
    end_line: int
    text: str


class Criterion(NamedTuple):
    """One condition of the definition of done, with its state as the document gives it."""

    number: int
    """From 1, in document order."""
    text: str
    state: CriterionState
    """`claimed`: the document says done and no evidence in it supports that."""
    state_source: StateSource | None
    """Where the state was read; None when it is unknown."""
    evidence: tuple[Item, ...]
    line: int
    denied: int | None = None
    """Line in which the document takes its own tick back: in REMAINING, or in words beside it."""


class Blocker(NamedTuple):
    """One thing in the way."""

    klass: BlockerClass | None
    """None when neither stated nor inferable."""
    inferred: bool
    """The class was concluded from the wording, not written."""
    scope: str | None
    """What it stops, such as `Step A`; None when the document names no scope."""
    until: str | None
    """ISO date it waits for, when one is written."""
    text: str
    line: int


class Authority(NamedTuple):
    """The human's part: decisions owed, standing limits, and permissions already given."""

    pending: tuple[Item, ...] = ()
    standing: tuple[Item, ...] = ()
    granted: tuple[Item, ...] = ()


NOTHING_LEFT = "nothing is left to do"
"""What a next action that says "none" waits for."""


class NextAction(NamedTuple):
    """The smallest safe next step."""

    text: str
    line: int
    executable_now: bool
    """An agent could act on it today, without a person and without waiting for a date."""
    waits_for: str | None = None
    """The words that make it wait, when `executable_now` is false."""


class GoalReading(NamedTuple):
    """Everything read from one goal document."""

    path: str
    """As given by the caller, normally relative to the root."""
    health: Health
    reasons: tuple[Finding, ...]
    """Why the health is what it is, and whatever else is worth a look; in line order."""
    title: str | None = None
    goal: str | None = None
    goal_source: GoalSource | None = None
    goal_line: int | None = None
    why: str | None = None
    phase: str | None = None
    """One of the seven lifecycle words, only when the document names it."""
    phase_raw: str | None = None
    phase_inferred: str | None = None
    """A lifecycle word concluded from other words; never shown without saying so."""
    phase_line: int | None = None
    fields: tuple[Field, ...] = ()
    """In document order; at most one a name (the first wins)."""
    sections: tuple[Section, ...] = ()
    preamble: str = ""
    dod: tuple[Criterion, ...] = ()
    blockers: tuple[Blocker, ...] = ()
    authority: Authority = Authority()
    next_action: NextAction | None = None
    line_count: int = 0
    bytes: int = 0

    def field_named(self, name: str) -> Field | None:
        """The field of that canonical name, or None."""
        return next((found for found in self.fields if found.name == name), None)


def no_document(path: str) -> GoalReading:
    """The reading where there is no file at `path`."""
    reason = Finding("missing", f"no goal document at {path}", None, "write one, or start a goal")
    return GoalReading(path, "MISSING", (reason,))
