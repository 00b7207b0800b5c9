"""Whether a text waits for a person, a date or an event, and the words that say so.

Used for the next action and for blockers without a written class. There is no clock here: a text
that names a date to wait for waits.
"""

from __future__ import annotations

import re

from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.prose import clipped
from ppgp_tui.ppgp.words import (
    DECIDE_PARTS,
    DECIDE_STEMS,
    DECIDES,
    FOREIGN_PERSONS,
    PERSON_PARTS,
    PERSONS,
    USERS,
    WAIT_PARTS,
    WAITS,
)

_WORD = Pattern(r"[^\W\d_][^\W_]*(?:[-'’][^\W\d_]+)*")
_PERSON = (
    r"(?:owner|maintainers?|human|user|client|customer|ceo|cto|operator|reviewers?|stakeholders?"
    r"|legal|manager|team lead|lead|approver|person|someone|somebody)"
)
_SUBJECT = Pattern(
    rf"\W*(?:the |our |a |an )?(?:\w+ )?{_PERSON}\b\s*(?P<does>:|must\b|should\b|has to\b|have to\b"
    r"|needs? to\b|reviews?\b|approves?\b|decides?\b|merges?\b|confirms?\b|picks?\b|chooses?\b"
    r"|selects?\b|signs? off\b|grants?\b|answers?\b|accepts?\b|authori[sz]es?\b)"
    rf"|\W*(?:the |our )?(?:owner|maintainers?|human|ceo|cto|operator|legal)\s+(?:to\b|will\b"
    r"|creates?\b|provides?\b|tests?\b|checks?\b|runs?\b|deploys?\b|publishes?\b|supplies\b)"
    r"|\W*(?:human|owner|user|maintainer)(?:'s)? (?:decision|approval|input|review|confirmation"
    r"|answer)"
    r"\s*(?:is |are )?(?:needed|required|pending|outstanding|owed|:)"
    r"|\W*(?:the |our )?(?:user|client|customer)\s+(?:tests|checks|runs|tries|supplies|provides)"
    r"\s+(?:the|an?|it|this|both|all|every|on|in|with)\b"
    r"|\W*(?:the |our )?(?:owner|maintainer|human|ceo|cto|operator)\s+[a-z]+s\s+"
    r"(?:the|an?|which|whether|who|how|both|it|one)\b"
    r"|\W*@[\w-]+\s+(?:must|to|needs? to|reviews?|approves?|decides?)\b",
    re.I,
)
_CONSENT = (
    r"\b[^.;:]{0,50}?"
    r"\b(?:approval|approves?|sign-?off|go-ahead|consent|authori[sz]ation|owner|maintainers?"
    r"|human|ceo|stakeholders?|legal review|(?:peer|human|owner|pr) review"
    r"|(?:user|client|customer|reviewer|lead)s? (?:confirms?|decides?|approves?|agrees?|chooses?"
    r"|picks?|answers?|accepts?|reviews?|signs?)|(?:user|client|customer)(?:'s)? (?:confirmation"
    r"|decision|answer|approval|agreement|choice))\b"
)
_RELEASES = (
    r"(?:merge|deploy|publish|release|ship|push|tag|start|begin|continue|proceed|resume|close"
    r"|delete|drop|announce|enable|run|send|go)"
)
_GATE = Pattern(
    r"\b(?:await(?:ing|s)?|wait(?:ing)? (?:for|on)|pending|blocked (?:on|by)|subject to|after|once"
    rf"|upon|until|following){_CONSENT}"
    rf"|^\W*(?:{_RELEASES}\b[^.;:]{{0,60}}\b)?(?:when|unless){_CONSENT}"
    rf"|^\W*(?:blocked\W+)?[^.;:]{{0,30}}\b(?:needs?|requires?){_CONSENT}"
    r"|\bif (?:the |our |an? )?(?:owner|maintainers?|human|user|client|customer|ceo|cto|operator"
    r"|reviewers?|stakeholders?|legal|manager|lead) (?:agrees?|approves?|confirms?|decides?"
    r"|accepts?|says?|wants?|signs?|grants?|chooses?|allows?)\b"
    r"|\b(?:once|when|if|after being|until) (?:it is |it's |they are )?approved\b",
    re.I,
)
"""A gate that a person opens; "when" and "needs" in the middle of a task speak of the product."""
_ASK = Pattern(
    r"\b(?:ask|confirm with|agree with|check with|discuss with|decide with|get .{0,30} from"
    r"|request (?:approval|review|sign-?off) from|hand (?:over|back|it) to|present .{0,30}to"
    rf"|escalate to|have|let)\s+(?:the |an? |our )?{_PERSON}\b"
    r"|\brequest (?:owner |human )?(?:approval|sign-?off)\b",
    re.I,
)
_PRESENCE = Pattern(
    r"\b(?:user|owner|operator|human|person|driver|tester)[- ](?:driven|in-the-loop|led|run"
    r"|operated"
    r"|attended|supervised)\b|\bin person\b|\bhands-on\b|\bby (?:the |an? )?(?:owner|human"
    r"|maintainer"
    r"|operator|person|ceo)\b|\bowner[- ](?:only|gated)\b|\bat the (?:desk|console|wheel)\b"
    r"|\bwith (?:the|a|one) (?:user|owner|customer|client)\b(?=\W*$|\s+(?:and|present|in person)\b"
    r"|[,;.])|\bmit (?:dem|der|einem) (?:nutzer|benutzer|eigentümer|kunden)\b"
    r"|\bavec (?:l['’]utilisateur|le propriétaire)\b|\bcon (?:el|un) (?:usuario|propietario)\b"
    r"|\bс (?:пользователем|владельцем)\b",
    re.I,
)
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?"
)
_DATE = Pattern(
    rf"\d{{4}}[-/.]\d\d?[-/.]\d\d?|\d\d?\.\d\d?\.\d{{4}}|\d{{4}}年\d{{1,2}}月\d{{1,2}}日"
    rf"|\b(?:{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?|\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}|tomorrow"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next week)\b",
    re.I,
)
_DATED = Pattern(
    r"\b(?:on or after|on/after|not before|no earlier than|nothing until|hold until) (?:the )?@"
    r"|^\W*(?:after|from|starting|until|on|since|as of|earliest|после|с|до|не раньше|начиная с"
    r"|après|à partir du|dès le|pas avant le|nach|ab|erst ab|ab dem|bis|después del?|a partir del?"
    r"|desde|após|até) (?:the |dem |le |el )?@"
    r"|^[^\w@]*@\s*(?:$|[:：—–-]|之后|以后|後|以降|になったら|이후|부터|sonra|'den sonra)"
    r"|\b(?:after|until|после|nach|après|después del?|após|بعد) (?:the )?@[^\w@]*$"
    r"|(?<!ed )(?<!taken )(?<!seen )(?<!found )(?<!sent )(?<!made )\bon (?:the )?@[^\w@]*$"
    r"|\bbefore @\W{0,4}(?:nothing|none|no action|no work)\b"
    r"|@\s*(?:之后|以后|以降|以降に|後に|이후|부터)"
    r"|@\s*(?:之前|以前|までは?|前は?|까지는?|이전에?는?)\s*[:：，,、]?.{0,20}(?:无|没有|不|なし"
    r"|ない|없)",
    re.I,
)
"""Dates that are waited for; `@` stands for any date."""
_OUTSIDE = (
    r"\b(?:freeze|window|embargo|propagat\w+|cool-?down|quota|soak|maintenance"
    r"|observation period|moratorium)\b"
)
_EVENT = Pattern(
    rf"(?<!wait )(?<!waits )\b(?:after|once|until|as soon as)\b[^.;:]{{0,60}}{_OUTSIDE}"
    rf"|^\W*when\b[^.;:,]{{0,60}}{_OUTSIDE}"
    r"|^\W*(?:after|once|when|as soon as)\b[^.;:,]{0,60}\b(?:arriv\w+|respond\w*|repl(?:y|ies|ied)"
    r"|answer\w*|certif\w+|available|released|expires?d?|opens?|ends?|closes?|returns?|returned"
    r"|(?:review|audit|submission|trial|outage|incident|holidays?|vacation)\b(?! (?:comment"
    r"|finding|note|result|report)))\b"
    r"|^\W*(?:await\w*|wait)\b|^\W*(?:hold|stand by)\W*$",
    re.I,
)
_MEANWHILE = Pattern(
    r"\W*((?:while|whilst|during|meanwhile|in the meantime|for now|until|till|before|bis|vor|до"
    r"|пока|jusqu'au|avant|hasta|antes|até)\b[^,，:：;]{0,100})[,，:：]\s*(?=\S)",
    re.I,
)
_CLAUSES = Pattern(r"(?<=[.!?。！？；;])(?![\"”»」』'’])")
_PIECES = Pattern(r"[-'’]")
_EDGES = " \t*_-:"
_STEP_END = Pattern(r"\s*(?:;|；|→|->|=>|,? then\b|，然后|，再|；然后|、その後)\s*", re.I)


