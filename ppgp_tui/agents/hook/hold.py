"""Holding a call or a model request while a pause stands.

The file in `held/` says to everybody that this call waits, from before its first look until after
its last. Waiting is looking at one file ten times a second and nothing else.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal

from ppgp_tui.agents.adapters.shape import LONG_S
from ppgp_tui.agents.hook import calls, control
from ppgp_tui.agents.hook.control import LIMIT_S, Control, Stamp
from ppgp_tui.agents.hook.place import Json, Place, now_ms, open_folder
from ppgp_tui.agents.hook.signals import KilledError, Parent, killable, undisturbed
from ppgp_tui.session.canonical import canonical
from ppgp_tui.session.process import is_alive, start_of

HELD: Final = "held"
LOOK_S: Final = 0.1
LOST_S: Final = 10.0
"""So long a pause that somebody deleted may take to be ordered again."""
MARGIN_S: Final = 60
"""Our answer comes so long before the agent's own limit."""
SETTLE_S: Final = 0.2
"""After which a killed hook sees whether its agent was killed as well."""

REFUSED: Final = "Paused by the operator. Do not retry; end your turn."

Outcome = Literal["resumed", "limit", "killed"]
_NAME = re.compile(r"(hold_[0-9a-f]{32})\.(.+)\.([0-9]{1,10})\.json", re.ASCII)


def is_wanted(place: Place, order: Control) -> bool:
    """Whether the moment's call may not go on now."""
    return order.hold is not None or (place.strict and order.state != "read")


def wait(place: Place, order: Control) -> tuple[Outcome, Control]:
    """Wait until the call may go on; return how that came about, and the order by then."""
    waiting = _Wait(place, order)
    try:
        with killable():
            waiting.begin()
            outcome = waiting.until_released()
    except KilledError:
        outcome = "killed"
        waiting.killed()
    else:
        with undisturbed():
            waiting.end(outcome)
    return outcome, waiting.order


