"""How the prompt reaches the agent: as one argument, on its standard input, or as a file.

No shell takes the prompt apart: it may hold any sign (faults F1 to F4).
"""

from __future__ import annotations

import re
import shlex
from typing import Final, Literal, NamedTuple

Via = Literal["arg", "stdin", "file"]

LARGEST_ARGUMENT: Final = 131_071
"""Bytes that one argument may hold on Linux, without the NUL that ends it."""
PROMPT: Final = "{}"
PROMPT_FILE: Final = "{file}"

_WORD = re.compile(r"""(?:[^\s'"\\]|\\.|'[^']*'|"(?:[^"\\]|\\.)*")+""", re.DOTALL)
"""A word of a shell's command, its quotes with all that stands between them."""


class CommandError(Exception):
    """The agent cannot be started so; says what to do instead."""


class Call(NamedTuple):
    """What to start."""

    argv: tuple[str, ...]
    stdin: bytes | None = None
    """What it reads on its standard input; None: it gets the runner's."""


class Agent(NamedTuple):
    """An agent's command, understood."""

    text: str
    """As it was given."""
    via: Via
    shell: bool
    words: tuple[str, ...] = ()
    """Without a shell: the arguments, with the places of the prompt in them."""
    everywhere: bool = False
    """As the original: each `{}` inside an argument is a place of the prompt too."""

    def call(self, prompt: bytes, path: str) -> Call:
        """The call for this prompt; `path` is a file that holds just it.

        Raises `CommandError` where the prompt cannot be handed over in this way.
        """
        if self.via == "stdin":
            return Call(self._argv("", path), prompt)
        if self.via == "file":
            return Call(self._argv("", path))
        if prompt.startswith(b"-") and not self._ends_options():
            raise CommandError(
                "the prompt begins with -, and the agent could take it for an option; put -- before"
                " {}, or use --prompt-via stdin or file"
            )
        return Call(self._argv(_as_argument(prompt), path))

    def _ends_options(self) -> bool:
        """Whether the command says before the prompt that no more options come."""
        words = _WORD.findall(self.text) if self.shell else self.words
        places = (at for at, word in enumerate(words) if self._has_place_in(word))
        return "--" in words[: next(places, len(words))]

    def _has_place_in(self, word: str) -> bool:
        return PROMPT in word if self.everywhere and not self.shell else _is(PROMPT, word)

    def _argv(self, prompt: str, path: str) -> tuple[str, ...]:
        if self.shell:
            # The prompt is a parameter: whatever stands in it, the shell reads none of it.
            return ("/bin/sh", "-c", self._shell_text(), "persist", prompt, path)
        if self.everywhere and self.via == "arg":
            return tuple(word.replace(PROMPT, prompt) for word in self.words)
        return tuple(
            prompt if word == PROMPT else path if word == PROMPT_FILE else word
            for word in self.words
        )

    def _shell_text(self) -> str:
        prompt = '"$1"' if self.via == "arg" else ""

        def handed(found: re.Match[str]) -> str:
            word = found[0]
            return prompt if _is(PROMPT, word) else '"$2"' if _is(PROMPT_FILE, word) else word

        return _WORD.sub(handed, self.text)


def understand(text: str, via: Via, *, shell: bool, everywhere: bool = False) -> Agent:
    """The command `text` with the prompt handed over by `via`.

    An argument that is `{}` becomes the prompt, one that is `{file}` the path of a file with it;
    where neither stands, it comes last. A prompt that goes another way than by argument leaves
    nothing where `{}` stands. `everywhere`: a `{}` inside an argument is replaced as
    well, as the original does. Raises `CommandError`.
    """
    if "\0" in text:
        raise CommandError("the agent command holds a NUL byte")
    if shell:
        place = {"arg": PROMPT, "file": PROMPT_FILE}.get(via)
        if place is not None and not any(_is(place, word) for word in _WORD.findall(text)):
            text += ' "$1"' if via == "arg" else ' "$2"'
        return Agent(text, via, shell)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise CommandError(
            f"the agent command cannot be read: {error}; close the quote, or ask for --shell"
        ) from error
    if not words:
        raise CommandError("the agent command is empty; name the program to start")
    if via == "arg" and not _has_place(words, everywhere=everywhere):
        words.append(PROMPT)
    elif via != "arg":
        words = [word for word in words if word != PROMPT]
        if via == "file" and PROMPT_FILE not in words:
            words.append(PROMPT_FILE)
    return Agent(text, via, shell, tuple(words), everywhere)


def _is(place: str, word: str) -> bool:
    """Whether a word of a shell's command is just this place, in quotes or not."""
    return word in (place, f"'{place}'", f'"{place}"')


def _has_place(words: list[str], *, everywhere: bool) -> bool:
    return any(PROMPT in word for word in words) if everywhere else PROMPT in words


def _as_argument(prompt: bytes) -> str:
    if b"\0" in prompt:
        raise CommandError(
            "the prompt holds a NUL byte, which no argument can; use --prompt-via stdin or file"
        )
    if len(prompt) > LARGEST_ARGUMENT:
        raise CommandError(
            f"the prompt has {len(prompt)} bytes, and one argument holds at most"
            f" {LARGEST_ARGUMENT}; use --prompt-via stdin or file"
        )
    # The same bytes reach the agent, also where they are no UTF-8.
    return prompt.decode("utf-8", "surrogateescape")
