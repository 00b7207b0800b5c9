"""The words that many commands take: which repository is meant."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

ANY_PATH: Final = click.Path(readable=False, path_type=Path)
"""What may not be read is said by whoever reads it, and is no mistake in the words (exit 1)."""

path_argument = click.argument("path", required=False, type=ANY_PATH)
root_option = click.option(
    "--root", metavar="FOLDER", type=ANY_PATH, help="The repository, exactly."
)
