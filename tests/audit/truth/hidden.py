"""What a claim rests on is not what it seems: hidden, moved, taken back or said elsewhere."""

from __future__ import annotations

import os
from typing import Final

from tests.audit.truth.stage import (
    APPROVES,
    CODE,
    COUNTER,
    DOD,
    EVIDENCE,
    RUN_COUNTER,
    Case,
    Stage,
    document,
    frozen,
    one,
)
from tests.session.gits import Repository


def reverts(stage: Stage) -> None:
    stage.commit({"src/migration.py": "STEPS = 1\n"}, "Add the migration")
    stage.names = {"it": stage.commits[-1][:9]}
    stage.git.git("revert", "--no-edit", stage.commits[-1])


def reverts_the_revert(stage: Stage) -> None:
    reverts(stage)
    stage.git.git("revert", "--no-edit", "HEAD")


def commits_nothing(stage: Stage) -> None:
    stage.commit({}, "Add the migration")
    stage.names = {"it": stage.commits[-1][:9]}


def is_not_watched(stage: Stage) -> None:
    stage.git.git("update-index", "--assume-unchanged", "src/counter.py")
    (stage.root / "src/counter.py").write_text(COUNTER + "\n# another one\n")


def is_from_tomorrow(stage: Stage) -> None:
    log = stage.root / "out/soak.log"
    log.parent.mkdir()
    log.write_text("8 hours of load, 0 calls lost\n")
    os.utime(log, (4e9, 4e9))


def has_a_submodule(stage: Stage) -> None:
    library = Repository(stage.root.parent / "library")
    library.write("x.py", "X = 1\n")
    library.git("add", "-A")
    library.git("commit", "-qm", "x")
    allowed = ("-c", "protocol.file.allow=always")
    stage.git.git(*allowed, "submodule", "add", "-q", str(library.root), "vendor/library")
    stage.commit({})


def moves_the_document(stage: Stage) -> None:
    stage.git.git("rm", "-q", "ACTIVE_GOAL.md")


HELPERS: Final = "def check_all(x):\n    assert x == 3\n"
USES: Final = """import unittest

from tests.helpers import check_all


class TestMore(unittest.TestCase):
    def test_more(self):
        check_all(3)
        self.assertTrue(len(str(7)))
"""
MAKE: Final = "test: unit\n\nunit:\n\tpython3 -m unittest tests.test_retry tests.test_counter\n"
CHECK: Final = "#!/bin/sh\nset -e\npython3 -m unittest tests.test_retry tests.test_counter\n"
BY_MAKE: Final = document(evidence=(EVIDENCE[0], "DoD 2: `make test`"))
BY_SCRIPT: Final = document(evidence=(EVIDENCE[0], "DoD 2: `sh scripts/check.sh`"))

