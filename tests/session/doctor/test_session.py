"""The session of a root: what is missing for watching and acting, and what to do about it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ppgp_tui.session.actions import start
from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.authority.pins import Pins
from ppgp_tui.session.doctor.finding import Finding, examine
from ppgp_tui.session.doctor.session import session
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.files import places
from tests.session.gits import Repository


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A session in a repository."""
    made = Repository(tmp_path / "repository").root
    assert start.init(Engine(made, Actor("user", "dev"))).ok
    return made


def findings(root: Path) -> tuple[Finding, ...]:
    (report,) = examine(root, [("session", session)])
    for one in report.findings:
        assert one.state == "ok" or (one.why and one.mend), one
    return report.findings


def found(root: Path, words: str) -> Finding:
    fits = [one for one in findings(root) if words in one.text]
    assert len(fits) == 1, [one.text for one in findings(root)]
    return fits[0]


def test_a_session_in_order_needs_no_attention(root: Path) -> None:
    assert [one.text for one in findings(root) if one.needs_attention] == []
    for words in (
        "session folder .ppgp",
        "settings can be read",
        "log state/events.jsonl",
        "git v",
    ):
        assert found(root, words).state == "ok"


def test_without_a_session_it_says_how_to_begin(tmp_path: Path) -> None:
    finding = found(tmp_path, "no session here")
    assert (finding.state, finding.mend) == ("warning", "ppgp-tui init")
    assert found(tmp_path, "in no Git repository").state == "note"


@pytest.mark.parametrize("kind", ["link", "file"])
def test_a_session_folder_that_is_none_is_an_error(tmp_path: Path, kind: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    if kind == "link":
        (tmp_path / "elsewhere").mkdir()
        (root / ".ppgp").symlink_to(tmp_path / "elsewhere")
    else:
        (root / ".ppgp").write_text("")
    assert found(root, ".ppgp ").state == "error"


def test_committed_run_files_need_attention(root: Path) -> None:
    (root / ".ppgp" / "run").mkdir(exist_ok=True)
    (root / ".ppgp" / "run" / "control.json").write_text("{}")
    Repository(root, init=False).git("add", "-f", ".ppgp/run/control.json")
    assert found(root, ".ppgp/run is committed").mend == "git rm -r --cached .ppgp/run"


def test_a_wrong_setting_is_named_with_its_line(root: Path) -> None:
    (root / ".ppgp" / "config.toml").write_text("[watch]\npoll_s = -1\n")
    finding = found(root, "watch.poll_s")
    assert (finding.state, finding.path, finding.line) == ("warning", ".ppgp/config.toml", 2)


def test_the_goal_document_is_told(root: Path) -> None:
    assert found(root, "no goal document").state == "note"
    (root / "docs").mkdir()
    (root / "docs" / "ACTIVE_GOAL.md").write_text("# Goal\n\nKeep it.\n")
    assert found(root, "the goal document is docs/ACTIVE_GOAL.md").state == "ok"


def test_a_log_that_cannot_be_read_needs_attention(root: Path) -> None:
    (root / "state" / "events.jsonl").unlink()
    os.mkfifo(root / "state" / "events.jsonl")
    assert any("state/events.jsonl" in one.text and one.needs_attention for one in findings(root))


def test_keys_are_told(root: Path) -> None:
    assert found(root, "no key is pinned yet").state == "note"
    key = SigningKey(Pins(places.data_folder(), root))
    assert key.sign(b"x")
    assert found(root, "answers are signed; 1 pinned").state == "ok"
    (places.data_folder() / "authority" / "key").unlink()
    assert found(root, "is not there").state == "error"
    (places.data_folder() / "authority" / "allowed_signers").chmod(0o666)
    assert found(root, "can be written by others").state == "error"


def test_without_ssh_keygen_and_git_it_says_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert found(root, "ssh-keygen is not installed").state == "warning"
    assert found(root, "git cannot be started").state == "warning"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_an_own_folder_that_cannot_be_written_needs_attention(root: Path, tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(0o500)
    assert found(root, "cannot be written to").state == "warning"


def test_looking_makes_nothing(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    findings(root)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["root"]
    assert list(root.iterdir()) == []
