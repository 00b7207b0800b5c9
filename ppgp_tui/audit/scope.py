"""What was narrowed since the contract was frozen.

A removal is stated as a fact. Whether a new wording, a dropped task or a skipped test weakens the
goal is for a person to judge: both wordings are shown, and nothing is called weaker here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher, unified_diff
from functools import cache
from typing import Final
from unicodedata import normalize

from ppgp_tui.audit.asserting import (
    Tests,
    asserted,
    asserting_functions,
    is_test_file,
    read_tests,
    source_of,
)
from ppgp_tui.audit.claims import only_shows
from ppgp_tui.audit.model import Alarm
from ppgp_tui.pi.plan import Removal, TodoState
from ppgp_tui.pi.plan_change import compare
from ppgp_tui.ppgp.prose import is_none
from ppgp_tui.ppgp.reading import GoalReading

_ALIKE: Final = 0.5
"""Share of equal words from which two conditions are one that was reworded."""
_FIELDS: Final = ("INVARIANTS", "FROZEN_DECISIONS")
_NESTED = re.compile(r"\s{2,}(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX~/-]\]\s+)?(\S.*)$")
DIFF_MOST: Final = 24
"""Lines of a test's diff that are shown."""
_COMPARED_MOST: Final = 5_000
_CUT: Final = "…"


def contract_alarms(frozen: GoalReading, now: GoalReading, commit: str = "") -> Iterator[Alarm]:
    """What the frozen document agreed and that is gone or says something else today."""
    goal, today = frozen.goal or "", now.goal or ""
    if goal and _plain(goal) != _plain(today):
        yield Alarm("criterion_reworded", goal, goal, today, "", now.path, now.goal_line, commit)
    yield from _criteria_alarms(
        [*(one.text for one in frozen.dod), *(text for text, _ in _nested(frozen))],
        [*((one.text, one.line) for one in now.dod), *_nested(now)],
        now.path,
        commit,
    )
    for name in _FIELDS:
        before, after = frozen.field_named(name), now.field_named(name)
        yield from _criteria_alarms(
            [item.text for item in before.items if not is_none(item.text)] if before else [],
            [(item.text, item.line) for item in after.items] if after else [],
            now.path,
            commit,
        )


def alike(one: str, other: str) -> bool:
    """Whether two texts are one that was reworded: half of their words are the same."""
    return _plain(one) == _plain(other) or _likeness(one, other) >= _ALIKE


def plan_alarms(frozen: TodoState, now: TodoState, removals: Iterable[Removal]) -> Iterator[Alarm]:
    """Tasks dropped unfinished, and dependencies cut from a task that stayed."""
    change = compare(frozen, now, removals)
    for left in change.removed:
        if left.task.status != "completed":
            yield Alarm("task_dropped", left.task.key, left.task.subject, "", left.reason or "")
    for wired in change.rewired:
        for key in wired.cut:
            yield Alarm("dependency_cut", wired.key, f"needs {key}", _needs(wired.after))


def alarms_of_tests(
    frozen: Mapping[str, str], now: Mapping[str, str], commit: str = ""
) -> Iterator[Alarm]:
    """Tests that were deleted, skipped or emptied, and assertions that are gone or changed.

    `frozen` and `now` are the texts of test files by path, then and now.
    """
    helpers = cache(lambda: asserting_functions(now))
    checks = cache(lambda: asserting_functions(frozen) | helpers())
    for path in sorted(frozen):
        if not is_test_file(path) or now.get(path) == frozen[path]:
            continue
        before = read_tests(path, frozen[path])
        if path not in now:
            yield Alarm("test_deleted", path, _tests(before.functions), path=path, commit=commit,
                        diff=_diff(frozen[path], ""))  # fmt: skip
            continue
        after = read_tests(path, now[path])
        if after.asserting < after.functions:
            after = read_tests(path, now[path], helpers())
        for alarm in _changed_tests(path, before, after, frozen[path], now[path], checks()):
            yield alarm._replace(path=path, commit=commit)


def alarms_of_means(
    frozen: Mapping[str, str], now: Mapping[str, str], commit: str = ""
) -> Iterator[Alarm]:
    """Scripts, recipes and settings by which commands check, and which are others today."""
    for path, before in sorted(frozen.items()):
        after = now.get(path, "")
        if before.split() != after.split():
            yield Alarm("check_changed", path, path=path, commit=commit,
                        diff=_diff(before, after))  # fmt: skip


