"""`gasp init` and `init --gasp`: one act with two names."""

from __future__ import annotations

import pytest

from tests.cli.acting import Place
from tests.session.gits import Repository


@pytest.mark.parametrize("words", [["gasp", "init"], ["init", "--gasp"]])
def test_both_make_the_same(bare: Place, words: list[str]) -> None:
    planned = bare.json(*words, "--dry-run")
    assert list(bare.root.iterdir()) == []
    result = bare.json(*words)
    assert (result["code"], result["action"]) == ("done", "gasp.init")
    assert sorted(result["created"]) == sorted(planned["data"]["create"])
    again = bare.json(*words)
    assert (again["code"], again["changed"], again["warnings"]) == ("unchanged", False, [])


def test_a_path_may_name_the_folder(bare: Place) -> None:
    (bare.root / "other").mkdir()
    assert bare.act("gasp", "init", "other", "--agent-id", "x1").code == 0
    assert "agent_id: x1" in (bare.root / "other" / "AGENT.md").read_text()
    assert not (bare.root / "AGENT.md").exists()
    assert bare.act("gasp", "init", "nowhere").code == 1
    assert bare.act("gasp", "init", "--agent-id", "a b").code == 2


def test_with_one_commit_all_seven_checks_pass(bare: Place) -> None:
    bare.act("gasp", "init")
    repo = Repository(bare.root, init=False)
    repo.commit()
    said = bare.act("gasp", "check", ".")
    assert said.code == 0
    assert said.out.count("[PASS]") == 7
    assert repo.git("status", "--porcelain") == ""


def test_with_lines_of_ours_they_still_pass(bare: Place) -> None:
    bare.act("gasp", "init")
    bare.ask("Publish?")
    Repository(bare.root, init=False).commit()
    assert bare.act("gasp", "check", ".").code == 0
    assert bare.json("gasp", "snapshot")["code"] == "done"
    assert bare.act("gasp", "check", ".").code == 0
    assert bare.json("gasp", "snapshot")["code"] == "unchanged"
