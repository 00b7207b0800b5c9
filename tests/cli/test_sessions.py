"""`ppgp-tui sessions`: the list of all sessions for scripts and people without the app."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.running import Said, run
from tests.session.sessions.repositories import Repositories, asked, log


@pytest.fixture
def here(tmp_path: Path) -> Repositories:
    environ = {f"XDG_{name}_HOME": str(tmp_path / name.lower()) for name in ("STATE", "CONFIG")}
    return Repositories(tmp_path.resolve(), environ)


def sessions(here: Repositories, *words: object, cwd: Path) -> Said:
    return run("sessions", *words, cwd=cwd, **here.environ)


def test_worktrees_and_named_repositories_are_listed_what_needs_a_person_first(
    here: Repositories,
) -> None:
    root = here.make("importer", goal="Resume after a kill")
    here.worktree(root, "fix")
    docs = here.make("docs", goal="Mend every link")
    log(docs, asked())
    said = sessions(here, docs, cwd=root)
    assert said.code == 0
    first, *others = said.out.splitlines()
    assert first.startswith("docs (main)")
    assert "? 1 for you" in first
    assert first.endswith("Mend every link")
    assert sorted(line.split()[0] for line in others) == ["fix", "importer"]


def test_json_says_the_same_with_nothing_left_out(here: Repositories) -> None:
    root = here.make("importer", goal="Resume after a kill")
    value = json.loads(sessions(here, "--json", cwd=root).out)
    assert value["schema"] == "ppgp-tui-sessions/1"
    (row,) = value["sessions"]
    status = json.loads(run("status", root, "--format", "json", **here.environ).out)
    assert row["status"] == {name: status[name] for name in row["status"]}
    assert (row["root"], row["branch"], row["found"]) == (str(root), "main", "here")
    assert (row["goal"], row["state"], row["problem"]) == ("Resume after a kill", "none", None)


def test_a_path_that_is_not_there_is_said_in_its_row(here: Repositories) -> None:
    root = here.make("importer")
    said = sessions(here, "/nowhere/at-all", cwd=root)
    assert said.code == 0
    assert any(
        line.startswith("at-all") and "not read: /nowhere/at-all does not exist" in line
        for line in said.out.splitlines()
    )


def test_what_the_setting_names_is_listed_too(here: Repositories) -> None:
    root = here.make("importer")
    here.make("src/docs")
    config = Path(here.environ["XDG_CONFIG_HOME"]) / "ppgp-tui"
    config.mkdir(parents=True)
    (config / "config.toml").write_text(f'[sessions]\npaths = ["{here.folder}/src/*"]\n')
    assert [line.split()[0] for line in sessions(here, cwd=root).out.splitlines()].count(
        "docs"
    ) == 1


def test_listing_writes_nothing_into_any_repository(here: Repositories) -> None:
    root = here.make("importer")
    log(root, asked())
    before = subprocess.run(
        ["git", "-C", str(root), "status", "--porcelain"], capture_output=True, check=True
    ).stdout
    sessions(here, cwd=root)
    after = subprocess.run(
        ["git", "-C", str(root), "status", "--porcelain"], capture_output=True, check=True
    ).stdout
    assert before == after
    assert not (root / ".ppgp").exists()


def test_a_name_from_a_file_does_nothing_to_the_terminal(here: Repositories) -> None:
    root = here.make("importer", goal="\x1b]2;OWNED\x07 all")
    said = sessions(here, cwd=root)
    assert "\x1b" not in said.out
    assert "\x07" not in said.out


def test_the_app_on_all_sessions_needs_a_terminal_and_takes_no_root(here: Repositories) -> None:
    root = here.make("importer")
    assert run("--all", cwd=root, **here.environ).code == 2
    said = run("--all", "--root", root, cwd=root, **here.environ)
    assert said.code == 2
    assert "takes no --root" in said.err
