"""Every picture that is shown somewhere is one that is taken."""

from __future__ import annotations

import re
from pathlib import Path

from ppgp_tui.ui.looks.theme import shipped_folder, theme_names
from ppgp_tui.ui.views import VIEWS
from tests.screenshots.scenes import ALL_THEMES, IN_README, SCENES, SIZES, THEMES, shots

README = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
TAKEN = [shot.name for shot in shots()]


def test_no_picture_takes_the_place_of_another() -> None:
    assert len(TAKEN) == len({*TAKEN})


def test_what_the_readme_shows_is_taken_and_saved_as_png() -> None:
    shown = re.findall(r"\(screenshots/([\w-]+)\.png\)", README)
    assert {*shown} <= {*IN_README} <= {*TAKEN}


def test_every_view_is_taken_at_every_size_in_both_themes() -> None:
    assert {view.name for view in VIEWS} <= {scene.name for scene in SCENES}
    for view in VIEWS:
        for width, _ in SIZES:
            assert {f"{view.name}-{width}-{theme}" for theme in THEMES} <= {*TAKEN}


def test_every_shipped_theme_is_shown_once() -> None:
    assert {*ALL_THEMES} == {*theme_names(shipped_folder())}
    assert {f"session-120-{theme}" for theme in ALL_THEMES} <= {*IN_README}
