"""Runs one command of a check, kept from the work tree and from everything else. An edge.

With bubblewrap in a sandbox. Without it in a throw-away copy of the work tree, which is weaker: the
command can read what its user can, reach the network, and write wherever its user may, if it looks
for it. Its HOME is empty, it is not told where the work tree is, and what it starts is ended with
it; on macOS, only as far as it stays in its own group of processes. The verdict says which it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from ppgp_tui.audit import machine, process, sandbox
from ppgp_tui.audit.judge import Ran
from ppgp_tui.audit.model import Isolation
from ppgp_tui.audit.sandbox import Limits
from ppgp_tui.audit.tree import Tree, look_at

_READ_ONLY: Final = ("Read-only file system", "read-only file system", "EROFS")
_FULL: Final = ("No space left on device", "no space left on device", "ENOSPC")
_KEPT: Final = ("LANG", "LC_ALL")
_ROOM: Final = 0.8
"""Part of its space that a copy may fill: the command wants to write, after all."""


def isolation() -> Isolation:
    """How commands are kept apart on this machine."""
    return "bubblewrap" if machine.bubblewrap()[0] else "copy"


def run(
    root: Path,
    argv: Sequence[str],
    limits: Limits,
    environ: Mapping[str, str],
    *,
    network: bool = False,
    on_output: Callable[[bytes], None] = lambda _: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Ran:
    """Run `argv` in the work tree at `root` as it is now, uncommitted changes included."""
    program = machine.program(argv[0], root, environ)
    if program is None:
        return unborn(argv, f"{argv[0]} is not installed")
    tree = look_at(root, stop=cancelled)
    if cancelled():
        return Ran(tuple(argv), "cancelled", None, 0.0, "")
    bwrap, _ = machine.bubblewrap()
    copied = fits(tree, limits, sandboxed=bool(bwrap))
    try:
        place = machine.place(tree, environ, bwrap=bwrap)
    except machine.NoPlaceError as error:
        return unborn(argv, str(error))
    if bwrap:
        if not machine.is_seen(place, program):
            return unborn(argv, f"{program} is in no folder that a sandbox may show")
        words = sandbox.command(bwrap, place, argv, limits, copied=copied, network=network)
        kept_out = (*tree.as_it_is, *tree.caches, *place.hidden)
        start = process.Start(
            words, sandbox.environment(place), True, tree.root if copied else None,
            left_out=[name[len(tree.root) + 1 :] for name in kept_out],
        )  # fmt: skip
    elif copied:
        start = process.Start(argv, bare_environment(environ), False, tree.root)
    else:
        return unborn(argv, f"there is no sandbox, and {_too_large(tree.whole, limits)}")
    ran = process.run(start, shown=argv, limits=limits, on_output=on_output, cancelled=cancelled)
    if ran.ended == "exited" and ran.code:
        if not copied and any(word in ran.output for word in _READ_ONLY):
            return ran._replace(ended="unborn", code=None, why=f"it writes to the work tree, and "
                                f"{_too_large(tree.size, limits)}")  # fmt: skip
        if any(word in ran.output for word in _FULL):
            return ran._replace(ended="disk", code=None)
    return ran


def fits(tree: Tree, limits: Limits, *, sandboxed: bool) -> bool:
    """Whether a command can have a copy of the tree; outside a sandbox it is one of everything."""
    size = tree.size if sandboxed else tree.whole
    return tree.files <= limits.files and size <= limits.disk * _ROOM


def bare_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The variables of a program that has no sandbox.

    Relative folders of PATH would lead into the copy, where a repository has programs of its own.
    """
    own = {name: environ[name] for name in _KEPT if name in environ}
    own["PATH"] = ":".join(machine.whole_folders(environ))
    return own | {"CI": "1", "TERM": "dumb", "NO_COLOR": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def unborn(argv: Sequence[str], why: str) -> Ran:
    """A command that was not started."""
    return Ran(tuple(argv), "unborn", None, 0.0, "", why)


def _too_large(size: int, limits: Limits) -> str:
    return (
        f"the work tree is too large to copy: {size / 2**20:,.0f} MiB, of at most "
        f"{limits.disk * _ROOM / 2**20:,.0f} MiB in {limits.files:,} files"
    )
