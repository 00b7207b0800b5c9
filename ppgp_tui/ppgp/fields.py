"""The thirteen fields out of the sections of a document, and what was left over.

Exact names come before synonyms, headings and keys before labels inside text, and among equals the
first wins (PPGP reference section 2.1); what loses is kept and, where it repeats a field, reported.
"""

from __future__ import annotations

from ppgp_tui.ppgp.content import HIDDEN, Content
from ppgp_tui.ppgp.entries import Entry, entries_of, listed, whole_text
from ppgp_tui.ppgp.names import Name, key
from ppgp_tui.ppgp.reading import Field, Finding, Item
from ppgp_tui.ppgp.reading import Section as KeptSection
from ppgp_tui.ppgp.sections import Outline, Section
from ppgp_tui.ppgp.states import written_state
from ppgp_tui.ppgp.vocabulary import CANONICAL
from ppgp_tui.ppgp.words import phrases

_STRONG = ("atx", "setext", "bold", "key", "meta")
_EXACT, _EXACT_LABEL, _FUZZY, _MAPPED, _MAPPED_LABEL, _WEAKER = range(6)
_MERGED = phrases(
    """FROZEN_DECISIONS|INVARIANTS|VERIFIED_CURRENT_STATE|COMPLETED|REMAINING|BLOCKERS|HUMAN_AUTHORITY_REQUIRED|VERIFICATION_EVIDENCE
    """
)
_COURSE = phrases("PHASE|COMPLETED|REMAINING|BLOCKERS|FROZEN_DECISIONS|NEXT_EXECUTABLE_ACTION")
"""Fields that tell of work under way, which a document about anything else has no use for."""
_MANY = 10
"""So many repetitions of one field are reported each by itself."""
_ROLES_LAST = ("status", "task", "advice", "when", "next")


class FoundField:
    """One field with the sections it was read from and their entries."""

    __slots__ = ("entries", "field", "role_of", "sections")

    def __init__(self, field: Field, sections: list[Section], entries: list[list[Entry]]) -> None:
        self.field = field
        self.sections = sections
        """The section that named it first; further ones only for merged synonyms."""
        self.entries = [entry for part in entries for entry in part]
        self.role_of = {
            id(entry): section.name.role if section.name else ""
            for section, part in zip(sections, entries, strict=True)
            for entry in part
        }

    @property
    def listed(self) -> list[Entry]:
        """Entries that say something, as `entries.listed` gives them."""
        return listed(self.entries)

    @property
    def roles(self) -> set[str]:
        """Roles of the synonyms it was read from; empty for exact names."""
        return {section.name.role for section in self.sections if section.name}


class Fields:
    """Every field of a document, the sections left over, and what was odd about them."""

    __slots__ = ("content", "extra", "findings", "found", "outline")

    def __init__(self, content: Content, outline: Outline) -> None:
        self.content = content
        self.outline = outline
        self.found: dict[str, FoundField] = {}
        self.extra: list[Section] = []
        """Sections that are no field, in document order."""
        self.findings: list[Finding] = []

    def __getitem__(self, name: str) -> FoundField | None:
        return self.found.get(name)

    def listed(self, name: str) -> list[Entry]:
        """Entries of a field; empty when the document has no such field."""
        found = self.found.get(name)
        return found.listed if found else []

    def work(self, role: str) -> list[Entry]:
        """Entries of the sections that list work under way (`now`) or to come (`next`)."""
        found = self.found.get("REMAINING")
        if found and role in found.roles:
            return [entry for entry in found.entries if found.role_of.get(id(entry)) == role]
        return [
            entry
            for section in self.extra
            if section.name and section.name.field == "REMAINING" and section.name.role == role
            for entry in entries_of(self.content, section)
        ]

    def has_exact(self, name: str) -> bool:
        """Whether the field is there under its own name or an alias."""
        return name in self.found and self.found[name].field.match != "mapped"

    def speak_of_a_goal(self) -> bool:
        """Whether what was found makes this a goal document, and not any other text."""
        exact = [one for one in self.found.values() if one.field.match != "mapped"]
        strong = any(section.style in _STRONG for one in exact for section in one.sections)
        opening = any(
            one.field.match == "canonical" and one.sections[0].host is self.outline.preamble
            for one in exact
        )
        if strong or opening or len(exact) > 1:
            return True
        mapped = [
            name
            for name, one in self.found.items()
            if one.field.match == "mapped" and one.sections[0].style in _STRONG
        ]
        for name in ("GOAL", "DEFINITION_OF_DONE"):
            if name in mapped and not self.found[name].roles & {"listed", "loose"}:
                return True
        return "GOAL" in mapped and len(_COURSE.intersection(mapped)) > 1

    def kept(self) -> list[KeptSection]:
        """The sections left over, as values."""
        return [
            KeptSection(
                section.label, section.line, section.end, section_text(self.content, section)
            )
            for section in self.extra
        ]


