"""The same thing said in many ways is read as the same, and words that only look alike are not."""

import pytest

from tests.ppgp.reader import read, read_field

STATES = {
    "word in square brackets behind": "- Login [DONE]\n- Logout [PARTIAL]\n- Reset [OPEN]",
    "word behind a colon": "- Login: done\n- Logout: in progress\n- Reset: not yet",
    "word behind a dash with a date": "- Login — ✅ 2026-09-01\n- Logout — 🔄\n- Reset — ⬜",
    "status named inside": "- Login. Status: done.\n- Logout. Status: in progress.\n"
    "- Reset. Status: open.",
    "capitals and a date in front": "- DONE 2026-09-02 Login\n- PARTIAL Logout\n- TODO Reset",
    "yes and no in a column": "| Condition | Done? |\n|---|---|\n| Login | yes |\n"
    "| Logout | partly |\n| Reset | no |",
    "in review": "- Login (done by ana)\n- Logout (in review)\n- Reset (not started)",
    "French": "- Connexion : terminé\n- Déconnexion : en cours\n- Réinitialisation : à faire",
    "German": "- Anmeldung (erledigt am 2026-09-01)\n- Abmeldung (in Arbeit)\n- Reset (offen)",
    "Polish": "- Logowanie — gotowe\n- Wylogowanie — w trakcie\n- Reset — do zrobienia",
    "Ukrainian": "- Вхід — зроблено\n- Вихід — у роботі\n- Скидання — не розпочато",
    "Italian": "- Accesso: completato\n- Uscita: in corso\n- Reset: da fare",
}


@pytest.mark.parametrize("body", STATES.values(), ids=STATES)
def test_done_partly_and_open_are_told_in_many_words(body: str) -> None:
    states = [one.state for one in read_field("DEFINITION_OF_DONE", body).dod]
    assert states == ["claimed", "partial", "open"]


@pytest.mark.parametrize(
    "condition",
    [
        'Users see "open" and "blocked" filters',
        "Done items move to the archive",
        "Partial refunds are possible",
        "Pending orders are shown first",
        "Status page says OK",
        "Job state is done",
        "OPEN API description is published",
        "Login works, done by 2026-10-01",
        "5/5 checks green",
        "No open bugs",
    ],
)
def test_a_condition_about_states_has_none_itself(condition: str) -> None:
    assert read_field("DEFINITION_OF_DONE", f"- {condition}").dod[0].state == "unknown"


@pytest.mark.parametrize(
    ("completed", "remaining", "states"),
    [
        ("- DoD 1…2", "- DoD 3", ["claimed", "claimed", "open"]),
        ("- Items 1-2 of the DoD", "- the rest", ["claimed", "claimed", "unknown"]),
        ("- DoD-1 to DoD-3", "- none", ["claimed", "claimed", "claimed"]),
        ("- DoD 1, 2 tests added", "- DoD 2", ["claimed", "open", "unknown"]),
        ("- Part of criterion 2", "- Rest of criterion 2", ["unknown", "partial", "unknown"]),
        ("- DoD 1 and most of DoD 2", "- DoD 3", ["claimed", "partial", "open"]),
        ("- none", "- Rest of DoD 2", ["unknown", "partial", "unknown"]),
    ],
)
def test_conditions_are_named_in_many_ways(
    completed: str, remaining: str, states: list[str]
) -> None:
    reading = read_field(
        "DEFINITION_OF_DONE",
        "1. Login\n2. Logout\n3. Reset",
        f"## COMPLETED\n{completed}",
        f"## REMAINING\n{remaining}",
    )
    assert [one.state for one in reading.dod] == states


@pytest.mark.parametrize(
    ("completed", "states"),
    [
        ("- D1, D2 (commit aa11bb2)", ["done", "done", "unknown"]),
        ("- D1-D3", ["claimed", "claimed", "claimed"]),
        ("- D1-3", ["claimed", "claimed", "claimed"]),
        ("- D1 - 3 tests passed", ["done", "unknown", "unknown"]),
    ],
)
def test_short_labels_are_named_one_by_one_and_as_a_range(
    completed: str, states: list[str]
) -> None:
    reading = read_field(
        "DEFINITION_OF_DONE", "- D1 Login\n- D2 Logout\n- D3 Reset", f"## COMPLETED\n{completed}"
    )
    assert [one.state for one in reading.dod] == states


def test_a_part_named_as_a_condition_is_blocked_and_not_partly_done() -> None:
    reading = read_field(
        "DEFINITION_OF_DONE",
        "- Part 1: uploads\n- Part 2: files",
        "## REMAINING\n- Part 1 — blocked.",
    )
    assert reading.dod[0].state == "blocked"


