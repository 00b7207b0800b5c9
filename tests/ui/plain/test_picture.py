"""Sentences that are heard, not seen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.model import Claim, Control, Handshake, Lifecycle, Part
from ppgp_tui.ui.plain.ages import lasted
from ppgp_tui.ui.plain.picture import sentences

NOW = 1_790_000_000_000


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 seconds"), (1, "1 second"), (59, "59 seconds"), (60, "1 minute"),
        (3599, "59 minutes"), (3600, "1 hour"), (3720, "1 hour 2 minutes"),
        (86_399, "23 hours 59 minutes"), (86_400, "1 day"), (260_000, "3 days"), (-5, "0 seconds"),
    ],
)  # fmt: skip
def test_ages_are_whole_words(seconds: int, words: str) -> None:
    assert lasted(NOW - seconds * 1000, NOW) == words


def test_an_unknown_age_is_not_guessed() -> None:
    assert lasted(None, NOW) == ""


def spoken(root: Path, document: str) -> list[str]:
    (root / "docs").mkdir()
    (root / "docs/ACTIVE_GOAL.md").write_text(document)
    session = LiveSession(root, clock=lambda: NOW)
    try:
        return list(sentences(session.read_all()))
    finally:
        session.close()


def test_a_claim_is_not_called_done_and_a_conclusion_not_a_fact(tmp_path: Path) -> None:
    said = spoken(
        tmp_path,
        "# Active goal: go home\n\n## PHASE\n\nOWNER REVIEW, then MERGE\n\n"
        "## DEFINITION_OF_DONE\n\n- [x] Packed\n- [~] Walking\n\n"
        "## BLOCKERS\n\n- Waiting for the bus until 2026-12-01\n",
    )
    assert "Done when, 2 conditions: 1 partly, 1 claimed without evidence." in said
    assert "Condition 1, claimed without evidence, line 9: Packed" in said
    (phase,) = [line for line in said if line.startswith("Phase: ")]
    assert "the document says OWNER REVIEW" in phase
    (blocker,) = [line for line in said if line.startswith("Class B")]
    assert "concluded" in blocker
    assert "until 2026-12-01" in blocker
    (goal,) = [line for line in said if line.startswith("Goal: ")]
    assert goal.endswith("This is the title; no goal is written.")


def test_nothing_is_said_of_what_is_not_there(tmp_path: Path) -> None:
    said = spoken(tmp_path, "## GOAL\n\nGo home.\n")
    assert "Nothing waits for you." in said
    assert "No agent is connected." in said
    assert not any(line.startswith(("Done when", "Class", "Task", "Why")) for line in said)


def test_a_next_action_that_says_none_waits_for_nothing(tmp_path: Path) -> None:
    said = spoken(tmp_path, "## GOAL\n\nGo.\n\n## NEXT_EXECUTABLE_ACTION\n\nNone.\n")
    assert "Nothing is left to do." in said
    assert not any("It waits" in line for line in said)


def test_what_is_wrong_and_what_to_do_about_it_are_two_sentences(tmp_path: Path) -> None:
    said = spoken(tmp_path, "## GOAL\n\nGo.\n\n## PHASE\n")
    assert any(
        line.endswith(": PHASE is present but empty. What to do: fill it or write None.")
        for line in said
    )


def test_every_sentence_is_one_line_of_words(tmp_path: Path) -> None:
    said = spoken(tmp_path, "## GOAL\n\nGo\thome\u2028now\n\n## WHY\n\nBecause\nit is late.\n")
    assert all(line and "\n" not in line and "\u2028" not in line for line in said)
    assert any("it is late" in line for line in said)


def paused(root: Path, *handshake: Handshake, **more: Any) -> list[str]:
    session = LiveSession(root, clock=lambda: NOW)
    control = Control(3, "hold_1", NOW - 240_000, "lunch", ("*",), handshake=handshake)
    return list(
        sentences(replace(session.read_all(), control=Part(control._replace(**more)), at_ms=NOW))
    )


def test_a_pause_says_of_every_agent_how_it_took_it(tmp_path: Path) -> None:
    said = paused(
        tmp_path,
        Handshake("claude-1", "held", NOW - 120_000),
        Handshake("codex-2", "violated", NOW - 60_000, 3),
        Handshake("pi-3", "not_seen", NOW - 240_000),
    )
    assert "A pause is asked for, for 4 minutes: lunch." in said
    assert "claude-1 is held, for 2 minutes." in said
    assert "codex-2 broke the pause, 3 events since." in said
    assert "pi-3 has not seen the pause, for 4 minutes." in said


def test_a_lost_pause_and_what_nobody_claims_are_said(tmp_path: Path) -> None:
    said = paused(tmp_path, lost=True, unclaimed_ms=NOW - 60_000)
    assert "The pause was lost: control.json no longer orders it." in said
    assert any(line.startswith("Activity by unknown, 1 minute ago") for line in said)
    assert not any("violated" in line for line in said)


def test_the_recorded_goal_shows_its_proof_and_a_claim_is_not_verified(tmp_path: Path) -> None:
    proof = {"blocker": "No access.", "evidence": "403.", "unblock_condition": "A grant."}
    life = Lifecycle(
        "goal_1", "blocked", 3, 9, "Ship it", NOW - 9_000_000, NOW - 120_000, None, proof,
        (Claim("claim_1", "claude-1", "All done", NOW - 60_000),),
    )  # fmt: skip
    session = LiveSession(tmp_path, clock=lambda: NOW)
    said = list(sentences(replace(session.read_all(), lifecycle=Part(life), at_ms=NOW)))
    assert "Recorded goal, revision 3, blocked for 2 minutes." in said
    assert not any(".." in line for line in said)
    assert "Blocked by No access. Evidence: 403. It ends when: A grant." in said
    assert "Claimed done by claude-1, 1 minute ago, not verified: All done" in said


def test_a_deleted_log_is_not_passed_over(tmp_path: Path) -> None:
    from ppgp_tui.session.picture.conformance import Conformance, Finding

    log = "state/events.jsonl"
    gone = Finding(4, f"{log}: committed file missing from working tree", log)
    known = Part(Conformance("failed", findings=1, first=(gone,)))
    session = LiveSession(tmp_path, clock=lambda: NOW)
    said = list(sentences(replace(session.read_all(), conformance=known)))
    assert f"Check 4: {gone.text}." in said


def _verdict(**members: Any) -> list[str]:
    from ppgp_tui.session.picture.conformance import Conformance
    from ppgp_tui.ui.plain.conformance import conformance_sentences

    return list(conformance_sentences(Conformance(**members)))


def test_the_verdict_on_the_log_is_said_and_nothing_where_nothing_is_known() -> None:
    from ppgp_tui.session.picture.conformance import Finding

    assert _verdict() == []
    assert _verdict(state="absent") == []
    assert _verdict(state="ok") == ["The log passes all seven conformance checks."]
    assert _verdict(state="incomplete", lacks=("manifest",)) == ["The log is sound, no manifest."]
    assert _verdict(state="unchecked", why="it has 488 MB") == [
        "The log is not checked: it has 488 MB."
    ]
    found = Finding(5, "line 9: duplicate event id \x1b", "state/events.jsonl", 9)
    assert _verdict(state="failed", findings=1, first=(found,)) == [
        "The log has 1 finding; ppgp-tui gasp check . --explain tells all.",
        "Check 5: line 9: duplicate event id \N{SYMBOL FOR ESCAPE}.",
    ]
