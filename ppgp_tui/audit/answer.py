"""What an auditor answered, read so that anything unclear decides nothing.

The answer stands between two lines that carry a token made for this one audit: what the repository
says cannot have known it, so no file can answer in the auditor's place. After the block comes
nothing but Pi's tag (Pi reference section 2.11), which must agree with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ppgp_tui.audit.model import Answer, Opinion, Outcome, Quote
from ppgp_tui.session.text import one_line, safe

LONGEST: Final = 1024 * 1024
"""Characters of an answer; a longer one is no answer."""
KEPT: Final = 12_000
"""Characters of what the auditor wrote that the report keeps (Pi's bound)."""
_WHY_MOST: Final = 2_000
_QUOTE_LEAST: Final = 8
"""Letters and digits of a quote; fewer stand in every file."""
_QUOTE_MOST: Final = 2_000
_LINES_MOST: Final = 10_000_000
_TAGS: Final = {"approved": "<approved/>", "rejected": "<disapproved/>"}
_OUTCOMES: Final[Mapping[Any, Outcome]] = {
    "pass": "pass", "fail": "fail", "cannot_check": "cannot_check",
}  # fmt: skip
_MEMBERS: Final = frozenset({"verdict", "criteria", "notes", "objections"})


class _UnclearError(Exception):
    """Why an answer decides nothing."""


def begin(token: str) -> str:
    """The line before the answer."""
    return f"BEGIN VERDICT {token}"


def end(token: str) -> str:
    """The line after it."""
    return f"END VERDICT {token}"


def read_answer(text: str, criteria: Sequence[str], token: str) -> Answer:
    """Return what `text` answers for the criteria with these ids.

    Not usable, with the reason: no block or several, cut off, no JSON, another shape, a criterion
    missing, unknown or twice, a `pass` without a quote, and a verdict that its own criteria or the
    tag contradict.
    """
    kept = safe(text[-KEPT:])
    try:
        verdict, answer = _read(text, criteria, token)
        _agree(verdict, answer, text, token)
    except _UnclearError as error:
        return Answer(False, str(error), text=kept)
    return answer._replace(text=kept)


def _read(text: str, criteria: Sequence[str], token: str) -> tuple[str, Answer]:
    said = _decoded(_block(text, token))
    if not isinstance(said, dict) or not set(said) <= _MEMBERS:
        raise _UnclearError("the answer has another shape than was asked for")
    verdict, listed = said.get("verdict"), said.get("criteria")
    if verdict not in ("approved", "rejected", "inconclusive") or not isinstance(listed, list):
        raise _UnclearError("the answer has no verdict or no criteria")
    opinions = tuple(_opinion(one, criteria) for one in listed)
    answered = [one.criterion for one in opinions]
    if len(set(answered)) < len(answered):
        raise _UnclearError("a criterion is answered twice")
    if absent := [one for one in criteria if one not in answered]:
        raise _UnclearError(f"not answered: {', '.join(absent)}")
    return verdict, Answer(
        True,
        opinions=opinions,
        notes=_sentences(said.get("notes", [])),
        objections=_sentences(said.get("objections", [])),
    )


def _block(text: str, token: str) -> str:
    if len(text) > LONGEST:
        raise _UnclearError("the answer is too long")
    lines = text.splitlines()
    begins = [at for at, line in enumerate(lines) if line.strip() == begin(token)]
    ends = [at for at, line in enumerate(lines) if line.strip() == end(token)]
    if not begins:
        raise _UnclearError("there is no answer in what the auditor wrote")
    if len(begins) != 1 or len(ends) > 1:
        raise _UnclearError("there is more than one answer")
    if not ends or ends[0] < begins[0]:
        raise _UnclearError("the answer is cut off")
    body = [line for line in lines[begins[0] + 1 : ends[0]] if not line.strip().startswith("```")]
    return "\n".join(body)


def _decoded(body: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            raise _UnclearError("a member stands twice in the answer")
        return members

    try:
        return json.loads(body, object_pairs_hook=once)
    except (ValueError, RecursionError):
        raise _UnclearError("the answer is no JSON") from None


def _opinion(said: Any, criteria: Sequence[str]) -> Opinion:
    if not isinstance(said, dict):
        raise _UnclearError("a criterion has another shape than was asked for")
    criterion, why = said.get("id"), said.get("why")
    if not isinstance(criterion, str) or criterion not in criteria:
        raise _UnclearError(f"it answers what was not asked: {one_line(str(criterion))[:80]}")
    said_outcome = said.get("outcome")
    outcome = _OUTCOMES.get(said_outcome) if isinstance(said_outcome, str) else None
    if outcome is None:
        raise _UnclearError(f"{criterion} has no outcome")
    if not isinstance(why, str) or not why.strip():
        raise _UnclearError(f"{criterion} has no reason")
    quotes = tuple(_quote(one, criterion) for one in _list(said.get("quotes", [])))
    if outcome == "pass" and not quotes:
        raise _UnclearError(f"{criterion} passes without evidence")
    return Opinion(criterion, outcome, one_line(why)[:_WHY_MOST], quotes)


def _quote(said: Any, criterion: str) -> Quote:
    if isinstance(said, dict):
        path, text, line = said.get("path"), said.get("text"), said.get("line")
        if isinstance(path, str) and isinstance(text, str) and path.strip():
            known = isinstance(line, int) and not isinstance(line, bool) and 0 < line < _LINES_MOST
            if sum(map(str.isalnum, text)) >= _QUOTE_LEAST:
                return Quote(path.strip(), text[:_QUOTE_MOST], line if known else None)
    raise _UnclearError(f"a quote of {criterion} names no file or no words")


def _list(said: Any) -> list[Any]:
    if not isinstance(said, list):
        raise _UnclearError("the answer has another shape than was asked for")
    return said


def _sentences(said: Any) -> tuple[str, ...]:
    if not all(isinstance(one, str) for one in _list(said)):
        raise _UnclearError("notes and objections are lists of sentences")
    return tuple(one_line(one)[:_WHY_MOST] for one in said if one.strip())


def _agree(verdict: str, answer: Answer, text: str, token: str) -> None:
    """The verdict, its criteria, its objections and the tag all say the same."""
    outcomes = {one.outcome for one in answer.opinions}
    if verdict == "approved" and (outcomes - {"pass"} or answer.objections):
        raise _UnclearError("it approves and says that something is not done")
    if verdict == "rejected" and "fail" not in outcomes:
        raise _UnclearError("it rejects and says of nothing that it fails")
    if verdict == "inconclusive" and "fail" in outcomes:
        raise _UnclearError("it decides nothing and says that something fails")
    after = text.partition(end(token))[2]
    said = _last_lines(after.splitlines())
    if verdict in _TAGS and said != [_TAGS[verdict]]:
        raise _UnclearError(f"it does not end in {_TAGS[verdict]}")
    if verdict == "inconclusive" and said:
        raise _UnclearError("it decides nothing and goes on")


def _last_lines(lines: Iterable[str]) -> list[str]:
    return [line.strip() for line in lines if line.strip() and not line.strip().startswith("```")]
