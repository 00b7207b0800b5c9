"""Audits of the made-up session: under way, its verdicts, their reports, and a plan of one."""

from __future__ import annotations

from dataclasses import replace

from ppgp_tui.audit.kept import Kept
from ppgp_tui.audit.model import (
    Alarm,
    Answer,
    AuditPlan,
    Check,
    Criterion,
    Found,
    Judged,
    Opinion,
    Outcome,
    Quote,
)
from ppgp_tui.audit.model import Verdict as Made
from ppgp_tui.audit.trust import fingerprint
from ppgp_tui.session.model import Part, SessionSnapshot
from ppgp_tui.session.picture.audit_state import Audit, AuditState, Override, Running, Verdict, Word
from ppgp_tui.session.picture.goal_state import Claim
from ppgp_tui.ui.seat.audit_stay import AuditStay
from tests.ui import picture
from tests.ui.picture_time import GOAL_PATH, LOG_PATH, NOW, ago

GOAL = "goal_" + "7" * 32
NEWEST, OLDER = "eval_" + "5" * 32, "eval_" + "4" * 32
COMMIT = "4e1f09c2d7a85b1c9d3e6f708192a3b4c5d6e7f8"
BOUND = {"contract": "sha256:c", "plan": "sha256:p", "code": "sha256:k", "commit": COMMIT,
         "goal": GOAL}  # fmt: skip
_TEXTS = (
    ("Checkpoint format is written down", 27),
    ("Checkpoint table has a migration", 28),
    ("Every batch leaves a checkpoint", 29),
    ("A killed import resumes, no row twice", 30),
    ("Old imports give the same rows", 31),
    ("The old cursor column is gone", 32),
    ("Operators have a runbook", 33),
)
SHORT = "A killed import resumes"
"""As the screens cut the fourth one."""
OUTPUT = (
    "tests/batch/test_write.py ........",
    "tests/batch/test_order.py ....",
    "tests/batch/test_crash.py ....",
)


def claims() -> tuple[Claim, ...]:
    return (Claim("claim_" + "1" * 32, "claude", "all done", ago(minutes=4)),)


def shown(audit: Audit, *made: Claim) -> SessionSnapshot:
    """The full picture with that audit."""
    full = picture.full()
    goal = full.goal.value
    dod = tuple(one._replace(text=SHORT) if one.number == 4 else one for one in goal.dod)
    life = full.lifecycle.value._replace(id=GOAL, status="active", revision=3, claims=made)
    return replace(
        full,
        goal=replace(full.goal, value=goal._replace(dod=dod)),
        audit=Part(audit, 2),
        lifecycle=Part(life, 2),
    )


def none() -> SessionSnapshot:
    """Nobody claims anything, and nobody has looked."""
    return shown(Audit())


def claimed() -> SessionSnapshot:
    return shown(Audit("claimed"), *claims())


def progress(**changed: object) -> Running:
    states = {f"dod:{n}": "queued" for n in range(4, 8)}
    states |= {"dod:1": "pass", "dod:2": "pass", "dod:3": "running"}
    return Running(
        started_ms=ago(seconds=70),
        limit_s=600,
        stage="checking",
        states=dict(sorted(states.items())),
        check="c3",
        command="pytest tests/batch",
        command_ms=ago(seconds=8),
        command_limit_s=120,
        output=OUTPUT,
        done=2,
        checks=7,
        evidence={"dod:1": "docs/checkpoint.md:1", "dod:2": "4e1f09c"},
        isolation="bubblewrap",
    )._replace(**changed)  # type: ignore[arg-type]


def running(**changed: object) -> SessionSnapshot:
    """Two criteria pass, the third one's command runs."""
    return shown(Audit("running", running=progress(**changed)), *claims())


# --- verdicts -----------------------------------------------------------------------------------


def verdict(word: Word = "rejected", **changed: object) -> Verdict:
    why = {
        "approved": "all 7 criteria hold",
        "approved_with_notes": "all 7 criteria hold",
        "rejected": "2 things fail",
        "inconclusive": "1 criterion cannot be checked here",
    }[word]
    made = Verdict(
        NEWEST, word, why, ago(minutes=1), GOAL, claims()[0].id, BOUND,
        report_digest="sha256:r", isolation="bubblewrap", auditor="codex",
        origin=picture.Origin(LOG_PATH, 1201),
    )  # fmt: skip
    return made._replace(**changed)  # type: ignore[arg-type]


