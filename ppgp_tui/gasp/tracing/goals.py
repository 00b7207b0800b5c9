"""Which goals a thing of a log works for."""

from __future__ import annotations

from ppgp_tui.gasp.tracing.hops import hops, is_goal, is_weak
from ppgp_tui.gasp.tracing.log_index import LogIndex


class Goals:
    """Answers are remembered: for one look at a log that does not grow meanwhile."""

    def __init__(self, index: LogIndex) -> None:
        self._index = index
        self._known: dict[int, frozenset[int]] = {}

    def of(self, thing: int) -> frozenset[int]:
        """The nearest goals up from `thing`, as things; a goal's own is itself.

        Relations and equal suffixes are asked first; who recorded it when only where they lead to
        no goal.
        """
        waiting = [thing]
        while waiting:
            current = waiting[-1]
            if current not in self._known:
                self._known[current] = frozenset()  # what leads back here adds nothing
                waiting += self._unknown(current)
                continue
            self._known[waiting.pop()] = self._answer(current)
        return self._known[thing]

    def _unknown(self, thing: int) -> list[int]:
        if is_goal(self._index, thing):
            return []
        found = (hop.thing for hop in hops(self._index, thing, "up"))
        return [other for other in found if other not in self._known]

    def _answer(self, thing: int) -> frozenset[int]:
        if is_goal(self._index, thing):
            return frozenset({thing})
        onward = hops(self._index, thing, "up")
        for weak in (False, True):
            sets = (self._known[hop.thing] for hop in onward if is_weak(hop) is weak)
            if goals := frozenset().union(*sets):
                return goals
        return frozenset()
