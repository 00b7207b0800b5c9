"""What stands in the way, with class, scope and date.

PPGP reference section 5. A class is *stated* where the letter is written; otherwise keywords give
an *inferred* class, and where they say nothing the class stays unknown.
"""

from __future__ import annotations

import re

from ppgp_tui.ppgp.entries import Entry
from ppgp_tui.ppgp.fields import Fields
from ppgp_tui.ppgp.menu import Menu
from ppgp_tui.ppgp.names import key
from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.phase import standing_of
from ppgp_tui.ppgp.prose import is_none, plain, says_none, sentences
from ppgp_tui.ppgp.reading import Blocker, BlockerClass
from ppgp_tui.ppgp.references import Labels
from ppgp_tui.ppgp.sections import Section
from ppgp_tui.ppgp.states import written_state
from ppgp_tui.ppgp.waiting import decided_by_person, names_person
from ppgp_tui.ppgp.words import (
    ABSENT,
    ABSENT_PARTS,
    AUTHORITY,
    CLASS_HEADS,
    EXTERNAL,
    EXTERNAL_PARTS,
    GATED_PARTS,
    SCOPE_HEADS,
    UNTIL_HEADS,
)

_STATED = Pattern(
    r"\b(?:type|class|typ|tipo|classe|klasse|clase|tip|sınıf|тип|класс|типа|класса)\s*[-:=]?\s*"
    r"[*`(]{0,3}([ABCD])\b"
    r"|(?:类型|类别|類型|タイプ|クラス|種別|유형|등급|النوع|فئة)\s*[-:：=]?\s*([ABCD])\b"
    r"|\b([ABCD])\s?(?:类|級|级|類|型|クラス|형)",
    re.I,
)
_AT_START = Pattern(
    r"\W*\(?([ABCD])(?:\)|:|\]|：| [—–-] |\s?[(（][^()（）]{1,40}[)）]\s*(?:[:：,—–-]|$))"
)
_CLASS_FIRST = Pattern(
    r"\W*(?:(?i:type|class)\s*[-:=]?\s*)?[ABCD]\b(?:\s(?i:authority|external|blocker)\b)?"
    r"(?:\s?\([^()]{1,40}\))?[\s,;:—–)\]*-]+"
)
_DAY = r"(\d{4}-\d\d-\d\d)"
_UNTIL = Pattern(
    rf"\b(?:until|till|through|до|jusqu'au|hasta|até|bis)\b[^\d(（]{{0,20}}?{_DAY}"
    r"|\b(?:after|on or after|from|by|due|eta|earliest|expected|opens?|closes?|ends?|expires?"
    r"|lands?|arrives?|returns?|после|ab|nach|après|después del?|após|window|slot|deadline"
    r"|release|date|окно|fenêtre|ventana|fenster|janela)\b"
    rf"\W{{0,3}}(?:(?:the|on|at|by|from|not before)\s+)?\W?{_DAY}"
    rf"|[到至直]\s?{_DAY}|{_DAY}\s*(?:まで|以降|之前|之后|까지|이후|'?[eya]? kadar)",
    re.I,
)
_CJK_DATE = Pattern(r"(\d{4})年(\d{1,2})月(\d{1,2})日")
_ONLY = Pattern(r"\W*([^.;:：]{1,40}?)\s+only\b", re.I)
_ONLY_INSIDE = Pattern(r"[(（]([^()（）]{1,40}?)\s+only[)）]", re.I)
_SCOPE = Pattern(
    r"\b(?:scope|applies to|affects|область|范围|範囲|범위|portée"
    r"|alcance)\s*[:：]?\s+([^.;,:()]{1,60})",
    re.I,
)
_BLOCKS = Pattern(
    r"\b(?:blocks|blocking|stops|holds up|prevents|gates)\s+(?:only\s+)?"
    r"((?:DoD|step|task|item|phase|milestone|criteri\w+|the )[^.;,():]{1,50})",
    re.I,
)
_SCOPE_LABEL = Pattern(
    r"\W*((?:DoD|step|task|item|phase|milestone|stage|шаг|этап|步骤|阶段|ステップ|단계|étape"
    r"|paso|schritt)"
    r"[ -]?(?:items? )?#?(?:\d{1,3}|[A-Z])(?![\w]))"
    r"\s*(?:[:：—–(]|-\s|(?:is|needs|waits|blocked|requires|cannot)\b)",
    re.I,
)
_SCOPE_TAIL = Pattern(
    r"\(((?:DoD|step|task|item|criteri\w+)[ -]?(?:items? )?#?(?:[\d, –-]{1,12}|[A-Z]))\)", re.I
)
_NO_SCOPE = Pattern(r"(?:the |read|write|owner|human|user)\b", re.I)
_LETTERS: tuple[BlockerClass, ...] = ("A", "B", "C", "D")
_LIFTED = Pattern(
    r"\W*(?:cleared|lifted|unblocked|removed|gone|no longer (?:blocked|blocking)|снят\w*|解除"
    r"|已解除|levé\w*|behoben|levantado)\b",
    re.I,
)
_WAITED_FOR = Pattern(
    r"\W*(?:until|till|pending|because|due to|by|до|пока|bis|jusqu|hasta|até|kadar)\b", re.I
)
_GATED = Pattern(
    r"(?<!non-)(?<!non )(?<!not )(?<!un)\b(?:waiting|awaiting|blocked|gated|stalled|on hold)\b",
    re.I,
)
_HOLDS = Pattern(
    r"\bblocked\b|\b(?:waiting|awaiting|gated|stalled|on hold)\s+\w+|[^\x00-\x7f]", re.I
)