HIDDEN: Final = (
    Case(
        "a commit that was taken back", "rejected", prepared=reverts, frozen=None,
        document=one("[x] The migration is in (commit {it})"), auditor=APPROVES,
        objections=("was taken back by",),
    ),
    Case(
        "a commit that was taken back, which was taken back", "approved",
        prepared=reverts_the_revert, frozen=None,
        document=one("[x] The migration is in (commit {it})"), auditor=APPROVES,
    ),
    Case(
        "a commit that changes nothing", "rejected", prepared=commits_nothing, frozen=None,
        document=one("[x] The migration is in (commit {it})"), auditor=APPROVES,
        objections=("changes nothing",),
    ),
    Case(
        "an edit that Git was told not to see", "approved_with_notes", prepared=is_not_watched,
        notes=("1 path is not committed, first src/counter.py",),
    ),
    Case(
        "evidence from a time yet to come", "rejected", prepared=is_from_tomorrow, frozen=None,
        files={**CODE, ".gitignore": "state/\n.ppgp/\nout/\n"},
        document=one("[x] A night of load loses nothing (out/soak.log)"), auditor=APPROVES,
        objections=("made at a time yet to come",),
    ),
    Case(
        "a line that its file does not have", "rejected", frozen=None, auditor=APPROVES,
        document=one("[x] The counter is kept on disk (src/counter.py:999)"),
        objections=("src/counter.py has no line 999",),
    ),
    Case(
        "an auditor who quotes a comment", "inconclusive", frozen=None,
        files={**CODE, "src/counter.py": f"# The counter is encrypted with AES\n{COUNTER}"},
        document=one("[x] The counter is encrypted (src/counter.py)"),
        auditor='say("approved", [true()[0], passing(ids[1], "src/counter.py",'
        ' "# The counter is encrypted with AES")])',
        why=("says so only in a comment",),
    ),
    Case(
        "a document that was moved and became less", "inconclusive", frozen=None,
        files={**CODE, "ACTIVE_GOAL.md": frozen((*DOD, "[x] A thousand calls a second"))},
        prepared=moves_the_document, alarms=("criterion_removed",),
        notes=("A thousand calls a second",),
    ),
    Case(
        "a list under a condition was taken out", "inconclusive",
        frozen=frozen((DOD[0], f"{DOD[1]}\n   - with a million counts")),
        alarms=("criterion_removed",), notes=("with a million counts",),
    ),
    Case(
        "a condition was put into a comment", "inconclusive",
        frozen=frozen((*DOD, "[x] A thousand calls a second")),
        document=document((DOD[0], f"{DOD[1]}\n\n<!-- 3. [x] A thousand calls a second -->")),
        alarms=("criterion_removed",), notes=("A thousand calls a second",),
    ),
    Case(
        "a condition was split, and lost a word", "inconclusive",
        frozen=frozen((DOD[0], "[x] The counter survives a restart and a crash")),
        document=document(
            (*DOD, "[x] The counter survives a crash"), (*EVIDENCE, f"DoD 3: `{RUN_COUNTER}`")
        ),
        alarms=("criterion_reworded",),
    ),
    Case(
        "a condition says nearly the same", "inconclusive",
        document=document((DOD[0], "[x] The counter survives a reboot")),
        alarms=("criterion_reworded",),
    ),
    Case(
        "a remark behind a condition that makes less of it", "inconclusive",
        document=document((DOD[0], f"{DOD[1]} (done, but only on Linux)")),
        alarms=("criterion_reworded",),
    ),
    *(
        Case(
            f"a condition that is ticked and says {word}", "rejected", frozen=None,
            document=document((DOD[0], f"[x] The counter survives a restart{word}")),
            objections=("takes its tick back",),
        )
        for word in (": PARTIAL", " (BLOCKED)", " (not done)")
    ),
    Case(
        "a condition that is ticked and still remains", "rejected",
        document=document() + "\n## REMAINING\n- DoD 2: a crash still loses it\n",
        objections=("takes its tick back",),
    ),
    Case(
        "a plan with open tasks", "approved_with_notes",
        told=lambda stage: stage.plans("counter", "retry") and None,
        notes=("the plan still has 2 open tasks, first counter: Do counter",),
    ),
    Case(
        "a test no longer calls what checks for it", "approved_with_notes",
        files={**CODE, "tests/helpers.py": HELPERS, "tests/test_more.py": USES},
        later=({"tests/test_more.py": USES.replace("        check_all(3)\n", "")},),
        alarms=("test_changed",), notes=("tests/test_more.py::TestMore.test_more",),
    ),
    Case(
        "a script that checks less than it did", "approved_with_notes",
        files={**CODE, "scripts/check.sh": CHECK}, document=BY_SCRIPT,
        later=({"scripts/check.sh": CHECK.replace(" tests.test_counter", "")},),
        alarms=("check_changed",), notes=("check changed: scripts/check.sh",),
    ),
    Case(
        "a recipe that checks less than it did", "approved_with_notes",
        files={**CODE, "Makefile": MAKE}, document=BY_MAKE,
        later=({"Makefile": MAKE.replace(" tests.test_counter", "")},),
        alarms=("check_changed",), notes=("check changed: Makefile",),
    ),
    Case(
        "another recipe of the Makefile was changed", "approved",
        files={**CODE, "Makefile": MAKE}, document=BY_MAKE,
        later=({"Makefile": f"{MAKE}\nclean:\n\trm -rf build\n"},),
    ),
    Case("a submodule as it is committed", "approved", prepared=has_a_submodule),
)  # fmt: skip
