"""Goals that are done, and what a person takes because nothing here can check it."""

from __future__ import annotations

from typing import Final

from tests.audit.truth.stage import ALL, APPROVES, ONE, Case, document, one

DONE: Final = (
    Case("done", "approved"),
    Case("done, and the auditor agrees", "approved", auditor=APPROVES),
    Case("done, and a command of the settings agrees", "approved", commands=(tuple(ALL.split()),)),
    Case(
        "done with invariants and frozen decisions, which an auditor saw",
        "approved",
        document=document(invariants=["No call is lost"], frozen=["No new dependency"]),
        frozen=document(invariants=["No call is lost"], frozen=["No new dependency"]),
        auditor=APPROVES,
    ),
    Case(
        "done, but for invariants nothing was run",
        "inconclusive",
        document=document(invariants=["No call is lost"]),
        frozen=document(invariants=["No call is lost"]),
        why=("nothing here can check it",),
    ),
    Case(
        "done, the document never says so, and its evidence holds",
        "approved",
        document=document(("A call is tried three times",), ONE),
        frozen=None,
    ),
    Case(
        "an objective alone, with a command of the settings",
        "inconclusive",
        document=None,
        commands=(tuple(ALL.split()),),
        why=("nothing here can check it",),
    ),
    Case(
        "an objective alone, which an auditor saw",
        "approved",
        document=None,
        commands=(tuple(ALL.split()),),
        auditor=APPROVES,
    ),
    Case("no goal in the log", "approved", goal=None),
    Case(
        "a document without conditions",
        "inconclusive",
        document=document((), ()),
        frozen=None,
        why=("nothing here can check it",),
    ),
    Case(
        "a person takes what nothing can check",
        "approved_with_notes",
        document=one("[x] It is used in production", "DoD 2: seen on the dashboard"),
        frozen=None,
        taken={"dod:2": "I saw it there"},
        notes=("taken by user:dev: I saw it there",),
    ),
)