def with_verdict(
    word: Word = "rejected", state: AuditState = "rejected", **changed: object
) -> SessionSnapshot:
    """The newest verdict still fits, and an older one was about an earlier claim."""
    audit = Audit(state, False, (), (verdict(word),), bound=BOUND)
    return shown(audit._replace(**changed), *claims())  # type: ignore[arg-type]


def rejected() -> SessionSnapshot:
    return with_verdict()


def approved() -> SessionSnapshot:
    return with_verdict("approved", "verified")


def noted() -> SessionSnapshot:
    return with_verdict("approved_with_notes", "verified")


def undecided() -> SessionSnapshot:
    return with_verdict("inconclusive", "unsure")


def stale() -> SessionSnapshot:
    """The plan went on after the verdict."""
    now = with_verdict("rejected", "stale", stale=True, moved=("plan",))
    return replace(now, plan=replace(now.plan, value=now.plan.value._replace(revision=15)))


def taken() -> SessionSnapshot:
    """A person closes it in spite of the verdict; an earlier goal was taken too."""
    overrides = (
        Override("The customer waits, and it was tried by hand", "ann", "goal_0", None,
                 ago(minutes=4_000)),
        Override("The runbook comes with the next release", "dev", GOAL, NEWEST, ago(seconds=40)),
    )  # fmt: skip
    older = verdict(id=OLDER, at_ms=ago(minutes=55), why="3 things fail", claim="claim_0")
    return with_verdict("rejected", "taken", overrides=overrides, verdicts=(verdict(), older))


# --- reports ------------------------------------------------------------------------------------


def criteria() -> tuple[Criterion, ...]:
    return tuple(
        Criterion(f"dod:{n}", "dod", n, SHORT if n == 4 else text, line, "done", "box", (claim,))
        for n, ((text, line), claim) in enumerate(zip(_TEXTS, _CLAIMS, strict=True), 1)
    )


_CLAIMS = (
    "docs/checkpoint.md holds the format", "commit 4e1f09c has the migration",
    "pytest tests/batch: 41 passed", "pytest tests/crash: 9 passed",
    "checked against production", "schema.sql", "docs/runbook.md",
)  # fmt: skip


def checks() -> tuple[Check, ...]:
    return (
        Check("c1", "file", ("dod:1",), _CLAIMS[0], 94, path="docs/checkpoint.md"),
        Check("c2", "commit", ("dod:2",), _CLAIMS[1], 95, commit="4e1f09c"),
        Check("c3", "tests", ("dod:3",), _CLAIMS[2], 96, ("pytest", "tests/batch"), passed=41,
              source="evidence"),
        Check("c4", "tests", ("dod:4",), _CLAIMS[3], 97, ("pytest", "tests/crash", "-k", "no row"),
              passed=9, source="evidence"),
        Check("c5", "file", ("dod:6",), _CLAIMS[5], 98, path="schema.sql"),
        Check("c6", "file", ("dod:7",), _CLAIMS[6], 99, path="docs/runbook.md"),
        Check("c7", "clean", (), "what is audited is what is committed"),
    )  # fmt: skip


def alarms() -> tuple[Alarm, ...]:
    gone = "Import speed within 5% of today"
    return (Alarm("criterion_removed", gone, gone, path=GOAL_PATH, commit=COMMIT),)


def audit_plan(*more: Alarm) -> AuditPlan:
    return AuditPlan(
        goal="Make the importer resumable",
        document=GOAL_PATH,
        bound=BOUND,
        criteria=criteria(),
        checks=checks(),
        alarms=(*alarms(), *more),
        compared=("contract and tests compared with commit 4e1f09c2d7",),
        claim=claims()[0].id,
        claimed_by="claude",
        auditor=("codex",),
        goal_revision=3,
        plan_revision=14,
    )


