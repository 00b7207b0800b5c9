"""A repository that wants its own programs run when it is looked at: our own calls run none."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from ppgp_tui.audit import machine
from ppgp_tui.audit.auditor import Auditor, Preset
from tests.e2e.acting import PROGRAM
from tests.e2e.audit.test_killed import Claimed
from tests.e2e.audit.victim import PATH, TIGHT, Victim

HOOKS = ("post-checkout", "post-index-change", "pre-commit", "reference-transaction")
PROGRAMS = ("git", "bwrap", "sh", "tar", "cp", "python3", "env", "claude", "cat")


def planted(at: Claimed, mark: Path) -> None:
    """Programs, hooks, filters and helpers that leave a mark when somebody runs them."""
    program = f"#!/bin/sh\necho \"$0 $*\" $(tr '\\0' ' ' < /proc/$PPID/cmdline) >> '{mark}'\n"
    hooks = [f".git/hooks/{name}" for name in HOOKS]
    for name in (*PROGRAMS, *(f"bin/{one}" for one in PROGRAMS), *hooks, "runs"):
        path = at.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(program)
        path.chmod(0o755)
    (at.root / ".gitattributes").write_text("* filter=bad diff=bad merge=bad\n")
    runs = str(at.root / "runs")
    for name in (
        "core.fsmonitor", "core.pager", "core.editor", "core.sshCommand", "core.askPass",
        "filter.bad.clean", "filter.bad.smudge", "filter.bad.process", "diff.bad.textconv",
        "diff.bad.command", "diff.external", "gpg.program", "credential.helper", "pager.log",
        "alias.log", "alias.ls-files", "uploadpack.packObjectsHook", "interactive.diffFilter",
    ):  # fmt: skip
        subprocess.run(["/usr/bin/git", "config", name, runs], cwd=at.root, check=True)
    subprocess.run(["/usr/bin/git", "config", "log.showSignature", "true"], cwd=at.root, check=True)


@pytest.fixture
def here(tmp_path: Path) -> Claimed:
    at = Claimed(tmp_path)
    git = ["git", "-c", "user.name=Dev", "-c", "user.email=dev@example.org"]
    subprocess.run([*git, "add", "-A"], cwd=at.root, check=True)
    subprocess.run([*git, "commit", "-qm", "Begin"], cwd=at.root, check=True)
    return at


def test_an_audit_runs_nothing_of_it_but_what_a_person_let_run(
    here: Claimed, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    planted(here, mark)
    os.utime(here.root / "docs/ACTIVE_GOAL.md")
    here.has_auditor("claude")
    here.environ["PATH"] = f".:bin::{os.environ['PATH']}:/usr/bin:/bin"
    ran = here.audits()
    assert ran.stdout, ran.stderr
    report = json.loads(ran.stdout)["report"]
    assert report["verdict"]["word"] == "rejected"
    assert any("done" in one["output"] for one in report["found"]), report["found"]
    assert not mark.exists(), mark.read_text()


def test_an_auditor_of_the_repository_is_not_asked(here: Claimed, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    planted(here, mark)
    here.environ["PATH"] = f"{here.root}/bin:{here.environ['PATH']}"
    here.has_auditor("claude")
    subprocess.run([PROGRAM, "audit", "--json"], cwd=here.root, env=here.environ, check=False)
    said = mark.read_text().splitlines() if mark.exists() else []
    assert not [line for line in said if line.split()[0].endswith("claude")]


@pytest.mark.parametrize("kept", ["bubblewrap", "copy"])
def test_programs_of_the_repository_are_not_taken_for_ours(
    victim: Victim,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kept: str,
    request: pytest.FixtureRequest,
) -> None:
    if kept == "copy":
        request.getfixturevalue("without_bubblewrap")
    elif not machine.bubblewrap()[0]:
        pytest.skip(machine.bubblewrap()[1])
    mark = tmp_path / "mark"
    for folder in (".", "bin"):
        for name in PROGRAMS:
            planted = victim.root / folder / name
            planted.parent.mkdir(exist_ok=True)
            planted.write_text(f"#!/bin/sh\necho planted $0 >> '{mark}'\n")
            planted.chmod(0o755)
    monkeypatch.chdir(victim.root)
    victim.environ["PATH"] = f".:bin::{PATH}"
    ran = victim.runs("sh", "-c", "git --version; echo real")
    assert ran.code == 0, ran
    assert ran.output.startswith("git version")
    asked = Auditor(
        Preset(("sh", "-c", "cat; git --version")), victim.root, TIGHT, home=victim.home,
        environ=victim.environ,
    )  # fmt: skip
    said = asked.ask("Is it done?\n", on_output=lambda _: None, cancelled=lambda: False)
    assert said.output.startswith("Is it done?\ngit version"), said
    assert not mark.exists(), mark.read_text()
