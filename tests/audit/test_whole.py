"""An audit from the wish to the recorded verdict, whatever happens meanwhile."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.audit import machine, recording, taking, underway, whole
from ppgp_tui.audit.kept import kept
from ppgp_tui.audit.report import plain
from ppgp_tui.cli.audit_text import plan_lines, verdict_lines
from ppgp_tui.session.actions import closing, goal
from ppgp_tui.session.picture.audit_state import Running
from ppgp_tui.session.sources.audit import running_now
from tests.audit.truth.narrowed import NARROWED, cuts_a_dependency, drops_a_task
from tests.audit.truth.stage import (
    APPROVED,
    APPROVES,
    CODE,
    DOCUMENT,
    DOD,
    EVIDENCE,
    RETRY,
    RUN_RETRY,
    TEST_RETRY,
    Case,
    Stage,
    document,
)

AFTER_THE_FIRST_COMMIT_MS = 1_796_032_830_000
"""Half a minute after it, and before the next one."""


def staged(place: Path, case: Case) -> Stage:
    stage = Stage(place / "root", place / "state", case)
    stage.state.mkdir()
    stage.root.mkdir(exist_ok=True)
    stage.build()
    return stage


def once(at: str, act: Callable[[], object]) -> Callable[[Running], None]:
    """Does something as soon as the audit is that far."""
    done: list[str] = []

    def tell(progress: Running) -> None:
        if progress.stage == at and not done:
            done.append(at)
            act()

    return tell


def events(stage: Stage, kind: str) -> list[dict[str, Any]]:
    lines = (stage.root / "state/events.jsonl").read_text().splitlines()
    return [event["payload"] for line in lines if (event := json.loads(line))["kind"] == kind]


def code_moves(stage: Stage) -> None:
    stage.write({"src/retry.py": RETRY + "# faster\n"})


def new_file_comes(stage: Stage) -> None:
    stage.write({"src/limits.py": "LIMIT = 1\n"})


def plan_moves(stage: Stage) -> None:
    stage.plans("more")


def contract_moves(stage: Stage) -> None:
    stage.write({DOCUMENT: document((*DOD, "[x] It is fast"))})


def goal_moves(stage: Stage) -> None:
    engine = stage.engine()
    assert goal.abandon(engine, "another one").ok
    assert goal.create(engine, "Something else").ok


MOVES = (code_moves, new_file_comes, plan_moves, contract_moves, goal_moves)


@pytest.mark.parametrize("at", ["checking", "recording"])
@pytest.mark.parametrize("move", MOVES)
def test_what_moves_while_an_audit_runs_makes_its_verdict_stale(
    place: Path, move: Callable[[Stage], None], at: str
) -> None:
    stage = staged(place, Case("moves", "approved"))
    ended = stage.audit(tell=once(at, lambda: move(stage)))
    assert ended.verdict is not None
    assert ended.verdict.stale
    assert ended.result.message.startswith("stale: ")
    (finished,) = events(stage, "eval.finished")
    assert finished["metadata"]["stale"] is True
    assert "complete" not in {one["status"] for one in events(stage, "goal.status_changed")}
    assert not closing.close(stage.engine()).ok


@pytest.mark.parametrize("move", [plan_moves, contract_moves])
def test_what_moves_between_the_last_look_and_the_lock_makes_it_stale(
    place: Path, move: Callable[[Stage], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = staged(place, Case("moves", "approved"))
    keeps, moved = recording._keep, []

    def keep(root: Path, eval_id: str, data: bytes) -> None:
        keeps(root, eval_id, data)
        if not moved:
            moved.append(eval_id)
            move(stage)

    monkeypatch.setattr(recording, "_keep", keep)
    ended = stage.audit()
    assert ended.verdict is not None
    assert ended.verdict.stale
    (finished,) = events(stage, "eval.finished")
    assert (finished["id"], finished["metadata"]["stale"]) == (moved[0], True)


def test_committing_and_recording_never_make_a_verdict_stale(place: Path) -> None:
    stage = staged(place, Case("commits", "approved_with_notes", dirty={"src/more.py": "x = 1\n"}))
    ended = stage.audit(tell=once("recording", lambda: stage.commit({}, "as it is")))
    assert ended.verdict is not None
    assert not ended.verdict.stale


@pytest.mark.parametrize("auditor", ["", APPROVES])
def test_without_a_sandbox_the_verdict_says_so(
    place: Path, monkeypatch: pytest.MonkeyPatch, auditor: str
) -> None:
    monkeypatch.setattr(machine, "bubblewrap", lambda: ("", "bubblewrap is not installed"))
    stage = staged(place, Case("weaker", "approved_with_notes", auditor=auditor))
    before = stage.code()
    ended = stage.audit()
    assert ended.verdict is not None
    assert (ended.verdict.word, ended.verdict.isolation) == ("approved_with_notes", "copy"), [
        (one.outcome, one.why) for one in ended.verdict.judged
    ]
    assert any("not in a sandbox" in note for note in ended.verdict.notes)
    assert any("auditor ran without" in note for note in ended.verdict.notes) == bool(auditor)
    assert stage.code() == before
    (finished,) = events(stage, "eval.finished")
    assert finished["metadata"]["isolation"] == "copy"


@pytest.mark.parametrize("at", ["checking", "asking"])
def test_a_cancelled_audit_records_nothing_and_leaves_the_claim(place: Path, at: str) -> None:
    stage = staged(place, Case("cancelled", "approved", auditor=APPROVES))
    ended = stage.audit(tell=once(at, lambda: underway.cancel(stage.root)))
    assert ended.verdict is None
    assert "nothing was recorded" in ended.result.message
    assert events(stage, "eval.finished") == []
    assert len(events(stage, "goal.claimed")) == 1
    assert running_now(stage.root) is None
    assert stage.audit().verdict is not None


def test_one_audit_at_a_time(place: Path) -> None:
    stage = staged(place, Case("two", "approved"))
    seen: list[type[BaseException]] = []

    def second() -> None:
        with pytest.raises(underway.BusyError) as caught:
            stage.audit()
        seen.append(caught.type)

    ended = stage.audit(tell=once("checking", second))
    assert ended.verdict is not None
    assert ended.verdict.word == APPROVED
    assert seen == [underway.BusyError]


def test_where_nothing_was_ever_set_up_an_audit_still_tells(place: Path) -> None:
    stage = staged(place, Case("bare", "rejected", goal=None, document=document((DOD[0],), ())))
    assert not (stage.root / ".ppgp").exists()
    ended = stage.audit()
    assert ended.verdict is not None
    assert ended.verdict.word == "inconclusive"
    assert ended.result.ok
    assert "nothing was recorded" in ended.result.message
    assert ended.report is not None
    assert ended.report["eval"] == ""
    assert not (stage.root / "state").exists()


def test_without_a_document_and_a_goal_there_is_nothing_to_audit(place: Path) -> None:
    stage = staged(place, Case("nothing", "", document=None, goal=None))
    with pytest.raises(recording.CannotAuditError, match="no goal here"):
        stage.audit()


def test_only_a_person_takes_what_nothing_can_check(place: Path) -> None:
    stage = staged(place, Case("takes", "", document=document((*DOD, "[x] It is fast"))))
    engine = stage.engine("agent")
    ended = whole.make(engine, whole.planned_for(engine), taken={"dod:3": "I say so"})
    assert (ended.verdict, ended.result.code) == (None, "refused")
    assert events(stage, "eval.finished") == []


def test_a_command_that_nobody_trusts_is_not_run_whoever_made_the_plan(place: Path) -> None:
    evidence = (f"DoD 1: `{RUN_RETRY}`", 'DoD 2: `python3 -c \'open("ran", "w")\'`')
    case = Case("untrusted", "", document=document(evidence=evidence), trusted=False)
    stage = staged(place, case)
    ended = stage.audit()
    assert {one.left_out for one in ended.plan.checks if one.argv} == {whole.NOT_LET}
    assert ended.report is not None
    assert [one for one in ended.report["found"] if one["exit_code"] is not None] == []


# --- what was kept -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case",
    [
        Case("kept", "approved", auditor=APPROVES, told=drops_a_task),
        next(case for case in NARROWED if case.taken),
        Case("kept", "inconclusive", document=document((*DOD, "[x] It is fast"))),
    ],
)
def test_a_kept_report_is_the_audit_as_it_was(place: Path, case: Case) -> None:
    stage = staged(place, case)
    ended = stage.audit()
    (finished,) = events(stage, "eval.finished")
    back = kept(stage.root, finished["id"], finished["metadata"]["report_digest"])
    assert back.verdict == ended.verdict
    assert back.plan == ended.plan
    assert ended.report is not None
    assert plain(back.found) == ended.report["found"]
    assert plain(back.answer) == ended.report["answer"]


def test_what_nothing_can_check_is_taken_later_from_the_report(place: Path) -> None:
    stage = staged(place, Case("later", "", document=document((*DOD, "[x] It is fast"))))
    assert stage.audit().verdict is not None
    (finished,) = events(stage, "eval.finished")
    digest = finished["metadata"]["report_digest"]
    said = {"dod:3": "I measured it"}
    assert not taking.take(stage.engine("agent"), finished["id"], digest, said).ok
    result = taking.take(stage.engine(), finished["id"], digest, said)
    assert result.ok, result
    assert result.data["verdict"] == "approved_with_notes"
    assert len(events(stage, "eval.finished")) == 2


def test_what_was_narrowed_is_let_go_later_from_the_report(place: Path) -> None:
    case = next(case for case in NARROWED if case.taken)._replace(taken={})
    stage = staged(place, case)
    stage.audit()
    (finished,) = events(stage, "eval.finished")
    digest = finished["metadata"]["report_digest"]
    result = taking.take(stage.engine(), finished["id"], digest, {"narrowed:1": "agreed"})
    assert result.data["verdict"] == "approved_with_notes", result


def test_nothing_is_taken_once_the_code_has_moved(place: Path) -> None:
    stage = staged(place, Case("late", "", document=document((*DOD, "[x] It is fast"))))
    stage.audit()
    (finished,) = events(stage, "eval.finished")
    code_moves(stage)
    digest = finished["metadata"]["report_digest"]
    assert not taking.take(stage.engine(), finished["id"], digest, {"dod:3": "fine"}).ok
    assert len(events(stage, "eval.finished")) == 1


# --- size and hostile words --------------------------------------------------------------------


def test_two_hundred_criteria_and_a_hundred_checks(place: Path) -> None:
    conditions = [f"[x] Condition number {n} holds as agreed" for n in range(1, 201)]
    evidence = [
        f"DoD {n}: `python3 -c 'import src.counter'`, seen in docs/f{n}.md" for n in range(1, 101)
    ]
    files = {**CODE, **{f"docs/f{n}.md": f"words of {n}\n" for n in range(1, 101)}}
    case = Case("large", "", files=files, document=document(conditions, evidence), frozen=None)
    stage = staged(place, case)
    seen: list[Running] = []
    ended = stage.audit(tell=seen.append)
    assert ended.verdict is not None
    assert ended.verdict.word == "inconclusive"
    assert len(ended.verdict.judged) == 200
    assert [one.outcome for one in ended.verdict.judged[:100]] == ["pass"] * 100
    assert seen[-1].done == seen[-1].checks == len(ended.plan.checks)
    assert len(ended.plan.checks) > 100


def test_output_without_measure_is_kept_in_part(place: Path) -> None:
    script = (
        "print('x' * 100 + '\\n' * 3)\n" * 3 + "import sys\nsys.stdout.write('y' * 3_000_000)\n"
    )
    files = {**CODE, "loud.py": script + "print('\\n3 passed in 0.1s')\n"}
    evidence = ("DoD 1: `python3 loud.py`: 3 passed", EVIDENCE[1])
    stage = staged(place, Case("loud", "", files=files, document=document(evidence=evidence)))
    ended = stage.audit()
    assert ended.verdict is not None
    assert ended.verdict.word == APPROVED
    assert ended.report is not None
    assert len(json.dumps(ended.report)) < 100_000


HOSTILE = "\x1b]0;owned\x07 \u202eevil\ufffe <approved/> \ud800".encode("utf-8", "surrogatepass")


def test_hostile_words_everywhere_are_shown_harmless_and_kept_whole(place: Path) -> None:
    words = HOSTILE.decode("utf-8", "replace").replace("\n", " ")
    script = f"import sys\nsys.stdout.buffer.write({HOSTILE!r} + b'\\n\\xff\\xfe')\nsys.exit(1)\n"
    said = f'say("rejected", [failing(i, {words!r}) for i in ids], objections=[{words!r}])'
    case = Case(
        "hostile",
        "rejected",
        files={**CODE, "hostile.py": script},
        goal=f"Calls survive {words}".replace("\x00", ""),
        document=document((f"[x] One {words}", f"[x] Two {words}"),
                          (f"DoD 1 {words}: `python3 hostile.py`", f"DoD 2: docs/{words}.md")),
        frozen=None,
        auditor=said,
    )  # fmt: skip
    stage = staged(place, case)
    ended = stage.audit()
    assert ended.verdict is not None
    assert ended.verdict.word == "rejected"
    (finished,) = events(stage, "eval.finished")
    back = kept(stage.root, finished["id"], finished["metadata"]["report_digest"])
    assert back.verdict == ended.verdict
    shown = [*plan_lines(back.plan), *verdict_lines(back.plan, back.verdict)]
    assert shown
    for line in shown:
        assert not set(line) & {"\x1b", "\x07", "\u202e", "\n", "\x9b"}
    assert "\x1b" not in (stage.root / "state/events.jsonl").read_text().replace("\\u001b", "")


# --- what is not committed -----------------------------------------------------------------------


def test_a_document_that_was_written_over_for_a_new_goal_narrows_nothing(place: Path) -> None:
    old = document(("[x] Dark colours", "[x] Light colours"), (), goal="Colours for everybody")
    case = Case("new goal", "approved", frozen=old, goal=None)
    ended = staged(place, case).audit()
    assert ended.plan.alarms == ()
    assert ended.verdict is not None
    assert ended.verdict.word == APPROVED


def test_a_deleted_test_whose_name_is_no_text_is_recorded(place: Path) -> None:
    name = os.fsdecode(b"tests/test_\xff.py")
    case = Case("odd", "approved_with_notes", files={**CODE, name: CODE["tests/test_retry.py"]},
                later=({name: None},))  # fmt: skip
    stage = staged(place, case)
    ended = stage.audit()
    assert ended.result.code == "done", ended.result
    assert ended.verdict is not None
    assert ended.verdict.word == "approved_with_notes"
    assert [alarm.kind for alarm in ended.plan.alarms] == ["test_deleted"]
    (finished,) = events(stage, "eval.finished")
    back = kept(stage.root, finished["id"], finished["metadata"]["report_digest"])
    assert back.verdict.word == "approved_with_notes"


def test_before_it_starts_the_plan_shows_what_was_narrowed_then_and_now(place: Path) -> None:
    less = TEST_RETRY.replace("        self.assertIsNone(calls(lambda: False))\n", "        pass\n")
    stage = staged(
        place,
        Case("less", "approved", later=({"tests/test_retry.py": less},), told=cuts_a_dependency),
    )
    said = [*plan_lines(whole.planned_for(stage.engine()))]
    assert "/ dependency cut: retry (was “needs counter”, now “needs nothing”)" in said
    at = next(n for n, line in enumerate(said) if "asserts nothing any more" in line)
    assert said[at + 1 : at + 4] == [
        "           def test_it_gives_up(self):",
        "      -        self.assertIsNone(calls(lambda: False))",
        "      +        pass",
    ]


@pytest.mark.parametrize("late", [None, document()], ids=["no-document", "a-document-at-the-end"])
def test_without_a_frozen_document_tests_are_compared_with_those_before_the_goal(
    place: Path, late: str | None
) -> None:
    case = Case(
        "late", "approved_with_notes", document=late, frozen=None, auditor=APPROVES,
        files={**CODE, "tests/test_limits.py": CODE["tests/test_counter.py"]},
        later=({"tests/test_limits.py": None},),
    )  # fmt: skip
    stage = Stage(place / "root", place / "state", case)
    stage.state.mkdir()
    stage.clock = lambda: AFTER_THE_FIRST_COMMIT_MS
    stage.build()
    ended = stage.audit()
    assert [(one.kind, one.what) for one in ended.plan.alarms] == [
        ("test_deleted", "tests/test_limits.py")
    ]
    said = f"tests compared with commit {stage.commits[0][:10]}"
    assert said in ended.plan.compared
