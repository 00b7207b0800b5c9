"""What a loop does between two runs when none may begin: it waits for a time, or for a person.

Where only a person can decide how it goes on, it gives itself the order to rest. So that is seen
and taken back as any other pause is, and it goes by itself once it was decided.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Protocol

from ppgp_tui.persist.course import End, Wait
from ppgp_tui.persist.disk import side
from ppgp_tui.persist.disk.home import Home
from ppgp_tui.persist.live import Phase
from ppgp_tui.persist.orders import LOOP, Pause
from ppgp_tui.persist.running import telling
from ppgp_tui.persist.running.clock import Clock
from ppgp_tui.persist.running.plan import LoopPlan
from ppgp_tui.persist.running.telling import Show
from ppgp_tui.persist.running.watching import Watching
from ppgp_tui.persist.surroundings import Need, Surroundings

LOOK_MS: Final = 250
"""So often a wait looks at what may end or hold it."""
_ASK_MS: Final = 1_000
"""So often it is asked whether a person is still needed."""


class _Say(Protocol):
    def __call__(self, phase: Phase, *, until_ms: int | None = None, why: str = "") -> None: ...


class Resting:
    """The waits and rests of one loop."""

    def __init__(
        self,
        plan: LoopPlan,
        home: Home,
        clock: Clock,
        surroundings: Surroundings,
        watching: Watching,
        show: Show,
        paused: Callable[[dict[str, Any]], None],
        live: _Say,
    ) -> None:
        """`paused` writes the row that says so, `live` leaves the last word."""
        self._plan, self._home, self._clock = plan, home, clock
        self._around, self._watching, self._show = surroundings, watching, show
        self._paused, self._live = paused, live
        self._need: Need | None = None
        """For what it ordered itself to rest."""
        self._without: set[str] = set()
        """What a person let it go on without."""
        self._ask_at_ms = 0

    def wait(self, wait: Wait, iteration: int, counted_s: float) -> None:
        """Wait so long; a person's pause ends a wait that no limit asks for."""
        ms = round(wait.seconds * 1000)
        if wait.why == "rate_limited":
            self._paused({"reason": wait.why, "wait_s": _short(wait.seconds)})
        until_ms, end = self._clock.now_ms() + ms, self._clock.passed_ms() + ms
        self._show.note(telling.waiting_line(self._plan, wait, iteration, until_ms, counted_s))
        phase: Phase = "rate_limited" if wait.why == "rate_limited" else "slowed"
        self._live(phase, until_ms=until_ms, why=wait.why)
        stands = False
        while (left := end - self._clock.passed_ms()) > 0:
            self._watching.look_or_stop()
            held = self._watching.held()
            if held is not None and phase == "slowed":
                return
            if stands != (stands := held is not None):
                why = held.reason if held is not None else wait.why
                self._live("paused" if held else phase, until_ms=until_ms, why=why)
            self._clock.sleep(min(left, LOOK_MS))

    def order(self, *, is_last: bool) -> bool | End:
        """Order a rest where a person is needed; whether that was done, or the loop's end.

        `is_last`: no further run comes, so only a decision that the work is done is waited for. A
        pause that a person ordered is rest enough. Raises OSError.
        """
        need = self._around.needs()
        if need is None or need.id in self._without or (is_last and not need.may_be_done):
            return False
        if need.is_over:
            return End("ABANDONED", {"reason": need.why})
        if side.read_pause(self._home, self._plan.loop_id) is not None:
            return is_last
        order = Pause(LOOP, self._clock.now_ms(), need.why, need=need.id)
        side.write_pause(self._home, self._plan.loop_id, order)
        self._need = need
        return True

    def rest(self) -> bool:
        """Rest as long as a person holds the loop or its repository, or is needed.

        Returns whether there was a rest.
        """
        pause = self._watching.held()
        if pause is None:
            return False
        by = {"need": pause.need} if pause.need else {"by": pause.by} if pause.by else {}
        self._paused({"reason": pause.reason, **by})
        self._live("paused", why=pause.reason)
        own = f"ppgp-tui persist resume {self._plan.loop_id}"
        how = own if pause.by else "once the agents here go on"
        if self._need is not None:
            how = f"once that is decided ({self._need.how}); without it: {own}"
        self._show.note(f"persist: loop {self._plan.loop_id}: {pause.reason}; it goes on: {how}")
        while self._watching.held() is not None:
            self._watching.look_or_stop()
            self._ask()
            self._clock.sleep(LOOK_MS)
        self._ask()
        return True

    def _ask(self) -> None:
        """Take the loop's own order back once it was decided, and see whether a person did."""
        if self._need is None:
            return
        order = side.read_pause(self._home, self._plan.loop_id)
        if order is None or order.need != self._need.id:
            self._without.add(self._need.id)
            self._need = None
            return
        now = self._clock.passed_ms()
        if now < self._ask_at_ms:
            return
        self._ask_at_ms = now + _ASK_MS
        need = self._around.needs()
        if need is None or need.id != self._need.id:
            with suppress(OSError):  # then at the next look
                side.clear_pause(self._home, self._plan.loop_id)
                self._need = None


def _short(seconds: float) -> int | float:
    return int(seconds) if seconds == int(seconds) else round(seconds, 3)
