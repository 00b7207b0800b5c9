"""How the values of settings are read: what is wanted, or a ValueError that says so."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any


def path(value: Any) -> str:
    """A path, not looked at yet."""
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise ValueError("a path is wanted")
    return value


def size(value: Any) -> int:
    """A whole number above 0."""
    if not isinstance(value, int) or isinstance(value, bool) or value <= 0:
        raise ValueError("a whole number above 0 is wanted")
    return value


def seconds(value: Any) -> float:
    """Seconds, from a tenth to an hour."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.1 <= value <= 3600:
        raise ValueError("seconds from 0.1 to 3600 are wanted")
    return float(value)


def auto(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """What `read` reads, or None for "auto"."""
    return lambda value: None if value == "auto" else read(value)


def flag(value: Any) -> bool:
    """True or false, where "auto" is possible too."""
    if not isinstance(value, bool):
        raise ValueError('true, false or "auto" is wanted')
    return value


def switch(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError("true or false is wanted")
    return value


def key(value: Any) -> str:
    """What to sign with."""
    if value in ("file", "agent"):
        return str(value)
    return absolute(value, '"file", "agent" or the absolute path of an SSH key is wanted')


def program(value: Any) -> str | None:
    """The absolute path of a program, or None."""
    if value == "none":
        return None
    return absolute(value, '"none" or the absolute path of a program is wanted')


def absolute(value: Any, wanted: str) -> str:
    """An absolute path; `~` is the home folder."""
    if not isinstance(value, str) or "\0" in value or not value.startswith(("/", "~")):
        raise ValueError(wanted)
    return os.path.expanduser(value)  # noqa: PTH111


def command(value: Any) -> tuple[str, ...]:
    """A program and its arguments; empty for none."""
    words = [] if value == "none" else [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError('"none", a program, or a list of a program and its arguments is wanted')
    if words and (not words[0].strip() or any("\0" in word for word in words)):
        raise ValueError("the program is empty")
    return (os.path.expanduser(words[0]), *words[1:]) if words else ()  # noqa: PTH111


def patterns(value: Any) -> tuple[str, ...]:
    """Patterns of folders."""
    patterns = [value] if isinstance(value, str) else value
    wanted = 'patterns of folders such as "~/src/*" are wanted, each from / or ~'
    if not isinstance(patterns, list):
        raise ValueError(wanted)
    return tuple(absolute(one, wanted) for one in patterns)


def phrases(value: Any) -> tuple[str, ...]:
    """What a program may say, each of several words."""
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list) or not listed:
        raise ValueError('a list of phrases such as ["usage limit reached"] is wanted')
    return tuple(word(one) for one in listed)


def word(value: Any) -> str:
    """Words that are not empty."""
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a word is wanted")
    return value


def density(value: Any) -> str:
    """How close the lines stand."""
    if value == "auto":
        return "normal"
    if value not in ("compact", "normal", "roomy"):
        raise ValueError("compact, normal or roomy is wanted")
    return str(value)


def motion(value: Any) -> str:
    """Whether anything moves by itself."""
    if value == "auto":
        return "full"
    if value not in ("full", "reduced"):
        raise ValueError("full or reduced is wanted")
    return str(value)


def file(value: Any) -> str:
    """The absolute path of a file."""
    return absolute(value, '"auto" or the absolute path of a file is wanted')


def permission_mode(value: Any) -> str:
    """Where permission prompts go."""
    if value not in ("ask", "off"):
        raise ValueError("ask or off is wanted")
    return str(value)


def commands(value: Any) -> tuple[tuple[str, ...], ...]:
    """Commands, each a list of words or one string of them; none of them for a shell."""
    listed = [value] if isinstance(value, str) else value
    if not isinstance(listed, list):
        raise ValueError('a list of commands such as ["make test", ["pytest", "-q"]] is wanted')
    return tuple(_words(one) for one in listed)


def _words(value: Any) -> tuple[str, ...]:
    import shlex  # few settings name a command

    if not isinstance(value, str):
        return command(value)
    try:
        words = shlex.split(value)
    except ValueError as error:
        raise ValueError(f"{value} is no command: {str(error).lower()}") from None
    if any(word in _OPERATORS for word in words):
        raise ValueError(f"{value} is for a shell; write a script, or commands of their own")
    return command(words)


_OPERATORS = ("&", "&&", "|", "||", ";", "<", ">", ">>", "2>", "2>&1")
