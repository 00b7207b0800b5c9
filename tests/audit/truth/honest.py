"""Goals that are done, told in the ways in which people tell it; none of it is to be doubted."""

from __future__ import annotations

from typing import Any, Final

from tests.audit.truth.stage import (
    CODE,
    DOD,
    EVIDENCE,
    RUN_COUNTER,
    RUN_RETRY,
    TEST_COUNTER,
    Case,
    document,
    frozen,
    one,
)

MAKE: Final = f"test: unit\n\nunit:\n\t{RUN_RETRY} tests.test_counter\n\n.PHONY: test unit\n"
SCRIPT: Final = "#!/bin/sh\nset -e\npython3 -m unittest discover -s tests -t .\n"
LOOP: Final = """#!/usr/bin/env bash
set -euo pipefail
failed=0
for each in tests.test_retry tests.test_counter; do
  python3 -m unittest "$each" || failed=1
done
rm -rf build || true
exit $failed
"""
TABLE: Final = f"""# Active goal

## GOAL
Calls survive a timeout

## PHASE
HARDEN

## DEFINITION OF DONE
| # | Condition | Status | Evidence |
|---|---|---|---|
| 1 | A call is tried three times | DONE | `{RUN_RETRY}`: 2 passed |
| 2 | The counter survives a restart | ✅ | `{RUN_COUNTER}` (1 passed) |
"""
PLATFORM: Final = f"""{TEST_COUNTER}
    @unittest.skipUnless(False, 'on macOS only')
    def test_it_survives_there(self):
        self.assertEqual(kept(None), 7)
"""


def with_words(name: str, words: str) -> Case:
    """Evidence that says more than what is checked."""
    return Case(name, "approved", document=document(evidence=(EVIDENCE[0], EVIDENCE[1] + words)))


def behind(name: str, remark: str, **more: Any) -> Case:
    """A condition that got a remark behind it since it was agreed."""
    return Case(name, "approved", document=document((DOD[0], DOD[1] + remark), **more))


HONEST: Final = (
    Case(
        "a script of the tests' folder", "approved", files={**CODE, "tests/all.sh": SCRIPT},
        document=document(evidence=("DoD 1-2: `sh tests/all.sh`: 3 passed",)),
    ),
    Case(
        "a script that hears of every failure in its own way", "approved",
        files={**CODE, "tests/all.sh": LOOP},
        document=document(evidence=("DoD 1-2: `bash tests/all.sh`",)),
    ),
    Case(
        "a script whose tests come last", "approved",
        files={**CODE, "check.sh": f"echo Looking\n{RUN_COUNTER}\n"},
        document=document(evidence=(EVIDENCE[0], "DoD 2: `sh check.sh`: 1 passed")),
    ),
    Case(
        "recipes", "approved", files={**CODE, "Makefile": MAKE},
        document=document(evidence=("DoD 1-2: `make test`: 3 passed",)),
    ),
    Case(
        "a condition that is a command", "approved", files={**CODE, "Makefile": MAKE},
        document=one("[x] `make test` passes"), frozen=None,
    ),
    behind("evidence in brackets", f" (`{RUN_COUNTER}`: 1 passed)", evidence=EVIDENCE[:1]),
    behind("evidence behind a dash", f" - evidence: `{RUN_COUNTER}`", evidence=EVIDENCE[:1]),
    behind("a date", " (done 2026-11-30)"),
    behind("a file and a pull request", " — src/counter.py, PR #12", evidence=EVIDENCE),
    Case("a table", "approved", document=TABLE, frozen=None),
    Case("lines that end as on Windows", "approved", document=document().replace("\n", "\r\n")),
    Case("a byte order mark", "approved", document=f"\ufeff{document()}"),
    Case(
        "letters that are composed in another way", "approved",
        frozen=frozen(("[x] Le caf\u00e9 survit", DOD[1])),
        document=document(("[x] Le cafe\u0301 survit", DOD[1])),
    ),
    Case(
        "another language", "approved", frozen=None,
        document=document(
            ("[x] 调用尝试三次", f"[x] Der Zähler übersteht es (Nachweis: `{RUN_COUNTER}`)"),
            EVIDENCE[:1],
        ),
    ),
    with_words("a file that is gone, and said to be", "; old/importer.py was removed"),
    with_words("a file that has another name now", "; renamed old_counter.py to src/counter.py"),
    with_words("a product that looks like a file", " (also beside Node.js 20)"),
    with_words("an id that looks like a commit", ", container 4e1f09cab123"),
    Case(
        "an address that is cited", "approved", frozen=None,
        document=one("[x] The header follows https://www.rfc-editor.org/rfc/rfc9110",
                     f"DoD 2: `{RUN_COUNTER}`: 1 passed"),
    ),
    Case(
        "a deploy script", "approved", frozen=None,
        document=one("[x] The deploy script checks its arguments", f"DoD 2: `{RUN_COUNTER}`"),
    ),
    Case(
        "a test that is for another platform", "approved",
        files={**CODE, "tests/test_counter.py": PLATFORM},
    ),
)  # fmt: skip
