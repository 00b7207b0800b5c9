"""What a person does to a restart loop: close it, hold it, let it go on.

Closing is a row in the loops' log (persist reference section 9, F11); holding is an order beside it
that the runner obeys between two runs, and where the repository is known a hold of its agents too.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ppgp_tui.persist import words
from ppgp_tui.persist.disk import side
from ppgp_tui.persist.disk.home import Home, is_loop_id
from ppgp_tui.persist.disk.log import LoopLog
from ppgp_tui.persist.live import Runner, is_runner_alive, read_runner
from ppgp_tui.persist.loop import Loop
from ppgp_tui.persist.orders import Pause
from ppgp_tui.persist.running.leftovers import end_left
from ppgp_tui.session.files.places import loops_memory
from ppgp_tui.session.process import host_name, is_alive, wake

if TYPE_CHECKING:
    from ppgp_tui.session.engine.draft import Actor
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Result

MANUAL = "manual abandon"
"""The reason of a person who gives none."""
RUNNER_GONE = "runner gone"
"""The reason of a loop that is closed because nobody runs it any more."""


class Did(NamedTuple):
    """What came of it, in words."""

    said: str
    ok: bool = True
    changed: bool = False
    notes: tuple[str, ...] = ()
    """What else there is to know: of the runner, of the agents."""


def runner_of(loop: Loop) -> Runner | None:
    """The process that runs it, where it was recorded: the original records none."""
    return read_runner(loop.spawned.get("runner"))


def is_run(loop: Loop) -> bool | None:
    """Whether its runner lives; None where nobody can know from here."""
    return is_runner_alive(runner_of(loop), host_name(), is_alive)


def standing_pause(home: Home, loop_id: str) -> Pause | None:
    """The pause that a person has ordered and not taken back; None also for an odd id."""
    try:
        return side.read_pause(home, loop_id)
    except ValueError:  # of a row that somebody wrote by hand: such an id names no folder
        return None


def abandon(home: Home, loop_id: str, actor: Actor, reason: str, now_ms: int) -> Did:
    """Close the loop; its runner sees that in the log and ends, the agent first.

    A hold of the agents that a pause of it ordered is released. Where the runner was killed, what
    its agent left running is ended, which takes seconds. A loop that is closed already stays
    as it is. Raises `LockTimeoutError` and OSError.
    """
    standing = standing_pause(home, loop_id)  # the runner takes it away when it ends
    try:
        log = LoopLog(home, checkpoint=loops_memory(home.path))
        loop, appended = log.close(loop_id, reason, now_ms)
    except KeyError:
        return Did(f"loop {loop_id} not found", ok=False)
    if not appended:
        return Did(f"persist: loop {loop_id} already terminal ({loop.state}); no-op")
    left: tuple[str, ...] = ()
    if is_run(loop) is False and is_loop_id(loop_id):
        with suppress(OSError):
            side.tidy(home, loop_id)
        if count := end_left(loop_id):
            left = (f"ended what its agent had left running: {words.count(count, 'process')}",)
    said = f"loop {loop_id}: {loop.state} → ABANDONED"
    return Did(said, changed=True, notes=_seen_by(loop) + left + _released(loop, actor, standing))


def pause(
    home: Home, loop: Loop, actor: Actor, reason: str, now_ms: int, *, after_run: bool = False
) -> Did:
    """Order the loop to rest: no run begins until it is resumed.

    The agent of the present run, and every other one of the loop's repository, is held at its next
    call, unless `after_run`: then the run goes on to its end. Raises OSError.
    """
    if refusal := _why_not(loop, "pause"):
        return refusal
    standing = standing_pause(home, loop.loop_id)
    if standing is not None:
        return Did(f"loop {loop.loop_id} is to pause already ({standing.told}); no-op")
    order = Pause(str(actor), now_ms, reason)
    side.write_pause(home, loop.loop_id, order)
    notes = _far_away(loop)
    root = session_of(loop)
    if root is not None and not after_run:
        held = _hold(root, actor, order)
        if held.code == "done":
            order = order._replace(hold=held.data["hold"]["id"])
            side.write_pause(home, loop.loop_id, order)
            if _has_ended(home, loop):  # meanwhile, and nobody else knows of this hold
                notes += _released(loop, actor, order)
                side.clear_pause(home, loop.loop_id)
            else:
                notes += (f"the agents in {root} wait before their next call",)
        elif not held.ok:
            notes += (f"the agents in {root} could not be held: {held.message}",)
    return Did(f"loop {loop.loop_id}: pause asked", changed=True, notes=notes)


def resume(home: Home, loop: Loop, actor: Actor) -> Did:
    """Take the order to rest back, and the hold that came with it if it still stands.

    Raises OSError.
    """
    if refusal := _why_not(loop, "resume"):
        return refusal
    # The hold goes before the order that it came with: as long as the loop rests, it says why.
    released = _released(loop, actor, standing_pause(home, loop.loop_id))
    if not side.clear_pause(home, loop.loop_id):
        if loop.state == "PAUSED":
            waits = f"waits ({loop.reason or 'no reason recorded'}) and goes on by itself"
            return Did(f"loop {loop.loop_id} {waits}; nobody has paused it; no-op")
        return Did(f"loop {loop.loop_id} is not paused; no-op")
    notes = _far_away(loop) + released
    return Did(f"loop {loop.loop_id}: resumed", changed=True, notes=notes)


def close_orphan(home: Home, loop: Loop, actor: Actor, now_ms: int) -> Did:
    """Close a loop whose runner is known to be gone; any other is refused.

    Raises `LockTimeoutError` and OSError.
    """
    if loop.open and is_run(loop) is not False:
        return Did(f"loop {loop.loop_id} is not known to be left alone", ok=False)
    return abandon(home, loop.loop_id, actor, RUNNER_GONE, now_ms)


def _seen_by(loop: Loop) -> tuple[str, ...]:
    """What the runner of a closed loop does now; one that was stopped in its terminal is woken."""
    runner = runner_of(loop)
    if runner is None:
        if loop.state == "SPAWNED":  # no run ever began
            return ()
        return (
            "its runner cannot be stopped from here: it is the original's, which leaves no process"
            " number and does not look at the log; if it still runs, end it where it was started",
        )
    if runner.host != host_name():
        return (f"its runner is on {runner.host}; it ends when it sees the closed loop there",)
    if wake(runner.pid, runner.started):
        process = f"its runner (process {runner.pid})"
        return (f"{process} sees that within a second and ends, the agent first",)
    return (f"its runner (process {runner.pid}) was gone already",)


def _why_not(loop: Loop, act: str) -> Did | None:
    loop_id = loop.loop_id
    if not loop.open:
        return Did(f"loop {loop_id} is closed ({loop.state}); start a new loop", ok=False)
    close = f"close it with: ppgp-tui persist abandon {loop_id}"
    if runner_of(loop) is None or not is_loop_id(loop_id):
        why = f"loop {loop_id} was started by the original, whose runner does not listen"
        return Did(f"{why}; end it where it runs, or {close}", ok=False)
    if is_run(loop) is False:
        why = f"the runner of loop {loop_id} is gone, so there is nothing to {act}"
        return Did(f"{why}; {close} and start a new loop", ok=False)
    return None


def _has_ended(home: Home, loop: Loop) -> bool:
    live = side.read_live(home, loop.loop_id)
    return live is not None and live.phase == "ended"


def _far_away(loop: Loop) -> tuple[str, ...]:
    runner = runner_of(loop)
    if runner is None or runner.host == host_name():
        return ()
    return (f"its runner is on {runner.host}: whether it still runs cannot be seen from here",)


def session_of(loop: Loop) -> Path | None:
    """The loop's repository, where agents can be held; None where there is none to be seen."""
    root = loop.spawned.get("root")
    if not isinstance(root, str) or "\0" in root or not Path(root).is_absolute():
        return None
    try:
        return Path(root) if (Path(root) / ".ppgp").is_dir() else None
    except OSError:  # such as a name that is too long, or a folder that is closed to us by now
        return None


