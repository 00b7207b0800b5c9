"""`ppgp-tui connect` and `disconnect` on real files: only our entries come, and only they go."""

from __future__ import annotations

import json
import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from ppgp_tui.agents.adapters import adapter
from tests.agents.connect.places import Connected
from tests.cli.acting import AGENT
from tests.cli.running import PROGRAM
from tests.waiting import PATIENCE_S

SETTINGS = '{\n    "permissions": {\n        "allow": ["Bash(ls)"]\n    }\n}\n'
EVENTS = [entry.event for entry in adapter("claude").hooks]  # type: ignore[union-attr]


def test_the_entries_run_the_hook_of_the_data_folder_for_every_event(there: Connected) -> None:
    said = there.act("connect", "claude")
    assert said.code == 0, said.err
    hooks = json.loads(there.local.read_bytes())["hooks"]
    assert list(hooks) == EVENTS
    (handler,) = hooks["PreToolUse"][0]["hooks"]
    assert handler["args"] == ["-I", "-S", str(there.data / "hook.py"), "claude"]
    assert os.access(handler["command"], os.X_OK)
    assert all(one[0]["hooks"][0]["timeout"] <= 86400 for one in hooks.values())
    assert (there.data / "hook.py").stat().st_mode & 0o777 == 0o755


def test_the_written_command_line_answers_an_event(there: Connected) -> None:
    there.agent("codex", "echo 'codex-cli 0.171.0'")
    assert there.act("init").code == 0
    assert there.act("connect").code == 0
    event = {"hook_event_name": "SessionStart", "session_id": "one", "cwd": str(there.root)}
    claude = json.loads(there.local.read_bytes())["hooks"]["SessionStart"][0]["hooks"][0]
    codex = json.loads(there.codex.read_bytes())["hooks"]["SessionStart"][0]["hooks"][0]
    for words in ([claude["command"], *claude["args"]], ["/bin/sh", "-lc", codex["command"]]):
        done = subprocess.run(
            words, input=json.dumps(event).encode(), capture_output=True, timeout=PATIENCE_S
        )
        assert (done.returncode, done.stderr) == (0, b"")
    made = sorted(path.name for path in (there.root / ".ppgp/run/agents").glob("*.json"))
    assert made == ["claude-one.json", "codex-one.json"]


FILES = {
    "settings of a person": SETTINGS,
    "Windows line ends": SETTINGS.replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + SETTINGS,
    "one line": '{"model":"opus","hooks":{"Stop":[]}}',
    "an empty file": "",
    "an empty object": "{}\n",
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES.keys())
def test_disconnecting_leaves_the_file_as_it_was_to_the_byte(there: Connected, text: str) -> None:
    there.write(there.local, text, mode=0o640)
    assert there.act("connect", "claude").code == 0
    assert there.local.read_bytes() != text.encode()
    assert stat.S_IMODE(there.local.stat().st_mode) == 0o640
    assert there.act("disconnect", "claude").code == 0
    assert there.local.read_bytes() == text.encode()
    assert stat.S_IMODE(there.local.stat().st_mode) == 0o640


def test_what_was_made_is_gone_again_and_a_folder_with_more_in_it_stays(there: Connected) -> None:
    there.agent("codex", "echo 'codex-cli 0.171.0'")
    assert there.act("connect").code == 0
    (there.root / ".codex" / "config.toml").write_text("")
    assert there.act("disconnect").code == 0
    assert not (there.root / ".claude").exists()
    assert sorted(path.name for path in (there.root / ".codex").iterdir()) == ["config.toml"]


def test_a_second_time_nothing_changes(there: Connected) -> None:
    there.write(there.local, SETTINGS)
    assert there.json("connect", "claude")["code"] == "done"
    once = there.local.read_bytes()
    assert there.json("connect", "claude")["code"] == "unchanged"
    assert there.local.read_bytes() == once
    assert there.json("disconnect")["code"] == "done"
    assert there.json("disconnect")["code"] == "unchanged"


def test_other_entries_of_ours_are_replaced_and_the_way_back_is_kept(there: Connected) -> None:
    there.write(there.local, SETTINGS)
    there.act("connect", "claude")
    assert there.json("connect", "claude", "--strict")["code"] == "done"
    hooks = json.loads(there.local.read_bytes())["hooks"]
    assert [len(one) for one in hooks.values()] == [1] * len(EVENTS)
    assert hooks["Stop"][0]["hooks"][0]["args"][-1] == "--strict"
    there.act("disconnect")
    assert there.local.read_bytes() == SETTINGS.encode()


def test_strict_hooks_let_the_agent_refuse_as_well_where_it_knows_how(there: Connected) -> None:
    there.agent("claude", "echo '2.1.300 (Claude Code)'")
    there.act("connect", "claude", "--strict")
    hooks = json.loads(there.local.read_bytes())["hooks"]
    told = [event for event, groups in hooks.items() if "onFailure" in groups[0]["hooks"][0]]
    assert told == ["PreToolUse"]
    there.agent("claude", "echo '2.1.197 (Claude Code)'")
    there.act("connect", "claude", "--strict")
    assert b"onFailure" not in there.local.read_bytes()