@pytest.mark.parametrize(
    ("text", "klass", "scope", "until"),
    [
        ("A (agent-solvable): cache warms slowly.", "A", None, None),
        ("Type C, Part 1 only: owner creates the bucket.", "C", "Part 1", None),
        ("Type C authority (Step A only): owner creates it.", "C", "Step A", None),
        ("Class C, scope Step A: owner creates it.", "C", "Step A", None),
        ("[C] Step A — owner creates it.", "C", "Step A", None),
        ("Step A blocked. Class: C.", "C", "Step A", None),
        ("B (external): DoD 3, the driver is away until 2026-10-30.", "B", None, "2026-10-30"),
        ("Type B — 28 days must pass; earliest 2026-10-23.", "B", None, "2026-10-23"),
        ("Waiting for the release window (2026-10-24).", "B", None, "2026-10-24"),
        ("Class C: manager must open the gate (asked 2026-10-01).", "C", None, None),
        ("Type B: in the queue since 2026-10-01.", "B", None, None),
    ],
)
def test_class_scope_and_date_of_a_blocker(
    text: str, klass: str, scope: str | None, until: str | None
) -> None:
    blocker = read_field("BLOCKERS", f"- {text}").blockers[0]
    assert (blocker.klass, blocker.scope, blocker.until) == (klass, scope, until)


def test_the_columns_of_a_table_of_blockers_say_what_they_are_called() -> None:
    table = (
        "| Step | Class | What | Until |\n|---|---|---|---|\n"
        "| A | C | owner opens the account | |\n| B | B | vendor window | 2026-11-01 |\n"
        "| C | D | none | |"
    )
    found = [(b.klass, b.scope, b.until) for b in read_field("BLOCKERS", table).blockers]
    assert found == [("C", "Step A", None), ("B", "Step B", "2026-11-01")]


@pytest.mark.parametrize(
    "body",
    [
        "Type A: none\nType B: none\nType C: none",
        "- Cleared 2026-09-10: vendor answered.",
        "— none —",
        "- Nessuno",
        "- Brak znanych przeszkód",
        "- Немає",
    ],
)
def test_nothing_in_the_way_in_many_words(body: str) -> None:
    assert read_field("BLOCKERS", body).blockers == ()


def test_a_goal_that_only_rests_is_not_blocked() -> None:
    rests = read("# Goal\n\n## Status\n**On hold** since 2026-08-14.\n\n## Objective\nShip it.\n")
    waits = read(
        "# Goal\n\n## Status\nOn hold until the vendor answers.\n\n## Objective\nShip it.\n"
    )
    assert rests.blockers == ()
    assert [blocker.klass for blocker in waits.blockers] == ["B"]


@pytest.mark.parametrize(
    ("body", "pending"),
    [
        ("- None beyond the standing rules.", []),
        (
            "None for implementation. Publishing needs the owner.",
            ["Publishing needs the owner."],
        ),
        ("None. The owner has delegated everything.", []),
        ("- Should we keep the old endpoint?", ["Should we keep the old endpoint?"]),
    ],
)
def test_what_a_person_owes(body: str, pending: list[str]) -> None:
    reading = read_field("HUMAN_AUTHORITY_REQUIRED", body)
    assert [item.text for item in reading.authority.pending] == pending


NOW = [
    "Until the window opens, port the remaining templates.",
    "While waiting for the owner, write the docs for DoD 2.",
    "Before 2026-10-24: prepare the release notes.",
    "Fix the crash when the window closes.",
    "Notify the requester when the owner approves.",
    "Implement the rule: deploys need owner approval.",
    "Fix test_wait; it fails after 2026-09-01.",
    "Compare with the numbers taken on 2026-09-01.",
    "Once more run the suite.",
    "Sync the profile with the user service.",
    "After review comments are fixed, push.",
    "~~Write the test~~\nImplement it",
]
LATER = [
    "Once the review is finished: tag and release.",
    "If the owner agrees, delete the table; otherwise keep it.",
    "Merge when the owner approves.",
    "Blocked: needs the key from the owner.",
    "Owner names the date; afterwards run the cut-over.",
    "User tests the build on a real phone.",
    "Until 2026-10-02: nothing.",
    "Hold. On 2026-10-23 run it.",
    "Earliest 2026-10-23: run it.",
    "Run the acceptance on 2026-10-23.",
    "Дождаться ответа владельца.",
    "Eigentümer prüft den PR; danach ausrollen.",
    "Владелец создаёт ключ.",
    "Avant le 2026-10-23 : rien à faire.",
    "Test the headset with the user.",
]


@pytest.mark.parametrize(("text", "now"), [*((t, True) for t in NOW), *((t, False) for t in LATER)])
def test_whether_an_agent_could_act_now(text: str, now: bool) -> None:
    action = read_field("NEXT_EXECUTABLE_ACTION", text).next_action
    assert action is not None
    assert action.executable_now is now


def test_a_word_alone_is_not_what_is_waited_for() -> None:
    action = read_field("NEXT_EXECUTABLE_ACTION", "Wait for the owner's answers.").next_action
    assert action is not None
    assert action.waits_for == "Wait for the owner's answers."


def test_a_line_of_json_is_no_label() -> None:
    assert read('{"goal": "x", "phase": "EXECUTE"}\n').goal is None
