"""The table of goals with known truth: the verdict is right in every one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.audit import command
from ppgp_tui.audit.judge import Ran
from ppgp_tui.audit.sandbox import Limits
from ppgp_tui.session.canonical import digest_of
from tests.audit.truth.stage import APPROVED, RUN_COUNTER, RUN_RETRY, Case, Played, play
from tests.audit.truth.table import TABLE

STATUS = {
    "approved": "Passed", "approved_with_notes": "Passed", "rejected": "Failed",
    "inconclusive": "Error",
}  # fmt: skip


def test_the_table_is_large_enough_and_names_each_case_once() -> None:
    assert len(TABLE) >= 30
    assert len({case.name for case in TABLE}) == len(TABLE)


@pytest.fixture
def _the_same_tests_run_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unit tests that ran over the same code come out as they did then."""
    real = command.run

    def run(root: Path, argv: Sequence[str], limits: Limits, *more: Any, **told: Any) -> Ran:
        code = sorted((path, path.read_bytes()) for path in root.glob("*/*.py"))
        if " ".join(argv) not in (RUN_RETRY, RUN_COUNTER) or any(
            path.is_symlink() for path, _ in code
        ):
            return real(root, argv, limits, *more, **told)
        of = (*argv, *((str(path.relative_to(root)), text) for path, text in code))
        if of not in _ran:
            _ran[of] = real(root, argv, limits, *more, **told)
        return _ran[of]

    monkeypatch.setattr(command, "run", run)


_ran: dict[tuple[Any, ...], Ran] = {}


@pytest.mark.usefixtures("_the_same_tests_run_once")
@pytest.mark.parametrize("case", TABLE, ids=[case.name.replace(" ", "-") for case in TABLE])
def test_the_verdict_is_right(case: Case, place: Path) -> None:
    played = play(case, place)
    verdict = played.ended.verdict
    assert verdict is not None, played.ended.result
    assert (verdict.word, verdict.stale) == (word_of(case), False), verdict
    _names_what_is_wrong(case, played)
    assert played.stage.code() == played.code_before
    _is_recorded_as_it_is(case, played)


def word_of(case: Case) -> str:
    """The verdict that is right on this machine: that there is no sandbox is a note."""
    return APPROVED if case.word == "approved" else case.word


def _names_what_is_wrong(case: Case, played: Played) -> None:
    verdict = played.ended.verdict
    assert verdict is not None
    for part in case.objections:
        assert any(part in said for said in verdict.objections), (part, verdict.objections)
    assert bool(verdict.objections) == (verdict.word == "rejected")
    for part in case.notes:
        assert any(part in said for said in verdict.notes), (part, verdict.notes)
    if case.word == "approved":
        assert [note for note in verdict.notes if "sandbox" not in note] == []
        assert (verdict.notes == ()) == (verdict.isolation == "bubblewrap")
    assert tuple(alarm.kind for alarm in played.plan.alarms) == case.alarms
    reasons = [verdict.why, *(one.why for one in verdict.judged)]
    for part in case.why:
        assert any(part in said for said in reasons), (part, reasons)


def _is_recorded_as_it_is(case: Case, played: Played) -> None:
    result, root = played.ended.result, played.stage.root
    assert played.ended.report is not None
    assert played.ended.report["verdict"]["word"] == word_of(case)
    if case.goal is None:
        assert result.ok
        assert "nothing was recorded" in result.message
        assert not (root / ".ppgp/audits").exists()
        return
    assert result.code == "done", result
    lines = (root / "state/events.jsonl").read_text().splitlines()
    finished = [json.loads(line) for line in lines if '"eval.finished"' in line]
    assert [one["payload"]["status"] for one in finished] == [STATUS[case.word]]
    kept = (root / result.data["path"]).read_bytes()
    assert finished[0]["payload"]["metadata"]["report_digest"] == digest_of(kept)
    assert json.loads(kept) == played.ended.report
