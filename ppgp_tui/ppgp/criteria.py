"""The definition of done: its conditions, the state of each and what supports it.

PPGP reference section 2.3. The strongest source of a state wins: box, then words or a column, then
being named in COMPLETED, REMAINING or the status text; without any of these it stays unknown.
"""

from __future__ import annotations

from typing import NamedTuple

from ppgp_tui.ppgp.entries import Entry
from ppgp_tui.ppgp.evidence import cell_proof, proof_in, supports
from ppgp_tui.ppgp.fields import Fields
from ppgp_tui.ppgp.names import key, name_of
from ppgp_tui.ppgp.prose import clipped, is_none, plain, sentences
from ppgp_tui.ppgp.reading import Criterion, CriterionState, Item, StateSource
from ppgp_tui.ppgp.references import Labels
from ppgp_tui.ppgp.states import cell_state, heading_state, spoken_state, written_state
from ppgp_tui.ppgp.vocabulary import SCOPE_WORDS
from ppgp_tui.ppgp.words import EMOJI_STATES

_ASIDE = (*SCOPE_WORDS, "note", "notes", "nice to have", "optional", "excluded", "not required")


class _Condition:
    """One condition while its state is being found."""

    __slots__ = ("denied", "entry", "number", "proof", "source", "state", "text")

    def __init__(self, entry: Entry) -> None:
        self.entry = entry
        self.text = entry.text
        self.number = entry.number
        self.state: CriterionState = "unknown"
        self.source: StateSource | None = None
        self.denied: int | None = None
        self.proof: list[Item] = []

    def found(self, state: CriterionState | None, source: StateSource) -> None:
        """Take `state` unless a stronger source has spoken."""
        if self.source is None and state is not None:
            self.state, self.source = state, source


class Criteria(NamedTuple):
    """The conditions, how they can be named, and where the document contradicts itself."""

    all: tuple[Criterion, ...]
    labels: Labels
    contradicted: tuple[tuple[int, int], ...]
    """Conditions ticked as done and still listed in REMAINING, with the line that lists them."""


def criteria_of(fields: Fields) -> Criteria:
    """Return the conditions of the definition of done with their states."""
    conditions = [
        _read_alone(entry)
        for entry in fields.listed("DEFINITION_OF_DONE")
        if not is_none(entry.text) and not _is_aside(entry)
    ]
    labels = Labels(
        [condition.text for condition in conditions],
        [condition.number for condition in conditions],
    )
    contradicted = _cross_references(fields, conditions, labels) if conditions else ()
    for entry in fields.listed("VERIFICATION_EVIDENCE") if conditions else ():
        if supports(entry.text):
            for named in labels.named_in(entry.text):
                conditions[named.number - 1].proof.append(Item(entry.text, entry.line))
    return Criteria(
        tuple(_finished(number, one) for number, one in enumerate(conditions, 1)),
        labels,
        tuple(contradicted),
    )


def _finished(number: int, one: _Condition) -> Criterion:
    if one.state == "done" and not one.proof:
        proof = proof_in(one.entry.raw) or next(
            (found for child in one.entry.children if (found := proof_in(child.raw))), None
        )
        if proof:
            one.proof.append(Item(proof, one.entry.line))
    state: CriterionState = "claimed" if one.state == "done" and not one.proof else one.state
    return Criterion(
        number, one.text, state, one.source, tuple(one.proof), one.entry.line, one.denied
    )


def _read_alone(entry: Entry) -> _Condition:
    """Read what the entry says about itself."""
    one = _Condition(entry)
    if entry.kind == "row":
        _read_row(one)
        return one
    one.found(entry.ticked, "box")
    if written := written_state(entry.raw):
        state, rest = written
        one.found(state, "word")
        if entry.ticked == "done" and state in ("open", "partial", "blocked"):
            one.denied = entry.line
        rest = f"**{rest}" if rest.count("**") % 2 else rest
        one.text = plain(rest) or one.text
    if entry.group is not None:
        one.found(heading_state(entry.group.raw), "word")
    return one


