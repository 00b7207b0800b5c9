"""The human's part: decisions owed now, standing limits, permissions already given.

PPGP reference section 6 tells the three apart; CONTRACTS-style marks such as `[granted 2026-09-25]`
in front of an entry say that a person has decided.
"""

from __future__ import annotations

import re

from ppgp_tui.ppgp.entries import Entry, entries_of
from ppgp_tui.ppgp.fields import Fields
from ppgp_tui.ppgp.menu import Menu
from ppgp_tui.ppgp.names import key
from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.prose import plain, says_none, sentences
from ppgp_tui.ppgp.reading import Authority, Item
from ppgp_tui.ppgp.states import cell_state, written_state
from ppgp_tui.ppgp.waiting import names_person
from ppgp_tui.ppgp.words import DECISION_HEADS

_DECIDED = Pattern(r"\W*\[(granted|refused|answered)\b[^\]]{0,200}\]\s*", re.I)
_GRANTED = (
    r"(?:granted|approved|authori[sz]ed|permitted|allowed|авторизовано|разрешено|одобрено"
    r"|согласовано"
    r"|已授权|已批准|已获批|已同意|許可済み|承認済み?|同意済み|승인됨|승인 완료|허가됨"
    r"|autorisée?s?|approuvée?s?|accordée?s?"
    r"|autorizad[oa]s?|aprobad[oa]s?|genehmigt|freigegeben|erlaubt|autorizad[oa]s?|aprovad[oa]s?"
    r"|onaylandı|izin verildi|مصرح|تمت الموافقة|معتمد)"
)
_GRANT = Pattern(_GRANTED, re.I)
_GRANT_LEADS = Pattern(
    rf"\W*(?:(?:already|explicitly|previously|owner|user|уже|deja|déjà|ya|bereits|já)[ -]+){{0,2}}"
    rf"{_GRANTED}\b(?!\s+(?:before|only|if|when|unless))",
    re.I,
)
_GRANT_DATED = Pattern(
    rf"\b(?:was|were|has been|have been|is already|already|а?была?|a été|fue|wurde|foi)\s+"
    rf"(?:explicitly )?{_GRANTED}"
    rf"|{_GRANTED}[^.;]{{0,40}}\d{{4}}-\d\d-\d\d"
    rf"|[(（\[]\s*{_GRANTED}\s*[)）\]]"
    r"|\b(?:owner|user|maintainer|ceo) (?:has )?(?:granted|approved|authori[sz]ed|agreed"
    r"|allowed)\b",
    re.I,
)
_GRANT_NOT = Pattern(
    r"\b(?:not|un|until|unless|be|before|if|when|needs?|must be|to be|never|not yet)[ -]+"
    r"(?:explicitly |yet |it is |is )?(?:granted|approved|authori[sz]ed|permitted|allowed)"
    r"|\b(?:after|once|until|unless)\b[^.;]{0,40}\b(?:granted|approved|authori[sz]ed|allowed)",
    re.I,
)
_LIMIT = Pattern(
    r"\W*(?:standing\b|do not|don't|never|must not|may not|no\s+\w+|not? without|without"
    r"|forbidden|prohibited"
    r"|не\s+\w+|запрещ\w+|нельзя|никогда|без\s+\w+|禁止|不得|不要|不允许|未经|絶対に|禁止事項"
    r"|금지|하지 않|하지 말"
    r"|ne (?:pas|jamais)|interdit\w*|jamais|no se|nunca|prohibido|sin\s+\w+|nicht\s+\w+|niemals"
    r"|keine?\s"
    r"|verboten|não\s+\w+|proibido|asla|yasak|لا\s|ممنوع)"
    r"|.{0,120}?\b(?:must not|may not|is (?:not allowed|forbidden|prohibited)|is off limits"
    r"|are (?:not allowed|forbidden|prohibited)|remains? (?:forbidden|prohibited))\b"
    r"|.{0,60}?(?:を?禁止|してはならない|しないこと|하지 않는다|금지)\W*$",
    re.I,
)
_WHEN = Pattern(
    r"\W*(?:if|when|whenever|in case|should|any|every|before any|ask before|ask first|escalate"
    r"|always ask|changes? (?:to|of|in) .{1,60}(?:requires?|needs?)|если|при\s|любо[ейя]\w*"
    r"|когда|если"
    r"|如果|若|任何|凡|一旦|もし|場合は|만약|모든|si\s|en cas|tout\w*\s|cuando|cualquier|wenn\s"
    r"|falls\s|jede\w*\s"
    r"|se\s|quando|qualquer|eğer|her\s|herhangi|إذا|أي\s)",
    re.I,
)
_SCOPE = Pattern(
    r"\b(?:scope|область|范围|範囲|범위|portée|alcance|escopo|umfang|kapsam)\s*[:：]\s*([^.;()?]{1,60})",
    re.I,
)
_FOR_A_PART = Pattern(r"\bfor (?!now\b|this goal\b|the moment\b)", re.I)
_GRANTED_LABEL = Pattern(r"([^.:：]{3,80}?)\s*[:：]\s")


