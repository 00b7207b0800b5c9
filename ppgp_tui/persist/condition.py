"""When a loop is done: checked against the outside world, never by asking the agent (I2).

Forms of persist reference section 5, and the stricter ones that its fault F15 asks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple, Protocol

EXIT_CODE_0: Final = "exit-code-0"
_READERS: Final = ("grep", "line", "regex")
FORMS: Final = (
    EXIT_CODE_0, "file-exists:PATH", "grep:TEXT:FILE", "line:TEXT:FILE", "regex:PATTERN:FILE",
)  # fmt: skip
"""The forms that need nothing but the file system."""


class ConditionError(Exception):
    """A condition that can never hold, or always does; says what to write instead."""


class World(Protocol):
    """The outside, as far as conditions look at it; paths are relative to where persist started."""

    def exists(self, path: str) -> bool:
        """Whether there is a file or folder at `path`."""
        ...

    def text(self, path: str) -> str | None:
        """What the plain file at `path` holds, bytes that are no UTF-8 as U+FFFD; None without."""
        ...


class Condition(NamedTuple):
    """A condition that can be checked."""

    form: str
    """`exit-code-0`, `file-exists`, `grep`, `line`, `regex`, or the name of an outside check."""
    subject: str = ""
    """The text or pattern that is looked for."""
    path: str = ""

    @property
    def by_state(self) -> bool:
        """Whether it can hold before any run: it looks at the world and not at a run."""
        return self.form != EXIT_CODE_0


Over = Callable[[], bool]
"""Whether nobody waits for an answer any more."""
Outside = Mapping[str, Callable[[Over], str | None]]
"""Checks by name that the loop's surroundings offer; each says why it holds, or None.

One that takes long asks now and then whether it is over, and gives up then.
"""


def never() -> bool:
    """Somebody waits for the answer."""
    return False


def parse(text: str, outside: Outside | None = None) -> Condition:
    """The condition that `text` names.

    `outside` names the further checks there are. Raises `ConditionError` with a form to use.
    """
    form, _, rest = text.partition(":")
    if text == EXIT_CODE_0 or text in (outside or ()):
        return Condition(text)
    if form == "file-exists":
        if not rest:
            raise ConditionError("file-exists names no path: write file-exists:PATH")
        return Condition(form, path=rest)
    if form in _READERS:
        # Where there are more colons, the original's form ends its text at the first one. Ours ends
        # it at the last: texts and patterns often have one (`STATUS: DONE`), paths hardly ever.
        subject, colon, path = rest.partition(":") if form == "grep" else rest.rpartition(":")
        if not subject or not colon or not path:
            raise ConditionError(f"{form} needs a text and a file: write {form}:TEXT:FILE")
        if form == "regex":
            _compile(subject)
        return Condition(form, subject, path)
    known = ", ".join((*FORMS, *(outside or ())))
    raise ConditionError(f"{text!r} is no condition and could never hold; there are {known}")


def holds(
    condition: Condition,
    exit_code: int | None,
    world: World,
    outside: Outside | None = None,
    over: Over = never,
) -> str | None:
    """Why `condition` holds now, in a few words, or None where it does not.

    `exit_code` is that of the last run, None before the first.
    """
    match condition.form:
        case "exit-code-0":
            return "exit code 0" if exit_code == 0 else None
        case "file-exists":
            return f"{condition.path} exists" if world.exists(condition.path) else None
        case "grep" | "line" | "regex":
            return _found(condition, world.text(condition.path))
        case name:
            check = (outside or {}).get(name)
            return check(over) if check is not None else None


def _found(condition: Condition, text: str | None) -> str | None:
    if text is None:
        return None
    if condition.form == "grep":
        # The text may run over line ends, as it may for a plain search of the whole file.
        at = text.find(condition.subject)
        return f"{condition.path} line {text.count(chr(10), 0, at) + 1}" if at >= 0 else None
    if condition.form == "line":
        return _found_line(condition, text)
    fits = _compile(condition.subject).search
    for number, begin in enumerate(_begins(text), 1):
        if fits(_line(text, begin).rstrip("\r")):
            return f"{condition.path} line {number}"
    return None


def _found_line(condition: Condition, text: str) -> str | None:
    subject = condition.subject.strip()
    at = text.find(subject)
    while at >= 0:
        begin = text.rfind("\n", 0, at) + 1
        line = _line(text, begin)
        if line.strip() == subject:
            return f"{condition.path} line {text.count(chr(10), 0, begin) + 1}"
        at = text.find(subject, begin + len(line) + 1)
    return None


def _begins(text: str) -> Iterator[int]:
    """Where each line begins, one at a time: all lines together take many times their text."""
    begin = 0
    while True:
        yield begin
        end = text.find("\n", begin)
        if end < 0:
            return
        begin = end + 1


def _line(text: str, begin: int) -> str:
    end = text.find("\n", begin)
    return text[begin:] if end < 0 else text[begin:end]


def _compile(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise ConditionError(f"{pattern!r} is no regular expression: {error}") from error
