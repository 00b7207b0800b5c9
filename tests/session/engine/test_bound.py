"""The digest of the code changes with the code, whatever a repository tells Git not to see."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from ppgp_tui.session.engine.bound import code_state
from tests.session.gits import Repository


@pytest.fixture
def here(tmp_path: Path) -> Repository:
    """A repository with another one inside of it, as a submodule."""
    library = Repository(tmp_path / "library")
    library.write("x.py", "X = 1\n")
    library.commit()
    made = Repository(tmp_path / "here")
    made.write("a.py", "A = 1\n")
    allowed = ("-c", "protocol.file.allow=always")
    made.git(*allowed, "submodule", "add", "-q", str(library.root), "vendor/library")
    made.commit()
    return made


def digest(here: Repository) -> str:
    return code_state(here.root, document_path="docs/ACTIVE_GOAL.md").digest


@pytest.mark.parametrize("how", ["--assume-unchanged", "--skip-worktree"])
def test_an_edit_that_git_was_told_not_to_see_is_seen(here: Repository, how: str) -> None:
    before = digest(here)
    here.git("update-index", how, "a.py")
    assert digest(here) == before
    here.write("a.py", "A = 2\n")
    assert digest(here) != before


def test_so_is_one_whose_times_were_put_back(here: Repository) -> None:
    here.git("config", "core.trustctime", "false")
    here.git("config", "core.checkStat", "minimal")
    path = here.root / "a.py"
    os.utime(path, (1_700_000_000, 1_700_000_000))
    here.git("update-index", "--refresh")
    before = digest(here)
    time.sleep(1.1)  # Git keeps the seconds in which a file's facts changed, and no parts of them
    path.write_text("A = 2\n")
    os.utime(path, (1_700_000_000, 1_700_000_000))
    assert digest(here) != before


def test_so_is_one_in_a_submodule(here: Repository) -> None:
    before = digest(here)
    here.write("vendor/library/x.py", "X = 2\n")
    changed = digest(here)
    assert changed != before
    here.write("vendor/library/x.py", "X = 1\n")
    assert digest(here) == before
    here.write("vendor/library/y.py", "Y = 1\n")
    assert digest(here) not in (before, changed)


def test_so_is_one_in_a_repository_that_lies_within(here: Repository) -> None:
    inner = Repository(here.root / "inner")
    inner.write("b.py", "B = 1\n")
    bare = digest(here)
    inner.commit()
    committed = digest(here)
    inner.write("b.py", "B = 2\n")
    assert len({bare, committed, digest(here)}) == 3


def test_nothing_runs_that_the_settings_of_a_submodule_name(
    here: Repository, tmp_path: Path
) -> None:
    program = here.write("evil.sh", f"#!/bin/sh\ntouch {tmp_path / 'ran'}\n")
    program.chmod(0o755)
    Repository(here.root / "vendor/library", init=False).git(
        "config", "core.fsmonitor", str(program)
    )
    digest(here)
    assert not (tmp_path / "ran").exists()


def test_an_object_that_stands_in_for_another_changes_nothing(here: Repository) -> None:
    before = digest(here)
    here.write("a.py", "A = 2\n")
    here.commit()
    here.git("replace", "HEAD", "HEAD~1")
    assert digest(here) != before
