"""The log as the agent's state: who commits it, and what would break it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ppgp_tui.session.actions import proposals
from ppgp_tui.session.doctor.committed import joined_by_merge
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from tests.session.doctor.findings import DAY_S, LOG, event, found, wrong
from tests.session.gits import Repository


def test_a_new_agent_repository_has_nothing_wrong(agent: Repository) -> None:
    assert wrong(agent.root) == []
    assert found(agent.root, "all seven checks passed").state == "ok"
    assert found(agent.root, "the guard refuses").state == "ok"


def test_what_is_recorded_here_passes_all_checks(agent: Repository) -> None:
    engine = Engine(agent.root, Actor("user", "dev"))
    assert proposals.propose(engine, "Retry survives a timeout").ok
    agent.commit("run")
    assert wrong(agent.root) == []
    assert found(agent.root, "all seven checks passed")


# Who commits it


def test_who_committed_last_and_how_many_lines_wait(agent: Repository) -> None:
    agent.write(LOG, event("event_1"))
    agent.commit("one", GIT_AUTHOR_NAME="yoyo")
    agent.write(LOG, event("event_1") + event("event_2") + event("event_3"))
    assert "last by" not in found(agent.root, "2 lines of the log are not committed").text
    said = found(agent.root, "committed by").text
    assert "by yoyo" in said
    assert agent.git("rev-parse", "--short=7", "HEAD").strip() in said


def test_lines_that_wait_for_a_week_need_attention(agent: Repository) -> None:
    old = f"@{int(time.time()) - 8 * DAY_S} +0000"
    agent.write(LOG, event("event_1"))
    agent.commit("one", GIT_COMMITTER_DATE=old, GIT_AUTHOR_DATE=old)
    agent.write(LOG, event("event_1") + event("event_2"))
    assert found(agent.root, "1 line of the log is not committed").state == "warning"


def test_a_log_that_was_never_committed_needs_attention(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "agent")
    repo.write(LOG, event("event_1"))
    assert found(repo.root, "in no commit (1 line)").state == "warning"


def test_a_log_outside_git_needs_attention(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / LOG).write_text(event("event_1"))
    assert found(tmp_path, "in no Git repository").state == "warning"


def test_edited_committed_lines_are_an_error(agent: Repository) -> None:
    agent.write(LOG, event("event_1"))
    agent.commit("one")
    agent.write(LOG, event("event_2"))
    assert found(agent.root, "does not begin with what is committed").state == "error"


def test_an_ignored_log_is_an_error_with_the_rules_place(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "agent")
    repo.write(LOG, event("event_1"))
    repo.write(".gitignore", "*.pyc\n*.jsonl\n")
    finding = found(repo.root, "ignored by the rule *.jsonl")
    assert (finding.state, finding.path, finding.line) == ("error", ".gitignore", 2)


def test_a_rule_that_is_taken_back_is_none(tmp_path: Path) -> None:
    repo = Repository(tmp_path / "agent")
    repo.write(LOG, event("event_1"))
    repo.write(".gitignore", "*.jsonl\n!state/events.jsonl\n")
    assert not any("ignored" in text for text in wrong(repo.root))


# Merging


def test_union_merging_needs_attention_until_pull_rebases(agent: Repository) -> None:
    agent.write(".gitattributes", "*.jsonl merge=union\n")
    agent.commit("union")
    finding = found(agent.root, "merge=union is set")
    assert finding.state == "warning"
    assert "check 4" in finding.why
    agent.git("config", "pull.rebase", "true")
    assert found(agent.root, "merge=union is set").state == "note"
    (agent.root / ".git/hooks/pre-commit").unlink()
    assert found(agent.root, "merge=union is set").state == "warning"


def fork(repo: Repository) -> None:
    repo.write(".gitattributes", "*.jsonl merge=union\n")
    repo.commit("union")
    repo.git("checkout", "-qb", "side")
    repo.write(LOG, event("event_1"))
    repo.commit("side")
    repo.git("checkout", "-q", "main")
    repo.write(LOG, event("event_2"))
    repo.commit("main")


def test_a_merge_that_joined_two_logs_is_named_and_says_how_to_go_on(agent: Repository) -> None:
    fork(agent)
    agent.git("merge", "-q", "--no-verify", "--no-edit", "side")
    merge = agent.git("rev-parse", "HEAD").strip()
    assert joined_by_merge(agent.root, LOG) == (merge,)
    finding = found(agent.root, "a merge joined two logs")
    assert finding.state == "error"
    assert merge[:7] in finding.text
    assert "rebase" in finding.mend
    assert found(agent.root, "check 4, append-only in git, failed").state == "error"


def test_a_rebase_of_the_same_is_fine(agent: Repository) -> None:
    fork(agent)
    agent.git("rebase", "-q", "side")
    assert joined_by_merge(agent.root, LOG) == ()
    assert found(agent.root, "all seven checks passed")


def test_a_merge_of_which_one_side_appended_is_fine(agent: Repository) -> None:
    agent.git("checkout", "-qb", "side")
    agent.write(LOG, event("event_1"))
    agent.commit("side")
    agent.git("checkout", "-q", "main")
    agent.write("other", "x")
    agent.commit("other")
    agent.git("merge", "-q", "--no-edit", "side")
    assert joined_by_merge(agent.root, LOG) == ()
    assert found(agent.root, "all seven checks passed")


# Line ends and filters


@pytest.mark.parametrize(
    ("setting", "attributes"),
    [("true", ""), ("input", ""), ("", "* text=auto\n"), ("", "*.jsonl text eol=crlf\n")],
)
def test_converted_line_ends_need_attention(
    agent: Repository, setting: str, attributes: str
) -> None:
    if setting:
        agent.git("config", "core.autocrlf", setting)
    agent.write(".gitattributes", attributes)
    assert found(agent.root, "Git converts line ends").state == "warning"
    agent.write(".gitattributes", attributes + f"{LOG} -text\n")
    assert not any("line ends" in text for text in wrong(agent.root))


def test_a_filter_on_the_log_is_an_error_and_is_not_run(agent: Repository, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    trap.chmod(0o755)
    agent.write(".gitattributes", "*.jsonl filter=odd diff=odd\n")
    agent.write(LOG, event("event_1"))
    for key in (
        "filter.odd.clean", "filter.odd.smudge", "filter.odd.process", "diff.odd.textconv",
        "diff.odd.command", "diff.external", "core.fsmonitor", "core.pager", "gpg.program",
    ):  # fmt: skip
        agent.git("config", key, str(trap))
    agent.git("config", "log.showSignature", "true")
    assert found(agent.root, "filter=odd is set").state == "error"
    assert not (tmp_path / "sprung").exists()


# The machine's own files and the guard


def test_a_committed_lease_and_a_missing_ignore_line_need_attention(agent: Repository) -> None:
    agent.write(".gitignore", "")
    agent.write(".agent/lease", "{}")
    assert found(agent.root, ".agent/lease is not ignored").state == "warning"
    agent.commit("oops")
    assert found(agent.root, ".agent/lease is committed").state == "warning"
    assert found(agent.root, ".agent/HEAD is not ignored").state == "warning"


def test_without_the_guard_it_says_how_to_get_it(agent: Repository) -> None:
    (agent.root / ".git/hooks/pre-commit").unlink()
    assert found(agent.root, "no guard looks at commits").mend == "ppgp-tui gasp init"
