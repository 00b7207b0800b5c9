"""The next action, and whether an agent could act on it without a person or a date."""

import pytest

from tests.ppgp.reader import read, read_field

FIELD = "NEXT_EXECUTABLE_ACTION"
NOW = """Write the migration and run the tests.
Bump the version, tag it locally, then ask the owner to publish.
Fix the flaky test, then wait for CI.
Implement user confirmation e-mail.
Add an approval column to the invoices table.
Create the owner dashboard.
Review the diff of parser.py and split the function.
Decide between SQLite and Postgres by benchmark.
Add a test that waits for the lock.
Write a script that waits until the window opens.
Add a regression test for orders after 2026-01-01 with discounts.
Collect evidence for DoD 3 by 2026-10-01.
While waiting for the window, write the runbook.
Use the approved design from docs/design.md.
Напиши тест для входа и прогони весь набор.
用户登录页面：增加验证码。
ユーザー設定画面を実装する。""".splitlines()
WAITING = """Owner: create the account.
owner reviews the PR; on merge, deploy.
The owner must approve the plan.
Wait for owner approval.
Waiting for the release window.
Deploy to production after owner sign-off.
Merge once the user confirms the wording.
Once approved, merge.
Ask the user which colour they want.
Human decision needed: choose the vendor.
Check the headphones in a user-driven session.
On or after 2026-10-01: run the report.
After 2026-10-01 run the report.
Before 2026-10-01: nothing for this goal.
Nothing until 2026-10-01.
When the freeze ends, release.
None. Goal complete.
TODO: first step
Владелец должен утвердить бюджет.
После 2026-10-01 запустить отчёт.
等待用户确认后再部署。
2026-10-01 之后运行报告。
オーナーの承認待ち。
Attendre la validation du propriétaire.""".splitlines()


@pytest.mark.parametrize("text", NOW)
def test_an_agent_could_do_it_today(text: str) -> None:
    action = read_field(FIELD, f"- {text}").next_action
    assert action is not None
    assert (action.executable_now, action.waits_for) == (True, None)


@pytest.mark.parametrize("text", WAITING)
def test_it_waits_and_says_for_what(text: str) -> None:
    action = read_field(FIELD, f"- {text}").next_action
    assert action is not None
    assert not action.executable_now
    assert action.waits_for


def test_it_is_the_first_entry_that_is_not_done() -> None:
    action = read_field(FIELD, "1. [x] one\n2. ~~two~~\n3. ✅ three\n4. four\n5. five").next_action
    assert action is not None
    assert (action.text, action.line) == ("four", 10)


def test_dated_branches_are_kept_together() -> None:
    body = "- Before 2026-10-01: nothing.\n- On or after 2026-10-01: run `report`.\n- Also: tea."
    action = read_field(FIELD, body).next_action
    assert action is not None
    assert action.text == "Before 2026-10-01: nothing. On or after 2026-10-01: run report."


def test_an_introduction_is_joined_with_what_it_introduces() -> None:
    body = "On or after **2026-10-01**, and only when the freeze ends:\n\n`build → release`"
    action = read_field(FIELD, body).next_action
    assert action is not None
    assert action.text == "On or after 2026-10-01, and only when the freeze ends: build → release"


def test_a_pointer_to_a_document_is_not_the_action() -> None:
    action = read_field(
        FIELD, "- use `docs/audit.md` as the source of truth\n- finish criterion 7"
    ).next_action
    assert action is not None
    assert action.text == "finish criterion 7"


def test_the_marked_one_of_several_lines_is_the_current_one() -> None:
    text = "## Цель\nx y z\n\n## Текущая подзадача\n**Шаг 0 (✅ готов):** a\n**→ Шаг 1:** b\n"
    action = read(text).next_action
    assert action is not None
    assert action.text == "Шаг 1: b"


def test_work_in_progress_and_next_steps_stand_in_for_it() -> None:
    steps = "## Next steps\n1. [x] one\n2. two\n"
    assert (action := read(f"## GOAL\nx\n\n{steps}").next_action) is not None
    assert action.text == "two"
    assert (
        action := read(f"## GOAL\nx\n\n{steps}\n## In progress\n- now\n").next_action
    ) is not None
    assert action.text == "now"


def test_what_remains_is_no_next_action() -> None:
    assert read("## GOAL\nx\n\n## REMAINING\n- a\n\n## Fix\nDo b.\n").next_action is None


@pytest.mark.parametrize("status", ["paused", "Abandoned — terminal on 2026-09-01", "completed"])
def test_nothing_is_executable_in_a_goal_that_is_not_running(status: str) -> None:
    action = read_field(FIELD, "Write the parser.", f"## Status\n{status}").next_action
    assert action is not None
    assert (action.executable_now, action.waits_for) == (False, status)


def test_it_waits_for_the_blocker_of_its_own_scope_only() -> None:
    blockers = "## BLOCKERS\n- Step A only: Type C. Owner must create the key."
    blocked = read_field(FIELD, "- Step A: send the mail.", blockers).next_action
    free = read_field(FIELD, "- Step B: port the template.", blockers).next_action

    assert blocked is not None
    assert not blocked.executable_now
    assert free is not None
    assert free.executable_now


def test_candidates_wait_for_a_choice() -> None:
    menu = (
        "# Next goal\n\n> The agent confirms with the user which way to go.\n\n"
        "## Goal candidates\n\n**A. Thumbnails** (recommended)\n- fallback\n\n"
        "**B. Sizes**\n- needs agreement with the owner\n\n"
        "## Recommendation\nA first. Start with the empty cards.\n"
    )
    reading = read(menu)

    assert (reading.goal, reading.phase, reading.phase_inferred) == (None, None, "THINK")
    assert reading.next_action is not None
    assert reading.next_action.text == "Start with the empty cards."
    assert not reading.next_action.executable_now
    assert len(reading.authority.pending) == 1
    assert [(b.klass, b.scope) for b in reading.blockers] == [("C", "B")]
