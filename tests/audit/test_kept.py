"""A report read back: the same values, and only while it is the file that the log speaks of."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.audit.kept import NotKeptError, kept
from ppgp_tui.audit.model import (
    Alarm,
    Answer,
    AuditPlan,
    Check,
    Criterion,
    Found,
    Opinion,
    Quote,
    Verdict,
)
from ppgp_tui.audit.report import encoded, report
from ppgp_tui.audit.verdict import combine

EVAL = "eval_" + "5" * 32
PLAN = AuditPlan(
    goal="Make the importer resumable",
    document="docs/ACTIVE_GOAL.md",
    bound={"contract": "sha256:1", "plan": None},
    criteria=(
        Criterion("dod:1", "dod", 1, "It resumes", 27, "done", "box", ("pytest -q",)),
        Criterion("frozen:1", "frozen", 1, "Batches of 500 rows", 38, ""),
    ),
    checks=(
        Check("c1", "tests", ("dod:1",), "3 passed", 94, ("pytest", "-q"), passed=3),
        Check("c2", "clean", (), "what is audited is what is committed", left_out="no time"),
    ),
    alarms=(Alarm("criterion_removed", "It is fast", "It is fast", commit="4e1f09c"),),
    compared=("compared with commit 4e1f09c",),
    claim="claim_1",
    auditor=("codex",),
    plan_revision=14,
)
FOUND = (Found("c1", "pass", "exit 0, 3 passed", (Quote("output:c1", "3 passed"),), 0, 1.25, "x"),)
ANSWER = Answer(True, opinions=(Opinion("dod:1", "pass", "it does", (Quote("a.py", "x", 2),)),))


def verdict() -> Verdict:
    return combine(PLAN, FOUND, ANSWER, taken={"frozen:1": "dev: seen"})


def keep(root: Path) -> str:
    said = report(
        PLAN, FOUND, ANSWER, verdict(), eval_id=EVAL, started_ms=1, ended_ms=2, bound_after={}
    )
    data, digest = encoded(said)
    path = root / ".ppgp/audits" / EVAL / "report.json"
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    return digest


def test_what_was_kept_is_what_is_read_back(tmp_path: Path) -> None:
    read = kept(tmp_path, EVAL, keep(tmp_path))
    assert read.plan == PLAN
    assert read.found == FOUND
    assert read.answer == ANSWER
    assert read.verdict == verdict()
    assert (read.started_ms, read.ended_ms) == (1, 2)


def test_a_report_that_was_changed_is_not_read(tmp_path: Path) -> None:
    digest = keep(tmp_path)
    path = tmp_path / ".ppgp/audits" / EVAL / "report.json"
    path.write_bytes(path.read_bytes().replace(b'"fail"', b'"pass"') + b" ")
    with pytest.raises(NotKeptError, match="the report was changed since"):
        kept(tmp_path, EVAL, digest)


def test_a_report_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(NotKeptError, match="the report is gone"):
        kept(tmp_path, EVAL, "sha256:0")


def test_a_report_behind_a_link_is_not_read(tmp_path: Path) -> None:
    digest = keep(tmp_path)
    folder = tmp_path / ".ppgp/audits" / EVAL
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotKeptError, match="cannot be read"):
        kept(tmp_path, EVAL, digest)


@pytest.mark.parametrize("name", ["", "eval_1", "../" + EVAL, "report"])
def test_an_id_that_is_none_names_no_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotKeptError, match="names no report"):
        kept(tmp_path, name, "sha256:0")


@pytest.mark.parametrize("text", [b"{}", b"[]", b"null", b"{", b'{"plan": 3}', b"[" * 100_000])
def test_bytes_in_another_shape_are_no_report(tmp_path: Path, text: bytes) -> None:
    from ppgp_tui.session.canonical import digest_of

    keep(tmp_path)
    (tmp_path / ".ppgp/audits" / EVAL / "report.json").write_bytes(text)
    with pytest.raises(NotKeptError, match="not known here"):
        kept(tmp_path, EVAL, digest_of(text))
