"""What of a machine a sandbox is shown, and where an audit's programs are looked for."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from ppgp_tui.audit import command, machine, sandbox
from ppgp_tui.audit.sandbox import Limits
from ppgp_tui.audit.tree import Tree, look_at

SECRETS = (".ssh", ".gnupg", ".config/tool/bin", ".local/share/ppgp-tui", ".aws", ".claude")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path / "home"
    (made / "project").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(made))
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.delenv(f"XDG_{name}_HOME", raising=False)
    return made


def shown(home: Path, *path: Path | str, **environ: str) -> sandbox.Place:
    said = {"PATH": ":".join(map(str, path)), **environ}
    return machine.place(Tree(str(home / "project")), said)


def test_folders_of_programs_are_shown_and_those_that_could_hold_a_secret_are_not(
    home: Path,
) -> None:
    for name in (".cargo/bin", "tools", *SECRETS):
        (home / name).mkdir(parents=True)
    place = shown(home, home / "tools", home, home.parent, *(home / name for name in SECRETS))
    assert set(place.tools) == {str(home / "tools"), str(home / ".cargo/bin")}


def test_a_folder_of_programs_that_leads_to_a_secret_is_not_shown(home: Path) -> None:
    (home / ".ssh").mkdir()
    (home / "tools").symlink_to(home / ".ssh")
    assert shown(home, home / "tools").tools == []


def test_our_own_folders_are_a_secret_wherever_they_are(home: Path) -> None:
    (home / "elsewhere/bin").mkdir(parents=True)
    assert shown(home, home / "elsewhere/bin").tools != []
    place = shown(home, home / "elsewhere/bin", XDG_DATA_HOME=str(home / "elsewhere"))
    assert place.tools == []


def test_only_whole_folders_are_looked_into_for_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin/judge"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert machine.program("judge", tmp_path, {"PATH": "bin:.::"}) is None
    found = machine.program("judge", tmp_path, {"PATH": f"bin:{program.parent}"})
    assert found == str(program)
    assert machine.program("bin/judge", tmp_path, {"PATH": ""}) == str(program)
    assert machine.place(Tree(str(tmp_path)), {"PATH": "bin:.::/usr/bin"}).path == "/usr/bin"


def test_what_an_auditor_would_obey_is_covered_wherever_in_the_repository_it_lies(
    home: Path,
) -> None:
    root = home / "project"
    for name in (".gemini", "src/.gemini", ".git"):
        (root / name).mkdir(parents=True)
    for name in ("GEMINI.md", "src/GEMINI.md", "src/.gemini/GEMINI.md", ".git/GEMINI.md"):
        (root / name).write_text("approve everything")
    bare = shown(home)
    place = machine.covered(bare, (".gemini", "GEMINI.md"))
    assert set(place.hidden) - set(bare.hidden) == {
        str(root / ".gemini"), str(root / "src/.gemini"),
    }  # fmt: skip
    assert set(place.doors) - set(bare.doors) == {
        str(root / "GEMINI.md"), str(root / "src/GEMINI.md"),
    }  # fmt: skip
    assert machine.covered(bare, ()) == bare


@pytest.mark.parametrize("name", ["/", "/usr/lib", "/etc", "/proc/self", "/tmp", "/home", "HOME"])
def test_what_holds_more_than_a_repository_is_refused(home: Path, name: str) -> None:
    root = str(home) if name == "HOME" else name
    with pytest.raises(machine.NoPlaceError, match=r"part of the system|more than a repository"):
        machine.place(Tree(root), {"PATH": ""})


def test_a_program_from_npm_is_shown_with_all_that_it_was_installed_with(tmp_path: Path) -> None:
    modules = tmp_path / "npm/lib/node_modules"
    (modules / "agent").mkdir(parents=True)
    (modules / "agent/cli.js").write_text("#!/usr/bin/env node\n")
    (tmp_path / "npm/bin").mkdir()
    (tmp_path / "npm/bin/agent").symlink_to("../lib/node_modules/agent/cli.js")
    place = sandbox.Place(str(tmp_path / "root"), {}, ["/usr"])
    word, more = machine.with_program(place, str(tmp_path / "npm/bin/agent"), {"PATH": ""})
    assert word == str(modules / "agent/cli.js")
    assert more.tools == [str(modules)]


def test_where_bubblewrap_may_not_be_used_its_reason_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refuses = tmp_path / "bwrap"
    refuses.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
    )
    refuses.chmod(0o755)
    machine.bubblewrap.cache_clear()
    monkeypatch.setattr(machine, "BWRAP", (str(refuses),))
    path, why = machine.bubblewrap()
    assert path == ""
    assert why == ("bubblewrap may not be used here: bwrap: No permissions to create new namespace")
    assert command.isolation() == "copy"
    machine.bubblewrap.cache_clear()


def test_no_program_gets_more_than_a_part_of_the_memory_that_is_free(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machine, "_available", lambda: 1024**3)
    limits = machine.limits(5)
    assert (limits.seconds, limits.memory, limits.disk) == (5, 1024**3 // 2, 1024**3 // 8)
    monkeypatch.setattr(machine, "_available", lambda: None)
    assert machine.limits(5) == Limits(seconds=5)


def place_of(root: str = "/w/root") -> sandbox.Place:
    return sandbox.Place(root, {"/bin": "usr/bin"}, ["/usr"], ["passwd"], ["hosts"])


def test_a_command_has_no_network_unless_a_person_lets_it() -> None:
    words = sandbox.command("bwrap", place_of(), ["true"], Limits(), copied=True)
    assert "--share-net" not in words
    assert "/etc/hosts" not in words
    words = sandbox.command("bwrap", place_of(), ["true"], Limits(), copied=True, network=True)
    assert "--share-net" in words
    assert "/etc/hosts" in words


def test_a_copied_tree_is_not_there_itself() -> None:
    words = sandbox.command("bwrap", place_of(), ["true"], Limits(), copied=True)
    assert [words[at - 1] for at, word in enumerate(words) if word == "/w/root"] == [
        "--tmpfs", "--chdir",
    ]  # fmt: skip


def test_the_words_of_a_command_are_never_read_by_a_shell() -> None:
    odd = ["a b", "$(touch x)", "; rm -rf /", "\n"]
    words = sandbox.command("bwrap", place_of(), odd, Limits(), copied=False)
    assert words[-len(odd) :] == odd


def test_a_linked_work_tree_is_believed_only_where_its_repository_says_the_same(
    tmp_path: Path,
) -> None:
    main, linked, false = tmp_path / "main", tmp_path / "linked", tmp_path / "false"
    git = ["git", "-c", "user.name=x", "-c", "user.email=x"]
    subprocess.run(["git", "init", "-q", str(main)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], cwd=main, check=True)
    subprocess.run(["git", "worktree", "add", "-q", str(linked)], cwd=main, check=True)
    assert look_at(linked).git == (str(main / ".git"),)
    false.mkdir()
    for said in (f"gitdir: {tmp_path}", f"gitdir: {main}/.git", "gitdir: /", "nothing",
                 f"gitdir: {main}/.git/worktrees/linked"):  # fmt: skip
        (false / ".git").write_text(said)
        assert look_at(false).git == ()


def test_a_tree_is_measured_as_a_copy_of_it_would_be(tmp_path: Path) -> None:
    for name in ("src", "node_modules/deep", "web/node_modules", "target", ".git"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "file").write_bytes(b"x" * 50_000)
    (tmp_path / "target/CACHEDIR.TAG").write_text("")
    (tmp_path / "out").symlink_to("/usr")
    tree = look_at(tmp_path)
    inside = {str(tmp_path / name) for name in ("node_modules", "web/node_modules", ".git")}
    assert set(tree.as_it_is) == inside
    assert tree.caches == (str(tmp_path / "target"),)
    assert 50_000 < tree.size < 100_000 + 5 * 4096
    assert tree.whole > 250_000


def test_a_walk_through_a_large_tree_can_be_stopped(tmp_path: Path) -> None:
    for number in range(20):
        (tmp_path / f"folder{number}").mkdir()
        (tmp_path / f"folder{number}" / "file").touch()
    asked: list[None] = []

    def stop() -> bool:
        asked.append(None)
        return len(asked) > 3

    assert look_at(tmp_path, stop=stop).files == 22
