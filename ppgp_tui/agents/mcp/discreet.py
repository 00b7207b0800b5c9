"""Texts for a client: what lies outside the repository is named by its role, not by its path."""

from __future__ import annotations

import os
from pathlib import Path

from ppgp_tui.session.files.places import config_folder, data_folder, state_folder


def discreet(text: str, root: Path) -> str:
    """`text` with paths below the root made relative, and the user's own folders made nameless."""
    text = text.replace(f"{root}{os.sep}", "")
    named = {
        str(state_folder()): "(the user's state folder)",
        str(data_folder()): "(the user's data folder)",
        str(config_folder()): "(the user's settings folder)",
        str(Path.home()): "~",
    }
    for path, name in named.items():
        if len(path) > 1:
            text = text.replace(path, name)
    return text
