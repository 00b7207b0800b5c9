"""The original's recorded calls of `iterate`: the same words and exit codes, or better on purpose.

`DIFFERENCES` is the whole list of what is not the same; the README tells users of each.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ppgp_tui.persist.running.clock import SystemClock
from tests.cli.persist.loops import Loops

DATA = Path(__file__).parents[2] / "data" / "persist" / "cli.json"
CALLS: list[dict[str, Any]] = [
    call for call in json.loads(DATA.read_text("utf-8")) if call["args"].startswith("iterate")
]
FAST = 20
"""Where time is waited for, a second of the loop takes so many times less."""


class Better(NamedTuple):
    """What is said here in place of what was recorded."""

    why: str
    code: int
    out: str = ""
    err: str = ""
    """What the last line of it holds."""


DIFFERENCES = {
    "zero-iterations": Better(
        "a budget below 1 is wrong usage, and no loop is left open (F12)",
        2,
        err="persist iterate: error: argument --max-iterations: must be at least 1, not 0",
    ),
    "quote-in-prompt": Better(
        "no shell reads the prompt, so an apostrophe is only a sign (F1)",
        0,
        out="persist: loop <loop-id> SUCCESS at iteration 1",
    ),
    "agent-missing": Better(
        "a program that is not there is refused before anything is written (F7)",
        1,
        err="persist: the agent's program no-such-agent was not found; mend --agent-cmd or PATH",
    ),
    "braces": Better(
        "only an argument that is {} and nothing else is the prompt's place (F4)",
        5,
        out='{"a":{}} HELLO\npersist: max_iterations (1) reached; loop <loop-id> terminated',
    ),
    "prompt-latin1": Better(
        "the prompt reaches the agent byte for byte, in whatever encoding (F5)",
        5,
        out="persist: max_iterations (2) reached; loop <loop-id> terminated",
    ),
    "nul-prompt": Better(
        "a message in place of a traceback, and nothing is written (F5)",
        1,
        err="the prompt holds a NUL byte, which no argument can; use --prompt-via stdin or file",
    ),
    "prompt-vanishes": Better(
        "a message in place of a traceback, and the loop is closed (F5)",
        1,
        err="persist: loop <loop-id> ABANDONED: prompt file not found: ",
    ),
    "prompt-is-dir": Better(
        "a message in place of a traceback, and nothing is written (F5)",
        1,
        err="is a folder; name a file",
    ),
    "state-is-dir": Better(
        "a message in place of a traceback",
        1,
        err="persist: $BROOMVA_PERSIST_HOME/state.jsonl: ",
    ),
}
AGENTS = {
    "success-exit-code": "echo x >> runs; [ $(wc -l < runs) -ge 3 ]",
    "success-file-exists": "echo x >> runs; [ $(wc -l < runs) -ge 2 ] && touch DONE.flag",
    "success-grep": "echo x >> runs; [ $(wc -l < runs) -ge 4 ] && echo DONE > STATUS",
    "budget-wall-clock": f"sleep {1.3 / FAST}; exit 1",
    "prompt-vanishes": "echo x >> runs; [ $(wc -l < runs) -ge 2 ] && rm PROMPT.md; exit 1",
}
"""What `agent.sh` did; that of the other cases did nothing."""
SCENES: dict[str, Callable[[Path, Path], object]] = {
    "unicode-prompt": lambda work, _: (work / "Plan — été 你好.md").write_text("go on\n"),
    "quote-in-prompt": lambda work, _: (work / "PROMPT.md").write_text(
        "it's\n'; touch pwned-quote; echo '\nDon't\n"
    ),
    "nul-prompt": lambda work, _: (work / "PROMPT.md").write_bytes(b"a\0b\n"),
    "prompt-latin1": lambda work, _: (work / "PROMPT.md").write_bytes(b"caf\xe9"),
    "prompt-is-dir": lambda work, _: (work / "pd").mkdir(),
    "braces": lambda work, _: (work / "PROMPT.md").write_text("HELLO"),
    "condition-grep-substring": lambda work, _: (work / "STATUS").write_text("DONE\n"),
    "state-is-dir": lambda _, home: (home / "state.jsonl").mkdir(parents=True),
}


class Still(SystemClock):
    """A slow machine makes no difference: what is recorded took no second."""

    def passed_ms(self) -> int:
        return 0


class Fast(SystemClock):
    """Seconds that take less than a second."""

    def passed_ms(self) -> int:
        return super().passed_ms() * FAST

    def sleep(self, ms: int) -> None:
        super().sleep(ms // FAST + 1)


@pytest.fixture
def machine(loops: Loops, monkeypatch: pytest.MonkeyPatch) -> Loops:
    """A work folder with a prompt and an agent, and `claude` on PATH."""
    claude = loops.work.parent / "bin" / "claude"
    claude.parent.mkdir()
    claude.write_text("#!/bin/sh\n")
    claude.chmod(0o755)
    monkeypatch.setenv("PATH", f"{claude.parent}:/usr/bin:/bin")
    monkeypatch.setattr("ppgp_tui.persist.running.clock.SystemClock", Still)
    (loops.work / "PROMPT.md").write_text("go on\n")
    (loops.work / "agent.sh").write_text("true\n")
    return loops


def words_of(args: str) -> list[str]:
    """The words of a recorded call: in the record a blank between them is like any other blank."""
    plain, _, agent = args.removeprefix("iterate ").partition(" --agent-cmd ")
    prompt, *options = re.split(r" (?=--)", plain)
    words = ["iterate", prompt, *(word for option in options for word in shlex.split(option))]
    command, verbose, _ = agent.partition(" -v")
    return words + (["--agent-cmd", command] if agent else []) + (["-v"] if verbose else [])


def called(machine: Loops, words: list[str], capfd: pytest.CaptureFixture[str]) -> Any:
    from ppgp_tui.cli.persist.group import main

    try:
        code = main(words)
    except SystemExit as ended:
        code = int(ended.code or 0)
    out, err = capfd.readouterr()
    return code, machine.tidy(out), machine.tidy(err)


@pytest.mark.parametrize(
    "call", CALLS, ids=[f"{call['case']}-{at}" for at, call in enumerate(CALLS)]
)
def test_a_recorded_call_is_answered_as_the_original_did_or_better(
    call: dict[str, Any],
    machine: Loops,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = call["case"]
    if case == "budget-wall-clock":
        monkeypatch.setattr("ppgp_tui.persist.running.clock.SystemClock", Fast)
    (machine.work / "agent.sh").write_text(AGENTS.get(case, "true") + "\n")
    SCENES.get(case, lambda *_: None)(machine.work, machine.home.path)
    code, out, err = called(machine, words_of(call["args"]), capfd)
    better = DIFFERENCES.get(case)
    if better is None:
        assert (code, out) == (call["rc"], call["stdout"].strip())
        last = err.splitlines()[-1:] if call.get("stderr_is_last_line_only") else [err]
        assert last == [call["stderr"]]
    else:
        assert (code, out) == (better.code, better.out)
        assert better.err in err
        assert "Traceback" not in err
    assert not (machine.work / "pwned-quote").exists()


def test_every_difference_is_one() -> None:
    assert set(DIFFERENCES) <= {call["case"] for call in CALLS}


def test_with_compat_braces_are_replaced_wherever_they_stand(
    machine: Loops, capfd: pytest.CaptureFixture[str]
) -> None:
    (call,) = (call for call in CALLS if call["case"] == "braces")
    (machine.work / "PROMPT.md").write_text("HELLO")
    code, out, _ = called(machine, [*words_of(call["args"]), "--compat"], capfd)
    assert (code, out) == (call["rc"], call["stdout"])


def test_with_compat_a_missing_program_uses_the_iterations_up(
    machine: Loops, capfd: pytest.CaptureFixture[str]
) -> None:
    (call,) = (call for call in CALLS if call["case"] == "agent-missing")
    code, out, _ = called(machine, [*words_of(call["args"]), "--compat"], capfd)
    assert (code, out) == (call["rc"], call["stdout"])
