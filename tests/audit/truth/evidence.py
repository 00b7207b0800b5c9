"""Goals whose evidence is missing, wrong, older than the code or about another place."""

from __future__ import annotations

from typing import Final

from tests.audit.truth.stage import ALL, APPROVES, COUNTER, RUN_COUNTER, Case, Stage, one


def names_commit(stage: Stage) -> None:
    """Where the evidence names commits."""
    git = stage.git
    stage.names = {"head": stage.commits[-1], "short": stage.commits[-1][:9]}
    tree = git.git("rev-parse", "HEAD^{tree}").strip()
    other = git.git("commit-tree", tree, "-p", "HEAD", "-m", "elsewhere").strip()
    git.git("branch", "elsewhere", other)
    stage.names["other"] = other


def links_out(stage: Stage) -> None:
    (stage.root / "docs").mkdir(exist_ok=True)
    (stage.root.parent / "secret.md").write_text("The runbook is elsewhere.\n")
    (stage.root / "docs/runbook.md").symlink_to("../../secret.md")


EVIDENCE_IS_WRONG: Final = (
    Case(
        "claimed without evidence",
        "inconclusive",
        document=one("[x] Operators know what to do"),
        frozen=None,
        why=("claimed, and nothing here can check it",),
    ),
    Case(
        "the named file is there, and what it is to show is not",
        "inconclusive",
        document=one("[x] The counter is encrypted (src/counter.py)"),
        frozen=None,
        commands=(tuple(ALL.split()),),
        why=("src/counter.py is there, which shows no more than that",),
    ),
    Case(
        "the same, and an auditor looks into it",
        "rejected",
        document=one("[x] The counter is encrypted (src/counter.py)"),
        frozen=None,
        auditor='say("rejected", [*true()[:1], failing(ids[1], "it is plain text")])',
        objections=("it is plain text",),
    ),
    Case(
        "a named file that is not there",
        "rejected",
        document=one("[x] Operators have a runbook (docs/runbook.md)"),
        frozen=None,
        objections=("docs/runbook.md is not there",),
    ),
    Case(
        "a named file that is empty",
        "rejected",
        later=({"docs/runbook.md": "\n"},),
        document=one("[x] Operators have a runbook (docs/runbook.md)"),
        frozen=None,
        objections=("docs/runbook.md says nothing",),
    ),
    Case(
        "a named file that is scaffolding",
        "rejected",
        later=({"docs/runbook.md": "# Runbook\n\nWhen it stops\n\n- TODO: write this\n"},),
        document=one("[x] Operators have a runbook (docs/runbook.md)"),
        frozen=None,
        objections=("docs/runbook.md line 5 is scaffolding",),
    ),
    Case(
        "code that is scaffolding",
        "rejected",
        later=({"src/limits.py": "def limit():\n    raise NotImplementedError\n"},),
        document=one("[x] There is a limit (src/limits.py)"),
        frozen=None,
        auditor=APPROVES,
        objections=("src/limits.py line 2 is scaffolding",),
    ),
    Case(
        "a file outside of the repository",
        "inconclusive",
        document=one("[x] Operators have a runbook (../elsewhere/runbook.md)"),
        frozen=None,
        why=("outside the repository",),
    ),
    Case(
        "a link that leads out of the repository",
        "inconclusive",
        prepared=links_out,
        document=one("[x] Operators have a runbook (docs/runbook.md)"),
        frozen=None,
        why=("outside the repository",),
    ),
    Case(
        "evidence older than the code",
        "rejected",
        later=({"out/soak.log": "8 hours, 0 lost\n"}, {"src/counter.py": COUNTER + "\n# new\n"}),
        document=one("[x] A night of load loses nothing (out/soak.log)"),
        frozen=None,
        objections=("out/soak.log is older than src/counter.py",),
    ),
    Case(
        "evidence older than code that is not even committed",
        "rejected",
        later=({"out/soak.log": "8 hours, 0 lost\n"},),
        dirty={"src/counter.py": COUNTER + "\n# new\n"},
        document=one("[x] A night of load loses nothing (out/soak.log)"),
        frozen=None,
        auditor=APPROVES,
        objections=("out/soak.log is older than src/counter.py",),
        notes=("1 path is not committed, first src/counter.py",),
    ),
    Case(
        "evidence newer than the code, which an auditor read",
        "approved",
        later=({"out/soak.log": "8 hours of load, 0 calls lost\n"}, {"docs/note.md": "words\n"}),
        document=one("[x] A night of load loses nothing (out/soak.log)"),
        frozen=None,
        auditor='say("approved", [true()[0], passing(ids[1], "out/soak.log",'
        ' "8 hours of load, 0 calls lost")])',
    ),
    Case(
        "a commit that does not exist",
        "rejected",
        document=one("[x] The migration is in (commit 4e1f09c)"),
        frozen=None,
        auditor=APPROVES,
        objections=("there is no commit 4e1f09c",),
    ),
    Case(
        "a commit of another branch",
        "rejected",
        prepared=names_commit,
        document=one("[x] The migration is in (commit {other})"),
        frozen=None,
        auditor=APPROVES,
        objections=("is not in the history of HEAD",),
    ),
    Case(
        "the right commit, abbreviated, which an auditor read",
        "approved",
        prepared=names_commit,
        document=one("[x] The migration is in (commit {short})"),
        frozen=None,
        auditor=APPROVES,
    ),
    Case(
        "the right commit and nothing else",
        "inconclusive",
        prepared=names_commit,
        document=one("[x] The migration is in (commit {head})"),
        frozen=None,
        why=("is in the history of HEAD, which shows no more than that",),
    ),
    Case(
        "a count without the command that counts",
        "inconclusive",
        document=one("[x] The counter survives a restart", "DoD 2: 41 tests passed"),
        frozen=None,
        why=("claimed without the command that counts them",),
    ),
    Case(
        "a claim about production",
        "inconclusive",
        document=one("[x] It holds in production", "DoD 2: seen on the dashboard"),
        frozen=None,
        why=("nothing here can check it",),
    ),
    Case(
        "a claim about production with local tests, and an auditor who approves",
        "inconclusive",
        document=one("[x] It holds in production", f"DoD 2: `{RUN_COUNTER}`: 1 passed"),
        frozen=None,
        auditor=APPROVES,
        why=("only a person can take it",),
    ),
    *(
        Case(
            f"a claim about another place with local tests: {said}",
            "inconclusive",
            document=one(f"[x] {said}", f"DoD 2: `{RUN_COUNTER}`: 1 passed"),
            frozen=None,
            auditor=APPROVES,
            why=("only a person can take it",),
        )
        for said in ("The service is deployed", "Live on https://shop.invalid", "Published on npm")
    ),
)