def _found(outcomes: dict[int, tuple[Outcome, str]]) -> tuple[Found, ...]:
    said = {
        1: Found("c1", "pass", "docs/checkpoint.md is there",
                 (Quote("docs/checkpoint.md", "# The checkpoint", 1),)),
        2: Found("c2", "pass", "commit 4e1f09c2d7 is in the history of HEAD"),
        3: Found("c3", "pass", "exit 0, 41 passed", (Quote("output:c3", "41 passed in 3.1s"),), 0,
                 3.4, "\n".join((*OUTPUT, "", "41 passed in 3.1s", ""))),
        4: Found("c4", "pass", "exit 0, 9 passed", (Quote("output:c4", "9 passed in 2.0s"),), 0,
                 2.2, "tests/crash/test_kill.py .........\n\n9 passed in 2.0s\n"),
        5: Found("c5", "pass", "schema.sql is there", (Quote("schema.sql", "-- no cursor", 20),)),
        6: Found("c6", "pass", "docs/runbook.md is there",
                 (Quote("docs/runbook.md", "# Runbook", 1),)),
        7: Found("c7", "pass", "everything is committed"),
    }  # fmt: skip
    for number, (outcome, why) in outcomes.items():
        said[number] = said[number]._replace(outcome=outcome, why=why, quotes=())
    return tuple(said[number] for number in sorted(said))


def report(word: Word = "rejected", *more: Alarm) -> Kept:
    """The report of the verdict called so."""
    fails: dict[int, tuple[Outcome, str]] = {}
    if word == "rejected":
        fails = {4: ("fail", "row 812 written twice"), 6: ("fail", "file missing")}
    plan, found = audit_plan(*more), _found(fails)
    opinions = dict.fromkeys(range(1, 8), ("pass", "it holds"))
    if word in ("rejected", "inconclusive"):
        opinions[5] = ("cannot_check", "needs production data")
    if word == "rejected":
        opinions[4] = ("fail", "row 812 written twice")
        opinions[7] = ("fail", "file missing")
    quote = Quote("src/importer/batch.py", "yield row  # again after a kill", 88)
    answer = Answer(
        True,
        opinions=tuple(
            Opinion(f"dod:{n}", outcome, why, (quote,) if n == 4 else ())  # type: ignore[arg-type]
            for n, (outcome, why) in opinions.items()
        ),
        notes=("The soak script is not part of any test run",) if "notes" in word else (),
        objections=("Rows are written twice after a kill",) if word == "rejected" else (),
        text="ANSWER\n{ … }\n",
    )
    by_check = {one.criteria[0]: one for one in plan.checks if one.criteria}
    outcome_of = {one.check: one.outcome for one in found}
    judged = tuple(
        Judged(
            one, opinions[one.number][0], opinions[one.number][1],  # type: ignore[arg-type]
            (quote,) if one.number == 4 else (),
            outcome_of[by_check[one.id].id] if one.id in by_check else "cannot_check",
            opinions[one.number][0],  # type: ignore[arg-type]
        )
        for one in plan.criteria
    )  # fmt: skip
    notes = answer.notes
    against = (f"{SHORT}: row 812 written twice", "Operators have a runbook: file missing")
    objections = against if word == "rejected" else ()
    made = Made(word, verdict(word).why, judged, notes, objections, "mechanical and auditor")
    return Kept(plan, found, answer, made, NOW - 90_000, NOW - 60_000)


def reports(word: Word = "rejected", *more: Alarm) -> dict[str, Kept | str]:
    return {NEWEST: report(word, *more)}


def reworded() -> tuple[Alarm, ...]:
    """More that was narrowed since the contract was frozen."""
    return (
        Alarm("criterion_reworded", "Kill test at 50 points", "Kill test at 50 points",
              "Kill test at 10 points", path=GOAL_PATH, line=30, commit=COMMIT),
        Alarm("task_dropped", "T13", "Parallel import", "", "out of scope since FREEZE"),
        Alarm("test_deleted", "tests/crash/test_twice.py::test_no_row_twice",
              path="tests/crash/test_twice.py", commit=COMMIT),
    )  # fmt: skip


# --- a plan that is looked at -------------------------------------------------------------------


def looked_at(*, sandbox: str = "", trusts: int = 1) -> AuditStay:
    """The plan of a new audit: the first of its commands was let run here before."""
    made = AuditStay()
    made.plan = audit_plan(*reworded())
    commands = [one.argv for one in made.plan.checks if one.argv]
    made.trusted = frozenset(fingerprint(argv) for argv in commands[:trusts])
    made.sandbox = sandbox
    return made
