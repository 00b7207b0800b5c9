"""Which sessions there are: worktrees, what was opened before, what is named."""

from __future__ import annotations

import shutil

from ppgp_tui.session.files.places import root_folder, root_key, state_folder
from ppgp_tui.session.sessions.finding import (
    Found,
    listed_worktrees,
    matching,
    named_places,
    worktrees,
)
from ppgp_tui.session.sessions.known import known_roots, note_opened, note_root, path_key
from tests.session.sessions.repositories import Repositories


def test_the_other_worktrees_of_a_repository(here: Repositories) -> None:
    root = here.make("importer")
    fix, spike = here.worktree(root, "fix"), here.worktree(root, "try")
    assert worktrees(str(root)) == (Found(str(fix), "worktree"), Found(str(spike), "worktree"))
    assert Found(str(root), "worktree") in worktrees(str(fix))


def test_a_root_below_the_top_has_its_like_in_every_worktree(here: Repositories) -> None:
    root = here.make("mono")
    part = root / "docs"
    fix = here.worktree(root, "fix")
    assert worktrees(str(part)) == (Found(str(fix / "docs"), "worktree"),)


def test_a_worktree_whose_folder_is_gone_is_not_one(here: Repositories) -> None:
    root = here.make("importer")
    shutil.rmtree(here.worktree(root, "fix"))
    assert worktrees(str(root)) == ()


def test_without_git_there_are_no_worktrees(here: Repositories) -> None:
    assert worktrees(str(here.folder)) == ()


def test_a_bare_repository_is_no_worktree() -> None:
    said = b"worktree /r.git\nbare\n\nworktree /a b\nHEAD 1\nbranch refs/heads/x\n\n"
    assert [tree.path for tree in listed_worktrees(said)] == ["/a b"]


def test_a_root_that_was_opened_is_known(here: Repositories) -> None:
    root = here.make("importer")
    note_opened(root, root_folder(root))
    assert known_roots(state_folder()) == (str(root),)


def test_a_folder_without_a_session_is_not_noted(here: Repositories) -> None:
    note_opened(here.folder, root_folder(here.folder))
    assert known_roots(state_folder()) == ()
    assert not root_folder(here.folder).exists()


def test_an_entry_that_names_another_root_than_its_own_counts_for_nothing(
    here: Repositories,
) -> None:
    root = here.make("importer")
    folder = root_folder(root)
    note_root(root, folder)
    (folder / "root").write_text("/etc\n")
    assert known_roots(state_folder()) == ()
    note_root(root, folder)
    assert known_roots(state_folder()) == (str(root),)


def test_a_state_folder_that_nobody_may_write_is_no_error(here: Repositories) -> None:
    root = here.make("importer")
    (here.folder / "state").write_text("a file")
    note_root(root, root_folder(root))
    assert known_roots(state_folder()) == ()


def test_the_key_of_a_root_is_the_one_its_folder_is_called_by(here: Repositories) -> None:
    root = here.make("importer")
    assert path_key(str(root)) == root_key(root)


def test_a_pattern_names_folders_only(here: Repositories) -> None:
    here.make("src/a")
    here.make("src/b")
    (here.folder / "src/c").write_text("no folder")
    found = matching(str(here.folder / "src/*"))
    assert sorted(found) == [Found(str(here.folder / "src" / one), "setting") for one in "ab"]


def test_named_places_stand_as_they_are_typed_beside_the_one_they_were_typed_in(
    here: Repositories,
) -> None:
    root = here.make("importer")
    found = named_places(["../docs", "/nowhere"], str(root), {})
    assert found == (
        Found(f"{root}/../docs", "named"),
        Found("/nowhere", "named"),
        Found(str(root), "here"),
    )
    assert named_places(["/x"], str(here.folder), {}) == (Found("/x", "named"),)
    assert named_places([], str(here.folder), {}) == (Found(str(here.folder), "here"),)
