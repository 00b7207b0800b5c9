"""Every finding is explained, with a way out that leaves the history as it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ppgp_tui.gasp import checks
from ppgp_tui.gasp.checks.append_only import Broken, History, PathHistory, result
from ppgp_tui.gasp.checks.log import LogChecks
from ppgp_tui.gasp.checks.report import Finding, Place
from ppgp_tui.gasp.checks.repository import AgentRepository
from ppgp_tui.gasp.explain import REASONS, explain
from tests.gasp.checks.agent_repository import FIXTURE, LOG


def rules() -> set[str]:
    """The rules that the checks can name, read from what they are written in."""
    folder = Path(checks.__file__).parent
    text = "".join(path.read_text("utf-8") for path in folder.glob("*.py"))
    before = r"Finding\((?:\d|number), |Fault\(|_?found\(|_finding\(|_keep\(|yield |index, "
    call = rf'(?:{before})"([a-z_]+)"'
    return set(re.findall(call, re.sub(r"\(\s+", "(", text)))


def test_there_is_a_reason_for_every_rule_and_no_other() -> None:
    assert rules() == set(REASONS)


@pytest.mark.parametrize("rule", list(REASONS))
def test_nobody_is_told_to_rewrite_history(rule: str) -> None:
    reason = REASONS[rule]
    assert reason.why.endswith(".")
    assert reason.mend.endswith(".")
    forbidden = re.compile(r"amend|force|filter-repo|filter-branch|reset --hard|rebase -i")
    assert not forbidden.search(reason.why + reason.mend)


def test_file_line_and_event_are_named() -> None:
    log = b"\n" + FIXTURE[LOG].encode().replace(b'"causation_id":"event_06"', b'"causation_id":"x"')
    checked = LogChecks()
    checked.feed(log)
    around = AgentRepository(log, None, None, None, {})
    (finding,) = checked.results(around)[3].findings
    (told,) = explain([finding], log)
    assert finding.text == "line 7: causation_id x does not reference an earlier event"
    assert told.where == "state/events.jsonl line 8"
    assert told.event.startswith("event_07 (eval.finished: cargo test retry")
    assert "cause" in told.why
    assert "cannot be mended without rewriting history" in told.mend


def test_a_commit_that_edited_cannot_be_mended_and_that_is_said() -> None:
    history = History("walked", (PathHistory("JOURNAL.md", (Broken("a" * 40, "edited"),)),))
    (told,) = explain(result(history).findings, b"")
    assert told.where == "JOURNAL.md"
    assert told.event == ""
    assert told.mend.startswith("It cannot be mended without rewriting history")


def test_the_mend_names_the_path_and_the_commit_of_its_finding() -> None:
    broken = (Broken("a" * 40, "deleted"),)
    history = History("walked", (PathHistory("a b/facts.jsonl", broken, "missing"),))
    deleted, missing = (told.mend for told in explain(result(history).findings, b""))
    assert "git restore --source=aaaaaaa~1 'a b/facts.jsonl'" in deleted
    assert missing == "git restore 'a b/facts.jsonl' brings it back."


def test_a_place_that_the_log_does_not_have_any_more_is_no_crash() -> None:
    finding = Finding(5, "bad_root", "line 9: x", place=Place(9, 9, "e"))
    (told,) = explain([finding], b"")
    assert told.event == ""