def blockers_of(fields: Fields, menu: Menu | None, labels: Labels) -> tuple[Blocker, ...]:
    """Return the blockers the document names; `labels` are the names of its conditions.

    Without a BLOCKERS field, a heading or a status that says waiting, blocked or gated is one, and
    so is an option of a menu that needs agreement first.
    """
    if fields["BLOCKERS"] is not None:
        name = fields["BLOCKERS"].sections[0].name
        note = name.note if name else ""
        return tuple(
            _of_condition(_blocker(entry, note), labels)
            for entry in fields.listed("BLOCKERS")
            if _stands(entry)
        )
    found = [
        _gate(section.label, section, fields)
        for section in fields.extra
        if section.style in ("atx", "setext", "bold", "key") and is_gate(section.label)
    ]
    authority = fields["HUMAN_AUTHORITY_REQUIRED"]
    if authority and "gate" in authority.roles and any(_stands(e) for e in authority.listed):
        found.append(_gate(authority.field.heading, authority.sections[0], fields))
    status = fields["PHASE"]
    if not found and status and (entries := status.entries):
        first = next(iter(sentences(entries[0].text)), "").lstrip("*_` ")
        held = is_gate(first) and _HOLDS.search(first) and entries[0].kind != "group"
        if held and not _only_rests(first):
            found.append(_blocker(entries[0]))
    if menu is not None:
        found.extend(_option(text, scope, line) for text, scope, line in menu.agreements)
    return tuple(sorted(found, key=lambda blocker: blocker.line))


def is_gate(words: str) -> bool:
    """Whether a heading or status says that something is waited for."""
    return bool(_GATED.search(words[:300])) or any(
        part in words[:300].casefold() for part in GATED_PARTS
    )


def _only_rests(status: str) -> bool:
    """Whether a status says that the goal rests and names nothing it waits for: `on hold`."""
    standing = standing_of(status)
    if standing is None or standing[0] != "paused":
        return False
    rest = status[standing[1] :]
    return not (is_gate(rest) or _WAITED_FOR.match(rest))


def class_of(text: str) -> tuple[BlockerClass | None, bool]:
    """Return the class of a blocker and whether it was inferred from keywords."""
    stated = _STATED.search(text[:2000]) or _AT_START.match(text)
    if stated:
        letter = next(filter(None, stated.groups())).upper()
        return letter, False
    if names_person(text) or decided_by_person(text) or _has(text, AUTHORITY, ()):
        return "C", True
    if _has(text, EXTERNAL, EXTERNAL_PARTS):
        return "B", True
    if _has(text, ABSENT, ABSENT_PARTS) or re.search(r"\bno access\b", text, re.I):
        return "D", True
    return None, False


def scope_of(text: str) -> str | None:
    """Return what a blocker stops, in the document's words, or None when it names no scope."""
    if inside := _ONLY_INSIDE.search(text):
        return inside[1].strip(" *_`[]")
    said = text[stated.end() :] if (stated := _CLASS_FIRST.match(text)) else text
    only = _ONLY.match(said)
    if only and not _NO_SCOPE.match(only[1] + " "):
        return only[1].strip(" *_`[]")
    for match in (
        _SCOPE.search(text),
        _SCOPE_LABEL.match(said),
        _BLOCKS.search(text),
        _SCOPE_TAIL.search(text),
    ):
        if match:
            return match[1].strip(" *_`[]").removesuffix(" only")
    return None


