"""Every command explains itself: briefly, with an example that it understands."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
import pytest

from ppgp_tui.cli.acts import ACTS
from ppgp_tui.cli.commands import ppgp_tui
from tests.cli.acting import Place
from tests.cli.running import imported_by

HEAVY = {"textual", "rich", "pydantic", "git", "watchfiles", "mcp"}


def commands() -> Iterator[tuple[str, ...]]:
    """Every acting command by its words."""
    context = click.Context(ppgp_tui)
    for name in ACTS:
        if name not in ("mcp", "run", "persist"):  # they begin a program of another kind
            yield from _below((name,), ppgp_tui.get_command(context, name))


def _below(words: tuple[str, ...], command: click.Command | None) -> Iterator[tuple[str, ...]]:
    if isinstance(command, click.Group):
        for name in command.commands:
            yield from _below((*words, name), command.commands[name])
    else:
        yield words


@pytest.mark.parametrize("words", list(commands()), ids=" ".join)
def test_help_is_short_and_its_examples_make_sense(bare: Place, words: tuple[str, ...]) -> None:
    said = bare.act(*words, "--help")
    assert said.code == 0
    assert said.out.startswith(f"Usage: ppgp-tui {' '.join(words)}")
    assert len(said.out.splitlines()) <= 50
    assert "--root" in said.out or "[PATH]..." in said.out
    assert "--json" in said.out
    examples = [shlex.split(line) for line in _examples(said.out)]
    assert any(example[1 : len(words) + 1] == list(words) for example in examples)
    for example in examples:
        tried = bare.act(*example[1:])
        assert "No such" not in tried.err, tried.err
        missing = ("no such file", "standard input is not JSON", "say --yes")
        assert tried.code != 2 or any(why in tried.out + tried.err for why in missing), tried


def _examples(text: str) -> Iterator[str]:
    """Each call of the program in the examples, without what the shell does around it."""
    block = text.partition("Example:\n")[2].partition("\n\n")[0].replace("\\\n", " ")
    for line in block.splitlines():
        for part in re.split(r" (?:\||&&|<|>) ", line):
            if part.strip().startswith("ppgp-tui"):
                yield part.strip()


def test_all_of_them_stand_in_the_help(bare: Place) -> None:
    text = bare.act("--help").out
    for name in ACTS:
        assert re.search(rf"^  {name} ", text, re.MULTILINE), name


@pytest.mark.parametrize("words", [["--help"], ["todo", "get"], ["ask", "x"], ["requests"]])
def test_acting_loads_nothing_of_the_app(bare: Place, words: list[str]) -> None:
    assert imported_by(*words, cwd=bare.root).isdisjoint(HEAVY)
