"""Facts of real repositories, and what was frozen in them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ppgp_tui.audit import looking
from ppgp_tui.audit.facts import Facts
from ppgp_tui.audit.frozen import scope
from ppgp_tui.audit.model import AuditPlan, Check
from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.session.actions import goal
from tests.audit.truth.stage import DOCUMENT, DOD, Case, Stage, document, frozen
from tests.session.gits import Repository

TEST = "def test_a():\n    assert f()\n"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "root")
    made.write("src/a.py", "a = 1\n")
    made.write("tests/test_a.py", TEST)
    made.commit("first")
    return made


def looked(root: Path, *checks: Check) -> Facts:
    return looking.gather(root, AuditPlan("goal", DOCUMENT, {}, (), checks))


def file(path: str) -> Check:
    return Check("c1", "file", (), path, path=path)


def age(path: str) -> Check:
    return Check("c2", "evidence_age", (), path, path=path)


def test_what_is_changed_new_or_gone_is_not_committed(repository: Repository) -> None:
    assert looked(repository.root).dirty == ()
    repository.write("src/a.py", "a = 2\n")
    repository.write("src/b.py", "b = 1\n")
    (repository.root / "tests/test_a.py").unlink()
    repository.write("state/events.jsonl", "{}\n")
    repository.write(DOCUMENT, "# Goal\n")
    assert looked(repository.root).dirty == ("src/a.py", "src/b.py", "tests/test_a.py")


def test_a_file_that_was_only_touched_is_not_changed(repository: Repository) -> None:
    os.utime(repository.root / "src/a.py", (1, 1))
    repository.git("update-index", "-q", "--refresh")
    assert looked(repository.root).dirty == ()


def test_links_lead_no_further_than_the_repository(repository: Repository) -> None:
    outside = repository.root.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("words\n")
    (repository.root / "folder").symlink_to(outside)
    (repository.root / "inside.py").symlink_to("src/a.py")
    (repository.root / "nowhere.md").symlink_to("nothing")
    paths = ("folder", "folder/a.md", "inside.py", "nowhere.md", "src", "../outside/a.md", "no.md")
    files = looked(repository.root, *map(file, paths)).files
    assert [files[path].kind for path in paths] == [
        "unread", "unread", "file", "unread", "folder", "unread", "absent",
    ]  # fmt: skip


def test_in_a_folder_of_a_larger_repository_paths_are_those_of_the_folder(
    repository: Repository,
) -> None:
    repository.write("part/out.log", "0 lost\n")
    repository.write("part/tests/test_b.py", TEST)
    repository.commit("evidence")
    repository.write("part/src/b.py", "b = 1\n")
    repository.write("src/a.py", "a = 3\n")
    repository.commit("code")
    root = repository.root / "part"
    found = looked(root, age("out.log"))
    assert found.ages["out.log"].newer_code == "src/b.py"
    assert found.dirty == ()
    assert list(looking.test_files(root)) == ["tests/test_b.py"]
    assert list(looking.test_files_at(root, "HEAD")) == ["tests/test_b.py"]


def test_committed_evidence_is_dated_by_history_and_not_by_clocks(repository: Repository) -> None:
    early = {
        "GIT_AUTHOR_DATE": "2001-01-01T00:00:00Z",
        "GIT_COMMITTER_DATE": "2001-01-01T00:00:00Z",
    }
    repository.write("out.log", "0 lost\n")
    repository.commit("evidence")
    assert looked(repository.root, age("out.log")).ages["out.log"].newer_code == ""
    repository.write("src/a.py", "a = 2\n")
    repository.commit("code, says its date, is old", **early)
    assert looked(repository.root, age("out.log")).ages["out.log"].newer_code == "src/a.py"


def test_prose_and_other_evidence_make_no_evidence_old(repository: Repository) -> None:
    repository.write("out.log", "0 lost\n")
    repository.commit("evidence")
    for path in ("README.md", "out.json", "more.log", "docs/a.txt"):
        repository.write(path, "words\n")
    repository.commit("words")
    assert looked(repository.root, age("out.log")).ages["out.log"].newer_code == ""


def test_evidence_in_no_commit_is_dated_by_the_disk(repository: Repository) -> None:
    repository.write(".gitignore", "out.log\n")
    repository.commit("ignore")
    log = repository.write("out.log", "0 lost\n")
    for path in ("src/a.py", "tests/test_a.py"):
        os.utime(repository.root / path, (1_000, 1_000))
    os.utime(log, (2_000, 2_000))
    repository.git("commit", "-q", "--allow-empty", "-m", "committed after the run")
    assert looked(repository.root, age("out.log")).ages["out.log"].newer_code == ""
    os.utime(repository.root / "src/a.py", (3_000, 3_000))
    assert looked(repository.root, age("out.log")).ages["out.log"].newer_code == "src/a.py"
    assert looked(repository.root, age("none.log")).ages["none.log"].changed_s is None


def test_a_commit_is_known_by_any_of_its_names(repository: Repository) -> None:
    head = repository.git("rev-parse", "HEAD").strip()
    names = (head, head[:7], head.upper()[:12].lower(), "0" * 40, "abcdef1")
    checks = [Check(f"c{n}", "commit", (), "", commit=name) for n, name in enumerate(names)]
    found = looked(repository.root, *checks).commits
    assert [found[name].reachable for name in names] == [True, True, True, False, False]


def test_a_repository_without_a_commit_and_a_folder_without_git(tmp_path: Path) -> None:
    empty = Repository(tmp_path / "empty")
    empty.write("src/a.py", "a = 1\n")
    found = looked(empty.root, Check("c1", "commit", (), "", commit="abcdef1"), age("src/a.py"))
    assert (found.git, found.head, found.dirty) == (True, None, ("src/a.py",))
    assert found.commits["abcdef1"].hash is None
    bare = tmp_path / "bare"
    bare.mkdir()
    assert (looked(bare).git, looked(bare).why) == (False, "there is no Git repository here")


def test_names_that_are_no_text_do_no_harm(repository: Repository) -> None:
    odd = os.fsencode(repository.root) + b"/tests/test_\xff\n.py"
    with open(odd, "wb") as file_:  # noqa: PTH123 - a name that is no text
        file_.write(TEST.encode())
    repository.commit("odd")
    assert len(looking.test_files(repository.root)) == 2
    assert list(looking.test_files_at(repository.root, "HEAD")) == ["tests/test_a.py"]


# --- what was frozen -----------------------------------------------------------------------------


def staged(place: Path, case: Case) -> Stage:
    stage = Stage(place / "root", place / "state", case)
    stage.state.mkdir()
    stage.root.mkdir(exist_ok=True)
    stage.build()
    return stage


def alarms(stage: Stage, text: str) -> list[str]:
    found = scope(stage.engine(), read_goal(text.encode(), DOCUMENT), {})
    return [alarm.what for alarm in found.alarms if alarm.kind.startswith("criterion")]


def test_conditions_may_change_until_the_contract_is_frozen(place: Path) -> None:
    think = document(("[ ] Something",), (), phase="THINK")
    stage = staged(place, Case("", "", frozen=think, later=({DOCUMENT: frozen()},)))
    assert alarms(stage, document()) == []


def test_the_first_freeze_counts_even_where_the_phase_went_back(place: Path) -> None:
    first = frozen((*DOD, "[x] It is fast"))
    again = ({DOCUMENT: document((*DOD, "[x] It is fast"), (), phase="EXECUTE")},
             {DOCUMENT: frozen()})  # fmt: skip
    stage = staged(place, Case("", "", frozen=first, later=again))
    assert alarms(stage, document()) == ["It is fast"]


def test_a_condition_taken_out_in_the_edit_that_leaves_freeze_is_seen(place: Path) -> None:
    stage = staged(place, Case("", "", frozen=frozen((*DOD, "[x] It is fast"))))
    assert alarms(stage, document()) == ["It is fast"]


def test_the_contract_that_an_act_left_freeze_with_counts(place: Path) -> None:
    def acts(stage: Stage) -> None:
        assert goal.set_phase_of(stage.engine(), "EXECUTE").ok

    last_in_freeze = {DOCUMENT: frozen(("[x] Slow", *DOD))}
    case = Case("", "", frozen=frozen(("[x] Slow", *DOD)), document=None)
    stage = staged(place, case._replace(later=(last_in_freeze, {DOCUMENT: frozen()})))
    acts(stage)
    stage.commit({}, "left")
    assert alarms(stage, document()) == []
    assert alarms(stage, document((DOD[0],))) == ["The counter survives a restart"]


def test_the_goal_itself_may_not_change_unseen(place: Path) -> None:
    stage = staged(place, Case("", ""))
    changed = document(goal="Calls survive most timeouts")
    assert alarms(stage, changed) == ["Calls survive a timeout"]
