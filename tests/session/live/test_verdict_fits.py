"""Whether a verdict still fits, while the session is followed: what moves it and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.audit import whole
from ppgp_tui.session.actions import goal as goals
from ppgp_tui.session.actions import plan as plans
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.picture.audit_state import Audit
from tests.session.live.living import GOAL, Live, git

DOCUMENT = """\
## GOAL
Retry survives a timeout

## DEFINITION_OF_DONE
- [x] Production has run it for a week

## VERIFICATION_EVIDENCE
- DoD 1: the dashboard of production showed it.
"""


@pytest.fixture
def person(root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Engine:
    """The person whose goal was verified, in a repository with some code."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    person = Engine(root, Actor("user", "dev"))
    assert isinstance(person.journal.create(), tuple)
    (root / GOAL).write_text(DOCUMENT)
    (root / "code.py").write_text("KEPT = True\n")
    git(root, "init", "-q", "--initial-branch=main")
    commit(root)
    assert goals.create(person, "Retry survives a timeout").ok
    assert goals.claim(Engine(root, Actor("agent", "claude-1")), "done").ok
    plan = whole.planned_for(person)
    ended = whole.make(person, plan, taken={"dod:1": "I saw it"})
    assert ended.verdict is not None
    assert ended.verdict.word == "approved_with_notes"
    return person


def commit(root: Path, *words: str) -> None:
    git(root, "add", "-A", "-f", ".")
    git(root, "commit", "-qm", "Go on", "--allow-empty", *words)


def audit(live: Live) -> Audit:
    return live.now.audit.value


def fits(live: Live) -> None:
    live.until(lambda now: now.audit.value.stale is False)
    assert (audit(live).state, audit(live).moved) == ("verified", ())


def test_it_fits_as_recorded_and_still_when_the_log_is_committed(
    person: Engine, live: Live
) -> None:
    live.follow()
    fits(live)
    head = live.now.repo.value.head
    commit(live.root)
    live.until(lambda now: now.repo.value.head != head)
    fits(live)


def test_an_edit_of_the_code_makes_it_stale_and_undoing_it_fits_again(
    person: Engine, live: Live
) -> None:
    live.follow()
    fits(live)
    (live.root / "code.py").write_text("KEPT = False\n")
    commit(live.root)  # Git tells of it at once; a mere edit is seen at the next look, in 10 s
    live.until(lambda now: now.audit.value.state == "stale")
    assert audit(live).moved == ("code",)
    (live.root / "code.py").write_text("KEPT = True\n")
    commit(live.root)
    fits(live)


def test_an_edit_of_the_contract_makes_it_stale_at_once(person: Engine, live: Live) -> None:
    live.follow()
    fits(live)
    (live.root / GOAL).write_text(DOCUMENT.replace("a week", "a day"))
    live.until(lambda now: now.audit.value.state == "stale")
    assert audit(live).moved == ("contract",)
    (live.root / GOAL).write_text(DOCUMENT + "- and a screenshot of it\n")
    fits(live)


def test_another_plan_makes_it_stale(person: Engine, live: Live) -> None:
    live.follow()
    fits(live)
    call = {"tasks": [{"key": "a", "subject": "Do a", "status": "pending"}]}
    assert plans.revise(person, call).ok
    live.until(lambda now: now.audit.value.state == "stale")
    assert audit(live).moved == ("plan",)


def test_another_branch_with_other_code_makes_it_stale_and_with_the_same_does_not(
    person: Engine, live: Live
) -> None:
    live.follow()
    fits(live)
    commit(live.root)
    git(live.root, "checkout", "-q", "-b", "same")
    live.until(lambda now: now.repo.value.branch == "same")
    fits(live)
    (live.root / "code.py").write_text("KEPT = None\n")
    commit(live.root)
    live.until(lambda now: now.audit.value.state == "stale")
    git(live.root, "checkout", "-q", "main")
    fits(live)


def test_another_goal_has_no_verdict(person: Engine, live: Live) -> None:
    live.follow()
    fits(live)
    assert goals.create(person, "The next thing").ok
    live.until(lambda now: now.lifecycle.value.objective == "The next thing")
    assert (audit(live).state, audit(live).verdicts) == (None, ())


def test_an_audit_that_is_killed_is_not_shown_as_under_way(person: Engine, live: Live) -> None:
    live.follow()
    (live.root / ".ppgp/run/audit/progress.json").write_text("{}")
    fits(live)
    assert audit(live).running is None
