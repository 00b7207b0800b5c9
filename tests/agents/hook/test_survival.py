"""What goes wrong around a hook, and what it then does: nothing that stops an agent."""

from __future__ import annotations

import ast
import fcntl
import json
import os
import resource
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from ppgp_tui.agents.adapters import NAMES, adapter
from ppgp_tui.agents.adapters.shape import ABILITIES, LONG_S
from ppgp_tui.agents.hook import calls, fast, missed, upkeep
from tests.agents.hook.scene import GENEROUS_S, HOOK, Scene

FAST_ENOUGH = {"os", "sys", "time", "_signal", "tempfile"}
"""All that the fast path may import; `tempfile` only where Linux is not."""


def test_the_fast_path_imports_nothing_slow() -> None:
    tree = ast.parse(Path(HOOK).read_text())
    names = {
        name.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert names <= FAST_ENOUGH


def test_an_ordinary_call_never_leaves_the_fast_path(scene: Scene) -> None:
    scene.hook("claude", scene.payload("claude", "SessionStart"))
    before = (scene.run / "agents").stat().st_mtime_ns
    payload = scene.payload("claude", "PreToolUse-Bash")
    scene.hook("claude", payload)
    after = (scene.run / "agents").stat().st_mtime_ns
    scene.hook("claude", payload)
    assert (scene.run / "agents").stat().st_mtime_ns == after >= before


def test_the_script_of_the_wheel_is_this_file() -> None:
    root = Path(__file__).resolve().parents[3]
    said = tomllib.loads((root / "pyproject.toml").read_text())
    scripts = said["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-scripts"]
    assert scripts == {"ppgp_tui/agents/hook/fast.py": "ppgp-hook"}
    assert Path(HOOK).read_text().startswith("#!python\n")
    assert os.access(HOOK, os.X_OK)  # or installers leave a script that nobody may run


def test_without_the_package_agents_go_on(scene: Scene, tmp_path: Path) -> None:
    copy = tmp_path / "hook.py"
    shutil.copy(HOOK, copy)
    data = Path(__file__).resolve().parents[2] / "data/hooks/claude-code/PreToolUse-Bash.json"
    bare_python = os.path.realpath(sys.executable)
    environ = {**scene.environ, "PPGP_ROOT": str(scene.root)}
    for words, code in (([], 0), (["--strict"], 2)):
        ran = subprocess.run(
            [bare_python, "-I", "-S", str(copy), "claude", *words],
            stdin=data.open(), capture_output=True, env=environ, timeout=GENEROUS_S, check=False,
        )  # fmt: skip
        if b"not installed" not in ran.stderr and words:
            pytest.skip("the package is installed beside this Python itself")
        assert (ran.returncode, ran.stdout) == (code, b"")


@pytest.mark.parametrize(
    "name",
    ["SessionStart", "UserPromptSubmit", "PreToolUse-Bash", "PostToolUse-Bash", "Stop",
     "SessionEnd-exit"],
)  # fmt: skip
def test_a_full_disk_stops_no_agent(scene: Scene, name: str) -> None:
    scene.writes()
    scene.wants()
    log = (scene.root / "state/events.jsonl").read_bytes()

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    ran = subprocess.run(
        [sys.executable, "-I", "-S", HOOK, "claude"],
        input=json.dumps(scene.payload("claude", name)).encode(),
        capture_output=True, env=scene.environ, preexec_fn=full, timeout=GENEROUS_S, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert (scene.root / "state/events.jsonl").read_bytes() == log


def test_what_could_not_be_recorded_is_told_in_the_sessions_file(scene: Scene) -> None:
    log = scene.root / "state/events.jsonl"
    log.unlink()
    log.mkdir()
    payload = scene.payload("claude", "SessionStart")
    assert scene.hook("claude", payload).code == 0
    problems = scene.told(f"claude-{payload['session_id']}")["problems"]
    assert any("not recorded" in problem for problem in problems)


def test_what_could_not_even_be_told_is_told_as_soon_as_it_can_be(scene: Scene) -> None:
    payload = scene.payload("claude", "PostToolUseFailure")
    key = f"claude-{payload['session_id']}"
    agents = scene.run / "agents"
    shutil.rmtree(agents, ignore_errors=True)
    agents.write_text("in the way")
    assert scene.hook("claude", payload).code == 0
    agents.unlink()
    assert scene.hook("claude", scene.payload("claude", "Stop")).code == 0
    problems = scene.told(key)["problems"]
    assert any("a call was not written down" in problem for problem in problems)
    assert len(problems) == len(set(problems))
    assert missed.kept(scene.person.state, key) == []


def test_another_writer_that_holds_the_lock_delays_no_answer_for_ever(scene: Scene) -> None:
    with scene.person.journal.lock():
        payload = scene.payload("claude", "SessionEnd-exit")
        heard = scene.hook("claude", payload)
    assert heard.is_silent
    assert heard.took_s < GENEROUS_S
    problems = scene.told(f"claude-{payload['session_id']}")["problems"]
    assert any("another writer holds the journal" in problem for problem in problems)


@pytest.mark.parametrize("name", ["PreToolUse-Bash", "UserPromptSubmit", "Stop"])
def test_a_hook_that_was_frozen_while_it_wrote_blocks_no_other_agent(
    scene: Scene, name: str
) -> None:
    (scene.run / "agents").mkdir(exist_ok=True)
    payload = scene.payload("claude", name)
    frozen = os.open(scene.run / "agents", os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(frozen, fcntl.LOCK_EX)
        heard = scene.hook("claude", payload)
    finally:
        os.close(frozen)
    assert heard.is_silent
    assert heard.took_s < GENEROUS_S
    assert scene.told(f"claude-{payload['session_id']}")["last_event"] == payload["hook_event_name"]


def test_an_agent_appears_again_after_its_files_were_deleted(scene: Scene) -> None:
    payload = scene.payload("claude", "PreToolUse-Bash")
    key = f"claude-{payload['session_id']}"
    scene.hook("claude", payload)
    shutil.rmtree(scene.run)
    assert scene.hook("claude", payload).is_silent
    assert scene.told(key)["state"] == "working"
    assert len(scene.calls(key)) == 1


def test_long_calls_are_trimmed_at_a_start(scene: Scene) -> None:
    payload = scene.payload("claude", "SessionStart")
    path = scene.run / "agents" / f"claude-{payload['session_id']}.calls"
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(f"{n} pre 0 go toolu_{n} - Bash\n" for n in range(60_000)))
    assert path.stat().st_size > calls.TRIM_ABOVE
    scene.hook("claude", payload)
    lines = path.read_text().splitlines()
    assert path.stat().st_size <= calls.TRIM_TO
    assert lines[0].split(" ")[1:3] == ["pre", "0"]
    assert lines[-1] == "59999 pre 0 go toolu_59999 - Bash"


@pytest.mark.parametrize(("words", "code"), [([], 0), (["--strict"], 2)])
def test_our_own_time_is_over_before_the_agents(
    scene: Scene, words: list[str], code: int, tmp_path: Path
) -> None:
    """Whatever takes too long is given up, and the answer is ours."""
    program = tmp_path / "slow.py"
    program.write_text(
        "import sys, time\n"
        "from ppgp_tui.agents.hook import main, place\n"
        "main._limit_s = lambda known, moment: 0.3\n"
        "main.open_folder = lambda root: time.sleep(600)\n"
        "main.main(sys.argv[1:])\n"
    )
    data = json.dumps(scene.payload("claude", "PreToolUse-Bash")).encode()
    ran = subprocess.run(
        [sys.executable, str(program), "claude", *words],
        input=data, capture_output=True, env=scene.environ, timeout=GENEROUS_S, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout) == (code, b"")
    assert (b"it took too long" in ran.stderr) == bool(words)


class TestTheInstalledCopy:
    def test_is_put_where_agents_call_it(self, scene: Scene) -> None:
        path = upkeep.install()
        assert path == scene.home / "data/ppgp-tui/hook.py"
        assert path.read_bytes() == Path(fast.__file__).read_bytes()
        assert upkeep.install() == path

    def test_is_brought_up_to_date_at_a_start(self, scene: Scene) -> None:
        path = upkeep.install()
        path.write_text("# an older one\n")
        scene.hook("claude", scene.payload("claude", "SessionStart"))
        assert path.read_bytes() == Path(fast.__file__).read_bytes()

    def test_is_not_made_where_nobody_installed_it(self, scene: Scene) -> None:
        scene.hook("claude", scene.payload("claude", "SessionStart"))
        assert not (scene.home / "data/ppgp-tui/hook.py").exists()


@pytest.mark.parametrize("name", NAMES)
class TestEveryAdapter:
    def test_says_yes_or_no_to_every_ability(self, name: str) -> None:
        known = adapter(name)
        assert known is not None
        assert known.name == name
        assert list(known.abilities) == list(ABILITIES)

    def test_answers_before_the_agent_gives_up(self, name: str) -> None:
        known = adapter(name)
        assert known is not None
        for entry in known.hooks:
            assert 0 < entry.timeout_s <= LONG_S
            assert entry.limit_s < entry.timeout_s

    def test_knows_every_event_it_hooks(self, name: str) -> None:
        known = adapter(name)
        assert known is not None
        assert {entry.event for entry in known.hooks} <= set(known.kinds)


@pytest.mark.parametrize("name", ["", "nobody", "../claude", "os"])
def test_there_is_no_adapter_of_another_name(name: str) -> None:
    assert adapter(name) is None