def until_of(text: str) -> str | None:
    """Return the ISO date a blocker waits for, or None."""
    if cjk := _CJK_DATE.search(text):
        return f"{cjk[1]}-{int(cjk[2]):02}-{int(cjk[3]):02}"
    found = _UNTIL.search(text)
    return found and next(filter(None, found.groups()))


def _has(text: str, words: frozenset[str], parts: tuple[str, ...]) -> bool:
    folded = text[:4000].casefold()
    return any(part in folded for part in parts) or bool(
        words.intersection(re.findall(r"[^\W\d_]+(?:[-'][^\W\d_]+)*|[^\W_]+", folded))
    )


def _stands(entry: Entry) -> bool:
    """Whether an entry names something still in the way: not none, not ticked off, not struck."""
    says = [child.raw for child in entry.children] if entry.children else []
    if says and all(is_none(said) for said in says):
        return False
    if says_none(entry.raw) or entry.ticked == "done" or entry.raw.strip().startswith("~~"):
        return False
    if entry.kind == "row" and _is_empty_row(entry):
        return False
    written = written_state(entry.raw)
    return not (written and written[0] == "done") and not _LIFTED.match(entry.text)


def _is_empty_row(entry: Entry) -> bool:
    """Whether a row says none in every cell besides its class: `| A | none |`."""
    said = [cell for cell in entry.cells if cell and plain(cell).strip("() ") not in _LETTERS]
    return bool(said) and all(is_none(cell) for cell in said)


def _blocker(entry: Entry, note: str = "") -> Blocker:
    text = entry.text
    if entry.children and (text.endswith((":", "：")) or entry.children[0].kind == "text"):
        text = " ".join([text, *(child.text for child in entry.children)])
    klass, inferred = class_of(text)
    if entry.kind == "row" and (letter := _class_cell(entry)):
        klass, inferred = letter, False
    if klass is None or inferred:
        for above in (entry.group.text if entry.group else "", note):
            stated, guessed = class_of(above)
            if stated and not guessed:
                klass, inferred = stated, False
    scope = (_scope_cell(entry) if entry.kind == "row" else None) or scope_of(text)
    until = (_until_cell(entry) if entry.kind == "row" else None) or until_of(text)
    return Blocker(klass, inferred, scope, until, text, entry.line)


def _of_condition(blocker: Blocker, labels: Labels) -> Blocker:
    """Return `blocker` with the condition it begins with as its scope: `D3: waits for …`."""
    if blocker.scope is None and (label := labels.at_start(blocker.text)):
        return blocker._replace(scope=label)
    return blocker


def _class_cell(entry: Entry) -> BlockerClass | None:
    """Return the letter in the class column of a row, else the first cell that is a letter."""
    cells = [plain(cell).strip("() ") for cell in entry.cells]
    heads = [key(head) in CLASS_HEADS for head in entry.head]
    named = [cell for cell, is_class in zip(cells, heads, strict=False) if is_class]
    return next(
        (letter for cell in (*named, *cells) for letter in _LETTERS if cell == letter), None
    )


def _scope_cell(entry: Entry) -> str | None:
    """Return what the scope column of a row says; `Step` and `A` are put together."""
    for head, cell in zip(entry.head, entry.cells, strict=False):
        if key(head) in SCOPE_HEADS and not is_none(cell):
            said = plain(cell)
            return said if len(said) > 2 or key(head) == "scope" else f"{plain(head)} {said}"
    return None


def _until_cell(entry: Entry) -> str | None:
    """Return the date in the column of a row that says until when."""
    for head, cell in zip(entry.head, entry.cells, strict=False):
        if key(head) in UNTIL_HEADS and (day := re.search(_DAY, cell)):
            return day[1]
    return None


def _gate(label: str, section: Section, fields: Fields) -> Blocker:
    klass, inferred = class_of(label)
    body = " ".join(fields.content.texts[at] for at in section.body[:40])
    return Blocker(
        klass, inferred or klass is None, scope_of(label), until_of(label) or until_of(body),
        label, section.line,
    )  # fmt: skip


def _option(text: str, scope: str, line: int) -> Blocker:
    klass, inferred = class_of(text)
    return Blocker(klass or "C", klass is None or inferred, scope, until_of(text), text, line)