def fields_of(content: Content, outline: Outline) -> Fields:
    """Choose the sections that are the thirteen fields."""
    fields = Fields(content, outline)
    candidates: dict[str, list[tuple[int, Section]]] = {}
    used: set[int] = set()
    for section in outline.sections:
        name = section.name
        if name is None or (name.role == "listed" and not _has_list(content, section)):
            continue
        candidates.setdefault(name.field, []).append((_rank(section, name), section))
    for field, all_ranked in candidates.items():
        ranked = _without_repeats(field, all_ranked, fields)
        if not ranked:
            continue
        best_rank, best = min(ranked, key=lambda pair: pair[0])
        chosen = [best]
        if best_rank >= _MAPPED and field in _MERGED:
            chosen = [section for rank, section in ranked if rank >= _MAPPED]
        used.update(id(section) for section in chosen)
        fields.found[field] = _field(content, field, chosen)
        fields.findings.extend(_duplicates(field, best_rank, best, ranked))
    headless = not any(section.style in _STRONG for section in outline.sections)
    fields.extra = [
        section
        for section in outline.sections
        if id(section) not in used
        and (section.style in _STRONG or (headless and section.style == "label"))
    ]
    _sort(fields)
    return fields


def adopt_checklists(fields: Fields) -> None:
    """Take unnamed sections that are checklists as the definition of done, if there is none.

    By form only, so the field is marked as mapped.
    """
    if "DEFINITION_OF_DONE" in fields.found:
        return
    boxed = [section for section in fields.extra if _is_checklist(fields.content, section)]
    opening = fields.outline.preamble
    if not boxed and opening.body and _is_checklist(fields.content, opening):
        boxed = [opening]
    for name in ("COMPLETED", "REMAINING"):
        found = fields[name]
        plain = found is not None and found.roles <= {"", "mixed"}
        if not boxed and found and plain and found.field.match == "mapped":
            boxed = [s for s in found.sections if _is_checklist(fields.content, s, mixed=True)]
            if boxed and len(boxed) == len(found.sections):
                del fields.found[name]
    if boxed:
        fields.extra = [section for section in fields.extra if section not in boxed]
        fields.found["DEFINITION_OF_DONE"] = _field(fields.content, "DEFINITION_OF_DONE", boxed)
        _sort(fields)


def forget_synonyms(fields: Fields) -> None:
    """Keep what was read by synonym as plain sections: the document is about something else."""
    for name, one in list(fields.found.items()):
        if one.field.match == "mapped" or one.sections[0].style not in _STRONG:
            del fields.found[name]
            fields.extra.extend(s for s in one.sections if s.style in _STRONG)
    fields.extra.sort(key=lambda section: section.line)


def section_text(content: Content, section: Section) -> str:
    """Return the text of `section` as it stands, its label left out."""
    at = range(section.first, section.end) if section.style in _STRONG else section.body
    lines = [content.texts[index] for index in at if content.kinds[index] != HIDDEN]
    text = "\n".join(filter(None, [section.value, "\n".join(lines).strip("\n")])).strip()
    return text or (section.name.note if section.name else "")


def preamble_text(content: Content, outline: Outline) -> str:
    """Return the text before the first section, without front matter and field labels."""
    fields = {
        section.line - 1
        for section in outline.sections
        if section.host is outline.preamble and section.name and section.name.match != "mapped"
    }
    lines = [content.texts[at] for at in outline.preamble.body if at not in fields]
    return "\n".join(lines).strip()


