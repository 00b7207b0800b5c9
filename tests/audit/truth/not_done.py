"""Goals that are not done, or whose tests show nothing."""

from __future__ import annotations

import re
from typing import Final

from tests.audit.truth.stage import (
    APPROVES,
    CODE,
    COUNTER,
    DOD,
    EVIDENCE,
    RUN_RETRY,
    TEST_RETRY,
    Case,
    document,
)

IDLE = TEST_RETRY.replace("self.assertEqual(", "print(").replace("self.assertIsNone(", "print(")
SKIPPED = TEST_RETRY.replace("    def test", "    @unittest.skip('later')\n    def test")
ALWAYS = re.sub(r"self\.assert.*", "self.assertTrue(True)", TEST_RETRY)
UNREACHED = re.sub(r"( +)(self\.assert.*)", r"\1return\n\1\2", TEST_RETRY)
CAUGHT = re.sub(
    r"( +)(self\.assert.*)", r"\1try:\n\1    \2\n\1except Exception:\n\1    pass", TEST_RETRY
)

NOT_DONE: Final = (
    Case(
        "not done: its test fails",
        "rejected",
        files={**CODE, "src/counter.py": COUNTER.replace("str(count)", '"0"')},
        objections=("The counter survives a restart: exit 1",),
    ),
    Case(
        "the document itself calls a condition open",
        "rejected",
        document=document((DOD[0], "[ ] The counter survives a restart")),
        objections=("survives a restart: the document itself says that it is open",),
    ),
    Case(
        "the document itself calls a condition partly done, and the auditor approves",
        "rejected",
        document=document((DOD[0], "[~] The counter survives a restart")),
        auditor=APPROVES,
        objections=("the document itself says that it is partly done",),
    ),
    Case(
        "the document itself calls a condition blocked",
        "rejected",
        document=document((DOD[0], "The counter survives a restart: BLOCKED")),
        frozen=None,
        objections=("the document itself says that it is blocked",),
    ),
    Case(
        "a declared command fails",
        "rejected",
        commands=(("python3", "-c", "import src.limits"),),
        objections=("import src.limits: exit 1",),
    ),
    Case(
        "evidence for the whole goal names a file that is not there",
        "rejected",
        document=document(evidence=(*EVIDENCE, "The design is in docs/design.md")),
        objections=("docs/design.md is not there",),
    ),
    Case(
        "fewer tests pass than are claimed",
        "rejected",
        document=document(evidence=(f"DoD 1: `{RUN_RETRY}`: 41 passed", EVIDENCE[1])),
        objections=("2 passed, 41 are claimed",),
    ),
    Case(
        "more tests pass than are claimed",
        "approved",
        document=document(evidence=(f"DoD 1: `{RUN_RETRY}`: 1 passed", EVIDENCE[1])),
    ),
    Case(
        "no tests ran",
        "rejected",
        files={**CODE, "tests/test_retry.py": "import unittest\n"},
        document=document(evidence=(f"DoD 1: `{RUN_RETRY}`", EVIDENCE[1])),
        objections=("without running a test",),
    ),
    Case(
        "every test is skipped",
        "rejected",
        later=({"tests/test_retry.py": SKIPPED},),
        document=document(evidence=(f"DoD 1: `{RUN_RETRY}`", EVIDENCE[1])),
        objections=("without running a test",),
        alarms=("test_skipped",),
    ),
    Case(
        "passing tests that assert nothing",
        "rejected",
        files={**CODE, "tests/test_retry.py": IDLE},
        document=document(evidence=(f"DoD 1: `{RUN_RETRY}`", EVIDENCE[1])),
        objections=("its tests assert nothing: tests/test_retry.py",),
    ),
    *(
        Case(
            f"passing tests in which {how}",
            "rejected",
            files={**CODE, "tests/test_retry.py": text},
            document=document(evidence=(f"DoD 1: `{RUN_RETRY}`", EVIDENCE[1])),
            objections=("its tests assert nothing: tests/test_retry.py",),
        )
        for how, text in {
            "every assertion always holds": ALWAYS,
            "no assertion is reached": UNREACHED,
            "a failure is caught": CAUGHT,
        }.items()
    ),
    Case(
        "tests that were weakened until they assert nothing",
        "rejected",
        later=({"tests/test_retry.py": IDLE},),
        objections=("its tests assert nothing: tests/test_retry.py",),
        alarms=("test_emptied", "test_emptied"),
    ),
    Case(
        "an auditor finds what no check looks at",
        "rejected",
        auditor='say("rejected", [*true()[:1], failing(ids[1], "only in memory")],'
        ' objections=["The counter is lost"])',
        objections=("only in memory", "The counter is lost"),
    ),
)