def _read_row(one: _Condition) -> None:
    """Read a table row: which cell is the condition, which its state, which its evidence."""
    entry = one.entry
    rest: list[str] = []
    proof: str | None = None
    for at, cell in enumerate(entry.cells):
        head = entry.head[at] if at < len(entry.head) else ""
        named = name_of(head)
        if named and (named.role == "status" or named.field in ("COMPLETED", "PHASE")):
            one.found(cell_state(cell), "column")
        elif named and named.field == "VERIFICATION_EVIDENCE":
            proof = cell_proof(cell)
        elif _is_box(cell) or (not entry.head and at and len(cell) < 30 and cell_state(cell)):
            one.found(cell_state(cell), "column")
        elif cell:
            rest.append(plain(cell))
    if len(rest) > 1 and rest[0].strip("#. ").isdigit():
        one.number = int(rest.pop(0).strip("#. ")[:6])
    elif len(rest) > 1 and len(rest[0]) < 8 and any(letter.isdigit() for letter in rest[0]):
        rest[:2] = [f"{rest[0]}: {rest[1]}"]
    one.text = rest[0] if rest else entry.text
    if one.source is None and (written := written_state(one.text)):
        one.found(written[0], "word")
    if proof and one.state in ("done", "partial"):
        one.proof.append(Item(proof, entry.line))


def _is_box(cell: str) -> bool:
    bare = cell.strip(" []") or " "
    return len(bare) == 1 and (cell.strip().startswith("[") or bare in EMOJI_STATES)


def _is_aside(entry: Entry) -> bool:
    return entry.group is not None and key(entry.group.text) in _ASIDE


def _cross_references(
    fields: Fields, conditions: list[_Condition], labels: Labels
) -> list[tuple[int, int]]:
    """Fill in states told elsewhere; return contradictions as (condition, line)."""
    finished: dict[int, tuple[Entry, bool]] = {}
    ahead: dict[int, tuple[Entry, bool]] = {}
    completed = fields["COMPLETED"]
    for entry in completed.listed if completed else ():
        if len(finished) == labels.total:
            break
        if entry.ticked not in (None, "done"):
            continue
        said = _told_in(entry, labels, completed.role_of.get(id(entry), "") if completed else "")
        for named in labels.named_in(entry.raw):
            if not named.leads and named.by_label:
                continue
            if said in ("open", "blocked"):
                ahead.setdefault(named.number, (entry, False))
            else:
                partly = named.partly or said == "partial"
                finished.setdefault(named.number, (entry, partly))
    for entry in fields.listed("REMAINING"):
        if len(ahead) == labels.total:
            break
        if entry.ticked != "done":
            for named in labels.named_in(entry.raw):
                if named.leads or not named.by_label:
                    ahead.setdefault(named.number, (entry, named.partly))
    told = _told(fields, labels)
    contradicted = []
    for number, one in enumerate(conditions, 1):
        if one.source == "box" and one.state == "done" and number in ahead:
            one.denied = ahead[number][0].line
            contradicted.append((number, one.denied))
        if number in finished:
            entry, partly = finished[number]
            one.found("partial" if partly or number in ahead else "done", "cross-reference")
            if one.state == "done" and (proof := proof_in(entry.raw)):
                one.proof.append(Item(proof, entry.line))
        elif number in ahead:
            entry, partly = ahead[number]
            blocked = spoken_state(labels.without_names(entry.raw)) == "blocked"
            state: CriterionState = "blocked" if blocked else "partial" if partly else "open"
            one.found(state, "cross-reference")
        elif number in told:
            spoken, proof_item = told[number]
            one.found(spoken, "cross-reference")
            if spoken == "done" and proof_item:
                one.proof.append(proof_item)
    return contradicted


def _told(fields: Fields, labels: Labels) -> dict[int, tuple[CriterionState, Item | None]]:
    """Return states spoken of in the status text and the verified state, by condition."""
    told: dict[int, tuple[CriterionState, Item | None]] = {}
    for name in ("PHASE", "VERIFIED_CURRENT_STATE"):
        found = fields[name]
        for entry in found.entries if found else ():
            for sentence in sentences(clipped(entry.text, 4000)):
                named = labels.named_in(sentence)
                state = spoken_state(labels.without_names(sentence)) if named else None
                if state is None:
                    continue
                proof = proof_in(sentence) if state == "done" else None
                piece = Item(proof, entry.line) if proof else None
                for one in named:
                    told.setdefault(one.number, (state, piece))
    return told


def _told_in(entry: Entry, labels: Labels, role: str) -> CriterionState | None:
    """Return the state that an entry of COMPLETED gives what it names, in words, if any.

    A section that reports progress of any kind is read like prose; elsewhere a word counts only
    where it stands as a state.
    """
    text = labels.without_names(entry.raw)
    if role == "mixed":
        return spoken_state(text)
    written = written_state(entry.raw) or written_state(text)
    return written[0] if written else None
