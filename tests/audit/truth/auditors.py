"""Auditors that say yes to everything, invent, contradict themselves or are cut off."""

from __future__ import annotations

from typing import Final

from tests.audit.truth.stage import (
    APPROVES,
    CODE,
    COUNTER,
    DOCUMENT,
    DOD,
    EVIDENCE,
    Case,
    document,
    one,
)

AUDITORS: Final = (
    Case(
        "an auditor that says yes to everything without a quote",
        "inconclusive",
        auditor='say("approved", [{"id": i, "outcome": "pass", "why": "fine", "quotes": []}'
        " for i in ids])",
        why=("passes without evidence",),
    ),
    Case(
        "an auditor that says yes to everything in one word",
        "inconclusive",
        auditor='print("All good.")\nprint("<approved/>")',
        why=("there is no answer",),
    ),
    Case(
        "an auditor that says yes with invented quotes",
        "inconclusive",
        auditor='say("approved", [passing(i, "src/retry.py", "def retry_forever(run):")'
        " for i in ids])",
        why=("src/retry.py does not say so",),
    ),
    Case(
        "an auditor that quotes a file that is not there",
        "inconclusive",
        auditor='say("approved", [passing(i, "src/nothing.py", "def retry(run):") for i in ids])',
        why=("src/nothing.py does not say so",),
    ),
    Case(
        "an auditor that quotes the goal document",
        "inconclusive",
        auditor=f'say("approved", [passing(i, "{DOCUMENT}", "A call is tried three times")'
        " for i in ids])",
        why=(f"{DOCUMENT} does not say so",),
    ),
    Case(
        "an auditor that quotes the goal document through a link",
        "inconclusive",
        prepared=lambda stage: (stage.root / "notes.md").symlink_to(DOCUMENT),
        auditor='say("approved", [passing(i, "notes.md", "A call is tried three times")'
        " for i in ids])",
        why=("notes.md does not say so",),
    ),
    Case(
        "an auditor that quotes a file in which the agent repeats its claim",
        "inconclusive",
        later=({"AUDIT.md": "A call is tried three times\nThe counter survives a restart\n"},),
        auditor='say("approved", [passing(i, "AUDIT.md", t) for i, t in zip(ids,'
        ' ["A call is tried three times", "The counter survives a restart"])])',
        why=("AUDIT.md only repeats the goal document",),
    ),
    Case(
        "an auditor that shows everything by one true and trivial quote",
        "inconclusive",
        document=document((*DOD, "[x] It is fast"), EVIDENCE),
        frozen=None,
        auditor='say("approved", [passing(i, "README.md", "Calls that are tried again")'
        " for i in ids])",
        why=("the same words of README.md are to show everything",),
    ),
    Case(
        "an auditor whose quote is three signs",
        "inconclusive",
        auditor='say("approved", [passing(i, "src/retry.py", "):") for i in ids])',
        why=("names no file or no words",),
    ),
    Case(
        "true quotes that have nothing to do with it: no rule tells, a person sees them",
        "approved",
        document=one("[x] The counter is encrypted (src/counter.py)"),
        frozen=None,
        auditor=APPROVES,
    ),
    Case(
        "an auditor that approves what a check found wrong",
        "rejected",
        files={**CODE, "src/counter.py": COUNTER.replace("str(count)", '"0"')},
        auditor='say("approved", [passing(i, *TRUE[0]) for i in ids])',
        objections=("The counter survives a restart: exit 1",),
    ),
    Case(
        "an auditor whose output is cut off",
        "inconclusive",
        auditor='print(f"BEGIN VERDICT {token}")\nprint(\'{"verdict": "approved", "crit\')',
        why=("cut off",),
    ),
    Case(
        "an auditor that stops before its tag",
        "inconclusive",
        auditor='say("approved", true(), tag="")',
        why=("does not end in <approved/>",),
    ),
    Case(
        "an auditor whose tag says the opposite",
        "inconclusive",
        auditor='say("approved", true(), tag="<disapproved/>")',
        why=("does not end in <approved/>",),
    ),
    Case(
        "an auditor whose answer is no JSON",
        "inconclusive",
        auditor='print(f"BEGIN VERDICT {token}\\n{{verdict: approved}}\\nEND VERDICT {token}\\n'
        '<approved/>")',
        why=("no JSON",),
    ),
    Case(
        "an auditor that contradicts itself",
        "inconclusive",
        auditor='say("approved", [*true()[:1], failing(ids[1])])',
        why=("approves and says that something is not done",),
    ),
    Case(
        "an auditor that approves with objections",
        "inconclusive",
        auditor='say("approved", true(), objections=["but it is slow"])',
        why=("approves and says that something is not done",),
    ),
    Case(
        "an auditor that answers twice",
        "inconclusive",
        auditor='say("rejected", [failing(i) for i in ids])\nsay("approved", true())',
        why=("more than one answer",),
    ),
    Case(
        "an auditor that leaves a criterion out",
        "inconclusive",
        auditor='say("approved", true()[:1])',
        why=("not answered: dod:2",),
    ),
    Case(
        "an auditor that approves with notes",
        "approved_with_notes",
        auditor='say("approved", true(), notes=["Names could be better"])',
        notes=("Names could be better",),
    ),
    Case(
        "an auditor that decides nothing",
        "inconclusive",
        auditor='say("inconclusive", [*true()[:1], {"id": ids[1], "outcome": "cannot_check",'
        ' "why": "needs a restart", "quotes": []}])',
        why=("needs a restart",),
    ),
    Case(
        "an auditor that fails",
        "inconclusive",
        auditor='say("approved", true())\nsys.exit(1)',
        why=("exit 1",),
    ),
    Case(
        "an auditor that never ends",
        "inconclusive",
        timeout_s=4,
        auditor="import time\ntime.sleep(60)",
        why=("time",),
    ),
    Case(
        "an auditor that prints its question",
        "inconclusive",
        auditor="print(asked)",
        why=("there is no answer",),
    ),
)