def _sort(fields: Fields) -> None:
    fields.found = dict(sorted(fields.found.items(), key=lambda pair: pair[1].field.line))


def _is_checklist(content: Content, section: Section, mixed: bool = False) -> bool:
    """Whether every entry of `section` has a box or a state; for `mixed`, ticked and open ones."""
    boxes = [
        entry.ticked or (None if mixed or not entry.is_listed else _state(entry))
        for entry in listed(entries_of(content, section))
    ]
    return len(boxes) > 1 and None not in boxes and (not mixed or len(set(boxes)) > 1)


def _state(entry: Entry) -> str | None:
    written = written_state(entry.raw)
    return written and written[0]


def _rank(section: Section, name: Name) -> int:
    strong = section.style in _STRONG
    if name.role in _ROLES_LAST:
        return _WEAKER + _ROLES_LAST.index(name.role) + (0 if strong else 1)
    if name.fuzzy:
        return _FUZZY
    if name.match == "mapped":
        return _MAPPED if strong else _MAPPED_LABEL
    return _EXACT if strong else _EXACT_LABEL


def _without_repeats(
    name: str, ranked: list[tuple[int, Section]], fields: Fields
) -> list[tuple[int, Section]]:
    """Drop labels that several unknown sections repeat: those speak of tasks, not of the goal."""
    hosts: dict[int, Section] = {}
    for _, section in ranked:
        if section.host is not None and section.host.mark and section.host.name is None:
            hosts[id(section.host)] = section
    if len(hosts) < 2:
        return ranked
    known = any(finding.code == "several-goals" for finding in fields.findings)
    if name in ("GOAL", "DEFINITION_OF_DONE", "NEXT_EXECUTABLE_ACTION") and not known:
        lines = ", ".join(str(section.line) for section in list(hosts.values())[:4])
        fields.findings.append(
            Finding(
                "several-goals",
                f"{name} stands in {len(hosts)} different sections (lines {lines}); "
                "one document holds one goal",
                next(iter(hosts.values())).line,
                "keep one active goal here; move the others to the roadmap",
            )
        )
    return [(rank, section) for rank, section in ranked if id(section.host) not in hosts]


def _duplicates(
    name: str, best_rank: int, best: Section, ranked: list[tuple[int, Section]]
) -> list[Finding]:
    if best_rank > _EXACT_LABEL:
        return []
    again = [section for rank, section in ranked if section is not best and rank == best_rank]
    mend = f"merge it into line {best.line} or delete it"
    found = [
        Finding(
            "duplicate-section",
            f"duplicate section {name} at line {section.line} ignored (first occurrence kept)",
            section.line,
            mend,
        )
        for section in again[:_MANY]
    ]
    if len(again) > _MANY:
        text = f"section {name} is there {len(again) - _MANY} more times, all ignored"
        found.append(Finding("duplicate-section", text, again[_MANY].line, mend))
    return found


def _field(content: Content, name: str, sections: list[Section]) -> FoundField:
    first = sections[0]
    entries = [entries_of(content, section) for section in sections]
    texts = [section_text(content, section) for section in sections]
    items = [
        Item(whole_text(entry), entry.line) for part in entries for entry in part
        if entry.kind != "group" and entry.text
    ]  # fmt: skip
    field = Field(
        name=name,
        heading=first.label or "checklist",
        match=first.name.match if first.name else "mapped",
        line=first.line,
        end_line=max(first.end, first.line),
        text="\n".join(text for text in texts if text),
        items=tuple(items),
    )
    return FoundField(field, sections, entries)


def _has_list(content: Content, section: Section) -> bool:
    return any(entry.is_listed for entry in entries_of(content, section))


def missing(fields: Fields) -> list[str]:
    """Return the canonical fields that are absent or only there by synonym, in order."""
    return [name for name in CANONICAL if not fields.has_exact(name)]


def heading_words(section: Section) -> str:
    """Return the heading of `section` as `names.key` folds it."""
    return key(section.label)
