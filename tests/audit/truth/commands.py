"""Goals that commands are to prove: what is run, what is not, and on which tree."""

from __future__ import annotations

from typing import Final

from ppgp_tui.audit import plan as planning
from tests.audit.truth.stage import (
    ALL,
    APPROVES,
    CODE,
    COUNTER,
    ONE_DOD,
    RUN_COUNTER,
    Case,
    document,
    one,
)

COMMANDS: Final = (
    Case(
        "a command that needs a shell is shown and not run",
        "inconclusive",
        document=one("[x] The counter survives", "DoD 2: `python3 -m unittest | tee out.log`"),
        frozen=None,
        why=("only a shell understands it",),
    ),
    Case(
        "a command that writes gets a copy of the tree",
        "approved",
        files={
            **CODE,
            "build.py": "import os\nos.makedirs('build')\n"
            "open('build/out', 'w').write('built')\nprint('built')\n",
        },
        document=one("[x] It builds", "DoD 2: `python3 build.py`"),
        frozen=None,
    ),
    Case(
        "a command that no person has let run",
        "inconclusive",
        trusted=False,
        why=("no person has let it run here",),
    ),
    Case(
        "a command that no person has let run, and an auditor who approves",
        "inconclusive",
        trusted=False,
        auditor=APPROVES,
        why=("no person has let it run here",),
    ),
    Case(
        "a check that was left out",
        "inconclusive",
        edited=lambda plan: planning.leave_out(plan, "c1", "takes a day"),
        why=("a check was left out: takes a day",),
        notes=("takes a day",),
    ),
    Case(
        "a declared command that was left out",
        "inconclusive",
        commands=(tuple(ALL.split()),),
        edited=lambda plan: planning.leave_out(plan, "c3", "takes a day"),
        why=("was not run: takes a day",),
    ),
    Case(
        "a command whose tool is not here",
        "inconclusive",
        document=one("[x] The counter survives", "DoD 2: `gradle test`"),
        frozen=None,
        why=("gradle is not installed",),
    ),
    Case(
        "a command without an end",
        "rejected",
        timeout_s=2,
        files={**CODE, "wait.py": "import time\ntime.sleep(60)\n"},
        document=document(ONE_DOD, ("DoD 1: `python3 wait.py`",)),
        frozen=None,
        objections=("did not end within its time",),
    ),
    Case(
        "a command that always passes: nothing tells that from outside, a person let it run",
        "approved",
        document=document(ONE_DOD, ("DoD 1: `python3 -c 'assert 1 + 1 == 2'`",)),
        frozen=None,
    ),
    Case(
        "a person's own command shows what the document has no evidence for",
        "approved",
        document=one("[x] The counter survives a restart"),
        frozen=None,
        edited=lambda plan: planning.add_command(plan, RUN_COUNTER.split(), ["dod:2"]),
    ),
    Case(
        "changes that are not committed",
        "approved_with_notes",
        dirty={"src/counter.py": COUNTER + "\n# more\n", "new.py": "x = 1\n"},
        notes=("2 paths are not committed, first new.py",),
    ),
    Case(
        "no Git repository",
        "inconclusive",
        git=False,
        why=("without Git nobody can say later what was verified",),
    ),
    Case(
        "no Git repository, and a test fails",
        "rejected",
        git=False,
        files={**CODE, "src/counter.py": COUNTER.replace("str(count)", '"0"')},
        objections=("The counter survives a restart: exit 1",),
    ),
)
