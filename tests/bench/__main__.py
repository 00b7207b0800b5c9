"""Measure every budget and print the table; exit code 1 when a median is over its budget.

`python -m tests.bench` measures all, `python -m tests.bench status idle` only those named.
"""

# ruff: noqa: T201 - printing is what it is for

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.bench import app, commands
from tests.bench.result import Result, table

MEASURES = {
    "start": commands.start,
    "status": commands.status,
    "paint": app.paint,
    "growth": app.growth,
    "idle": app.idle,
    "large": app.large,
}


def main() -> int:
    """Run what was asked for."""
    chosen = sys.argv[1:] or list(MEASURES)
    if unknown := set(chosen) - set(MEASURES):
        print(f"no such measure: {', '.join(sorted(unknown))}; there are {', '.join(MEASURES)}")
        return 2
    results: list[Result] = []
    with tempfile.TemporaryDirectory(prefix="ppgp-tui-bench-") as folder:
        for name in chosen:
            print(f"measuring {name} …", file=sys.stderr)
            results += MEASURES[name](Path(folder))
    print(table(results))
    over = [result.what for result in results if result.over]
    print(f"over budget: {'; '.join(over)}" if over else "every budget is kept")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
