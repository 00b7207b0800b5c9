"""Text that tries to take over a terminal, break a layout or end the app."""

HOSTILE = (
    "[/]",
    "[/nope] tail",
    "[@click=app.quit]x[/]",
    "[bold red]not red",
    "\x1b]2;OWNED\x1b\\",
    "\x1b]0;OWNED\x07",
    "\x1b]52;c;T1dORUQ=\x07",
    "\x1b[2J\x1b[31mred",
    "\x1bc reset",
    "\x9b2J\x9d0;OWNED\x9c",
    "back\x08\x08\x08over \r return \x7f del \x00 nul",
    "a\u202eb\u2066c\u200b\ufeffd",
    "漢字かな交じり文 全角",
    "🙂 \U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f1e9\U0001f1ea 1\ufe0f\u20e3 \U0001fae8",
    "zalgo" + "\u0316\u0301\u0489" * 50,
    "tab\tand\nnewline\x0bvt\x0cff\x85nel\u2028ls",
    "\ud800 lone surrogate",
    "x" * 10_000,
    "漢" * 10_000,
    "\u0301" * 2_000,
    "",
    " ",
)
"""Shown through everything that shows text from a file."""


def is_harmless(text: str) -> bool:
    """Whether drawn `text` holds printable characters only."""
    return all(
        character == " " or (character.isprintable() and not _bidi(character)) for character in text
    )


def _bidi(character: str) -> bool:
    return 0x202A <= ord(character) <= 0x202E or 0x2066 <= ord(character) <= 0x2069
