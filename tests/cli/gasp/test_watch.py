"""`gasp watch` as a process: the verdict, a line at every change, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ppgp_tui.cli.commands import ppgp_tui
from ppgp_tui.cli.gasp.watch import change, sentences
from ppgp_tui.session.picture.conformance import CheckLook, Conformance, Finding
from tests.gasp.checks.agent_repository import LOG, AgentRepository, as_line, event
from tests.waiting import PATIENCE_S, until


class Watching:
    """A running `gasp watch` and what it has printed."""

    def __init__(self, root: Path, *words: str) -> None:
        program = Path(sys.executable).with_name("ppgp-tui")
        self.process = subprocess.Popen(
            [program, "gasp", "watch", str(root), *words],
            stdout=subprocess.PIPE, text=True, env={**os.environ, "TZ": "UTC"},
        )  # fmt: skip
        self.lines: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def next(self, words: str) -> str:
        """The first line with `words` that has not been asked for; forgets those before it."""
        until(lambda: any(words in line for line in self.lines))
        at = next(at for at, line in enumerate(self.lines) if words in line)
        found = self.lines[at]
        del self.lines[: at + 1]
        return found

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE_S)


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AgentRepository:
    for name in ("CONFIG", "STATE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    made = AgentRepository(tmp_path / "repo")
    made.init()
    made.commit()
    return made


@pytest.fixture
def watching(repository: AgentRepository) -> Iterator[Watching]:
    started = Watching(repository.root)
    yield started
    started.process.kill()
    started.process.wait()


def test_it_says_the_verdict_then_every_change_and_ends_with_the_last_one(
    repository: AgentRepository, watching: Watching
) -> None:
    first = watching.next("log")
    assert first[8:] == "  log ok, 10 lines, all seven checks passed"
    repository.append(as_line(event(11, "goal.created", {"id": "goal_x"}, None)) + b"\n")
    assert watching.next("log:")[10:] == "log: 1 finding, 11 lines, check 7 failed"
    text = "check 7: line 11: goal.created `goal_x` has no paired state.ops_applied"
    assert watching.next("worse")[10:] == f"worse: {text}"
    node = {"CreateNode": {"id": "goal_x", "kind": "goal", "props": {}}}
    repository.append(as_line(event(12, "state.ops_applied", [node], "event_11")) + b"\n")
    assert watching.next("log ok")[10:] == "log ok, 12 lines, all seven checks passed"
    assert watching.next("better")[10:] == f"better: {text}"
    assert watching.end() == 0


def test_a_log_that_is_cut_replaced_deleted_and_comes_back_is_followed(
    repository: AgentRepository, watching: Watching
) -> None:
    whole = repository.read()
    watching.next("log ok")
    repository.write(LOG, whole[: whole.rfind(b"\n", 0, -1) + 1])
    watching.next("worse: check 4: state/events.jsonl: working tree edits committed lines")
    (repository.root / "fresh").write_bytes(whole)
    (repository.root / "fresh").replace(repository.root / LOG)
    watching.next("log ok, 10 lines")
    repository.delete(LOG)
    watching.next("worse: check 1: state/events.jsonl: cannot read")
    assert watching.process.poll() is None
    repository.write(LOG, whole)
    watching.next("log ok, 10 lines")
    repository.delete("AGENT.md")
    watching.next("log ok, no manifest")
    assert watching.end() == 1


def test_a_commit_that_breaks_the_history_is_seen(
    repository: AgentRepository, watching: Watching
) -> None:
    watching.next("log ok")
    repository.substitute("Make retry reliable", "Make retry better", count=-1)
    watching.next("working tree edits committed lines")
    commit = repository.commit()
    edited = f"commit {commit[:7]} edits existing lines (not append-only)"
    watching.next(f"worse: check 4: state/events.jsonl: {edited}")
    assert watching.end() == 1


def test_one_json_object_a_line(repository: AgentRepository) -> None:
    watching = Watching(repository.root, "--json")
    try:
        first: dict[str, Any] = json.loads(watching.next("{"))
        assert (first["schema"], first["ok"], first["state"]) == (
            "ppgp-tui/gasp-watch/1", True, "ok",
        )  # fmt: skip
        assert [one["state"] for one in first["checks"]] == ["passed"] * 7
        repository.append(b"\x1b[31m\n")
        line = watching.next("{")
        assert "\x1b" not in line
        later = json.loads(line)
        assert (later["ok"], later["findings"]) == (False, 1)
        assert later["worse"][0]["line"] == 11
        assert watching.end() == 1
    finally:
        watching.process.kill()


def test_a_reader_that_goes_away_ends_it(repository: AgentRepository) -> None:
    program = Path(sys.executable).with_name("ppgp-tui")
    piped = f"'{program}' gasp watch '{repository.root}' | head -n 1"
    shell = subprocess.Popen(["bash", "-c", piped], stdout=subprocess.PIPE, text=True)
    assert shell.stdout is not None
    assert "log ok" in shell.stdout.readline()
    repository.append(b"{\n")
    assert shell.wait(PATIENCE_S) == 0
    assert shell.stdout.read() == ""


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(ppgp_tui, ["gasp", "watch", str(tmp_path / "no")])
    assert done.exit_code == 1
    assert done.stderr == f"{tmp_path / 'no'} is no folder: name an agent repository\n"


# What changed, in words


def _verdict(*findings: Finding, count: int | None = None) -> Conformance:
    total = len(findings) if count is None else count
    checks = tuple(
        CheckLook(number, "failed" if number == 1 and total else "passed", total * (number == 1))
        for number in range(1, 8)
    )
    state = "failed" if total else "ok"
    return Conformance(state, checks, total, findings, lines=3, offset=30)  # type: ignore[arg-type]


def test_findings_beyond_the_first_are_told_as_a_count() -> None:
    shown = tuple(Finding(1, f"line {n}: not JSON", LOG, n) for n in range(20))
    before, now = _verdict(*shown, count=25), _verdict(*shown, count=26)
    assert change(before, now).counts == ((1, 25, 26),)
    assert "check 1: 26 findings, before 25" in sentences(now, before)
    assert "and 5 more: ppgp-tui gasp check" in sentences(before, None)


def test_text_from_a_log_has_no_power_over_the_terminal() -> None:
    told = sentences(_verdict(Finding(1, "line 1: \x1b]0;x\x07 \u202e", LOG, 1)), None)
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert len(told.splitlines()) == 2
