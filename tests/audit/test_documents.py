"""Real goal documents of other people, read as plans of an audit."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.audit.model import AuditPlan, Found
from ppgp_tui.audit.plan import plan_of
from ppgp_tui.audit.prompt import prompt
from ppgp_tui.audit.verdict import combine
from ppgp_tui.cli.audit_text import plan_lines, verdict_lines
from ppgp_tui.ppgp.goal import read_goal


@pytest.fixture
def plans(shared_cases: Path) -> list[tuple[str, AuditPlan]]:
    found = sorted((shared_cases / "ppgp").glob("*.md"))
    return [
        (path.name, plan_of(read_goal(path.read_bytes(), "docs/ACTIVE_GOAL.md"), bound={}))
        for path in found
    ]


def test_each_is_a_plan_whose_commands_are_commands(plans: list[tuple[str, AuditPlan]]) -> None:
    assert len(plans) >= 19
    for name, plan in plans:
        for check in plan.checks:
            assert all("\n" not in word for word in check.argv), (name, check)
            assert not check.path.startswith(("http", "//")), (name, check)
            assert len(check.commit) in (0, *range(7, 41)), (name, check)
        assert len({one.id for one in plan.criteria}) == len(plan.criteria)
        assert len({one.id for one in plan.checks}) == len(plan.checks)


def test_none_is_verified_by_reading_it(plans: list[tuple[str, AuditPlan]]) -> None:
    for name, plan in plans:
        assert combine(plan, [], None).word in ("inconclusive", "rejected"), name
        everything = [Found(check.id, "pass", "seen") for check in plan.checks]
        verdict = combine(plan, everything, None)
        if any(one.said in ("open", "partial", "blocked") for one in plan.criteria):
            assert verdict.word == "rejected", name


def test_each_can_be_shown_and_asked_about(plans: list[tuple[str, AuditPlan]]) -> None:
    for name, plan in plans:
        asked = prompt(plan, [], "5e1f7a90")
        assert all(f"\n{one.id}: " in asked for one in plan.criteria), name
        lines = [*plan_lines(plan), *verdict_lines(plan, combine(plan, [], None))]
        assert all(line.isprintable() for line in lines), name
