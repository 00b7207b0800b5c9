"""Measure every budget and print the table; exit code 1 when a median is over its budget.

`python -m tests.bench` measures all, `python -m tests.bench status idle` only those named.
"""

# ruff: noqa: T201 - printing is what it is for

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.bench import (
    app,
    commands,
    conformance,
    folding,
    graph,
    hook,
    live,
    loops,
    sessions,
    travel,
)
from tests.bench.result import Result, table
from tests.bench.terminal import NeverPaintedError

MEASURES = {
    "start": commands.start,
    "status": commands.status,
    "hook": hook.hook,
    "paint": app.paint,
    "growth": app.growth,
    "idle": app.idle,
    "large": app.large,
    "check": conformance.check,
    "fold": folding.fold,
    "live": live.live,
    "graph": graph.graph,
    "travel": travel.travel,
    "sessions": sessions.sessions,
    "loops": loops.loops,
}


def main() -> int:
    """Run what was asked for."""
    chosen = sys.argv[1:] or list(MEASURES)
    if unknown := set(chosen) - set(MEASURES):
        print(f"no such measure: {', '.join(sorted(unknown))}; there are {', '.join(MEASURES)}")
        return 2
    results: list[Result] = []
    unmeasured = []
    with tempfile.TemporaryDirectory(prefix="ppgp-tui-bench-") as folder:
        for name in chosen:
            print(f"measuring {name} …", file=sys.stderr)
            try:
                results += MEASURES[name](Path(folder))
            except NeverPaintedError as error:
                unmeasured.append(f"{name} could not be measured: {error}")
    print(table(results))
    over = [f"over budget: {result.what}" for result in results if result.over]
    print("\n".join([*unmeasured, *over]) or "every budget is kept")
    return 1 if over or unmeasured else 0


if __name__ == "__main__":
    sys.exit(main())
