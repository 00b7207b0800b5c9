"""The audit by command: who may start it and change it, how it ends, what is told of it later."""

from __future__ import annotations

import json
import time

import pytest

from ppgp_tui.audit import machine, on_claim
from tests.cli.acting import AGENT, Place
from tests.cli.claimed import PATH, TAKEN, audit, break_it, claimed
from tests.cli.legal import faults
from tests.waiting import PATIENCE_S, until

ON_CLAIM = "[authority]\nscripted = true\n[audit]\non_claim = true\n"


def finished(place: Place) -> list[dict[str, object]]:
    return [one["payload"] for one in place.events("eval.finished")]


# How it ends, as real processes ------------------------------------------------------------------


def test_what_the_person_takes_and_a_command_proves_is_verified_and_ends_with_0(
    place: Place,
) -> None:
    said = claimed(place).start("audit", *TAKEN).end()
    assert said.code == 0, said
    place_of = "a sandbox" if machine.bubblewrap()[0] else "a copy of the work tree only"
    assert said.out.splitlines()[-1] == f"by checks alone, commands in {place_of}"
    assert "APPROVED WITH NOTES" in said.out
    assert faults((place.root / "state/events.jsonl").read_bytes()) == []


def test_what_a_command_disproves_is_rejected_and_ends_with_1(place: Place) -> None:
    break_it(claimed(place))
    said = place.start("audit", *TAKEN).end()
    assert (said.code, "REJECTED" in said.out) == (1, True)


def test_what_nothing_can_check_ends_with_3(place: Place) -> None:
    said = claimed(place).start("audit").end()
    assert (said.code, "INCONCLUSIVE" in said.out) == (3, True)


def test_a_refusal_as_json_is_a_result_like_any_other(place: Place) -> None:
    for words, agent in ((["audit"], False), (["audit", "--cancel"], True)):
        said = place.json(*words, agent=agent)
        assert (said["ok"], said["code"], said["action"]) == (False, "refused", "audit")


def test_where_there_is_nothing_to_audit_it_says_so(place: Place) -> None:
    said = place.start("audit").end()
    assert (said.code, said.out) == (1, "")
    assert "there is no goal here" in said.err


# Commands that nobody has let run ----------------------------------------------------------------


def test_a_command_that_nobody_let_run_is_not_run(place: Place) -> None:
    report = audit(claimed(place, trusted=False), code=3)["report"]
    (command,) = [one for one in report["plan"]["checks"] if one["argv"]]
    assert command["left_out"] == "no person has let it run here"
    assert [one["check"] for one in report["found"] if one["check"] == command["id"]] == []


def test_the_plan_names_the_commands_that_nobody_let_run(place: Place) -> None:
    claimed(place, trusted=False)
    command, said = "run grep -q 'KEPT = True' counter.py", ", which nobody has let run here yet"
    assert f"{command}{said}\n" in place.act("audit", "--plan").out
    place.at_terminal("audit", *TAKEN, answers="y\n")
    told = place.act("audit", "--plan").out
    assert command in told
    assert said not in told


def test_at_a_terminal_the_person_is_asked_once(place: Place) -> None:
    claimed(place, trusted=False)
    said = place.at_terminal("audit", *TAKEN, answers="y\n")
    assert "Run grep -q 'KEPT = True' counter.py here, now and in later audits?" in said.err
    assert said.code == 0, said
    assert "here, now and in later audits" not in place.at_terminal("audit", *TAKEN).err


def test_a_script_cannot_let_a_command_run(place: Place) -> None:
    claimed(place, trusted=False)
    said = place.act("audit", *TAKEN, stdin="y\n")
    assert said.code == 3
    assert "no person has let it run here" in said.out


# What an agent may not ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        (), ("--mechanical",), ("--cancel",), ("--leave-out", "c1=it is slow"),
        ("--run", "true"), ("--take", "dod:1=I am sure"),
    ],
    ids=" ".join,
)  # fmt: skip
@pytest.mark.parametrize("setting", ["", ON_CLAIM])
def test_an_agent_does_not_change_an_audit_nor_start_one_unasked(
    place: Place, words: tuple[str, ...], setting: str
) -> None:
    claimed(place)
    if setting:
        place.config.write_text(setting)
    said = place.act("audit", *words, environ=AGENT)
    if not words and setting:
        assert said.code == 3
        return
    assert (said.code, said.out) == (1, "")
    assert "only a person may do this" in said.err
    assert finished(place) == []


def test_an_agent_may_look(place: Place) -> None:
    break_it(claimed(place))
    audit(place, code=1)
    for words in (["--plan"], ["--history"], ["--watch"]):
        assert place.act("audit", *words, environ=AGENT).code == 0, words


