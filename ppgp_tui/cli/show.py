"""`ppgp-tui show`: the whole snapshot, as sentences or as JSON."""

from __future__ import annotations

from ppgp_tui.cli.aim import Aim
from ppgp_tui.cli.out import write


def show(aim: Aim, *, as_json: bool) -> int:
    """Read everything once, print it, and return the exit code."""
    from ppgp_tui.session.store import LiveSession

    session = LiveSession(aim.root)
    try:
        snapshot = session.read_all()
    finally:
        session.close()
    if as_json:
        from ppgp_tui.session.show import snapshot_json

        write(snapshot_json(snapshot))
    else:
        from ppgp_tui.cli.sentences import sentences

        write("".join(f"{sentence}\n" for sentence in sentences(snapshot)))
    return 0
