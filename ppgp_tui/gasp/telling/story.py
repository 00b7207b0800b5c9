"""The events of a log in groups: its runs, and the stretches between them that belong to no run.

Only numbers are kept; chapters and sentences are worded when somebody looks (`chapters.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from ppgp_tui.gasp.tracing.chains import Chains
from ppgp_tui.gasp.tracing.log_index import NONE, LogIndex


class Group:
    """The events of one run, or one stretch of events of no run. Grows while the log does."""

    __slots__ = ("count", "finished", "first", "last", "number", "run", "started", "starts")

    def __init__(self, number: int, run: int, first: int) -> None:
        self.number = number
        """Its place in the story, from 0: by the first event."""
        self.run = run
        """The run's entity, `NONE` for a stretch."""
        self.first = first
        self.last = first
        self.count = 0
        self.started = NONE
        """The newest `run.started`, `NONE` when it is not in this log."""
        self.finished = NONE
        """The newest `run.finished` after that."""
        self.starts = 0

    @property
    def is_open(self) -> bool:
        """Whether the run began here and has not finished."""
        return self.started != NONE and self.finished == NONE


class Story:
    """All groups of a log. One thread extends it, after it extended the index."""

    def __init__(self, index: LogIndex) -> None:
        self.index = index
        self.groups: list[Group] = []
        self._of_run: dict[int, Group] = {}
        self._stretch: Group | None = None
        self._events = Chains()
        self._taken = 0

    def extend(self) -> None:
        """Take in the events that the index got since the last time."""
        index = self.index
        while self._taken < len(index):
            event = self._taken
            kind = index.kind(event)
            group = self._group(index.runs[event], event, kind)
            group.last = event
            group.count += 1
            self._events.add(group.number, event)
            if group.run != NONE and index.subjects[event] == group.run:
                if kind == "run.started":
                    group.started, group.finished = event, NONE
                    group.starts += 1
                elif kind == "run.finished":
                    group.finished = event
            self._taken += 1

    def events(self, group: Group, most: int | None = None) -> Sequence[int]:
        """The indexes of a group's events, in the order of the log; at most the newest `most`."""
        return self._events.values(group.number, most)

    def group_of(self, event: int) -> Group | None:
        """The group of an event; None when it was not taken in yet."""
        if not 0 <= event < self._taken:
            return None
        run = self.index.runs[event]
        if run != NONE:
            return self._of_run[run]
        return self._stretch_of(event)

    def _group(self, run: int, event: int, kind: str) -> Group:
        if run == NONE:
            if self._stretch is None:
                self._stretch = self._new(NONE, event)
            return self._stretch
        group = self._of_run.get(run)
        if group is None:
            group = self._of_run[run] = self._new(run, event)
            self._stretch = None
        elif kind == "run.started":
            self._stretch = None
        return group

    def _new(self, run: int, event: int) -> Group:
        group = Group(len(self.groups), run, event)
        self.groups.append(group)
        return group

    def _stretch_of(self, event: int) -> Group | None:
        """The last stretch that began at or before an event of no run."""
        low, high = 0, len(self.groups)
        while low < high:
            middle = (low + high) // 2
            if self.groups[middle].first <= event:
                low = middle + 1
            else:
                high = middle
        for number in range(low - 1, -1, -1):
            if self.groups[number].run == NONE:
                return self.groups[number]
        return None