@dataclass
class _Wait:
    place: Place
    order: Control
    began: float = field(default_factory=time.monotonic)
    hold: str | None = None
    since_ms: int = 0
    event: str = ""
    """The `agent.held` of the wait."""
    parent: Parent = field(default_factory=Parent)

    @property
    def is_call(self) -> bool:
        return self.place.moment.kind == "before_tool"

    def begin(self) -> None:
        with undisturbed():
            if self.is_call:
                calls.write(self.place, "pre", self.order.generation, "held")
            self._hold(self.order.hold)

    def until_released(self) -> Outcome:
        place, until = self.place, self.began + self._limit_s()
        lost: float | None = None
        seen: Stamp | None = None
        first = True  # the order may have changed since it was read
        while True:
            time.sleep(LOOK_S)
            if self.parent.is_gone:
                return "killed"
            if time.monotonic() >= until:
                return "limit"
            now = self._stamp()
            if now == seen and lost is None and not first:
                continue
            seen, first = now, False
            self._reopen()
            self.order = control.read(place.run, place.key)
            if is_wanted(place, self.order):
                lost = None
                if self.order.hold is not None:
                    with undisturbed():
                        self._hold(self.order.hold)
            elif self.hold is None or control.kept(place) != self.hold:
                return "resumed"
            elif lost is None:
                lost = time.monotonic()
            elif time.monotonic() - lost >= LOST_S:
                place.problem("the pause was lost and not ordered again: the call went on")
                return "resumed"

    def end(self, outcome: Outcome, *, esc: bool = False) -> None:
        """Say that the wait is over, to the screen and to the log."""
        from ppgp_tui.agents.hook import observe

        place, generation = self.place, self.order.generation
        if self.is_call and outcome == "resumed":
            calls.write(place, "pre", generation, "go")
        elif self.is_call:
            what: calls.What = "pre" if outcome == "limit" else "fail"
            calls.write(place, what, generation, "deny" if outcome == "limit" else "held")
        if self.hold is not None:
            wait_s = observe.SHORT_S if outcome == "killed" else observe.WAIT_S
            waited = now_ms() - self.since_ms
            observe.released(
                place, self.hold, waited, outcome, cause=self.event, wait_s=wait_s, esc=esc
            )
        self._remove()

    def killed(self) -> None:
        """Somebody ended the hook: a person in the agent's own window, or the agent as it ends."""
        time.sleep(SETTLE_S)
        told = self.place.adapter.abilities["interrupt"].can
        broken_off = not self.parent.is_gone
        self.end("killed", esc=broken_off and not told)
        if broken_off and not told:
            self.place.tell("idle")

    def _limit_s(self) -> float:
        entry = self.place.adapter.hook(self.place.moment.event)
        most = (entry.timeout_s if entry else LONG_S) - MARGIN_S
        wanted = self.order.limit_s
        if wanted is None:
            wanted = LIMIT_S
            with self.place.unhurt("the settings were not read"):
                wanted = self.place.settings.hold_limit_s
        return float(min(wanted, most))

    # The file of the wait -----------------------------------------------------------------------

    def _hold(self, hold: str | None) -> None:
        """Wait for `hold` from now on, if not before, and see that everybody can see it."""
        from ppgp_tui.agents.hook import observe

        if hold == self.hold:
            if hold is not None and not self._is_marked():
                self._mark()
                self.place.tell("working")  # the folder was deleted, and the session's file with it
            return
        if self.hold is not None:
            waited = now_ms() - self.since_ms
            observe.released(self.place, self.hold, waited, "resumed", cause=self.event)
            self._remove()
        self.hold, self.since_ms, self.event = hold, now_ms(), ""
        if hold is not None:
            self._mark()
            self.event = observe.held(self.place, hold)
            if self.event:
                self._mark()  # so that whoever finds us dead knows what began

    @property
    def _file(self) -> str:
        return f"{self.hold}.{self.place.key}.{os.getpid()}.json"

    def _mark(self) -> None:
        place, moment = self.place, self.place.moment
        pid = os.getpid()
        said = {
            "schema": 1,
            "hold": self.hold,
            "session": place.key,
            "tool": moment.tool or moment.event,
            "pid": pid,
            "pid_start": start_of(pid),
            "since_ms": self.since_ms,
            "subagent": moment.subagent,
            "tool_use_id": moment.tool_use_id,
            "event": self.event,
        }
        said = {name: value for name, value in said.items() if value not in ("", None)}
        if place.run is not None:
            with (
                place.unhurt("that a call waits was not written down"),
                place.run.child(HELD, create=True) as folder,
            ):
                folder.publish(self._file, canonical(said) + b"\n")

    def _is_marked(self) -> bool:
        if self.place.run is None:
            return False
        with suppress(OSError), self.place.run.child(HELD) as folder:
            return folder.status(self._file) is not None
        return False

    def _remove(self) -> None:
        if self.place.run is not None and self.hold is not None:
            with suppress(OSError), self.place.run.child(HELD) as folder:
                folder.remove(self._file)

    # The order ----------------------------------------------------------------------------------

    def _stamp(self) -> Stamp | None:
        """By its path: the folder may be deleted and made again meanwhile."""
        try:
            found = os.lstat(self.place.root / ".ppgp" / "run" / control.CONTROL)
        except OSError:
            return None
        return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns

    def _reopen(self) -> None:
        """The folder may be another one by now."""
        if self.place.run is not None:
            self.place.run.close()
        self.place.run = open_folder(self.place.root)


def sweep(place: Place) -> None:
    """Record and clear away the waits of this session whose hook was killed outright."""
    from ppgp_tui.agents.hook import observe

    for name, said in list(_dead(place)):
        call = {key: said[key] for key in ("tool", "tool_use_id") if isinstance(said.get(key), str)}
        event = said.get("event")
        cause = event if isinstance(event, str) else ""
        observe.released(place, said["hold"], None, "killed", cause=cause, call=call)
        if place.run is not None:
            with suppress(OSError), place.run.child(HELD) as folder:
                folder.remove(name)


def _dead(place: Place) -> Iterator[tuple[str, Json]]:
    import json

    if place.run is None:
        return
    with suppress(OSError), place.run.child(HELD) as folder:
        for name in folder.names():
            hit = _NAME.fullmatch(name)
            if hit is None or hit[2] != place.key:
                continue
            with suppress(OSError, ValueError, RecursionError):
                said = json.loads(folder.read(name))
                started = said.get("pid_start") if isinstance(said, dict) else None
                if not is_alive(int(hit[3]), started if isinstance(started, int) else None):
                    yield name, {**said, "hold": hit[1]}
