"""How things look: colour roles, signs, and the styles made of them.

A view names a role and a sign, never a colour or a character; the theme and the glyph set decide.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, get_args

from rich.style import Style

if TYPE_CHECKING:
    from ppgp_tui.ui.terminal.links import Links

Role = Literal[
    "run", "wait", "needs", "stop", "ok", "held",
    "text", "ink", "soft", "edge", "faint",
    "bg", "card", "panel", "field",
]  # fmt: skip
ROLES: tuple[Role, ...] = get_args(Role)

Sign = Literal[
    "verified", "done", "claimed", "partial", "running", "ready", "waits", "blocked", "for_you",
    "failed", "held", "dropped", "unknown", "finding", "added", "changed", "elsewhere",
    "bar_full", "bar_empty", "open", "cut",
]  # fmt: skip

_SIGNS: dict[Sign, tuple[str, str]] = {
    "verified": ("✓✓", "xx"),
    "done": ("✓", "x"),
    "claimed": ("◌", "c"),
    "partial": ("◔", "%"),
    "running": ("▸", ">"),
    "ready": ("▹", "o"),
    "waits": ("⋯", ":"),
    "blocked": ("⊘", "!"),
    "for_you": ("?", "?"),
    "failed": ("✗", "F"),
    "held": ("=", "="),
    "dropped": ("/", "/"),
    "unknown": (".", "."),
    "finding": ("!", "*"),
    "added": ("+", "+"),
    "changed": ("~", "~"),
    "elsewhere": ("↳", "@"),
    "bar_full": ("▰", "#"),
    "bar_empty": ("▱", "."),
    "open": ("-", "-"),
    "cut": ("…", "~"),
}
_SPARK = ("▁▂▃▄▅▆▇█", "_.,-~=+#")


@dataclass(frozen=True, eq=False)
class Look:
    """A theme's colours and the glyph set, ready to draw with.

    There are few and they live long, so one is the same as another only when it is the same object:
    drawn lines are cached by it.
    """

    colours: Mapping[Role, str]
    """Rich colour names or `#rrggbb` by role; `default` means the terminal's own."""
    ascii: bool = False
    """Signs are drawn with ASCII characters only."""
    ansi: bool = False
    """The terminal's 16 colours: there are no tints, so bands and cursor rely on attributes."""
    ascii_words: bool = False
    """The terminal can be sent nothing but ASCII, so words from files lose their accents."""
    behind: bool = False
    """Drawn behind a sheet: everything is soft, nothing stands out."""
    links: Links | None = None
    """Where files and commits are; None while the terminal makes no links."""

    @cached_property
    def muted(self) -> Look:
        """The same look for what lies behind a sheet."""
        return replace(self, behind=True)

    def sign(self, name: Sign) -> str:
        """The character (two for `verified`) that stands for `name`."""
        return _SIGNS[name][self.ascii]

    def spark(self, level: int) -> str:
        """One sparkline cell; `level` from 0 (quiet) to 7."""
        return _SPARK[self.ascii][max(0, min(7, level))]

    def style(
        self,
        role: Role = "text",
        *,
        on: Role = "bg",
        bold: bool = False,
        underline: bool = False,
        strike: bool = False,
        reverse: bool = False,
        link: str = "",
    ) -> Style:
        """The style of text in `role` on the tint `on`; `link` is an address, see `address`."""
        if self.behind:
            return _style(self.colours["soft"], self.colours[on], False, False, strike, False)
        if self.ansi and on == "panel":
            underline = True
        return _style(self.colours[role], self.colours[on], bold, underline, strike, reverse, link)

    def address(self, target: str) -> str:
        """Where `file:PATH` or `commit:HASH` is; empty where no link can be made."""
        return "" if self.links is None or self.behind else self.links.address(target)


@lru_cache(maxsize=1024)
def _style(
    colour: str,
    ground: str,
    bold: bool,
    underline: bool,
    strike: bool,
    reverse: bool,
    link: str = "",
) -> Style:
    return Style(
        color=None if colour == "default" else colour,
        bgcolor=None if ground == "default" else ground,
        bold=bold or None,
        underline=underline or None,
        strike=strike or None,
        reverse=reverse or None,
        link=link or None,
    )