def first_step(text: str) -> str:
    """Return the first step of one-line `text`: up to a semicolon, an arrow or a "then"."""
    return next((step for step in _STEP_END.split(text[:2000]) if step.strip()), "")


def meanwhile(text: str) -> tuple[str, str] | None:
    """Split one-line `text` that begins "Until DATE: …" or "While X, …" into that and the rest."""
    opening = _MEANWHILE.match(text)
    return (opening[1].strip(), text[opening.end() :]) if opening else None


def waits_for_person(text: str) -> str | None:
    """Return the words of `text` that hand it to a person, or None."""
    for pattern in (_SUBJECT, _GATE, _ASK, _PRESENCE):
        if found := pattern.search(text) if pattern is not _SUBJECT else pattern.match(text):
            return found[0].strip(_EDGES)
    opening = [word.casefold() for word in _WORD.findall(text[:80])[:2]]
    pieces = [piece for word in opening for piece in _PIECES.split(word)]
    if FOREIGN_PERSONS.intersection(pieces[:2]):
        return text[:60].strip()
    return decided_by_person(text) if not text.isascii() else None


def waits_for_time(text: str) -> str | None:
    """Return the words of `text` that make it wait for a date or an event, or None."""
    dates = [found[0] for found in _DATE.finditer(text)]
    if dates:
        marked = _DATE.sub("@", text.replace("@", " "))
        if found := _DATED.search(marked):
            pieces = found[0].split("@")
            first = marked.count("@", 0, found.start())
            words = pieces[0] + "".join(
                date + piece for date, piece in zip(dates[first:], pieces[1:], strict=False)
            )
            return words.strip(_EDGES)
    if event := _EVENT.search(text):
        said = event[0].strip(_EDGES)
        return said if " " in said else clipped(text, 60)
    opening = [word.casefold() for word in _WORD.findall(text[:200])[:1]]
    begins = WAITS.intersection(opening) or text.rstrip(" .!").endswith(("warten", "abwarten"))
    if begins or any(part in text[:40] for part in WAIT_PARTS):
        return text[:60].strip()
    return None


def decided_by_person(text: str) -> str | None:
    """Return the words that name a person together with a decision in one sentence, or None.

    For texts in which such words are known to speak of the goal's people, and for languages other
    than English, where the sentence form is not read.
    """
    for sentence in _CLAUSES.split(text[:4000]):
        words = {word.casefold() for word in _WORD.findall(sentence)}
        parts = {piece for word in words for piece in _PIECES.split(word)}
        decides = DECIDES & (words | parts) or any(p.startswith(DECIDE_STEMS) for p in parts)
        if (PERSONS | FOREIGN_PERSONS | USERS) & parts and decides:
            return sentence.strip()
        if any(part in sentence for part in PERSON_PARTS) and any(
            part in sentence for part in DECIDE_PARTS
        ):
            return sentence.strip()
    return None


def names_person(text: str) -> bool:
    """Whether `text` names a person who owns decisions: the owner, a human, the CEO."""
    words = {word.casefold() for word in _WORD.findall(text[:4000])}
    return bool(
        (PERSONS | FOREIGN_PERSONS) & {piece for word in words for piece in _PIECES.split(word)}
    )