def _changed_tests(
    path: str, before: Tests, after: Tests, old: str, new: str, checks: frozenset[str]
) -> Iterator[Alarm]:
    def of(name: str) -> tuple[str, ...]:
        return _diff(source_of(path, old, name), source_of(path, new, name))

    for name in before.names:
        if name not in after.names:
            yield Alarm("test_deleted", f"{path}::{name}", diff=of(name))
    if after.skipped > before.skipped:
        named = [line for name in after.skips if name not in before.skips for line in of(name)]
        yield Alarm("test_skipped", path, f"{before.skipped} skipped", f"{after.skipped} skipped",
                    diff=_bounded(named) or _diff(old, new))  # fmt: skip
    emptied = [name for name in after.idle if name in before.names and name not in before.idle]
    for name in emptied:
        yield Alarm("test_emptied", f"{path}::{name}", diff=of(name))
    if not before.names and before.asserting and not after.asserting:
        yield Alarm("test_emptied", path, diff=_diff(old, new))
        return
    for name in _asserting_otherwise(asserted(path, old, checks), asserted(path, new, checks)):
        if name not in emptied:
            what = f"{path}::{name}" if name else path
            yield Alarm("test_changed", what, diff=of(name) if name else _diff(old, new))


def _asserting_otherwise(
    before: Mapping[str, Counter[str]], after: Mapping[str, Counter[str]]
) -> Iterator[str]:
    """Functions that lost an assertion which stands nowhere else in the file now."""
    gone = sum(before.values(), Counter[str]()) - sum(after.values(), Counter[str]())
    for name, said in before.items():
        if name in after and (said - after[name]) & gone:
            yield name


def _diff(before: str, after: str) -> tuple[str, ...]:
    """The lines that went and came, and one line around each; no more than a person reads."""
    old, new = before.splitlines(), after.splitlines()
    if max(len(old), len(new)) > _COMPARED_MOST:
        return (f" {_CUT} {len(old)} lines before, {len(new)} now",)
    said = [*unified_diff(old, new, n=1, lineterm="")][2:]
    return _bounded([f" {_CUT}" if line.startswith("@@") else line for line in said][1:])


def _bounded(lines: Sequence[str]) -> tuple[str, ...]:
    if len(lines) <= DIFF_MOST:
        return tuple(lines)
    return (*lines[:DIFF_MOST], f" {_CUT} {len(lines) - DIFF_MOST} lines more")


def _criteria_alarms(
    before: Sequence[str], after: Sequence[tuple[str, int]], path: str, commit: str
) -> Iterator[Alarm]:
    agreed = {_plain(text) for text in before}
    kept = {_plain(text) for text, _ in after}
    shown = [text for text in agreed if any(_is_shown(text, _plain(one)) for one, _ in after)]
    free = [
        (text, line) for text, line in after
        if _plain(text) not in agreed and not any(_is_shown(one, _plain(text)) for one in shown)
    ]  # fmt: skip
    for text in before:
        if _plain(text) in kept or _plain(text) in shown:
            continue
        likest = max(free, key=lambda other: _likeness(text, other[0]), default=None)
        if likest is not None and _likeness(text, likest[0]) >= _ALIKE:
            free.remove(likest)
            yield Alarm("criterion_reworded", text, text, likest[0], "", path, likest[1], commit)
        else:
            yield Alarm("criterion_removed", text, text, path=path, commit=commit)


def _nested(reading: GoalReading) -> Iterator[tuple[str, int]]:
    """What stands under a condition as a list of its own, with its lines."""
    field = reading.field_named("DEFINITION_OF_DONE")
    for number, line in enumerate(field.text.splitlines() if field else ()):
        if field and (found := _NESTED.match(line)):
            yield found[1], field.line + 1 + number


def _is_shown(before: str, after: str) -> bool:
    """Whether a condition only got evidence, a state or a date behind it."""
    return after.startswith(before) and only_shows(after[len(before) :])


def _plain(text: str) -> str:
    return " ".join(normalize("NFC", text).split()).casefold().rstrip(".")


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, _plain(one).split(), _plain(other).split(), False).ratio()


def _needs(keys: Sequence[str]) -> str:
    return f"needs {', '.join(keys)}" if keys else "needs nothing"


def _tests(count: int) -> str:
    return f"{count} test{'' if count == 1 else 's'}"
