"""Which lines of a document can be structure and which cannot.

Code in fences, comments and front matter are told apart here, quote marks are taken off, so that
everything after this step sees one plain column of lines (PPGP reference section 2.2).
"""

from __future__ import annotations

from collections.abc import Sequence

from ppgp_tui.ppgp.document import Line
from ppgp_tui.ppgp.pattern import Pattern
from ppgp_tui.ppgp.reading import Finding

TEXT, BLANK, CODE, FENCE, HIDDEN, META = range(6)

_FENCE = Pattern(r"\s*(`{3,}(?=[^`]*$)|~{3,})")
_META_KEY = Pattern(r"[\w][\w .-]{0,60}:(?:\s|$)")
_META_LINES = 2000


class Content:
    """The lines of a document as content: one text and one kind for each."""

    __slots__ = ("findings", "kinds", "start", "texts")

    def __init__(self, texts: list[str], kinds: list[int], findings: list[Finding]) -> None:
        self.texts = texts
        """Content of each line without quote marks and comments."""
        self.kinds = kinds
        """One of TEXT, BLANK, CODE, FENCE (the fence itself), HIDDEN (a comment), META."""
        self.findings = findings
        self.start = 0
        """Index of the first line after the front matter."""

    def next_text(self, at: int) -> int | None:
        """Return the index of the first line after `at` that is neither blank nor hidden."""
        for index in range(at + 1, len(self.kinds)):
            if self.kinds[index] not in (BLANK, HIDDEN):
                return index
        return None


def content_of(lines: Sequence[Line]) -> Content:
    """Sort the lines of a document into text, code, comment and front matter."""
    content = Content([line.text for line in lines], [TEXT] * len(lines), [])
    content.start = _front_matter(content)
    last_comment_end = next(
        (at for at in range(len(lines) - 1, -1, -1) if "-->" in content.texts[at]), -1
    )
    fence: tuple[str, int, bool] | None = None
    in_comment = False
    for at in range(content.start, len(lines)):
        raw = content.texts[at]
        text = unquoted(raw)
        quoted = text is not raw
        if fence:
            mark, _, in_quote = fence
            if in_quote and not quoted:
                fence = None
            elif text.strip().startswith(mark) and not text.strip().strip(mark[0]):
                content.kinds[at] = FENCE
                fence = None
                continue
            else:
                content.kinds[at] = CODE
                if in_quote:
                    content.texts[at] = text
                continue
        if in_comment or "<!--" in text:
            text, in_comment = _uncommented(text, in_comment, at < last_comment_end)
            if not text.strip():
                content.texts[at] = ""
                content.kinds[at] = HIDDEN
                continue
        content.texts[at] = text
        if not text or text.isspace():
            content.kinds[at] = BLANK
        elif opening := _FENCE.match(text) if "```" in text or "~~~" in text else None:
            content.kinds[at] = FENCE
            fence = (opening[1], at, quoted)
    if fence:
        content.findings.append(
            Finding(
                "open-fence",
                "code fence is never closed; everything after it is read as code",
                fence[1] + 1,
                "close the fence",
            )
        )
    return content


def unquoted(text: str) -> str:
    """Return `text` without quote marks; the very same object when it has none."""
    bare = text
    for _ in range(8):
        inner = bare.lstrip(" \t")
        if not inner.startswith(">") or len(bare) - len(inner) > 3:
            return bare
        bare = inner[2:] if inner.startswith("> ") else inner[1:]
    return bare


def indent_of(text: str) -> int:
    """Return the width of the blanks before `text`; a tab reaches to the next multiple of four."""
    width = 0
    for letter in text:
        if letter == " ":
            width += 1
        elif letter == "\t":
            width += 4 - width % 4
        else:
            break
    return width


def _front_matter(content: Content) -> int:
    """Mark a leading `---` block of keys as META; return the index of the line after it."""
    texts = content.texts
    if not texts or texts[0].rstrip() != "---":
        return 0
    for end in range(1, min(len(texts), _META_LINES)):
        if texts[end].rstrip() in ("---", "..."):
            keyed = any(_META_KEY.match(text) for text in texts[1:end])
            if keyed:
                content.kinds[: end + 1] = [META] * (end + 1)
            return end + 1 if keyed else 0
    return 0


def _uncommented(text: str, inside: bool, closes_later: bool) -> tuple[str, bool]:
    """Return `text` without its comments, and whether it ends inside one.

    A comment that is never closed anywhere is no comment, so that nothing gets lost.
    """
    kept: list[str] = []
    at = ticks = 0
    while True:
        if inside:
            end = text.find("-->", at)
            if end < 0:
                return "".join(kept), True
            at, inside = end + 3, False
        start = text.find("<!--", at)
        ticks += text.count("`", at, max(start, at))
        if start < 0 or ticks % 2:
            kept.append(text[at:])
            return "".join(kept), False
        if text.find("-->", start) < 0 and not closes_later:
            kept.append(text[at:])
            return "".join(kept), False
        kept.append(text[at:start])
        at, inside = start + 4, True
