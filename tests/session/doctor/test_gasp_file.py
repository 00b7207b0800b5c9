"""The log as a file: how it grows, who holds it, what is wrong in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ppgp_tui.session import git
from ppgp_tui.session.actions import proposals
from ppgp_tui.session.doctor import growth as sizes
from ppgp_tui.session.doctor.finding import Finding, examine
from ppgp_tui.session.doctor.gasp import gasp
from ppgp_tui.session.doctor.log_file import opened
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.files import places
from tests.session.doctor.findings import DAY_S, LOG, event, found, wrong
from tests.session.gits import Repository

# Growth


def test_growth_is_measured_by_times_and_by_commits(agent: Repository) -> None:
    lines = [event(f"event_{day}", 1_790_000_000_000 + day * DAY_S * 1000) for day in range(15)]
    for day in (0, 7, 14):
        moment = f"@{1_790_000_000 + day * DAY_S} +0000"
        agent.write(LOG, "".join(lines[: day + 1]))
        agent.commit(f"{day}", GIT_COMMITTER_DATE=moment, GIT_AUTHOR_DATE=moment)
    size = len(lines[1])
    with opened(agent.root, LOG) as log:
        assert log is not None
        assert sizes.per_day_by_times(log) == pytest.approx(size, rel=0.2)
    by_commits = sizes.per_day_by_commits(agent.root, LOG)
    assert by_commits == pytest.approx(size, rel=0.02)
    said = found(agent.root, "the log has ").text
    assert "a day by its times" in said
    assert "a day by its commits" in said


def test_a_log_of_one_moment_has_no_growth_to_tell(agent: Repository) -> None:
    agent.write(LOG, event("event_1"))
    assert found(agent.root, "the log has ").text == f"the log has {len(event('event_1'))} bytes"


@pytest.mark.parametrize(("size", "state"), [(60, "warning"), (110, "error")])
def test_a_log_that_hosts_refuse_needs_attention_and_gets_safe_advice(
    agent: Repository, size: int, state: str
) -> None:
    line = event("event_1").encode().rstrip(b"\n").replace(b"{}", b'"' + b"x" * 1_000_000 + b'"')
    (agent.root / LOG).write_bytes((line + b"\n") * size)
    with opened(agent.root, LOG) as log:
        assert log is not None
        (finding,) = sizes.growth(agent.root, log)
    assert finding.state == state
    assert "snapshot does not shorten" in finding.mend


# Lease, outbox, cut and torn lines


def lease(root: Path, text: str) -> None:
    (root / ".agent" / "lease").write_text(text)


@pytest.mark.parametrize(
    ("text", "words", "state"),
    [
        ("garbage", "cannot be read", "warning"),
        ('{"worker_id":"w","pid":1,"expires_at_ms":1}', "has run out", "note"),
        ('{"worker_id":"w","pid":1,"expires_at_ms":9999999999999}', "holds the log", "note"),
        ('{"worker_id":"ppgp-tui","pid":1,"expires_at_ms":1}', "this program holds", "ok"),
    ],
)
def test_the_lease_is_told(agent: Repository, text: str, words: str, state: str) -> None:
    lease(agent.root, text)
    assert found(agent.root, words).state == state


def test_lines_in_the_outbox_need_attention(agent: Repository) -> None:
    lease(agent.root, '{"worker_id":"w","pid":1,"expires_at_ms":9999999999999}')
    assert proposals.propose(Engine(agent.root, Actor("user", "dev")), "x").recorded == "outbox"
    assert found(agent.root, "wait in the outbox").state == "warning"


def test_cut_lines_need_attention(agent: Repository) -> None:
    assert proposals.propose(Engine(agent.root, Actor("user", "dev")), "x").ok
    agent.git("reset", "-q", "--hard")
    finding = found(agent.root, "recorded lines were removed")
    assert (finding.state, finding.mend) == ("warning", "ppgp-tui restore")


def test_a_torn_end_needs_attention(agent: Repository) -> None:
    agent.write(LOG, event("event_1") + '{"id"')
    finding = found(agent.root, "5 bytes of an unfinished line")
    assert finding.state == "warning"


# The checks


def test_a_line_of_somebody_else_is_told_from_one_of_ours(agent: Repository) -> None:
    agent.write(LOG, event("event_1", causation_id="nobody"))
    finding = found(agent.root, "check 5, causation integrity, failed")
    assert finding.state == "error"
    assert "not recorded here" in finding.why
    assert finding.line == 1
    state = places.root_folder(agent.root)
    state.mkdir(parents=True, exist_ok=True)
    (state / "copy.jsonl").write_text(event("event_1", causation_id="nobody"))
    assert "was recorded here" in found(agent.root, "check 5, causation").why


def test_without_a_manifest_check_six_is_only_a_note(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "agent")
    repo.write(LOG, event("event_1"))
    repo.commit()
    assert found(repo.root, "check 6 cannot pass").state == "note"
    assert found(repo.root, "checks 1, 2, 3, 4, 5, 7 passed").state == "ok"


def test_no_log_is_told(tmp_path: Path) -> None:
    assert found(tmp_path, "there is no log").state == "warning"


def test_a_deleted_log_is_to_be_brought_back_and_not_begun_anew(agent: Repository) -> None:
    agent.write(LOG, event("event_1"))
    agent.commit("one")
    (agent.root / LOG).unlink()
    finding = found(agent.root, "was deleted")
    assert (finding.state, finding.mend) == ("error", f"git restore --source=HEAD {LOG}")
    agent.git("commit", "-qam", "two", "--no-verify")
    commit = agent.git("rev-parse", "--short", "HEAD").strip()
    finding = found(agent.root, f"was deleted in commit {commit}")
    agent.git(*finding.mend.split()[1:])
    assert (agent.root / LOG).read_text() == event("event_1")


def test_checks_that_wait_for_the_first_are_one_finding(agent: Repository) -> None:
    agent.write(LOG, "{\n")
    assert found(agent.root, "check 1, envelope round-trip, failed").state == "error"
    assert found(agent.root, "checks 2, 3, 5, 6, 7 could not run").state == "note"
    assert wrong(agent.root) == [found(agent.root, "check 1, envelope").text]


# Never hanging, never writing, never failing


@pytest.mark.parametrize(
    "path", [LOG, ".agent/lease", "AGENT.md", "identity/PIPE", ".gitattributes"]
)
def test_a_pipe_does_not_hold_it_up(
    agent: Repository, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    patience = dict(git.ask.__kwdefaults__, limit_s=0.5)  # Git itself waits for ever
    monkeypatch.setattr(git.ask, "__kwdefaults__", patience)
    (agent.root / path).unlink(missing_ok=True)
    os.mkfifo(agent.root / path)
    (report,) = examine(agent.root, [("gasp", gasp)])
    assert report.findings
    assert not any("could not be looked at" in one.text for one in report.findings)


def test_a_link_that_leads_out_is_not_followed(agent: Repository, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("PRIVATE\n")
    (agent.root / LOG).unlink()
    (agent.root / LOG).symlink_to(secret)
    (report,) = examine(agent.root, [("gasp", gasp)])
    assert [one.state for one in report.findings] == ["error"]
    assert "PRIVATE" not in str(report)


def test_looking_writes_nothing(agent: Repository) -> None:
    def all_files() -> dict[str, tuple[int, int]]:
        return {
            str(path): (path.stat().st_mtime_ns, path.stat().st_size)
            for folder in (agent.root, places.state_folder(), places.data_folder())
            for path in folder.rglob("*")
        }

    agent.write(LOG, event("event_1"))
    before = all_files()
    examine(agent.root, [("gasp", gasp)])
    assert all_files() == before


def test_without_git_it_says_so(agent: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert found(agent.root, "git cannot be started").state == "warning"


def test_a_section_that_breaks_hides_no_other(tmp_path: Path) -> None:
    def broken(root: Path) -> list[Finding]:
        raise ZeroDivisionError("oh")

    def fine(root: Path) -> list[Finding]:
        return [Finding("ok", "fine")]

    reports = examine(tmp_path, [("a", broken), ("a", fine), ("b", fine)])
    assert [report.name for report in reports] == ["a", "b"]
    assert "ZeroDivisionError" in reports[0].findings[0].text
    assert reports[0].findings[1].text == "fine"
