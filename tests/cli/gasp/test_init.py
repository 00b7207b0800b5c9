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


ODD = "no\n\x1b[31mwhere\r"


@pytest.mark.parametrize(
    "words",
    [
        ["gasp", "init", ODD],
        ["gasp", "init", "--root", ODD],
        ["init", "--root", ODD],
        ["gasp", "watch", ODD],
        ["gasp", "log", ODD],
        ["gasp", "story", ODD],
        ["gasp", "lineage", "x", ODD],
        ["gasp", "restore", ODD],
        ["gasp", "check", ODD],
        ["doctor", "--root", ODD],
        ["connect", "--dry-run", "--root", ODD],
        ["agents", "list", "--root", ODD],
        ["run", "--root", ODD, "--", "true"],
        ["show", ODD],
        ["todo", "set", "--dry-run", "--against", ODD],
    ],
    ids=" ".join,
)
def test_a_path_that_a_terminal_would_obey_is_printed_harmless(
    bare: Place, words: list[str]
) -> None:
    said = bare.act(*words)
    assert said.code in (1, 2)
    text = said.out + said.err
    assert "\x1b" not in text
    assert "\r" not in text
    # A line break in a name must not begin a line of its own.
    assert not any(line.startswith(("\u241b", "[31m")) for line in text.splitlines())


def test_a_folder_with_an_odd_name_is_printed_harmless(bare: Place) -> None:
    root = bare.root / "odd\n\x1b[31mname"
    root.mkdir()
    for words in (["init"], ["init"], ["gasp", "init", "--agent-id", "x1"], ["gasp", "init"]):
        said = bare.act(*words, "--root", root)
        assert said.code == 0
        assert "\x1b" not in said.out + said.err
        assert not any(line.startswith("\u241b") for line in said.out.splitlines())
    assert "everything is here already" in said.out
