"""The one door for text from files: made harmless to a terminal, its oddities left visible.

Textual and click pass ESC, C1 controls, DEL and bidi overrides straight through, so every string
that came from a file, an agent or Git goes through `safe` or `one_line` before it is shown.
"""

from __future__ import annotations

import re

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 except tab and newline, DEL, C1
    "\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"  # bidi overrides and invisible text
    "\ufe00-\ufe0f\ufeff\ufff9-\ufffb"  # variation selectors make widths a lottery
    "\ud800-\udfff\U000e0000-\U000e01ef]"  # lone surrogates, tag characters
)
_BLANKS = re.compile(r"\s+")


def safe(text: str) -> str:
    """Return `text` with every control or invisible character made visible or dropped.

    C0 controls become their Unicode pictures, so an ESC stays recognisable; bidi overrides and
    other lying characters become U+FFFD; variation selectors vanish. Tab and newline stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(_picture, text)


def one_line(text: str) -> str:
    """Return `safe(text)` as one line: every run of white space is one blank."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    return _BLANKS.sub(" ", safe(text)).strip()


def _picture(hit: re.Match[str]) -> str:
    code = ord(hit[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return "" if 0xFE00 <= code <= 0xFE0F else "\ufffd"


def sentence(text: str) -> str:
    """`text` with a full stop, unless it ends like a sentence already."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
