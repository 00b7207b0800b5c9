"""The floor: the least a Textual app can do that starts, watches a file, or answers a key.

Run as `python -m tests.bench.bare start`, `… watch FILE`, or `… keys`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from textual.app import App, ComposeResult
from textual.widgets import Static


class Bare(App[None]):
    """Paints one line."""

    CSS = "Static { height: 1; }"

    def compose(self) -> ComposeResult:
        yield Static("bare and painted", markup=False)

    @property
    def line(self) -> Static:
        return self.query_one(Static)


class Watch(Bare):
    """Paints the first line of a file whenever its folder says that something changed."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path

    def on_mount(self) -> None:
        self.run_worker(self._follow())

    async def _follow(self) -> None:
        from watchfiles import awatch

        async for _ in awatch(self._path.parent, debounce=100, step=10, watch_filter=None):
            self.line.update(self._path.read_text("utf-8").partition("\n")[0])


class Keys(Bare):
    """Counts a key."""

    BINDINGS = [("j", "count", "Count")]  # noqa: RUF012 - Textual's own way
    count = 0

    def action_count(self) -> None:
        self.count += 1
        self.line.update(f"counted {self.count}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["start"]:
            Bare().run()
        case ["watch", path]:
            Watch(Path(path)).run()
        case ["keys"]:
            Keys().run()
