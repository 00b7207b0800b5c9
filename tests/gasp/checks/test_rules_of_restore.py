"""Checks 6 and 7, sentence by sentence (reference section 11)."""

from __future__ import annotations

import hashlib
import os

import pytest

from tests.gasp.checks.adding import VERIFIED, Check, add, link, node, ops
from tests.gasp.checks.agent_repository import LOG, AgentRepository

# Check 6


def test_every_file_below_identity_counts_by_the_bytes_of_its_path(
    repo: AgentRepository, said: Check
) -> None:
    for path in ("identity/b", "identity/a/x", "identity/a.md", "identity/Z", "identity/é"):
        repo.write(path, path * 2)
    files = sorted(p for p in (repo.root / "identity").rglob("*") if p.is_file())
    paths = sorted(str(path.relative_to(repo.root)).encode() for path in files)
    whole = b"".join(path + b"\n" + repo.read(path.decode()) for path in paths)
    digest = hashlib.sha256(whole).hexdigest()
    repo.write("AGENT.md", f"```\nidentity_hash:{digest.upper()}\n```")
    assert said().of(6) == ["PASS", VERIFIED]


def test_an_empty_identity_has_the_hash_of_nothing(repo: AgentRepository, said: Check) -> None:
    repo.delete("identity")
    (repo.root / "identity").mkdir()
    repo.write("AGENT.md", f"```\nidentity_hash: {hashlib.sha256().hexdigest()}")
    assert said().of(6) == ["PASS", VERIFIED]


@pytest.mark.parametrize("odd", ["pipe", "broken link", "loop"])
def test_an_identity_that_cannot_be_read_is_told(
    repo: AgentRepository, said: Check, odd: str
) -> None:
    path = repo.root / "identity/odd"
    if odd == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("nowhere" if odd == "broken link" else ".")
    outcome = said().of(6)
    assert outcome[0] == "FAIL"
    assert outcome[1].startswith("cannot compute identity hash: ")


def test_a_manifest_that_is_no_text_or_no_file_is_not_compared(
    repo: AgentRepository, said: Check
) -> None:
    repo.write("AGENT.md", b"\xff")
    assert said().of(6) == ["PASS"]
    repo.delete("AGENT.md")
    os.mkfifo(repo.root / "AGENT.md")
    assert said().of(6) == ["FAIL", "AGENT.md manifest missing"]


def test_both_are_told_when_manifest_and_identity_are_missing(
    repo: AgentRepository, said: Check
) -> None:
    repo.delete("AGENT.md")
    repo.delete("identity")
    assert said().of(6) == [
        "FAIL", "AGENT.md manifest missing",
        "no identity/ directory or IDENTITY.md (manifest-declared alternate locations are not yet"
        " checked)",
    ]  # fmt: skip


@pytest.mark.parametrize("value", ["", "x", "é" * 64, "0" * 63, "0" * 65, "g" * 64, "'" + "0" * 64])
def test_a_hash_is_64_hex_digits(repo: AgentRepository, said: Check, value: str) -> None:
    repo.write("AGENT.md", f"```\r\n\u00a0identity_hash: \t{value}\u2003\r\n```")
    wrong = f"AGENT.md identity_hash is malformed: `{value}` is not 64 hex chars"
    assert said().of(6) == ["FAIL", wrong]


# Check 7


def test_a_pair_may_come_later_and_in_parts(repo: AgentRepository, said: Check) -> None:
    add(repo, 11, "task.created", {"id": "t", "status": {"b": [1, 1.0], "a": None}})
    ops(repo, 12, link("serves"), cause="event_11")
    ops(repo, 13, node("t", "task", {"status": {"a": None, "b": [1, 1.0]}}), cause="event_11")
    assert said().of(7) == ["PASS"]


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        ("1", "1.0", "1 vs 1.0"),
        ("true", "1", "true vs 1"),
        ("0", "-0", "0 vs -0.0"),
        ("1e5", "100000", "100000.0 vs 100000"),
        ("123456789012345678901234567890", "1", "1.2345678901234568e29 vs 1"),
        ("18446744073709551616", "18446744073709551615",
         "1.8446744073709552e19 vs 18446744073709551615"),
        ("0.00001", "1e-7", "0.00001 vs 1e-7"),
        ("1.5e-5", "1e16", "0.000015 vs 1e16"),
        ('"\\u00e9\\n\\u007f\\""', "null", '"é\\n\\u007f\\"" vs null'),
        ('{"é":[],"b":{}}', "[]", '{"b":{},"é":[]} vs []'),
        ("[1,2]", "[2,1]", "[1,2] vs [2,1]"),
    ],
)  # fmt: skip
def test_statuses_that_differ_are_shown_as_json(
    repo: AgentRepository, said: Check, one: str, other: str, shown: str
) -> None:
    add(repo, 11, "task.created", {"id": "t", "status": "@"})
    ops(repo, 12, node("t", "task", {"status": "@@"}), cause="event_11")
    repo.write(LOG, repo.read().replace(b'"@"', one.encode()).replace(b'"@@"', other.encode()))
    assert said().of(7) == ["FAIL", f"line 11: `t` status contradicts domain event ({shown})"]


def test_everything_about_one_entity_is_told_in_the_order_of_its_claimants(
    repo: AgentRepository, said: Check
) -> None:
    ops(repo, 11, node("t", "goal", {"status": 1}), node("t", "task"), cause="event_12")
    add(repo, 12, "task.created", {"id": "t", "status": "Open"})
    add(repo, 13, "state.ops_applied", {}, "event_12")
    ops(repo, 14, node("t", "task", {"status": "Open"}), node("u"), cause="event_12")
    assert [line.partition(": invalid")[0] for line in said().of(7)[1:]] == [
        "line 12: `t` created as kind `goal`, domain event implies `task`",
        'line 12: `t` status contradicts domain event ("Open" vs 1)',
        "line 12: paired ops event event_13 has malformed payload",
        "line 12: `t` created by 3 ops events (pairing must be exactly one)",
    ]


def test_operations_are_not_caused_by_operations_and_the_last_of_an_id_decides(
    repo: AgentRepository, said: Check
) -> None:
    ops(repo, 11, cause="event_02")
    ops(repo, 12, cause="event_12")
    ops(repo, 13, cause="event_15")
    ops(repo, 14, cause="event_10")
    ops(repo, 15, cause=None)
    add(repo, 2, "x.created", {})
    chained = "chained to another ops event, not a domain event"
    assert said().of(7) == [
        "FAIL",
        *(f"ops event event_{number} {chained}" for number in (12, 13, 14)),
    ]


def test_an_entity_whose_event_has_no_id_is_told_alone(repo: AgentRepository, said: Check) -> None:
    for number, payload in enumerate([None, [], "x", {}, {"id": None}, {"id": 1}], 11):
        add(repo, number, "frame.created", payload)
    assert said().of(7)[1:] == [
        f"line {number}: frame.created payload has no `id`" for number in range(11, 17)
    ]


# What reaches a terminal


def test_control_characters_of_the_log_are_shown_and_never_sent(
    repo: AgentRepository, said: Check
) -> None:
    add(repo, 11, "bad\x1b[2J\x07\x9b\u202e", {}, None, id="a\nb")
    outcome = said("--explain")
    assert outcome.of(5)[1].startswith(
        r"line 11: root event (null causation) has kind `bad\u001b[2J\u0007\u009b\u202e`"
    )
    assert not [sign for sign in "\n".join(outcome.lines) if sign < " " and sign != "\n"]
