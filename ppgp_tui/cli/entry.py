"""The console script. `status` is answered before anything heavy is imported."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command named on the command line and return its exit code."""
    words = sys.argv[1:]
    if words[:1] == ["status"]:
        from ppgp_tui.cli.status import main as status

        return status(words[1:])
    from ppgp_tui.cli.commands import ppgp_tui

    return ppgp_tui.main(words, prog_name="ppgp-tui")
