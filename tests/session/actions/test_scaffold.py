"""Making an agent repository: the standard layout, and nothing of anybody's overwritten."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from ppgp_tui.gasp.manifest import declared_hash, identity_hash
from ppgp_tui.gasp.scaffold import agent_id_of, identity, is_agent_id, missing_ignores
from ppgp_tui.session.actions import scaffold
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from tests.session.gits import Repository
from tests.waiting import PATIENCE_S, until

MADE = (
    ".git/", "identity/IDENTITY.md", "identity/PERSONALITY.md", "identity/PRINCIPLES.md",
    "AGENT.md", ".gitignore", ".agent/config.toml", ".ppgp/", ".ppgp/.gitignore",
    "state/events.jsonl", ".git/hooks/pre-commit", ".git/hooks/pre-merge-commit",
)  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "Some Agent"
    made.mkdir()
    return made


def init(root: Path, **options: object) -> Result:
    return scaffold.init(Engine(root, Actor("user", "dev")), **options)  # type: ignore[arg-type]


def files(root: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }


def failed_checks(root: Path) -> list[int]:
    from ppgp_tui.gasp.checks.check import check
    from ppgp_tui.gasp.history import read_history
    from ppgp_tui.gasp.repo import read_repository

    report = check(read_repository(str(root)), read_history(str(root)))
    return [one.number for one in report.checks if not one.passed]


def test_a_dry_run_names_everything_and_makes_nothing(root: Path) -> None:
    result = init(root, dry_run=True)
    assert result.code == "unchanged"
    assert sorted(result.data["create"]) == sorted(MADE)
    assert list(root.iterdir()) == []


def test_a_new_repository_passes_all_seven_checks_with_its_first_commit(root: Path) -> None:
    result = init(root)
    assert (result.code, sorted(result.created)) == ("done", sorted(MADE))
    assert "git add" in result.message
    Repository(root, init=False).commit("begin")
    assert failed_checks(root) == []


def test_it_has_the_identity_hash_of_its_files_and_the_folders_name(root: Path) -> None:
    init(root)
    digest = hashlib.sha256()
    for name in ("IDENTITY", "PERSONALITY", "PRINCIPLES"):
        path = f"identity/{name}.md"
        digest.update(path.encode() + b"\n" + (root / path).read_bytes())
    text = (root / "AGENT.md").read_text()
    fence = text.split("```")[1].splitlines()[1:]
    assert fence == [
        "spec_version: 1", "agent_id: some-agent", f"identity_hash: {digest.hexdigest()}",
        "executor: .agent/config.toml",
    ]  # fmt: skip


def test_the_machines_own_files_are_ignored_and_the_rest_is_not(root: Path) -> None:
    init(root)
    repo = Repository(root, init=False)
    for path in (".agent/lease", ".agent/HEAD", ".ppgp/run/journal.lock"):
        assert repo.run("check-ignore", "-q", path).returncode == 0, path
    for path in (".agent/config.toml", "state/events.jsonl", "AGENT.md", "identity/IDENTITY.md"):
        assert repo.run("check-ignore", "-q", path).returncode == 1, path


def test_a_second_time_everything_is_kept_and_nothing_written(root: Path) -> None:
    init(root)
    before = files(root)
    result = init(root)
    assert (result.code, result.created, result.warnings) == ("unchanged", (), ())
    assert {"identity/", "AGENT.md", ".gitignore", "state/events.jsonl"} <= set(result.data["kept"])
    assert files(root) == before


def test_the_name_can_be_chosen(root: Path) -> None:
    init(root, agent_id="yoyo.2")
    assert "agent_id: yoyo.2\n" in (root / "AGENT.md").read_text()
    assert "I am yoyo.2." in (root / "identity/IDENTITY.md").read_text()


@pytest.mark.parametrize("name", ["two words", "a\nb", "", " ", "-x", "a#b", "é", "x" * 65, "a: b"])
def test_a_name_that_the_manifest_could_not_hold_is_refused(root: Path, name: str) -> None:
    if name:
        assert init(root, agent_id=name).code == "usage"
        assert list(root.iterdir()) == []
    assert not is_agent_id(name)


@pytest.mark.parametrize(
    ("folder", "name"),
    [("Some Agent", "some-agent"), ("...", "agent"), ("日本", "agent"), ("a" * 90, "a" * 64)],
)
def test_a_folders_name_gives_an_id(folder: str, name: str) -> None:
    assert agent_id_of(folder) == name
    assert is_agent_id(name)


# What is there already


def test_an_identity_that_is_there_gets_its_right_hash(root: Path) -> None:
    (root / "identity" / "more").mkdir(parents=True)
    (root / "identity" / "IDENTITY.md").write_text("I am mine.\r\n")
    (root / "identity" / "more" / "x").write_bytes(b"\xff")
    result = init(root)
    assert sorted(files(root).keys() & {"identity/PERSONALITY.md"}) == []
    assert "identity/" in result.data["kept"]
    wanted = identity_hash({"identity/IDENTITY.md": b"I am mine.\r\n", "identity/more/x": b"\xff"})
    assert declared_hash((root / "AGENT.md").read_text()) == wanted
    Repository(root, init=False).commit()
    assert failed_checks(root) == []


def test_an_identity_at_the_root_counts_as_one(root: Path) -> None:
    (root / "IDENTITY.md").write_text("I am mine.\n")
    result = init(root)
    assert "IDENTITY.md" in result.data["kept"]
    assert not (root / "identity").exists()
    Repository(root, init=False).commit()
    assert failed_checks(root) == []


def test_an_empty_identity_folder_is_filled(root: Path) -> None:
    (root / "identity").mkdir()
    init(root)
    assert sorted(path.name for path in (root / "identity").iterdir()) == sorted(identity(""))
    assert failed_checks(root) == []


def test_a_manifest_with_another_hash_is_told_and_left_alone(root: Path) -> None:
    text = f"# AGENT\n```\nspec_version: 1\nidentity_hash: {'0' * 64}\n```\n"
    (root / "AGENT.md").write_text(text)
    result = init(root)
    assert (root / "AGENT.md").read_text() == text
    assert "AGENT.md" in result.data["kept"]
    wanted = identity_hash(
        {f"identity/{name}": data for name, data in identity("some-agent").items()}
    )
    assert any("0" * 64 in warning and wanted in warning for warning in result.warnings)


def test_a_manifest_without_a_hash_is_told_the_line_it_needs(root: Path) -> None:
    (root / "AGENT.md").write_text("# AGENT\n")
    (warning,) = init(root).warnings
    assert "declares no identity_hash" in warning


def test_an_edited_identity_is_told_the_new_hash(root: Path) -> None:
    init(root)
    (root / "identity" / "IDENTITY.md").write_text("edited\n")
    (warning,) = init(root).warnings
    assert "but the identity here has" in warning


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", ".agent/lease\n.agent/HEAD\n"),
        ("*.pyc\n", "*.pyc\n.agent/lease\n.agent/HEAD\n"),
        ("*.pyc", "*.pyc\n.agent/lease\n.agent/HEAD\n"),
        ("*.pyc\r\n", "*.pyc\r\n.agent/lease\r\n.agent/HEAD\r\n"),
        (".agent/HEAD\n", ".agent/HEAD\n.agent/lease\n"),
        ("/.agent/lease\n.agent/HEAD", "/.agent/lease\n.agent/HEAD"),
    ],
)
def test_ignore_lines_are_added_once_behind_what_is_there(
    root: Path, before: str, after: str
) -> None:
    (root / ".gitignore").write_bytes(before.encode())
    for _ in range(2):
        init(root)
        assert (root / ".gitignore").read_bytes() == after.encode()
    assert missing_ignores(after.encode()) == b""


def test_a_log_with_lines_stays_as_it_is(root: Path) -> None:
    (root / "state").mkdir()
    (root / "state" / "events.jsonl").write_bytes(b"{}\n")
    result = init(root)
    assert (root / "state" / "events.jsonl").read_bytes() == b"{}\n"
    assert "state/events.jsonl" in result.data["kept"]


def test_another_hook_stays_and_the_guard_is_shown(root: Path) -> None:
    Repository(root)
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 0\n")
    hook.chmod(0o755)
    result = init(root)
    assert hook.read_text() == "#!/bin/sh\nexit 0\n"
    assert any("gasp init --hook" in warning for warning in result.warnings)
    assert result.data["guard"] in result.message
    assert ".git/hooks/pre-commit" in init(root, hook=True).created
    assert init(root).warnings == ()


def test_below_the_top_of_a_repository_no_second_one_is_made(tmp_path: Path) -> None:
    top = Repository(tmp_path / "top")
    root = top.root / "agents" / "one"
    root.mkdir(parents=True)
    result = init(root)
    assert not (root / ".git").exists()
    assert str(top.root / ".git/hooks/pre-commit") in result.created
    top.commit()
    assert failed_checks(root) == []
    (root / "state" / "events.jsonl").write_text("x\n")
    top.commit()
    (root / "state" / "events.jsonl").write_text("y\n")
    assert top.run("commit", "-am", "edit").returncode == 1


def test_in_another_worktree_the_same_hook_serves(tmp_path: Path, root: Path) -> None:
    init(root)
    repo = Repository(root, init=False)
    repo.commit()
    repo.git("worktree", "add", "-q", str(tmp_path / "tree"))
    result = init(tmp_path / "tree")
    assert not any("hooks" in path for path in result.created)
    assert result.warnings == ()


# Hostile folders


@pytest.mark.parametrize("name", ["state", ".agent", ".ppgp"])
def test_nothing_is_written_through_a_link(root: Path, tmp_path: Path, name: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / name).symlink_to(outside)
    assert init(root).code == "refused"
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("name", ["AGENT.md", ".gitignore", ".agent/config.toml"])
def test_a_link_in_the_place_of_a_file_is_kept(root: Path, tmp_path: Path, name: str) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious\n")
    (root / name).parent.mkdir(exist_ok=True)
    (root / name).symlink_to(victim)
    result = init(root)
    assert result.code == "done"
    assert name in result.data["kept"]
    assert victim.read_text() == "precious\n"
    assert (root / name).is_symlink()


def test_a_pipe_in_the_identity_is_refused_at_once(root: Path) -> None:
    (root / "identity").mkdir()
    os.mkfifo(root / "identity" / "IDENTITY.md")
    result = init(root)
    assert result.code == "refused"
    assert not (root / "AGENT.md").exists()


@pytest.mark.parametrize("kind", ["file", "dangling link"])
def test_something_else_named_identity_is_refused(root: Path, kind: str) -> None:
    if kind == "file":
        (root / "identity").write_text("x")
    else:
        (root / "identity").symlink_to(root / "nowhere")
    assert init(root).code == "refused"
    assert not (root / "AGENT.md").exists()


def test_settings_of_a_hostile_repository_run_nothing(root: Path, tmp_path: Path) -> None:
    repo = Repository(root)
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    trap.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "core.editor", "core.sshCommand"):
        repo.git("config", key, str(trap))
    init(root)
    assert not (tmp_path / "sprung").exists()


# Killed in between, and at the same time

PROGRAM = (
    "import sys; from pathlib import Path\n"
    "from ppgp_tui.session.actions import scaffold\n"
    "from ppgp_tui.session.engine.draft import Actor\n"
    "from ppgp_tui.session.engine.engine import Engine\n"
    "engine = Engine(Path(sys.argv[1]), Actor('user', 'dev'))\n"
    "print('ready', flush=True)\n"
    "sys.exit(not scaffold.init(engine, agent_id='a').ok)\n"
)


def test_four_at_the_same_time_make_one_repository(root: Path) -> None:
    Repository(root)
    children = [subprocess.Popen([sys.executable, "-c", PROGRAM, str(root)]) for _ in range(4)]
    assert [child.wait(PATIENCE_S) for child in children] == [0, 0, 0, 0]
    assert (root / ".gitignore").read_text() == ".agent/lease\n.agent/HEAD\n"
    assert init(root, agent_id="a").warnings == ()
    Repository(root, init=False).commit()
    assert failed_checks(root) == []


def ended(root: Path) -> bool:
    """Whether no process names it in its words."""
    said = subprocess.run(["ps", "-A", "-o", "args="], capture_output=True, text=True, check=True)
    return str(root) not in said.stdout.split()


def test_a_repository_of_which_git_has_made_only_a_part_is_made_whole(root: Path) -> None:
    """Git says last where its objects are: killed before that, it takes the folder for nothing."""
    Repository(root)
    shutil.rmtree(root / ".git/objects")
    result = init(root, agent_id="a")
    assert (result.code, ".git/" in result.created) == ("done", True)
    Repository(root, init=False).commit()
    assert failed_checks(root) == []


def test_killed_at_any_moment_it_leaves_only_whole_files_and_the_next_run_ends_it(
    tmp_path: Path,
) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    init(whole, agent_id="a")
    wanted = files(whole)
    for number in range(12):
        root = tmp_path / f"killed{number}"
        root.mkdir()
        child = subprocess.Popen([sys.executable, "-c", PROGRAM, str(root)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(number * 0.004)
        child.kill()
        child.wait()
        until(partial(ended, root))  # its git goes on, and leaves no locks behind
        for name, data in files(root).items():
            if not name.startswith(".ppgp/run/") and not name.endswith(".tmp"):
                assert data == wanted[name], name
        if (root / "identity").exists():
            assert len(list((root / "identity").iterdir())) == 3
        assert init(root, agent_id="a").ok
        assert {name: data for name, data in files(root).items() if name in wanted} == wanted
        Repository(root, init=False).commit()
        assert failed_checks(root) == []
