"""All the repositories whose outcome was recorded with the protocol's own checker."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.gasp.checks.agent_repository import DATA, AgentRepository
from tests.gasp.checks.said import check

CASES: list[dict[str, Any]] = json.loads((DATA / "mutations.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_the_outcome_is_the_recorded_one(
    case: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    AgentRepository(tmp_path / "repo", empty=case.get("base") == "empty").follow(case["steps"])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    said = check(capsys, *case["args"])
    expected = case["expected"]
    assert said.code == expected["exit"]
    assert said.lines == expected["stdout"][1:]
    named = [line.replace("conformance-check", "ppgp-tui gasp check")
             for line in expected.get("stderr", [])]  # fmt: skip
    assert said.errors == named
