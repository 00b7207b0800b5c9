"""What is photographed: which keys lead there, and at which sizes and in which themes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

SIZES: Final = ((48, 24), (80, 24), (120, 40), (160, 50))
THEMES: Final = ("harbor", "paper")
ALL_THEMES: Final = ("harbor", "paper", "contrast", "tide", "signalbox", "ansi16")


class Scene(NamedTuple):
    """One picture, whatever its size and colours."""

    name: str
    keys: tuple[str, ...] = ()
    """Pressed one after the other, as Textual names them; `@T8` puts the cursor on that task."""
    types: str = ""
    """Typed after that."""
    until: str = ""
    """What is made beside the screen and must have come before the picture is taken."""
    ribbon: bool = False
    every: bool = False
    """With further sessions around."""
    loops: bool = False
    """With restart loops around."""
    of: str = ""
    """Which of the repositories of an audit it is about (`audited.NAMES`); empty: the demo's."""


SCENES: Final = (
    Scene("session"),
    Scene("plan", ("2", "@T8")),
    Scene("inbox", ("3",)),
    Scene("events", ("4",), until="claude, session"),
    Scene("goal", ("5",)),
    Scene("agents", ("6",)),
    Scene("loops", ("6", "j", "j", "j"), until="kill-points", loops=True),
    Scene("request", ("3", "enter")),
    Scene("lineage", ("4", "j", "j", "l"), until="none yet"),
    Scene("plan-zoom", ("2", "@T8", "z")),
    Scene("plan-tree", ("2", "@T8", "t")),
    Scene("plan-family", ("2", "@T5", "space")),
    Scene("changed", ("2", "left_square_bracket", "left_square_bracket")),
    Scene("blame", ("2", "@T9", "B")),
    Scene("past", ("less_than_sign",) * 12, until="event 320"),
    Scene("palette", ("colon",), "check", until="T3"),
    Scene("help", ("question_mark",)),
    Scene("which-key", ("comma",)),
    Scene("themes", ("comma", "t")),
    Scene("audit", ("A",), until="check 4 of 9", of="running"),
    Scene("audit-plan", ("A",), until="Plan of the audit", of="claimed"),
    Scene("verdict", ("A",), until="tree clean", of="rejected"),
    Scene("verified", ("A",), until="tree clean", of="verified"),
    Scene("sessions", ("w",), until="payments", every=True),
)
RIBBON: Final = Scene("ribbon", ribbon=True)


class Shot(NamedTuple):
    """A scene at one size in one theme."""

    scene: Scene
    size: tuple[int, int]
    theme: str

    @property
    def name(self) -> str:
        """The picture's file, without its ending."""
        return f"{self.scene.name}-{self.size[0]}-{self.theme}"


def shots() -> Iterator[Shot]:
    """Every picture: all scenes at all sizes in two themes, the ribbon, and each theme once."""
    for theme in THEMES:
        for size in SIZES:
            yield from (Shot(scene, size, theme) for scene in SCENES)
        yield Shot(RIBBON, (20, 24), theme)
    for theme in ALL_THEMES:
        if theme not in THEMES:
            yield Shot(SCENES[0], (120, 40), theme)


IN_README: Final = (
    "session-48-harbor",
    "session-120-harbor",
    "plan-160-harbor",
    "plan-48-harbor",
    "changed-120-paper",
    "past-80-harbor",
    "events-120-harbor",
    "request-80-harbor",
    "lineage-120-harbor",
    "agents-80-harbor",
    "loops-120-harbor",
    "audit-80-harbor",
    "verdict-120-harbor",
    "palette-80-harbor",
    "which-key-48-harbor",
    "sessions-80-harbor",
    "ribbon-20-harbor",
    "session-120-paper",
    "session-120-contrast",
    "session-120-tide",
    "session-120-signalbox",
    "session-120-ansi16",
)
"""Pictures that are also saved as PNG."""
