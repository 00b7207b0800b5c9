"""`persist conformance`: the rules on this machine, and a real loop in a throw-away home."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ppgp_tui.cli.persist.printing import say, warn
from ppgp_tui.persist.conformance import all_checks
from ppgp_tui.persist.disk.home import HOME_VARIABLE
from ppgp_tui.persist.reading import read

_LIMIT_S: Final = 60
_CALL: Final = "import sys; from ppgp_tui.cli.entry import main; sys.argv[0] = 'ppgp-tui'; main()"
_AGENT: Final = "echo run >> runs; test $(grep -c run runs) -ge 3"


def add(parser: argparse.ArgumentParser) -> None:
    """The option."""
    parser.add_argument("--verbose", "-v", action="store_true", help="name every check")


def run(args: argparse.Namespace) -> int:
    """Check every rule; 1 if one is broken."""
    broken = []
    for name, check in (all_checks() | {"a real loop": _real_loop}).items():
        problems = list(check())
        broken += [name] if problems else []
        if args.verbose:
            say(f"{name}: {'ok' if not problems else 'failed'}")
        warn(*(f"{name}: {problem}" for problem in problems))
    if broken:
        sys.stderr.write(f"persist conformance: failed ({', '.join(broken)})\n")
        return 1
    say("persist conformance: ok")
    return 0


def _real_loop() -> Iterator[str]:
    """An agent that fails twice: five rows, and SUCCESS at the third run."""
    with tempfile.TemporaryDirectory(prefix="persist-") as folder:
        place = Path(folder)
        (place / "PROMPT.md").write_text("Don't $(touch injected)\n", "utf-8")
        (place / "agent.sh").write_text(_AGENT, "utf-8")
        ended = subprocess.run(
            [
                sys.executable, "-c", _CALL, "persist", "iterate", "PROMPT.md",
                "--max-iterations", "3", "--success-condition", "exit-code-0",
                "--agent-cmd", "sh ./agent.sh",
            ],
            cwd=place, env={**os.environ, HOME_VARIABLE: str(place / "home")},
            stdin=subprocess.DEVNULL, capture_output=True, timeout=_LIMIT_S, check=False,
        )  # fmt: skip
        if ended.returncode != 0:
            yield f"exit code {ended.returncode}: {ended.stderr.decode('utf-8', 'replace')}"
            return
        loops = read((place / "home" / "state.jsonl").read_bytes()).loops
        said = [(loop.state, loop.iteration, loop.rows) for loop in loops]
        if said != [("SUCCESS", 3, 5)]:
            yield f"the log says {said}"
        if (place / "injected").exists():
            yield "a command in the prompt was run"
