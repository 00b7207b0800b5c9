"""Whether what an auditor quotes stands where it says, and can show anything at all."""

from __future__ import annotations

import itertools
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Set
from typing import Final

from ppgp_tui.audit.facts import OURS
from ppgp_tui.audit.model import Answer, Opinion, Quote
from ppgp_tui.session.text import one_line

_SERVES: Final = 2
"""Criteria that one quote can show; words that show everything show nothing."""
_HASH_CODE: Final = (".ex", ".exs", ".jl", ".pl", ".py", ".r", ".rb", ".sh")
_SLASH_CODE: Final = (
    ".c", ".cc", ".cpp", ".cs", ".dart", ".go", ".h", ".hpp", ".java", ".js", ".jsx", ".kt",
    ".mjs", ".php", ".rs", ".scala", ".swift", ".ts", ".tsx", ".zig",
)  # fmt: skip
_SLASHED = re.compile(r"\s*(?://|/\*|\*(?:\s|/|$))")
_PLACES_MOST: Final = 1_000
_PATH_SHOWN: Final = 200


def is_claim(path: str, document: str) -> bool:
    """Whether what stands at `path` is a claim or the session's own, and so shows nothing.

    The goal document, the plan, the log, Git's own files, and whatever lies outside of the root.
    """
    clean = posixpath.normpath(path)
    folded = clean.casefold()
    outside = "\0" in path or clean.startswith(("/", ".."))
    return outside or folded == document.casefold() or any(
        folded == own.rstrip("/") or folded.startswith(own) for own in (*OURS, ".git/")
    )  # fmt: skip


def with_quotes_checked(
    answer: Answer, read: Callable[[str], str | None], claimed: str = ""
) -> Answer:
    """The answer in which only quotes count that stand where they are said to stand.

    `read` gives the text of a path relative to the root (or of `output:CHECK`), None where there is
    none that counts. `claimed` is the goal document: its words are claims wherever they stand
    again, but for what a command printed here. A quote under more than two criteria counts for
    none. A `pass` with a quote that does not count is one that nobody can check.

    What this cannot tell: whether a true quote has anything to do with its criterion. Both stand
    beside each other in the verdict for a person to see.
    """
    texts: dict[str, str | None] = {}

    def text_of(path: str) -> str | None:
        if path not in texts:
            texts[path] = read(path)
        return texts[path]

    used = Counter(
        key for one in answer.opinions if one.outcome == "pass"
        for key in {(quote.path, _squeezed(quote.text)) for quote in one.quotes}
    )  # fmt: skip
    worn = {key for key, count in used.items() if count > _SERVES}
    judged = tuple(_checked(one, text_of, _squeezed(claimed), worn) for one in answer.opinions)
    return answer._replace(opinions=judged)


def _checked(
    opinion: Opinion,
    text_of: Callable[[str], str | None],
    claimed: str,
    worn: Set[tuple[str, str]],
) -> Opinion:
    real: list[Quote] = []
    missing: list[Quote] = []
    first = ""
    for quote in opinion.quotes:
        why, line = _why_not(quote, text_of, claimed, worn)
        if why:
            missing.append(quote)
            first = first or why
        else:
            real.append(quote._replace(line=line))
    checked = opinion._replace(quotes=tuple(real), missing=tuple(missing))
    if opinion.outcome != "pass":
        return checked
    if real and all(only_comments(one.path, one.text) for one in real):
        first = first or f"{one_line(real[0].path)[:_PATH_SHOWN]} says so only in a comment"
        real = []
    if missing or not real:
        why = f"the auditor's evidence does not count: {first or 'it has none'}"
        return checked._replace(outcome="cannot_check", why=why)
    return checked


def only_comments(path: str, words: str) -> bool:
    """Whether what is quoted from code is a comment, which says what code should do."""
    lines = [line for line in words.splitlines() if line.strip()]
    if path.endswith(_HASH_CODE):
        return all(line.lstrip().startswith("#") for line in lines)
    return path.endswith(_SLASH_CODE) and all(map(_SLASHED.match, lines))


def _why_not(
    quote: Quote,
    text_of: Callable[[str], str | None],
    claimed: str,
    worn: Set[tuple[str, str]],
) -> tuple[str, int | None]:
    """Why `quote` counts for nothing, or empty and the line where it really stands."""
    path, wanted = one_line(quote.path)[:_PATH_SHOWN], _squeezed(quote.text)
    text = text_of(quote.path)
    line = _line_of(wanted, text, quote.line) if text is not None else None
    if line is None:
        return f"{path} does not say so", None
    if not quote.path.startswith("output:") and wanted in claimed:
        return f"{path} only repeats the goal document", None
    if (quote.path, wanted) in worn:
        return f"the same words of {path} are to show everything", None
    return "", line


def _line_of(wanted: str, text: str, near: int | None) -> int | None:
    """The line in which `wanted` begins, of several the nearest to `near`; blanks do not count."""
    pattern = re.compile(r"\s+".join(map(re.escape, wanted.split())))
    lines: list[int] = []
    at, line = 0, 1
    for found in itertools.islice(pattern.finditer(text), _PLACES_MOST):
        line += text.count("\n", at, found.start())
        at = found.start()
        lines.append(line)
    return min(lines, key=lambda one: abs(one - (near or 0)), default=None)


def _squeezed(text: str) -> str:
    return " ".join(text.split())
