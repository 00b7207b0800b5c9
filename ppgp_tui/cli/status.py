"""`ppgp-tui status`: one line for a prompt or a tmux bar. Nothing heavy is imported here."""

from __future__ import annotations

import os
import sys
import time

from ppgp_tui.cli.out import write

USAGE = "Usage: ppgp-tui status [PATH] [--root FOLDER] [--format text|json|tmux] [--tmux]"
HELP = f"""{USAGE}

  Print one line for a prompt or a tmux bar, the most urgent first:

    ? 2 for you 6m  ▸ working 12s  ⊘3  EXECUTE 2/7

  What is unknown or empty is left out.

Options:
  --root FOLDER                The repository, exactly.
  --format [text|json|tmux]    text by default; tmux doubles every #.
  --tmux                       For a tmux bar, in colours.
  --help                       Show this message and exit.
"""
FORMATS = ("text", "json", "tmux")


class _UsageError(Exception):
    """The words on the command line make no sense."""


def main(words: list[str]) -> int:
    """Print the status line that `words` ask for and return the exit code."""
    try:
        chosen = _parse(words)
    except _UsageError as error:
        from ppgp_tui.session.text import one_line

        sys.stderr.write(f"{USAGE}\n\nError: {one_line(str(error))}\n")
        return 2
    if "help" in chosen:
        write(HELP)
        return 0
    form = "colours" if "colours" in chosen else chosen.get("format", "text")
    return _print(chosen.get("path"), chosen.get("root"), form)


def _parse(words: list[str]) -> dict[str, str]:
    """Read the words; by hand, because a parser costs more than the whole answer."""
    chosen: dict[str, str] = {}
    left = list(words)
    while left:
        name, equals, value = left.pop(0).partition("=")
        if name == "--help":
            chosen["help"] = ""
        elif name == "--tmux" and not equals:
            chosen["colours"] = ""
        elif name in ("--root", "--format"):
            if not equals and not left:
                raise _UsageError(f"{name} needs a value")
            chosen[name[2:]] = value if equals else left.pop(0)
        elif name.startswith("-") or "path" in chosen:
            raise _UsageError(f"{name}{equals}{value} is not understood")
        else:
            chosen["path"] = name + equals + value
    if "colours" in chosen and "format" in chosen:
        raise _UsageError("--tmux is a format of its own")
    if chosen.get("format", "text") not in FORMATS:
        raise _UsageError(f"--format is one of {', '.join(FORMATS)}")
    return chosen


def _print(path: str | None, root: str | None, form: str) -> int:
    from ppgp_tui.session.status.line import StatusError, read_status

    now_ms = time.time_ns() // 1_000_000
    try:
        status = read_status(path, root, os.environ, now_ms)
    except StatusError as error:
        from ppgp_tui.session.text import one_line

        sys.stderr.write(f"{one_line(str(error))}\n")
        return 1
    if form == "json":
        import json

        write(json.dumps({"schema": "ppgp-tui-status/1", **status}, ensure_ascii=False) + "\n")
    else:
        from ppgp_tui.cli.status_line import escaped, line, tmux_line
        from ppgp_tui.ui.terminal.ability import ability

        able = ability(os.environ, sys.stdout.encoding)
        said = tmux_line if form == "colours" and able.colour else line
        text = said(status, now_ms, ascii_only=able.ascii_signs)
        plain_in_tmux = form != "text" and said is line
        write((escaped(text) if plain_in_tmux else text) + "\n")
    return 0
