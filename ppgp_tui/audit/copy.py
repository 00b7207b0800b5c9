"""Where there is no sandbox: a command runs in a throw-away copy of the work tree. An edge.

Weaker than a sandbox: the command can read what its user can, and reach the network. Its HOME is
empty and it does not know where the real work tree is; the verdict says how it was run.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from ppgp_tui.audit import process, warden
from ppgp_tui.audit.judge import Ran
from ppgp_tui.audit.sandbox import Limits

_KEPT: Final = ("LANG", "LC_ALL", "PATH")


def run(
    root: Path,
    argv: Sequence[str],
    limits: Limits,
    environ: Mapping[str, str],
    on_output: Callable[[bytes], None],
    cancelled: Callable[[], bool],
) -> Ran:
    """Run `argv` in a copy of the tree at `root`, uncommitted changes included; see `process.run`.

    Whatever ends this process, the copy and all that the command started are removed.
    """
    own = {name: environ[name] for name in _KEPT if name in environ}
    own |= {"CI": "1", "TERM": "dumb", "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    said = {"root": os.path.realpath(root), "argv": list(argv), "environ": own}
    return process.run(
        [sys.executable, "-I", warden.__file__],
        shown=argv,
        limits=limits,
        cwd=Path("/"),
        environ={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        on_output=on_output,
        cancelled=cancelled,
        given=json.dumps(said).encode() + b"\n",
        ends_with_input=True,
    )
