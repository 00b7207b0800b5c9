"""The `goal` member of `show --json`: its members and their meanings."""

import json

from ppgp_tui.ppgp.goal import as_json, read_goal
from tests.ppgp.reader import PATH, read_field

MEMBERS = [
    "path", "health", "reasons", "goal", "goal_source", "why", "phase", "phase_raw",
    "phase_inferred", "dod", "dod_total", "dod_done", "dod_partial", "blockers",
    "blocker_counts", "authority", "authority_pending", "next_action", "next_executable_now",
]  # fmt: skip


def test_every_member_is_there_even_when_there_is_no_document() -> None:
    read = as_json(read_goal(None, PATH))

    assert set(MEMBERS) <= set(read)
    assert (read["health"], read["goal"], read["dod"], read["next_action"]) == (
        "MISSING",
        None,
        [],
        None,
    )


def test_it_is_plain_json() -> None:
    reading = read_field(
        "DEFINITION_OF_DONE", "- [x] a (1 passed)\n- [~] b", "## BLOCKERS\n- Type B: x"
    )
    read = json.loads(json.dumps(as_json(reading)))

    assert read["dod"][0] == {
        "text": "a (1 passed)",
        "state": "done",
        "state_source": "box",
        "evidence": [{"text": "1 passed", "line": 7}],
        "line": 7,
    }
    assert (read["dod_total"], read["dod_done"], read["dod_partial"]) == (2, 1, [2])
    assert read["blockers"] == [
        {
            "class": "B",
            "inferred": False,
            "scope": None,
            "until": None,
            "text": "Type B: x",
            "line": 11,
        }
    ]
    assert read["blocker_counts"] == {"A": 0, "B": 1, "C": 0, "D": 0, "unclassified": 0}


def test_done_counts_claims_as_well_and_claims_are_counted_apart() -> None:
    read = as_json(read_field("DEFINITION_OF_DONE", "- [x] a (1 passed)\n- [x] b\n- [ ] c"))
    assert (read["dod_done"], read["dod_claimed"]) == (2, 1)
