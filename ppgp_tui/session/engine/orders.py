"""`control.json`, the order that agents read, and `pause.json`, which outlives its loss.

`control.json` lies in the repository, where anybody may delete or change it. A hold is written to
`pause.json` in the user's state folder before it is recorded, and a release is recorded before
`pause.json` goes; so whatever is killed or deleted in between, the next act finds out which of the
two was wanted and finishes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from ppgp_tui.session.authority.damage import DamagedError, parse_object, read_bounded
from ppgp_tui.session.canonical import UnserialisableError, canonical, is_id
from ppgp_tui.session.engine.draft import SYSTEM
from ppgp_tui.session.engine.ledger import Json, Ledger
from ppgp_tui.session.engine.pauses import nothing_ordered, ordered
from ppgp_tui.session.files import notes
from ppgp_tui.session.files.safe import Folder

CONTROL: Final = "control.json"
PAUSE: Final = "pause.json"
_MOST: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class Orders:
    """What stands now."""

    control: Json
    """The order that agents read, or would if it could be read."""
    kept: Json | None
    """The hold that `pause.json` says is in force."""
    damage: str = ""
    """Why `control.json` could not be read; then nothing is held by it."""
    mended: bool = False
    """`control.json` was written again, because it had lost a hold or a release."""


def look(run: Folder, state: Folder | None) -> Orders:
    """Read both files. `run` is the open `.ppgp/run`, `state` the root's state folder."""
    kept: Json | None = None
    if state is not None:
        try:
            kept = _kept(parse_object(read_bounded(state, PAUSE, _MOST)))
        except (OSError, DamagedError):
            kept = None
    try:
        return Orders(_control(parse_object(read_bounded(run, CONTROL, _MOST))), kept)
    except FileNotFoundError:
        return Orders(nothing_ordered(), kept)
    except DamagedError as error:
        return Orders(nothing_ordered(), kept, f".ppgp/run/{CONTROL} is {error}; it holds nobody")
    except OSError as error:
        text = f".ppgp/run/{CONTROL} cannot be read: {error.strerror}; it holds nobody"
        return Orders(nothing_ordered(), kept, text)


def mend(run: Folder, state: Folder | None, ledger: Ledger | None) -> Orders:
    """Finish what a kill interrupted and undo what other hands did; return what stands then.

    `ledger` is None where there is no log. Raises OSError where an order cannot be written.
    """
    now = look(run, state)
    held, kept = now.control["hold"], now.kept
    if kept is not None and _is_over(kept, ledger):
        forget(state)
        kept = None
    if kept is not None and kept["hold"] != held:
        wanted: Json | None = kept["hold"]
    elif kept is None and held is not None and _is_over(now.control, ledger):
        wanted = None
    else:
        if kept is None and held is not None:
            keep(state, now.control)
        return Orders(now.control, kept, now.damage)
    control = ordered(now.control, wanted, by=str(SYSTEM), after=kept["generation"] if kept else 0)
    if wanted is not None:
        keep(state, control)
    give(run, control)
    return Orders(control, kept, mended=True)


def give(run: Folder, control: Json) -> None:
    """Publish an order; canonical, so that a hook can search its bytes. Raises OSError.

    `slow` is worked out anew.
    """
    run.publish(CONTROL, canonical({**control, "slow": is_slow(run, control)}) + b"\n")


def is_slow(run: Folder, control: Json) -> bool:
    """Whether hooks have more to do than to look.

    That is a pause, a turn to end, a note that waits, or calls to be recorded (`tools`).
    """
    wanted = control["hold"] is not None or bool(control["stop"]) or control.get("tools") is True
    return wanted or bool(notes.waiting(run))


def keep(state: Folder | None, control: Json) -> None:
    """Remember the hold of an order where no repository can lose it. Raises OSError."""
    if state is not None:
        kept = {"schema": 1, "hold": control["hold"], "generation": control["generation"]}
        state.publish(PAUSE, canonical(kept) + b"\n")


def forget(state: Folder | None) -> None:
    """No hold is wanted any more. Raises OSError."""
    if state is not None:
        state.remove(PAUSE)


def _is_over(order: Json, ledger: Ledger | None) -> bool:
    """Whether the release of this hold is recorded."""
    recorded = ledger.hold(order["hold"]["id"]) if ledger is not None else None
    return recorded is not None and recorded["resumed"] is not None


def _control(value: Json) -> Json:
    """`value` if it is an order. Raises `DamagedError`."""
    try:
        canonical(value)
    except UnserialisableError as error:
        raise DamagedError(f"damaged: {error}") from None
    sound = (
        value.get("schema") == 1
        and _is_count(value.get("generation"))
        and (value.get("hold", ...) is None or _is_hold(value.get("hold")))
        and _is_texts(value.get("stop"))
        and isinstance(value.get("continue"), dict)
    )
    if not sound:
        raise DamagedError("no order of a known shape")
    return value


def _kept(value: Json) -> Json:
    """`value` if it is a hold that was kept. Raises `DamagedError`."""
    if not _is_hold(value.get("hold")) or not _is_count(value.get("generation")):
        raise DamagedError("no hold that was kept")
    return value


def _is_hold(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("id"), str)
        and is_id(value["id"], "hold")
        and isinstance(value.get("reason"), str)
        and _is_count(value.get("since_ms"))
        and _is_texts(value.get("who"))
    )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**52


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)
