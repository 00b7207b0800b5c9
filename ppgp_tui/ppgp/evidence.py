"""What counts as evidence that one condition is met.

A condition has evidence only where the document ties the two together:

1. an entry of VERIFICATION_EVIDENCE names the condition by its number or label;
2. the condition carries the proof itself: a commit id or a test result anywhere in it, or a file, a
   link or a pull request in its remark (brackets, behind a dash, behind "evidence:");
3. a table gives it an evidence cell that says something;
4. the entry that calls it finished carries such a proof.

An entry of VERIFICATION_EVIDENCE that names no condition supports the goal as a whole and no single
condition, however alike the words are: likeness is a guess. A condition called done without any of
the four is *claimed*.
"""

from __future__ import annotations

import re

from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.prose import is_none, plain

_COMMIT = Pattern(
    r"\b(?=[a-f]{0,39}\d)(?=\d{0,39}[a-f])[0-9a-f]{7,40}\b|\bcommits?\s+`?[0-9a-f]{7,40}\b", re.I
)
_RESULT = Pattern(
    r"(?<!at least )(?<!≥ )(?<!≥)\b\d+ (?:tests? |checks? |specs? )?pass(?:ed|ing|es)?\b"
    r"|\b\d+/\d+ (?:tests?|pass(?:ed|ing)?|green|ok|checks?)\b"
    r"|\b\d+ tests? (?:green|ok)\b"
    r"|\d+ ?(?:个|項|件)?(?:测试|テスト|単体テスト)[^。；;,，]{0,6}(?:通过|成功|合格)"
    r"|\b\d+ тест\w{0,3} (?:прош\w+|пройден\w*)|\b\d+ tests? (?:réussis|passent|superad[oa]s"
    r"|bestanden)",
    re.I,
)
_REMARK = Pattern(
    r"[(（\[]([^()（）\[\]]{2,200})[)）\]](?!\()"
    r"|\b(?:evidence|proof|verified (?:by|in|with)|see|proven by|доказательство|preuve|evidencia"
    r"|nachweis|beleg|evidência|kanıt)\s*[:：]?\s+(.{2,200})"
    r"|(?:证据|証拠|証跡|증거|الدليل)\s*[:：]?\s*(.{2,200})"
    r"|\s(?:[—–→]|->)\s(.{2,200})",
    re.I,
)
_LINK = Pattern(r"\[[^\]\[]{1,120}\]\([^()\s]{1,400}\)|https?://[^\s)>\]]{4,400}")
_PLACE = Pattern(
    r"`?[\w.-]{1,80}(?:/[\w.-]{1,80}){1,12}\.[A-Za-z]\w{0,5}(?::\d+)?`?"
    r"|`?\b[\w-]{1,80}\.(?:md|txt|json|jsonl|log|html|png|svg|csv|xml|py|ts|tsx|js|rs|go|java|kt"
    r"|sql|ya?ml|toml|sh|ipynb)\b`?"
    r"|\b(?:PR|MR|pull request|issue|run|build|job) ?[#!]?\d{1,7}\b|(?<!\w)[#!]\d{1,7}\b"
    r"|\b\d+ (?:tests?|checks?|specs?)\b|\d+ ?(?:个测试|テスト|тест\w{0,3})",
    re.I,
)
_NEGATIVE = Pattern(
    r"\bnot (?:yet )?(?:run|tested|verified|done|checked|measured)\b|\bunverified\b|\bno evidence\b"
    r"|\bpending\b|\b(?:todo|tbd)\b|\b[1-9]\d* fail(?:ed|ures?|ing)?\b|не проверен|未验证|未検証"
    r"|未测试",
    re.I,
)


def proof_in(text: str) -> str | None:
    """Return the proof that a condition or entry called done carries itself, or None."""
    text = text[:4000]
    for pattern in (_COMMIT, _RESULT):
        if found := pattern.search(text):
            return plain(found[0])
    if link := _LINK.search(text):
        return link[0]
    for remark in _REMARK.finditer(text):
        if place := _PLACE.search(next(filter(None, remark.groups()), "")):
            return plain(place[0])
    return None


def cell_proof(cell: str) -> str | None:
    """Return what an evidence cell says, or None when it says nothing or only promises."""
    text = plain(cell)
    return None if is_none(text) or _NEGATIVE.search(text) else text


def supports(entry_text: str) -> bool:
    """Whether an entry that names a condition can stand as evidence for it at all."""
    return not is_none(entry_text) and not _NEGATIVE.search(entry_text[:2000])


def names_place(text: str) -> bool:
    """Whether `text` names a file, a link or a pull request."""
    return bool(_PLACE.search(text) or _LINK.search(text))