def _hold(root: Path, actor: Actor, order: Pause) -> Result:
    from ppgp_tui.session.actions import control

    return control.hold(_engine(root, actor), reason=order.reason)


def _released(loop: Loop, actor: Actor, pause: Pause | None) -> tuple[str, ...]:
    """Release the hold that came with a pause."""
    root, hold_id = session_of(loop), pause.hold if pause is not None else None
    said = let_go(root, hold_id, actor) if root is not None and hold_id is not None else None
    return (said,) if said is not None else ()


def let_go(root: Path, hold_id: str, actor: Actor) -> str | None:
    """Let the agents in `root` go on that this hold keeps waiting, and say so.

    None where nobody is held any more; another hold that stands is somebody else's word.
    """
    from ppgp_tui.session.actions import control
    from ppgp_tui.session.files.reading import CannotReadError, read_inside
    from ppgp_tui.session.sources.control import CONTROL_FILE, parse_control
    from ppgp_tui.session.sources.document import DamagedError

    try:
        found = read_inside(root, CONTROL_FILE)
        ordered = parse_control(found.data if found is not None else None)
    except (CannotReadError, DamagedError) as error:
        return f"what holds the agents in {root} cannot be read: {error}"
    if ordered.hold_id is None:
        return None
    if ordered.hold_id != hold_id:
        return f"the agents in {root} are held by a later pause; p or `goal resume` ends that"
    done = control.release(_engine(root, actor), seen_generation=ordered.generation)
    return f"the agents in {root}: {done.message}"


def _engine(root: Path, actor: Actor) -> Engine:
    from ppgp_tui.session.engine.engine import Engine

    return Engine(root, actor)