def test_edits_in_between_stay(there: Connected) -> None:
    there.write(there.local, SETTINGS)
    there.act("connect", "claude")
    text = there.local.read_text()
    there.local.write_text(text.replace("Bash(ls)", "Bash(pwd)"))
    there.act("disconnect")
    assert there.local.read_text() == SETTINGS.replace("Bash(ls)", "Bash(pwd)")


def test_a_file_we_made_and_others_wrote_to_stays_without_us(there: Connected) -> None:
    there.act("connect", "claude")
    said = json.loads(there.local.read_bytes())
    there.local.write_text(json.dumps({**said, "model": "opus"}, indent=2))
    there.act("disconnect")
    assert json.loads(there.local.read_bytes()) == {"model": "opus"}


def test_without_a_receipt_the_entries_are_still_found(there: Connected) -> None:
    there.write(there.local, SETTINGS)
    there.act("connect", "claude")
    (there.data / "connected.json").write_text("not JSON")
    assert there.act("disconnect").code == 0
    assert json.loads(there.local.read_bytes()) == json.loads(SETTINGS)


def test_no_secret_of_the_settings_is_kept_anywhere(there: Connected) -> None:
    there.write(there.local, '{"env": {"API_KEY": "very-secret"}}')
    there.act("connect", "claude")
    assert b"very-secret" not in (there.data / "connected.json").read_bytes()


def test_a_link_is_written_through_and_stays(there: Connected, tmp_path: Path) -> None:
    target = there.write(tmp_path / "dotfiles" / "claude.json", SETTINGS, mode=0o600)
    there.user.parent.mkdir(parents=True)
    there.user.symlink_to(target)
    assert there.act("connect", "claude", "--user").code == 0
    assert there.user.is_symlink()
    assert "hooks" in json.loads(target.read_bytes())
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    there.act("disconnect", "claude", "--user")
    assert there.user.is_symlink()
    assert target.read_text() == SETTINGS


