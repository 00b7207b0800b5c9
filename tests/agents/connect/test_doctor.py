"""The doctor on agents: installed, connected, able to run, trusted, heard of, what was missed."""

from __future__ import annotations

import json
import shutil
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.agents.connect.trust import Trust, UnknownTrustError, codex_trust
from tests.agents.connect.places import Connected

Json = dict[str, Any]

SERVER = """#!{python}
import json, sys, time
if sys.argv[1:] == ["--version"]:
    print("codex-cli 0.171.0"); sys.exit()
assert sys.argv[-1] == "app-server", sys.argv
for line in sys.stdin:
    said = json.loads(line)
    if said["method"] == "initialize":
        print(json.dumps({{"method": "configWarning", "params": {{}}}}))
        print("no JSON at all")
        print(json.dumps({{"id": 1, "result": {{}}}}), flush=True)
    elif said["method"] == "hooks/list":
        {answer}
"""
HOOK = "/usr/bin/python3 -I -S /home/me/.local/share/ppgp-tui/hook.py codex"


def codex(there: Connected, answer: str) -> Path:
    """A Codex that answers so."""
    path = there.bin / "codex"
    path.write_text(SERVER.format(python=sys.executable, answer=answer))
    path.chmod(0o755)
    return path


def hooks(*states: str) -> str:
    """The answer that lists hooks of ours with that trust, and one of somebody else."""
    listed = [{"command": HOOK, "enabled": True, "trustStatus": state} for state in states]
    listed.append({"command": "lint", "enabled": True, "trustStatus": "untrusted"})
    answer = {"id": 2, "result": {"data": [{"cwd": "/repo", "hooks": listed}]}}
    return f"print({json.dumps(json.dumps(answer))}, flush=True)"


def section(there: Connected) -> list[Json]:
    said = json.loads(there.act("doctor", "--json").out)
    (found,) = [one["findings"] for one in said["sections"] if one["name"] == "agents"]
    return list(found)


def texts(there: Connected, *states: str) -> list[str]:
    return [one["text"] for one in section(there) if not states or one["state"] in states]


def heartbeat(there: Connected, key: str, **members: Any) -> None:
    path = there.root / ".ppgp" / "run" / "agents" / f"{key}.json"
    said = {"schema": 1, "agent": "claude", "session": key, "state": "idle", **members}
    there.write(path, json.dumps(said))


def test_a_connected_agent_is_well(there: Connected) -> None:
    there.act("init")
    there.act("connect", "claude")
    heartbeat(there, "claude-1", since_ms=time.time_ns() // 1_000_000)
    said = "\n".join(texts(there, "ok"))
    assert "Claude Code 2.1.197, at " in said
    assert f"in {there.local} (12 hooks)" in said
    assert "the hook program" in said
    assert "session claude-1: idle, heard of 0 s ago" in said
    assert texts(there, "warning", "error") == []


def test_an_agent_that_is_not_connected_is_named_with_the_command(there: Connected) -> None:
    (found,) = [one for one in section(there) if "is not connected" in one["text"]]
    assert (found["state"], found["mend"]) == ("note", "ppgp-tui connect claude")


def test_a_hook_that_cannot_run_is_an_error(there: Connected) -> None:
    there.act("connect", "claude")
    (there.data / "hook.py").unlink()
    (found,) = [one for one in section(there) if one["state"] == "error"]
    assert found["text"] == f"Claude Code: {there.data / 'hook.py'} is not there"
    assert found["why"] == "the hooks cannot run, and the agent takes that for a yes"
    assert found["mend"] == "ppgp-tui connect claude --local"
    assert there.act("connect", "claude").code == 0
    there.local.write_text(there.local.read_text().replace(sys.executable, "/gone/python"))
    assert any("/gone/python" in text for text in texts(there, "error"))


def test_entries_that_are_missing_or_others_are_told(there: Connected) -> None:
    there.act("connect", "claude")
    said = json.loads(there.local.read_bytes())
    del said["hooks"]["Stop"]
    there.local.write_text(json.dumps(said))
    (found,) = [one for one in section(there) if one["state"] == "warning"]
    assert "but not wholly" in found["text"]
    assert found["why"] == "there is no hook for Stop"
    said["hooks"]["Stop"] = [{"hooks": [{**said["hooks"]["PreToolUse"][0]["hooks"][0]}]}]
    there.local.write_text(json.dumps(said))
    assert any("but otherwise than now" in text for text in texts(there, "warning"))


def test_a_hook_program_of_another_version_is_told(there: Connected) -> None:
    there.act("connect", "claude")
    (there.data / "hook.py").write_text("# old\n")
    assert any("is of another version" in text for text in texts(there, "note"))


def test_settings_the_agent_ignores_are_told(there: Connected) -> None:
    there.write(there.user, "{ // x\n}")
    (found,) = [one for one in section(there) if one["state"] == "warning"]
    assert f"{there.user}, line 1: a comment" in found["text"]


def test_an_old_version_is_told(there: Connected) -> None:
    there.agent("claude", "echo 1.0.0")
    assert "Claude Code 1.0.0 is older than 2.1.197" in texts(there, "warning")


def test_what_hooks_could_not_do_is_told(there: Connected) -> None:
    there.act("init")
    problem = "an event was not recorded: no space left on device"
    heartbeat(there, "claude-1", problems=[problem], since_ms=time.time_ns() // 1_000_000)
    (found,) = [one for one in section(there) if one["state"] == "warning"]
    assert found["text"] == f"claude-1: {problem}"
    assert "its agent worked on" in found["why"]


def test_a_deleted_run_folder_is_told(there: Connected) -> None:
    there.act("init")
    shutil.rmtree(there.root / ".ppgp" / "run", ignore_errors=True)
    assert any(".ppgp/run is not there" in text for text in texts(there, "note"))
    assert not (there.root / ".ppgp" / "run").exists()


def test_without_any_agent_it_says_what_it_looked_for(there: Connected) -> None:
    (there.bin / "claude").unlink()
    assert any("looked for claude or codex" in text for text in texts(there, "note"))


# Trust --------------------------------------------------------------------------------------------


def test_codex_is_asked_what_it_trusts(there: Connected) -> None:
    path = codex(there, hooks("trusted", "untrusted", "modified"))
    assert codex_trust(path, there.root, there.environ) == Trust(1, 2, 0)
    assert (
        there.act("connect", "codex", "--check-trust").out.count("Codex trusts 1 of 3 hooks") == 1
    )
    assert "Codex trusts 1 of 3 hooks" in texts(there, "warning")
    codex(there, hooks("trusted", "trusted"))
    assert "Codex trusts all 2 hooks" in texts(there, "ok")
    codex(there, hooks())
    assert "Codex does not see the hooks" in texts(there, "warning")


SILENT = {
    "time.sleep(600)": "it did not answer in time",
    "sys.exit(1)": "it ended before it answered",
    'print(json.dumps({"id": 2, "error": {"code": -32601}}), flush=True)': "does not know",
    "[print('x' * 1000000) for _ in range(20)]; sys.stdout.flush()": "in time",
}


@pytest.mark.parametrize("answer", SILENT, ids=SILENT.values())
def test_a_codex_that_does_not_tell_is_waited_for_a_short_while(
    there: Connected, answer: str
) -> None:
    path = codex(there, answer)
    with pytest.raises(UnknownTrustError, match=SILENT[answer]):
        codex_trust(path, there.root, there.environ, limit_s=2)
