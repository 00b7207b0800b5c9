"""What is written in a node at each zoom, and how much room that takes."""

from __future__ import annotations

from functools import lru_cache

from rich.cells import cell_len

from ppgp_tui.session.text import one_line
from ppgp_tui.ui.graph.model import Mark, Node
from ppgp_tui.ui.looks.look import Look, Role, Sign
from ppgp_tui.ui.rows.cells import ascii_words, both_ends, first, shorten, steady

LEAST, MOST = 12, 26
"""Cells of a card, with its spine and the blank at its end."""
LEAST_DOWN = 10
"""Of a card in a drawing downwards, where cards stand side by side."""
SUBJECT_LINES = 3
_LONGEST_KEY = 20
_READ_ENDS = 11
"""Cells from which on two ends of a subject say more than its first words."""

_MARKS: dict[Mark, tuple[Sign, Role]] = {
    "added": ("added", "ok"),
    "removed": ("dropped", "soft"),
    "reworded": ("changed", "wait"),
    "restated": ("changed", "wait"),
    "rewired": ("elsewhere", "wait"),
}


def sign_of(node: Node, look: Look) -> tuple[str, Role]:
    """Its sign and colour; those of the change while revisions are compared."""
    sign, role = _MARKS.get(node.mark, (node.sign, node.role))
    return look.sign(sign), role


@lru_cache(maxsize=16_384)
def clean(text: str, ascii_only: bool) -> str:
    """`text` as it can be measured and drawn."""
    words = steady(one_line(text))
    return ascii_words(words) if ascii_only else words


def label_of(node: Node, look: Look) -> str:
    """What stands for its key, cut in the middle when no card could hold it."""
    return shorten(clean(node.label, look.ascii_words), _LONGEST_KEY, "middle", look.sign("cut"))


def key_width(node: Node, look: Look) -> int:
    """Cells of sign and key without a blank between."""
    return cell_len(sign_of(node, look)[0]) + cell_len(label_of(node, look))


def head_width(node: Node, look: Look, *, whole: bool) -> int:
    """Cells a card needs for sign and key; `whole`: and for its state word."""
    word = clean(node.word, look.ascii_words) if whole else ""
    return key_width(node, look) + 3 + (1 + cell_len(word) if word else 0)


@lru_cache(maxsize=8_192)
def natural_width(node: Node, look: Look, lines: int) -> int:
    """Cells of a card in which nothing is cut, or the most a card may have."""
    subject = clean(node.subject, look.ascii_words)
    width = max(LEAST, head_width(node, look, whole=True))
    longest = max(map(cell_len, subject.split()), default=0) if lines > 1 else cell_len(subject)
    width = max(width, min(MOST, longest + 2))
    while width < MOST and len(wrapped(subject, width - 2, lines + 1)) > lines:
        width += 1
    return min(width, MOST)


def word_of(node: Node, room: int, look: Look) -> str:
    """The state word if it fits into `room` cells, else the class of a blocker, else nothing."""
    word = clean(node.word, look.ascii_words)
    if cell_len(word) <= room:
        return word
    klass, _, rest = word.partition(" ")
    return klass if rest and len(klass) == 1 <= room else ""


@lru_cache(maxsize=16_384)
def wrapped(text: str, width: int, lines: int, mark: str = "…") -> tuple[str, ...]:
    """`text` on at most `lines` lines of `width` cells, the last cut in the middle.

    One line has room for whole words seldom: there the ends tell one task from the other, unless
    they are too short to be read.
    """
    if lines == 1:
        short = width < _READ_ENDS
        cut = shorten(text, width, "middle", mark) if short else both_ends(text, width, mark)
        return (_tight(cut, mark),) if text else ()
    done: list[str] = []
    words = text.split()
    while words and len(done) < lines - 1:
        taken = [words.pop(0)]
        used = cell_len(taken[0])
        while words and used + 1 + cell_len(words[0]) <= width:
            used += 1 + cell_len(words[0])
            taken.append(words.pop(0))
        if used > width:
            head = first(taken[0], width)
            words.insert(0, taken[0][len(head) :])
            taken = [head]
            if not head:
                break
        done.append(" ".join(taken))
    if words:
        done.append(_tight(shorten(" ".join(words), width, "middle", mark), mark))
    return tuple(done)


def _tight(text: str, mark: str) -> str:
    return text.replace(f" {mark}", mark).replace(f"{mark} ", mark)