def authority_of(fields: Fields, menu: Menu | None) -> Authority:
    """Return pending decisions, standing limits and permissions already given."""
    pending: list[Item] = []
    standing: list[Item] = []
    granted: list[Item] = []
    found = fields["HUMAN_AUTHORITY_REQUIRED"]
    role_of = found.role_of if found else {}
    for entry in found.listed if found else ():
        if says_none(entry.raw):
            pending.extend(_owed_besides(entry))
            continue
        text, kind = _sorted(entry, role_of.get(id(entry), ""))
        {"pending": pending, "standing": standing, "granted": granted}[kind].append(
            Item(text, entry.line, _scope(text))
        )
    granted.extend(_granted_elsewhere(fields))
    if menu is not None:
        pending.extend(menu.asks)
    return Authority(tuple(pending), tuple(standing), tuple(granted))


def _scope(text: str) -> str | None:
    written = _SCOPE.search(text)
    return written[1].strip(" *_`") or None if written else None


def _owed_besides(entry: Entry) -> list[Item]:
    """Return what is owed besides a part: `None for DoD 1. Publishing needs the owner` owes one."""
    first, *rest = sentences(entry.text) or [""]
    if not _FOR_A_PART.search(first):
        return []
    owed = [one for one in rest if names_person(one) and not _is_granted(one)]
    return [Item(one, entry.line) for one in owed if not _LIMIT.match(one)]


def _sorted(entry: Entry, role: str) -> tuple[str, str]:
    """Return the entry's text and which of the three it is."""
    text = entry.text
    if decided := _DECIDED.match(text):
        refused = decided[1].casefold() == "refused"
        return text, "standing" if refused else "granted"
    written = written_state(entry.raw)
    if written:
        rest = f"**{written[1]}" if written[1].count("**") % 2 else written[1]
        text = plain(rest) or text
    if entry.kind == "row":
        text, state = _row(entry)
        if state:
            return text, state
    if entry.ticked == "done" or (written and written[0] == "done"):
        return text, "granted"
    if role == "when":
        return text, "standing"
    if _is_granted(text):
        return text, "granted"
    group = key(entry.group.text) if entry.group else ""
    if _GRANT.match(group):
        return text, "granted"
    asks = text.rstrip(" *_`").endswith(("?", "？", "؟"))
    limits = _LIMIT.match(text) or _WHEN.match(text)
    if entry.box is None and role != "gate" and limits and not asks:
        return text, "standing"
    if any(
        word in group for word in ("standing", "prohibit", "never", "forbidden", "запрет", "禁止")
    ):
        return text, "standing"
    return text, "pending"


def _is_granted(text: str) -> bool:
    if not _GRANT.search(text[:400]) or _GRANT_NOT.search(text[:400]):
        return False
    label = _GRANTED_LABEL.match(text[:120])
    if label and len(label[1].split()) <= 6 and _grants(label[1]):
        return True
    return bool(_GRANT_LEADS.match(text) or _GRANT_DATED.search(text[:400]))


def _row(entry: Entry) -> tuple[str, str | None]:
    """Return the decision of a table row and what its status column makes of it."""
    words = [plain(cell) for cell in entry.cells if cell]
    for at, cell in enumerate(entry.cells):
        head = key(entry.head[at]) if at < len(entry.head) else ""
        if head and head not in DECISION_HEADS:
            continue
        if at and (_GRANT.match(plain(cell)) or cell_state(cell) == "done"):
            return words[0], "granted"
    named = [word for word in words if not word.strip("#. ").isdigit()]
    return (named[0] if named else entry.text), None


def _granted_elsewhere(fields: Fields) -> list[Item]:
    """Return permissions that a labelled paragraph of another section says were given."""
    found = []
    own = fields["HUMAN_AUTHORITY_REQUIRED"]
    sections = [
        section
        for section in fields.outline.sections
        if section.host is None and (own is None or section not in own.sections)
    ]
    for section in sections:
        for entry in entries_of(fields.content, section):
            label = _GRANTED_LABEL.match(entry.text[:120])
            if label and len(label[1].split()) <= 6 and _grants(label[1]):
                found.append(Item(entry.text, entry.line))
    return found


def _grants(label: str) -> bool:
    words = label.casefold()
    ends = _GRANT.search(words)
    if ends is None or _GRANT_NOT.search(words):
        return False
    return ends.end() >= len(words.rstrip()) - 3
