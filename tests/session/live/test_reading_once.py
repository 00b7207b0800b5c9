"""One picture of real files: whatever is wrong with them, what can be read is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ppgp_tui.session.live.store import LiveSession
from tests.session.live.living import GOAL, LOG, git, goal, revised
from tests.session.log.writing import events
from tests.unprivileged import nobody, open_place


def test_an_empty_folder_has_a_picture_of_nothing(tmp_path: Path) -> None:
    now = LiveSession(tmp_path).read_all()
    assert now.goal.value.health == "MISSING"
    assert (now.plan.value.source, now.events.value.count, now.repo.value.git) == ("none", 0, False)
    assert {source.state for source in now.sources} == {"absent"}
    assert now.problems == ()


def test_reading_once_reads_everything(root: Path) -> None:
    (root / GOAL).write_text(goal("Ship it"))
    (root / LOG).write_bytes(events(1, 4) + revised(5, 2, "a", "b"))
    git(root, "init", "-q", "-b", "main")
    now = LiveSession(root).read_all()
    assert now.goal.value.goal == "Ship it"
    assert [task.key for task in now.plan.value.tasks] == ["a", "b"]
    assert now.events.value.count == 5
    assert now.repo.value.branch == "main"
    assert now.goal.origin is not None
    assert now.goal.origin.path == GOAL


def test_the_first_picture_needs_no_git_and_only_the_end_of_a_long_log(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppgp_tui.session.log.tail.SHORT", 1_000)
    monkeypatch.setattr("ppgp_tui.session.log.tail.GLIMPSE", 1_000)
    monkeypatch.setattr("ppgp_tui.session.sources.repo.shutil.which", None)
    (root / GOAL).write_text(goal("Ship it"))
    (root / LOG).write_bytes(events(1, 100))
    now = LiveSession(root).open()
    assert now.goal.value.goal == "Ship it"
    assert now.events.value.last is not None
    assert now.events.value.last.id == f"event_{100:032x}"
    sources = {source.name: source for source in now.sources}
    assert (sources["events"].state, sources["events"].progress) == ("reading", 0.0)
    assert sources["git"].state == "reading"


def test_the_documents_bytes_can_be_had(root: Path) -> None:
    session = LiveSession(root)
    assert session.document() == b""
    (root / GOAL).write_text(goal("Ship it"))
    session.open()
    assert session.document() == goal("Ship it").encode()


def test_reading_writes_nothing(root: Path) -> None:
    (root / GOAL).write_text(goal("Ship it"))
    (root / LOG).write_bytes(events(1, 3) + b"torn")
    git(root, "init", "-q")
    before = sorted(path for path in root.rglob("*"))
    LiveSession(root).read_all()
    assert sorted(path for path in root.rglob("*")) == before
    assert (root / LOG).read_bytes() == events(1, 3) + b"torn"


def test_settings_of_the_repository_are_used(root: Path) -> None:
    (root / "TARGET.md").write_text(goal("Elsewhere"))
    (root / "log.jsonl").write_bytes(events(1, 2))
    settings = '[paths]\ngoal = "TARGET.md"\nlog = "log.jsonl"\ntodo = "../out.json"\n'
    (root / ".ppgp/config.toml").write_text(settings)
    now = LiveSession(root).read_all()
    assert (now.goal.value.goal, now.events.value.count) == ("Elsewhere", 2)
    assert [(p.code, p.path, p.line) for p in now.problems] == [
        ("settings", ".ppgp/config.toml", 4)
    ]


def test_every_strange_document_gives_a_reason_and_no_crash(root: Path) -> None:
    path = root / GOAL
    for data in (b"", b"\x00" * 1000, b"\xff\xfe\x00", os.urandom(5000), b"\xef\xbb\xbf", b"\r\n"):
        path.write_bytes(data)
        now = LiveSession(root).read_all()
        assert now.goal.value.health != "CONFORMANT"
        assert now.goal.value.reasons
    path.unlink()
    path.symlink_to("ACTIVE_GOAL.md")
    now = LiveSession(root).read_all()
    assert now.goal.value.reasons[0].code == "link-loop"
    assert [problem.path for problem in now.problems] == [GOAL]


def test_what_may_not_be_read_says_so_and_the_rest_is_shown() -> None:
    with open_place() as root, nobody():
        for folder in ("docs", "state", ".ppgp"):
            (root / folder).mkdir()
        (root / GOAL).write_text(goal("Ship it"))
        (root / LOG).write_bytes(events(1, 2))
        (root / GOAL).chmod(0)
        (root / ".ppgp").chmod(0)
        now = LiveSession(root).read_all()
        (root / "docs").chmod(0)
        reasons = LiveSession(root).read_all().goal.value.reasons
        (root / "docs").chmod(0o700)
    assert now.goal.value.health == "MALFORMED"
    assert now.goal.value.reasons[0].text == f"{GOAL} cannot be read: permission denied"
    assert now.events.value.count == 2
    assert {problem.code for problem in now.problems} >= {"permission"}
    assert reasons[0].text == f"{GOAL} cannot be read: permission denied"
