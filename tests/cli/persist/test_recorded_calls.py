"""The original's recorded calls, all but those of `iterate`: the same words, or better on purpose.

`DIFFERENCES` is the whole list of what is not the same; the README tells users of each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.cli.persist.loops import ID, OTHER, Loops, row, spawned
from tests.persist.logs import DATA, EXPECTED, recorded

CALLS: list[dict[str, Any]] = [
    call
    for call in json.loads((DATA / "cli.json").read_text("utf-8"))
    if not call["args"].startswith("iterate")
]
THIRD, FOURTH = "0badc0ffee56", "0badc0ffee78"
END = row("BUDGET_EXHAUSTED", 3, reason="max_iterations", iterations=3)


class Better(NamedTuple):
    """What is said here in place of what was recorded."""

    why: str
    code: int = 0
    out: str = ""
    """A pattern for the whole of it."""
    err: str = ""
    """What is among it."""


DIFFERENCES = {
    "abandoned-while-running abandon": Better(
        "whoever abandons a running loop learns that its runner goes on",
        out="loop <loop-id>: ITERATING → ABANDONED",
        err="its runner cannot be stopped from here: it is the original's",
    ),
    "abandoned-then-revived-open status --json": Better(
        "a closed loop stays closed", out=r'{\s+"open_loops": \[\]\s+}', err="do not count"
    ),
    "torn-last-line status": Better(
        "a line that was cut short is named",
        out="<loop-id>  ITERATING          iter=6    prompt=PROMPT.md",
        err="state.jsonl: the last line was cut short",
    ),
    "torn-then-appended status": Better(
        "one damaged line hides no loop",
        out=r"<loop-id>  ITERATING          iter=6    prompt=PROMPT.md\n(<loop-id> .*\n?)+",
        err="state.jsonl line 8: not a row, skipped",
    ),
    "torn-then-appended abandon": Better(
        "one damaged line hides no loop",
        out="loop <loop-id>: ITERATING → ABANDONED",
        err="state.jsonl line 8: not a row, skipped",
    ),
    "mid-line-corrupt status": Better(
        "one damaged line hides no loop",
        out="<loop-id>  SPAWNED            iter=0    prompt=PROMPT.md",
        err="state.jsonl line 3: not a row, skipped",
    ),
    "bom status": Better(
        "a byte-order mark is harmless",
        out="<loop-id>  SPAWNED            iter=0    prompt=PROMPT.md",
    ),
    "bom abandon": Better(
        "a byte-order mark is harmless", out="loop <loop-id>: SPAWNED → ABANDONED"
    ),
    "bad-utf8-mid abandon": Better(
        "a byte that is not UTF-8 is harmless", out="loop <loop-id>: SPAWNED → ABANDONED"
    ),
    "unknown-state status": Better(
        "a state nobody knows is shown as it is",
        out=r"<loop-id>  SPAWNED .*\n<loop-id>  WAITING            iter=0    prompt=PROMPT.md",
    ),
    "row-not-object abandon": Better(
        "a line that is no row is named and skipped",
        out="loop <loop-id>: SPAWNED → ABANDONED",
        err="state.jsonl line 3: not a row, skipped",
    ),
    "row-missing-loop-id status": Better(
        "a line that is no row is named and skipped",
        out="<loop-id>  SPAWNED            iter=0    prompt=PROMPT.md",
        err="state.jsonl line 2: not a row, skipped",
    ),
    "illegal-rows status": Better(
        "a closed loop stays closed",
        out="<loop-id>  SPAWNED            iter=0    prompt=PROMPT.md",
        err="do not count",
    ),
    "illegal-rows status --json": Better(
        "a closed loop stays closed",
        out=r'{\s+"open_loops": \[\s+{[^[\]]*"iteration": 0,[^[\]]*}\s+\]\s+}',
        err="do not count",
    ),
    "state-is-dir status": Better(
        "one line in place of a traceback", 1, err="state.jsonl: not a plain file"
    ),
    "usage bogus": Better(
        "there are two commands more", 2,
        err="persist: error: argument cmd: invalid choice: 'bogus' (choose from 'iterate', "
        "'status', 'abandon', 'doctor', 'conformance', 'pause', 'resume')",
    ),
}  # fmt: skip
"""By case and arguments."""


def rows(name: str) -> list[bytes]:
    return recorded(name).splitlines(keepends=True)


LOGS: dict[str, Callable[[], list[bytes]]] = {
    "success-file-exists": list,
    "abandoned-from-spawned": lambda: rows("abandoned-from-spawned")[:1],
    "abandoned-while-running": lambda: rows("abandoned-while-running")[:3],
    "zero-wall-clock": lambda: [
        row("SPAWNED", before="SPAWNED", prompt="/srv/loops/zero-wall-clock/PROMPT.md",
            max_iterations=50, max_wall_clock_s=0, success_condition="",
            agent_cmd="sh ./agent.sh '{}'"),
    ],
    "three-open": lambda: [
        spawned(ID), spawned(OTHER), spawned(THIRD), spawned(FOURTH),
        row("ITERATING", 14), row("ITERATING", 1, loop=OTHER), row("ITERATING", 6, loop=FOURTH),
    ],
    "prompt-vanishes": lambda: [spawned(), row("ITERATING", 2)],
    "prompt-is-dir": lambda: [row("ITERATING", 1, prompt="/srv/loops/prompt-is-dir/pd")],
    "condition-grep-binary": lambda: [
        row("ITERATING", 1, before="SPAWNED", elapsed_s=0,
            prompt="/srv/loops/condition-grep-binary/PROMPT.md"),
    ],
    "abandoned-then-revived-open": lambda: [
        *rows("abandoned-while-running")[:4],
        row("ITERATING", 4, loop="ff59a07090b0", elapsed_s=1),
    ],
    "mid-line-corrupt": lambda: [spawned(), spawned(OTHER), b"{]\n", END],
    "row-missing-loop-id": lambda: [spawned(), b'{"to_state":"SUCCESS"}\n'],
    "illegal-rows": lambda: [
        spawned(OTHER), row("SUCCESS", 2, loop=OTHER), row("ITERATING", 9, loop=OTHER), spawned(),
    ],
}  # fmt: skip
"""Logs of cases that are not recorded whole, made like them; the others are."""


def key(call: dict[str, Any]) -> str:
    words = call["args"].split(" <loop-id>")[0]
    return f"{call['case']} {words}".rstrip()


def words_of(call: dict[str, Any], loop_id: str) -> list[str]:
    words, _, reason = call["args"].partition(" --reason ")
    given = [loop_id if word == "<loop-id>" else word for word in words.split()]
    return [*given, "--reason", reason] if reason else given


@pytest.fixture
def scene(loops: Loops, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, Any]], str]:
    """Makes the world of a call; the id that it names."""

    def make(call: dict[str, Any]) -> str:
        case = call["case"]
        if case in LOGS:
            loops.log(*LOGS[case]())
        elif case in EXPECTED:
            loops.log(*rows(case))
        if case == "state-is-dir":
            loops.home.log.mkdir(parents=True)
        elif case == "home-is-file":
            loops.home.path.write_text("")
        elif "/proc/nope" in call["stdout"]:
            monkeypatch.setenv("BROOMVA_PERSIST_HOME", "/proc/nope")
        elif "git not installed" in call["stdout"]:
            monkeypatch.setenv("PATH", "/nowhere")
        if not loops.home.log.is_file():
            return ID
        reading = loops.reading()
        if call["stdout"].startswith("persist: loop") and reading.open:
            loops.call("abandon", reading.open[0].loop_id)  # the second of two
        return (reading.open or reading.loops)[0].loop_id if reading.loops else ID

    return make


def unquoted(text: str) -> str:
    """Newer Pythons list choices without quotes."""
    return text.replace("'", "")


@pytest.mark.parametrize("call", [pytest.param(call, id=key(call)) for call in CALLS])
def test_a_call_says_what_the_original_says(
    loops: Loops, scene: Callable[[dict[str, Any]], str], call: dict[str, Any]
) -> None:
    words = words_of(call, scene(call))
    if words == ["status"]:
        words.append("--compat")
    said = loops.call(*words)
    out, err = loops.tidy(said.out), loops.tidy(said.err)
    better = DIFFERENCES.get(key(call))
    if better is not None:
        assert said.code == better.code
        assert re.fullmatch(better.out, out), out
        assert unquoted(better.err) in unquoted(err)
        assert bool(err) == bool(better.err)
        assert (said.code, out, err) != (call["rc"], call["stdout"], call["stderr"])
        return
    if call.get("stderr_is_last_line_only"):
        err = err.splitlines()[-1]
    assert (said.code, out, err) == (call["rc"], call["stdout"], call["stderr"])


def test_every_listed_difference_is_one_of_a_recorded_call() -> None:
    assert set(DIFFERENCES) <= {key(call) for call in CALLS}


@pytest.mark.parametrize(
    "call", [pytest.param(one, id=key(one)) for one in CALLS if one["args"] == "status"]
)
def test_without_compat_the_same_lines_stand_above_what_is_added(
    loops: Loops, scene: Callable[[dict[str, Any]], str], call: dict[str, Any]
) -> None:
    scene(call)
    plain, exact = loops.call("status"), loops.call("status", "--compat")
    lines = [line for line in plain.out.splitlines() if not line.startswith("    ")]
    assert lines == exact.out.splitlines()
    assert plain.err == exact.err


def test_the_readme_lists_the_differences() -> None:
    readme = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    table = readme.partition("### What is different from the original\n")[2].partition("\n### ")[0]
    for words in (
        "closed loop stays closed", "damaged lines are named", "traceback", "`pause` and `resume`",
        "`abandon` ends the runner", "adds lines below each loop",
    ):  # fmt: skip
        assert words in table
