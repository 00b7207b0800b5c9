"""What a client may look at is what the app shows, in a form every JSON reader takes."""

import json
from pathlib import Path

import pytest

from ppgp_tui.session.actions import goal
from tests.agents.mcp.place import DOCUMENT, Place
from tests.agents.mcp.test_stdio import TASKS
from tests.session.journals import git


def test_the_boot_packet_holds_contract_state_and_evidence_of_this_repository(
    place: Place,
) -> None:
    (place.root / "docs/PROJECT_MEMORY.md").write_text("- Retries need a jitter.\n")
    git(place.root, "add", ".")
    git(place.root, "commit", "--quiet", "--message=Remember the jitter")
    place.done("todo", tasks=TASKS)
    asked = place.done("request_authority", question="Publish?")["data"]["request"]
    text = place.desk.picture.boot_text()
    assert "### GOAL\nRetry survives a timeout." in text
    assert "go on with EXECUTE, do not begin THINK again" in text
    assert "### REPOSITORY\nbranch main at " in text
    assert "commits since the goal document last changed: 1" in text
    commits = text.split("### LAST COMMITS\n")[1].splitlines()[:2]
    assert [line.split(" ", 2)[2] for line in commits] == ["Remember the jitter", "Begin"]
    assert "### PLAN\nPlan revision 1, 2 tasks.\nRunning: retry" in text
    assert f"{asked}: Publish?" in text
    assert "docs/PROJECT_MEMORY.md: read the entries" in text
    assert text == place.desk.picture.boot_text()


def test_the_last_commits_are_this_repositorys_whatever_git_was_told_about_another(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    git(other, "commit", "--quiet", "--allow-empty", "--message=Elsewhere")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    assert "Begin" in place.desk.picture.boot_text()
    assert "Elsewhere" not in place.desk.picture.boot_text()


def test_a_proposal_that_was_confirmed_waits_for_nobody(place: Place) -> None:
    waiting = "### WAITING FOR A PERSON\n"
    proposed = place.done("propose_goal", objective="Retry survives")["data"]["request"]
    assert f"{proposed}: Retry survives\n" in place.desk.picture.boot_text()
    place.answer(proposed, "yes")
    assert proposed not in place.desk.picture.boot_text().split(waiting)[1]
    tweak = place.done("tweak_goal", objective="Retry survives a restart")["data"]["request"]
    place.answer(tweak, "no", note="finish first")
    question = place.done("request_authority", question="Publish?")["data"]["request"]
    place.answer(question, text="not yet")
    told = place.desk.picture.boot_text().split(waiting)[1]
    assert proposed not in told
    fetched = "(answered: call get_answer)"
    assert f"{tweak}: Retry survives a restart {fetched}" in told, "the note is still unread"
    assert f"{question}: Publish? {fetched}" in told


def test_without_git_and_document_the_boot_packet_says_what_is_missing(bare: Place) -> None:
    (bare.root / "docs/ACTIVE_GOAL.md").unlink()
    text = bare.desk.picture.boot_text()
    assert "there is no contract to go on with" in text
    assert "No plan is recorded." in text
    assert bare.desk.picture.goal_text() is None


def test_the_goal_document_is_told_as_it_stands_whatever_its_bytes(place: Place) -> None:
    document = place.root / "docs/ACTIVE_GOAL.md"
    document.write_bytes(DOCUMENT.encode().replace(b"\n", b"\r\n") + b"\xff\x1b[0m")
    text = place.desk.picture.goal_text()
    assert text == DOCUMENT.replace("\n", "\r\n") + "\ufffd\x1b[0m"


def test_a_document_deleted_between_two_looks_is_not_shown_again(place: Place) -> None:
    assert place.desk.picture.goal_text() == DOCUMENT
    (place.root / "docs/ACTIVE_GOAL.md").unlink()
    assert place.desk.picture.goal_text() is None


def test_a_log_with_things_json_has_no_form_for_is_shown_all_the_same(place: Place) -> None:
    line = (
        '{"id":"event_1","schema_version":1,"ts_ms":1,"actor":{"kind":"tool","id":"x"},'
        '"kind":"note.created","payload":{"\\ud800":"\\udc00","n":1e999},"causation_id":null,'
        '"correlation_id":null}\n'
    )
    (place.root / "state/events.jsonl").write_text(line)
    shown = json.loads(place.desk.picture.session_text().encode())
    assert shown["events"]["last"]["payload"] == {"\ufffd": "\ufffd", "n": None}
    session = place.done("get_session")["data"]["session"]
    json.dumps(session, allow_nan=False).encode()


def test_the_session_in_words_begins_with_what_is_urgent_and_names_what_to_do(
    place: Place,
) -> None:
    assert goal.create(place.person, "Retry survives a timeout").ok
    place.done("todo", tasks=TASKS)
    asked = place.done("request_authority", question="Publish?")["data"]["request"]
    place.answer(asked, "yes")
    words = place.call("get_session").text.splitlines()
    assert words[0] == "Goal active: Retry survives a timeout"
    assert "Next executable action: Write the retry." in words
    assert f"Waiting for a person: {asked}: Publish? (answered: call get_answer)" in words


def test_a_picture_is_never_older_than_the_act_before_it(place: Place) -> None:
    for revision in range(3):
        tasks = [{"key": f"t{revision}", "subject": "x", "status": "completed"}]
        place.done("todo", baseRevision=revision, tasks=tasks)
        session = place.done("get_session")["data"]["session"]
        assert session["plan"]["revision"] == revision + 1
        assert [task["key"] for task in session["plan"]["tasks"]] == [f"t{revision}"]
