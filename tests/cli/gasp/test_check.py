"""`ppgp-tui gasp check` as a user's shell starts it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ppgp_tui.cli.gasp.check import UsageError, Wanted, read_words
from tests.cli.running import imported_by, run
from tests.gasp.checks.agent_repository import AgentRepository

USAGE = "usage: ppgp-tui gasp check <agent-repo> [--fixture]"


@pytest.fixture
def repo(tmp_path: Path) -> AgentRepository:
    made = AgentRepository(tmp_path / "repo")
    made.init()
    made.commit()
    return made


def test_a_conformant_repository(repo: AgentRepository, tmp_path: Path) -> None:
    said = run("gasp", "check", "repo", "--fixture", cwd=tmp_path)
    first, *lines = said.out.splitlines()
    assert (said.code, said.err) == (0, "")
    assert first.startswith("ppgp-tui gasp check ")
    assert lines[0] == "[PASS] check 1 — envelope round-trip"
    assert lines[-1] == "conformant: all checks passed"


def test_words_are_followed_from_left_to_right() -> None:
    assert read_words(["--json", "a", "--fixture"]) == Wanted("a", fixture=True, as_json=True)
    assert read_words(["a", "-h", "-x"]) is None
    assert read_words(["--explain", ""]) == Wanted("", explain=True)
    for words, message in (
        ([], USAGE),
        (["--fixture"], USAGE),
        (["-x", "--help"], "error: unknown flag `-x`"),
        (["a", "-"], "error: unknown flag `-`"),
        (["a", "--"], "error: unknown flag `--`"),
        (["a", "--fixture=1"], "error: unknown flag `--fixture=1`"),
        (["a", "b", "-x"], "error: multiple repo paths given (one at a time)"),
        (["a", "-x", "b"], "error: unknown flag `-x`"),
    ):
        with pytest.raises(UsageError) as error:
            read_words(words)
        assert str(error.value) == message


@pytest.mark.parametrize(
    ("words", "code", "err"),
    [
        ([], 2, USAGE),
        (["repo", "--"], 2, "error: unknown flag `--`"),
        (["-\x1b[2J"], 2, r"error: unknown flag `-\u001b[2J`"),
        (["repo", "repo"], 2, "error: multiple repo paths given (one at a time)"),
    ],
)
def test_usage_goes_to_standard_error(words: list[str], code: int, err: str) -> None:
    said = run("gasp", "check", *words)
    assert (said.code, said.out, said.err) == (code, "", err + "\n")


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help(word: str) -> None:
    said = run("gasp", "check", word)
    first, second = said.out.splitlines()
    assert first.startswith(USAGE)
    assert second == "  --fixture   additionally assert the Part VI fixture graph facts"
    assert (said.code, said.err) == (0, "")


def test_json_says_all_that_the_lines_say_and_where(repo: AgentRepository, tmp_path: Path) -> None:
    repo.insert_line(1, "")
    repo.edit_line(7, {"causation_id": None, "kind": "x\x1b"})
    said = run("gasp", "check", "repo", "--json", cwd=tmp_path)
    assert said.code == 1
    assert "\x1b" not in said.out
    value = json.loads(said.out)
    assert (value["schema"], value["ok"]) == ("ppgp-tui/gasp-check/1", False)
    assert [check["number"] for check in value["checks"]] == [1, 2, 3, 4, 5, 6, 7]
    assert value["checks"][1]["notes"] == ["no snapshots/ — skipped seed check"]
    (finding,) = value["checks"][4]["findings"]
    assert finding == {
        "text": "line 6: root event (null causation) has kind `x\x1b`, "
        "expected *.created / *.started / state.ops_applied",
        "rule": "bad_root",
        "path": "state/events.jsonl",
        "line": 6,
        "physical_line": 7,
        "event": "event_06",
    }
    explained = json.loads(run("gasp", "check", "repo", "--json", "--explain", cwd=tmp_path).out)
    (finding,) = explained["checks"][4]["findings"]
    assert {"told", "why", "mend"} < set(finding)


def test_explain_comes_after_the_lines(repo: AgentRepository, tmp_path: Path) -> None:
    repo.edit_line(6, {"causation_id": None})
    plain = run("gasp", "check", "repo", cwd=tmp_path).out
    explained = run("gasp", "check", "repo", "--explain", cwd=tmp_path).out
    assert explained.startswith(plain)
    rest = explained.removeprefix(plain)
    for label in ("where  state/events.jsonl line 6", "event  event_06", "why  ", "mend  "):
        assert f"\n  {label}" in rest


def test_checking_imports_neither_app_nor_session(repo: AgentRepository) -> None:
    modules = imported_by("gasp", "check", repo.root)
    assert "ppgp_tui.gasp.checks.check" in modules
    assert not modules & {"textual", "ppgp_tui.ui", "pydantic", "git", "ppgp_tui.session.engine"}
