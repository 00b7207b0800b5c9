"""The time of a whole audit: what is left of it is the time of each command and of the auditor."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from ppgp_tui.audit import machine
from ppgp_tui.audit.auditor import auditor_of
from ppgp_tui.audit.model import AuditPlan, Check, Criterion
from ppgp_tui.audit.running import Audit, Findings
from ppgp_tui.audit.sandbox import Limits
from ppgp_tui.session.picture.audit_state import Running

CRITERION = Criterion("dod:1", "dod", 1, "It works", None, "done")
PATH = f"{Path(os.path.realpath(sys.executable)).parent}:/usr/bin:/bin"


def audit(root: Path, *commands: str, auditor: str = "", seconds: float) -> Findings:
    checks = [
        Check(f"c{at}", "command", ("dod:1",), one, argv=("sh", "-c", one))
        for at, one in enumerate(commands, 1)
    ]
    words = ("sh", "-c", auditor) if auditor else ()
    plan = AuditPlan("It works", "", {}, (CRITERION,), tuple(checks), auditor=words)
    limits = Limits(seconds=seconds)
    told: list[Running] = []
    made = Audit(
        root, plan, limits=limits, auditor=auditor_of(words, root, limits, {"PATH": PATH}),
        clock=lambda: time.time_ns() // 1_000_000, tell=told.append, cancelled=lambda: False,
        environ={"PATH": PATH},
    )  # fmt: skip
    found = made.run()
    assert told[-1].stage == "recording"
    return found


def test_a_command_has_what_the_ones_before_it_left(tmp_path: Path) -> None:
    found = audit(tmp_path, "sleep 1 && test 1 = 1", "sleep 600", "echo hello", seconds=3).found
    assert [one.outcome for one in found] == ["pass", "fail", "cannot_check"]
    assert found[1].why == "it did not end within its time"
    assert "the time of the whole audit was over" in found[2].why


def test_so_does_the_auditor_and_its_silence_approves_nothing(tmp_path: Path) -> None:
    answer = audit(tmp_path, "true", auditor="cat; sleep 600", seconds=3).answer
    assert answer is not None
    assert not answer.usable
    assert "time" in answer.why


def test_the_machine_says_how_commands_were_kept(tmp_path: Path) -> None:
    kept = "bubblewrap" if machine.bubblewrap()[0] else "copy"
    assert audit(tmp_path, "true", seconds=30).isolation == kept
