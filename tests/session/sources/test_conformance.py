"""The live verdict: always what a check of the whole repository says, from what changed only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.gasp.checks import append_only
from ppgp_tui.gasp.checks.log import LogChecks
from ppgp_tui.gasp.history import read_history
from ppgp_tui.session.log.checking import LogVerdict
from ppgp_tui.session.sources import conformance as conformance_module
from ppgp_tui.session.sources import history as history_module
from tests.gasp.checks.agent_repository import LOG, AgentRepository, as_line, event
from tests.session.sources.verdicts import Live, states, whole

# The verdict follows the repository


def test_a_conformant_repository_is_said_to_be_one(repository: AgentRepository) -> None:
    now = Live(repository.root).look()
    assert (now.state, now.findings, now.first, now.lacks) == ("ok", 0, (), ())
    assert states(now) == ["passed"] * 7
    assert (now.lines, now.offset) == (10, len(repository.read()))


def test_a_finding_has_its_line_and_its_event_and_goes_when_it_is_mended(
    repository: AgentRepository,
) -> None:
    live = Live(repository.root)
    before = live.look()
    made = event(11, "goal.created", {"id": "goal_x"}, None)
    repository.append(b"\n" + as_line(made) + b"\n")
    now = live.look()
    assert now.state == "failed"
    (finding,) = now.first
    assert (finding.check, finding.line, finding.event_id, finding.path) == (7, 12, "event_11", LOG)
    assert finding.text == "line 11: goal.created `goal_x` has no paired state.ops_applied"
    assert finding.mend
    assert now.since_ms != before.since_ms
    node = {"CreateNode": {"id": "goal_x", "kind": "goal", "props": {}}}
    repository.append(as_line(event(12, "state.ops_applied", [node], "event_11")) + b"\n")
    assert live.look().state == "ok"


def test_since_says_when_the_verdict_came_not_when_the_log_grew(
    repository: AgentRepository,
) -> None:
    live = Live(repository.root)
    since = live.look().since_ms
    repository.append(as_line(event(11, "run.started", {}, None)) + b"\n")
    later = live.look()
    assert (later.since_ms, later.lines) == (since, 11)


def test_without_a_manifest_the_log_is_said_to_be_sound_and_what_lacks(
    repository: AgentRepository,
) -> None:
    for path in ("AGENT.md", "identity"):
        repository.delete(path)
    now = Live(repository.root).look()
    assert (now.state, now.lacks) == ("incomplete", ("manifest",))
    assert states(now)[5] == "failed"


def test_an_identity_that_differs_is_a_finding_not_a_lack(repository: AgentRepository) -> None:
    live = Live(repository.root)
    live.look()
    repository.append("x", "identity/IDENTITY.md")
    now = live.look()
    assert (now.state, now.lacks, now.first[0].check) == ("failed", (), 6)


def test_outside_git_the_log_is_said_to_be_sound_and_what_lacks(made: AgentRepository) -> None:
    now = Live(made.root).look()
    assert (now.state, now.lacks) == ("incomplete", ("git",))
    made.delete("AGENT.md")
    assert Live(made.root).look().lacks == ("manifest", "git")


def test_where_there_is_no_log_nothing_is_said_of_one(tmp_path: Path) -> None:
    now = Live(tmp_path).look()
    assert now.state == "absent"


def test_a_log_that_goes_away_fails_and_is_checked_anew_when_it_is_back(
    repository: AgentRepository,
) -> None:
    live = Live(repository.root)
    live.look()
    log = repository.read()
    repository.delete(LOG)
    now = live.look()
    assert now.state == "failed"
    assert now.first[0].text.endswith("No such file or directory (os error 2)")
    assert live.says() == whole(repository.root)
    repository.write(LOG, log)
    assert live.look().state == "ok"


def test_a_committed_log_that_was_gone_before_the_first_look_fails(
    repository: AgentRepository,
) -> None:
    repository.delete(LOG)
    now = Live(repository.root).look()
    assert now.state == "failed"
    assert [one.check for one in now.first] == [1, 4]
    assert now.first[1].mend == f"git restore {LOG} brings it back."


def test_what_cannot_be_checked_after_a_bad_line_is_said_to_be_not_checked(
    repository: AgentRepository,
) -> None:
    repository.append(b"{\n")
    now = Live(repository.root).look()
    assert (now.state, now.findings) == ("failed", 1)
    assert states(now) == ["failed", *["unchecked"] * 2, "passed", *["unchecked"] * 3]
    assert now.checks[1].why == "log does not fully parse; see check 1"


# The unfinished last line


def test_a_line_in_flight_is_no_finding_until_it_is_old(repository: AgentRepository) -> None:
    live = Live(repository.root, torn_is_old=False)
    repository.append(b'{"id":"event_11"')
    assert live.look().state == "ok"
    live.now_ms += conformance_module.TORN_MS
    now = live.look()
    assert (now.state, now.lines) == ("failed", 11)
    assert "EOF while parsing" in now.first[0].text
    assert live.says() == whole(repository.root)


def test_an_old_unfinished_line_that_is_finished_or_cut_off_is_judged_anew(
    repository: AgentRepository,
) -> None:
    sound, line = repository.read(), as_line(event(11, "run.started", {}, None))
    live = Live(repository.root)
    for tail in (line[:20], line[:30], line, line + b"\n" + line[:9], b"", line[:5], b"nonsense"):
        repository.write(LOG, sound + tail)
        assert live.says() == whole(repository.root), tail


# Snapshots, packs, history


def test_a_snapshot_is_verified_when_it_comes_and_when_it_changes(
    repository: AgentRepository,
) -> None:
    from ppgp_tui.gasp.folding import snapshot

    live = Live(repository.root)
    live.look()
    taken = snapshot.take(repository.read())
    path = f"snapshots/{taken.event}/graph.json"
    repository.write(path, taken.data)
    assert live.look().state == "ok"
    repository.write(path, taken.data.replace(b"goal_retry", b"goal_retrx"))
    assert live.look().first[0].check == 2
    assert live.says() == whole(repository.root)
    repository.write(path, taken.data.replace(b'"line_count":10', b'"line_count":11'))
    assert "out of range" in live.look().first[0].text
    repository.append(as_line(event(11, "run.started", {}, None)) + b"\n")
    assert "integrity hash mismatch" in live.look().first[0].text
    assert live.says() == whole(repository.root)
    repository.delete("snapshots")
    assert live.look().state == "ok"


def test_a_pack_admits_its_words_as_soon_as_it_is_there(repository: AgentRepository) -> None:
    live = Live(repository.root)
    node = {"CreateNode": {"id": "w", "kind": "weather", "props": {}}}
    repository.append(as_line(event(11, "state.ops_applied", [node], None)) + b"\n")
    assert live.look().first[0].check == 3
    kind = {"kind": "weather", "required_props": []}
    pack: dict[str, Any] = {"id": "p", "name": "p", "version": "1", "settings": None}
    pack |= {"object_types": {"weather": kind}, "relation_types": {}, "policies": [], "prompts": []}
    repository.write(".agent/packs/p.json", json.dumps(pack))
    assert live.look().state == "ok"
    repository.write(".agent/packs/p.json", "{")
    assert live.says() == whole(repository.root)


def test_git_is_asked_again_only_when_something_moved_it_depends_on(
    repository: AgentRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def counted(root: str) -> append_only.History:
        asked.append(root)
        return read_history(root)

    monkeypatch.setattr(history_module, "read_history", counted)
    live = Live(repository.root)
    live.look()
    for number in range(11, 15):
        repository.append(as_line(event(number, "run.started", {}, None)) + b"\n")
        live.look()
    assert len(asked) == 1
    repository.commit()
    live.look()
    assert len(asked) == 2
    repository.substitute("event_01", "event_0x")
    texts = [finding.text for finding in live.look().first if finding.check == 4]
    assert texts == ["state/events.jsonl: working tree edits committed lines"]
    assert len(asked) == 3


def test_a_committed_line_that_was_cut_off_and_is_put_back_is_no_finding_any_more(
    repository: AgentRepository,
) -> None:
    live, whole_log = Live(repository.root), repository.read()
    repository.write(LOG, whole_log[: whole_log.rfind(b"\n", 0, -1) + 1])
    assert live.look().first[0].text.endswith("working tree edits committed lines")
    repository.write(LOG, whole_log)
    assert live.look().state == "ok"


def test_a_journal_that_loses_lines_is_noticed_without_a_commit(
    repository: AgentRepository,
) -> None:
    repository.write("JOURNAL.md", "one\n")
    repository.commit()
    live = Live(repository.root)
    assert live.look().state == "ok"
    repository.write("JOURNAL.md", "two\n")
    assert live.look().first[0].text == "JOURNAL.md: working tree edits committed lines"


# Long logs


def test_a_long_log_is_not_checked_until_somebody_asks(
    repository: AgentRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conformance_module, "LONGEST", 1_000)
    live = Live(repository.root)
    now = live.look()
    assert now.state == "unchecked"
    assert set(states(now)) == {"unchecked"}
    assert "ppgp-tui gasp check" in now.why
    assert live.look(asked=True).state == "ok"
    repository.append(b"{\n")
    assert live.look(asked=True).state == "failed"


def test_a_log_that_grows_long_while_it_is_checked_stays_checked(
    repository: AgentRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = Live(repository.root)
    live.look()
    monkeypatch.setattr(conformance_module, "LONGEST", 1_000)
    assert live.look().state == "ok"


def test_work_follows_the_new_bytes(
    repository: AgentRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    fed: list[int] = []
    feed = LogChecks.feed

    def counted(checks: LogChecks, data: bytes) -> None:
        fed.append(len(data))
        feed(checks, data)

    monkeypatch.setattr(LogChecks, "feed", counted)
    live = Live(repository.root)
    live.look()
    assert sum(fed) == len(repository.read())
    fed.clear()
    line = as_line(event(11, "run.started", {}, None)) + b"\n"
    repository.append(line)
    live.look()
    assert sum(fed) == len(line)


def test_progress_is_told_and_the_work_can_be_stopped_and_goes_on(
    repository: AgentRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppgp_tui.session.log.feed.BLOCK", 300)
    live = Live(repository.root)
    told: list[float | None] = []
    log = live.tail.look()
    assert live.source.look(log, LOG, stopped=lambda: True) is None
    done = live.source.look(log, LOG, progress=lambda part: told.append(part.progress))
    assert done is not None
    assert told == sorted(told, key=lambda part: part or 0)
    assert all(0 < (part or 0) < 1 for part in told)
    assert LogVerdict().offset == 0