def test_the_agents_own_variable_names_its_folder(
    there: Connected, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there.environ["CLAUDE_CONFIG_DIR"] = str(tmp_path / "elsewhere")
    there.act("connect", "claude", "--user")
    assert (tmp_path / "elsewhere" / "settings.json").is_file()
    assert not there.user.exists()


REFUSED = {
    "comments": ('{\n  // mine\n  "a": 1\n}\n', "line 2: a comment"),
    "a comma too many": ('{"a": 1,}', "a comma before the closing bracket"),
    "half a file": ('{"a": ', "line 1"),
    "hooks twice": ('{"hooks": {}, "hooks": {}}', '"hooks" is given 2 times'),
    "another kind of file": ("[]", "it is no JSON object"),
}


@pytest.mark.parametrize(("text", "why"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_read_is_refused_and_nothing_written(
    there: Connected, text: str, why: str
) -> None:
    there.write(there.local, text)
    before = there.place.snapshot()
    said = there.act("connect", "claude")
    assert said.code == 1
    assert why in said.err
    assert "nothing was written" in said.err
    assert str(there.local) in said.err
    assert there.place.snapshot() == before


def test_bytes_that_are_no_text_are_refused(there: Connected) -> None:
    there.write(there.local, "")
    there.local.write_bytes(b'{\n"a": "\xff"}')
    said = there.act("connect", "claude")
    assert (said.code, "line 2: it is not UTF-8" in said.err) == (1, True)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir], ids=["a pipe", "a folder"])
def test_what_is_no_file_is_refused_by_its_name(
    there: Connected, make: Callable[[Path], None]
) -> None:
    there.local.parent.mkdir()
    make(there.local)
    said = there.act("connect", "claude")
    assert said.code == 1
    assert f"{there.local} is no plain file; nothing was written" in said.err


def test_a_read_only_file_stays_as_it_is(there: Connected) -> None:
    there.write(there.local, SETTINGS, mode=0o444)
    said = there.act("connect", "claude")
    assert (said.code, "is read-only" in said.err) == (1, True)
    assert there.local.read_text() == SETTINGS


def test_a_file_with_two_names_is_not_parted(there: Connected, tmp_path: Path) -> None:
    there.write(there.local, SETTINGS)
    os.link(there.local, tmp_path / "other")
    said = there.act("connect", "claude")
    assert (said.code, "has 2 names" in said.err) == (1, True)


def test_codex_takes_no_byte_order_mark(there: Connected) -> None:
    there.write(there.codex, "\ufeff{}")
    said = there.act("connect", "codex")
    assert (said.code, "byte order mark" in said.err) == (1, True)


def test_an_agent_is_connected_in_one_place_only(there: Connected) -> None:
    there.act("connect", "claude", "--user")
    said = there.act("connect", "claude")
    assert said.code == 1
    assert "would run every hook twice" in said.err
    assert "ppgp-tui disconnect claude --user" in said.err
    assert not there.local.exists()


def test_nor_for_all_repositories_while_one_of_them_is_connected(
    there: Connected, tmp_path: Path
) -> None:
    there.act("connect", "claude")
    other = tmp_path / "another repository"
    other.mkdir()
    said = there.act("connect", "claude", "--user", "--root", other)
    assert said.code == 1
    assert f"disconnect claude --local --root {there.root}" in said.err
    there.act("disconnect")
    assert there.act("connect", "claude", "--user", "--root", other).code == 0


def test_a_dry_run_shows_the_change_and_writes_nothing(there: Connected) -> None:
    there.write(there.local, SETTINGS)
    said = there.act("connect", "--dry-run")
    assert said.code == 0
    assert f"+++ {there.local}" in said.out
    assert '+        "SessionStart": [' in said.out
    assert there.local.read_text() == SETTINGS
    assert not there.data.exists()


@pytest.mark.parametrize(("answer", "is_written"), [("n", False), ("y", True), ("", True)])
def test_on_a_terminal_it_asks_first(there: Connected, answer: str, is_written: bool) -> None:
    there.write(there.local, SETTINGS)
    controller, terminal = os.openpty()
    os.write(controller, f"{answer}\n".encode())
    environ = {**os.environ, **there.environ}
    done = subprocess.run(
        [PROGRAM, "connect", "claude"],
        stdin=terminal,
        capture_output=True,
        env=environ,
        timeout=PATIENCE_S,
    )
    os.close(controller)
    os.close(terminal)
    assert done.returncode == 0, done.stderr
    assert ("hooks" in json.loads(there.local.read_bytes())) == is_written
    assert (b"left as it was" in done.stdout) != is_written


def test_it_says_what_is_still_to_do(there: Connected) -> None:
    there.agent("codex", "echo 'codex-cli 0.171.0'")
    said = there.act("connect")
    assert "Codex runs no hook that you have not trusted" in said.out
    assert "type /hooks there" in said.out
    assert "the hooks do nothing: ppgp-tui init" in said.out
    assert "claude mcp add ppgp -- " in said.out


def test_a_shell_that_prints_would_spoil_codexs_answers(there: Connected) -> None:
    there.write(there.home / ".profile", "echo hello\n")
    said = there.act("connect", "codex")
    assert said.code == 1
    assert "something else is printed before the answer" in said.err
    assert not there.codex.exists()


def test_agents_may_not_set_themselves_free(there: Connected) -> None:
    there.act("connect", "claude")
    for words in (("disconnect",), ("connect", "claude", "--strict")):
        said = there.place.act(*words, environ={**there.environ, **AGENT})
        assert (said.code, "only a person may do this" in said.err) == (1, True)
    assert "hooks" in json.loads(there.local.read_bytes())


def test_unknown_agents_are_named_with_the_known_ones(there: Connected) -> None:
    said = there.act("connect", "aider")
    assert (said.code, "known agents are claude, codex" in said.err) == (1, True)


# What is installed --------------------------------------------------------------------------------


def test_only_installed_agents_are_connected(there: Connected) -> None:
    there.act("connect")
    assert there.local.exists()
    assert not there.codex.exists()
    (there.bin / "claude").unlink()
    said = there.act("connect")
    assert (said.code, "no agent was found: looked for claude or codex" in said.err) == (1, True)
    assert there.act("connect", "codex").code == 0


VERSIONS = {
    "echo '2.1.197 (Claude Code)'": "the version all of this was tried with",
    "echo '3.0.0 (Claude Code)'": "newer than 2.1.197",
    "echo '1.0.3'": "older than 2.1.197",
    "echo 'no number'": "did not say its version",
    "echo '2.1.197'; exit 3": "did not say its version",
    "yes | head -c 9000000": "did not say its version",
}


@pytest.mark.parametrize("script", VERSIONS, ids=VERSIONS.values())
def test_versions_are_known_newer_older_or_unsaid(there: Connected, script: str) -> None:
    there.agent("claude", script)
    assert VERSIONS[script] in there.act("connect", "claude").out


def test_a_program_that_hangs_is_ended_with_all_it_started(
    there: Connected, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ppgp_tui.agents.connect.detect import version_of

    path = there.agent("claude", f"sleep 300 & echo $! > '{there.home}/pid'; wait")
    assert version_of(path, there.environ, limit_s=1) is None
    pid = int((there.home / "pid").read_text())
    assert not _runs(pid)


def test_nothing_but_the_version_is_asked_in_an_empty_environment(there: Connected) -> None:
    there.environ["ANTHROPIC_API_KEY"] = "secret"
    there.agent(
        "claude", f"env > '{there.home}/env'; echo \"$@\" > '{there.home}/words'; echo 2.1.197"
    )
    there.act("connect", "claude", "--dry-run")
    assert (there.home / "words").read_text() == "--version\n"
    assert "ANTHROPIC" not in (there.home / "env").read_text()


def test_a_program_of_the_repository_is_never_run(there: Connected) -> None:
    (there.bin / "claude").unlink()
    planted = there.root / "bin" / "claude"
    there.write(planted, f"#!/bin/sh\ntouch '{there.home}/ran'\n", mode=0o755)
    there.environ["PATH"] = f"{planted.parent}:bin:/usr/bin:/bin"
    there.act("connect")
    assert not (there.home / "ran").exists()


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