def test_an_agents_answer_lets_no_command_run(place: Place) -> None:
    claimed(place, trusted=False)
    place.config.write_text(ON_CLAIM)
    said = place.at_terminal("audit", environ=AGENT, answers="y\ny\n")
    assert "now and in later audits" not in said.err
    assert "no person has let it run here" in said.out


# A claim that begins it --------------------------------------------------------------------------


def test_a_claim_begins_no_audit_by_itself(place: Place) -> None:
    claimed(place)
    time.sleep(0.5)
    assert finished(place) == []
    (claim,) = place.events("goal.claimed")
    assert claim["payload"]["summary"] == "the counter survives"


def test_where_the_person_wants_it_a_claim_begins_an_audit_and_tells_a_quick_verdict(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(on_claim.claim.__kwdefaults__, "quick_s", PATIENCE_S)
    place.config.write_text(ON_CLAIM)
    break_it(claimed(place))
    told = place.json("goal", "claim", "now it is", agent=True)
    assert told["data"]["audit"] == "rejected"
    assert "Address these objections before you claim again" in told["message"]
    assert "grep" in told["message"]
    newest = finished(place)[-1]
    assert newest["metadata"]["claim"] == told["data"]["claim"]  # type: ignore[index]
    assert list((place.root / ".ppgp/run/notes").glob("*.json")) == [], "it was told already"
    refused = place.json("goal", "claim", "again", agent=True)
    assert (refused["code"], "grep" in refused["message"]) == ("refused", True)
    disputed = place.json("goal", "claim", "again", "--dispute", "grep is wrong", agent=True)
    assert disputed["data"]["audit"] == "rejected"


def test_who_claims_hears_what_the_audit_could_not_check(place: Place) -> None:
    place.config.write_text(ON_CLAIM)
    claimed(place)
    told = place.json("goal", "claim", "now it is", agent=True)
    assert told["data"]["audit"] == "inconclusive"
    first, *lines = told["message"].splitlines()
    assert first.startswith("The audit could not decide; a person has to.")
    assert lines
    assert all(line.startswith("- cannot be checked: ") for line in lines)


def test_a_claim_whose_commands_nobody_let_run_waits_for_the_person(place: Place) -> None:
    place.config.write_text(ON_CLAIM)
    claimed(place, trusted=False)
    told = place.json("goal", "claim", "it is done", agent=True)
    assert told["data"]["audit"] == "waits"
    assert told["data"]["why"] == "no person has let 1 of its command run here"
    assert finished(place) == []


def test_an_audit_that_a_claim_began_outlives_whoever_claimed(place: Place) -> None:
    claimed(place, check=["sleep", "4"])
    place.config.write_text(ON_CLAIM)
    claim = place.start("goal", "claim", "it is done", environ=AGENT)
    progress = place.root / ".ppgp/run/audit/progress.json"
    until(progress.exists)
    claim.process.kill()
    claim.end()
    until(lambda: finished(place))
    assert (
        finished(place)[-1]["metadata"]["claim"]
        == (  # type: ignore[index]
            place.events("goal.claimed")[-1]["payload"]["id"]
        )
    )
    until(lambda: not progress.exists())


# What is told later ------------------------------------------------------------------------------


def test_the_history_has_every_claim_beside_what_became_of_it(place: Place) -> None:
    break_it(claimed(place))
    audit(place, code=1)
    place.json("goal", "claim", "still done", "--dispute", "grep is wrong", agent=True)
    place.act("close", "--override", "accepted as it is")
    lines = place.act("audit", "--history").out.splitlines()
    assert lines[0] == "Retry survives a timeout"
    told = [line[20:] for line in lines[1:] if line.startswith("  20")]
    assert told[0] == "claimed by agent:claude-0f3a9c21: the counter survives"
    assert told[1].startswith("rejected by checks alone: ")
    assert told[2] == "claimed by agent:claude-0f3a9c21: still done"
    assert told[3] == "closed by user:dev WITHOUT a verdict that fits: accepted as it is"
    assert any("disputes the verdict before: grep is wrong" in line for line in lines)
    assert any(line.startswith("      - ") and "grep" in line for line in lines)


def test_the_history_says_of_an_audit_that_could_not_decide_what_it_lacks(place: Place) -> None:
    assert claimed(place).act("audit").code == 3
    told = place.act("audit", "--history").out
    assert "inconclusive by checks alone" in told
    assert "\n      - cannot be checked: " in told


def test_the_history_as_json_says_whether_a_report_is_the_recorded_one(place: Place) -> None:
    break_it(claimed(place))
    audit(place, code=1)
    claim, verdict = json.loads(place.act("audit", "--history", "--json").out)
    assert (claim["kind"], claim["goal"]) == ("claim", verdict["goal"])
    assert (verdict["verdict"], verdict["claim"]) == ("rejected", claim["id"])
    assert verdict["report_state"] == "as recorded"
    report = place.root / verdict["report"]
    report.write_bytes(report.read_bytes().replace(b"rejected", b"approved"))
    changed = json.loads(place.act("audit", "--history", "--json").out)[1]
    assert "changed" in changed["report_state"]
    report.unlink()
    gone = json.loads(place.act("audit", "--history", "--json").out)[1]
    assert "gone" in gone["report_state"]


def test_show_has_the_verdict_and_whether_it_still_fits(place: Place) -> None:
    audit(claimed(place), code=0)
    shown = json.loads(place.act("show", "--json").out)["audit"]
    assert (shown["state"], shown["stale"], shown["moved"]) == ("verified", False, [])
    assert shown["verdicts"][0]["word"] == "approved_with_notes"
    assert shown["bound"]["goal"] == shown["verdicts"][0]["goal"]
    break_it(place)
    shown = json.loads(place.act("show", "--json").out)["audit"]
    assert (shown["state"], shown["stale"], shown["moved"]) == ("stale", True, ["code"])
    assert "The verdict of the audit no longer fits: code moved since" in place.act("show").out


def test_the_status_line_tells_what_was_recorded(place: Place) -> None:
    def told() -> tuple[str | None, str | None]:
        line = json.loads(place.act("status", "--format", "json").out)["audit"]
        return line, json.loads(place.act("show", "--json").out)["audit"]["state"]

    assert told() == (None, None)
    break_it(claimed(place))
    assert told() == ("claimed", "claimed")
    audit(place, code=1)
    assert told() == ("rejected", "rejected")
    (place.root / "counter.py").write_text("KEPT = True\n")
    place.json("goal", "claim", "mended", agent=True)
    assert told() == ("claimed", "claimed")
    audit(place, code=0)
    assert told() == ("verified", "verified")
    break_it(place)
    assert told() == ("verified", "stale"), "the line asks no Git"
    place.act("close", "--override", "accepted as it is", "--keep-document")
    assert told() == ("taken", "taken")
    (place.root / PATH).unlink()
    assert told() == (None, None)


def test_status_of_the_goal_says_what_became_of_the_claim(place: Place) -> None:
    break_it(claimed(place))
    assert "Claimed, not verified: the counter survives" in place.act("goal", "status").out
    audit(place, code=1)
    assert "Claimed, rejected: the counter survives" in place.act("goal", "status").out


def test_a_goal_that_only_its_document_names_is_audited_and_closed(place: Place) -> None:
    from tests.cli.claimed import written

    written(place)
    audit(place, code=0)
    shown = json.loads(place.act("show", "--json").out)["audit"]
    assert (shown["state"], shown["stale"]) == ("verified", False)
    said = place.act("close")
    assert (said.code, (place.root / PATH).exists()) == (0, False), said


# The doctor --------------------------------------------------------------------------------------


def audits_of(place: Place) -> dict[str, str]:
    """What the doctor says of audits: the state of each finding by its text."""
    sections = json.loads(place.act("doctor", "--json").out)["sections"]
    (found,) = [one["findings"] for one in sections if one["name"] == "audits"]
    return {one["text"]: one["state"] for one in found}


def test_the_doctor_finds_nothing_amiss_after_an_audit(place: Place) -> None:
    audit(claimed(place), code=0)
    said = audits_of(place)
    assert said["the newest audit reports, 1, are as they were recorded"] == "ok"
    assert said["you have let 1 command run here"] == "ok"
    assert set(said.values()) <= {"ok", "note"}


def test_the_doctor_names_a_report_that_was_changed_or_is_gone(place: Place) -> None:
    audit(claimed(place), code=0)
    (report,) = (place.root / ".ppgp/audits").glob("*/report.json")
    report.write_bytes(report.read_bytes() + b" ")
    assert "warning" in audits_of(place).values()
    report.unlink()
    assert "warning" in audits_of(place).values()


def test_the_doctor_names_what_a_killed_audit_left(place: Place) -> None:
    claimed(place)
    folder = place.root / ".ppgp/run/audit"
    folder.mkdir(parents=True)
    (folder / "progress.json").write_text("{}")
    assert audits_of(place)["an audit was killed"] == "note"


def test_the_doctor_names_trust_that_cannot_be_read(place: Place) -> None:
    from ppgp_tui.session.files.places import root_folder

    claimed(place)
    (root_folder(place.root) / "trusted.json").write_text("[")
    assert audits_of(place)["the commands you trusted cannot be read"] == "warning"
