"""The hook program: what a call costs while nobody wants anything, and what waiting costs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from ppgp_tui.agents.hook import fast
from ppgp_tui.session.actions import control
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.files.places import root_key
from tests.bench import repositories
from tests.bench.result import Result, in_turns

ROUNDS = 41
WATCHED_S = 5.0
PAYLOAD = Path(__file__).resolve().parents[1] / "data/hooks/claude-code/PreToolUse-Bash.json"


def hook(place: Path) -> Iterator[Result]:
    """Whole processes beside `python -c pass`: a call let go, one of a megabyte, a held one."""
    root = repositories.typical(place / "hook" / "importer")
    environ = {
        **os.environ,
        **{f"XDG_{name}_HOME": str(place / "hook" / name) for name in ("STATE", "CONFIG", "DATA")},
    }
    said = {**json.loads(PAYLOAD.read_bytes()), "cwd": str(root)}
    words = [sys.executable, "-I", "-S", fast.__file__, "claude"]
    ordinary = json.dumps(said).encode()
    large = json.dumps({**said, "tool_input": {"content": "line\n" * 200_000}}).encode()

    def run(command: list[str], data: bytes) -> float:
        begun = time.perf_counter()
        subprocess.run(command, input=data, env=environ, check=True, capture_output=True)
        return 1000 * (time.perf_counter() - begun)

    def floor() -> float:
        return run([sys.executable, "-c", "pass"], b"")

    run(words, ordinary)
    for what, data, budget in (
        ("hook, an ordinary call", ordinary, 1.5),
        ("hook, a call of a megabyte", large, None),
    ):
        ours, least = in_turns(lambda data=data: run(words, data), floor, ROUNDS)  # type: ignore[misc]
        yield Result(what, "ms", ours, least, budget=budget)
    if Path("/proc").is_dir():
        used = _waiting(words, ordinary, environ, root)
        yield Result("hook, waiting (of a core)", "%", used, [], budget=1, how="alone")


def _waiting(words: list[str], data: bytes, environ: dict[str, str], root: Path) -> list[float]:
    """What a held call uses, in percent of one core, by the kernel's own count."""
    state = Path(environ["XDG_STATE_HOME"]) / "ppgp-tui" / "roots" / root_key(root)
    held = control.hold(Engine(root, Actor("user", "dev"), state=state))
    assert held.ok, held.message
    waiting = subprocess.Popen(words, stdin=subprocess.PIPE, env=environ, stdout=subprocess.PIPE)
    try:
        assert waiting.stdin is not None
        waiting.stdin.write(data)
        waiting.stdin.close()
        time.sleep(2)
        assert waiting.poll() is None, "it does not wait"
        before = _used(waiting.pid)
        time.sleep(WATCHED_S)
        return [100 * (_used(waiting.pid) - before) / WATCHED_S]
    finally:
        waiting.kill()
        waiting.wait()


def _used(pid: int) -> float:
    """Seconds of processor time, with the precision of the scheduler where it tells."""
    schedule = Path(f"/proc/{pid}/schedstat")
    if schedule.is_file():
        return int(schedule.read_text().split()[0]) / 1e9
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
