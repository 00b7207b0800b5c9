"""Which file plays which role, and ids of what the goal document asks."""

import hashlib

from ppgp_tui.ppgp.pending import pending_id, pending_ids
from ppgp_tui.ppgp.reading import Item
from ppgp_tui.ppgp.roles import map_roles


def test_the_first_candidate_that_exists_plays_the_role() -> None:
    roles = map_roles(
        {"MASTER.md", "docs/CONSTITUTION.md", "ROADMAP.md", "docs/MEMORY.md", "README.md"}
    )

    assert roles.paths == {
        "CONSTITUTION": "MASTER.md",
        "ROADMAP": "ROADMAP.md",
        "MEMORY": "docs/MEMORY.md",
        "ACTIVE_GOAL": None,
    }
    assert roles.findings == ()


def test_two_goal_documents_are_two_sources_of_truth() -> None:
    roles = map_roles({"ACTIVE_GOAL.md", "docs/ACTIVE_GOAL.md"})

    assert roles.paths["ACTIVE_GOAL"] == "docs/ACTIVE_GOAL.md"
    assert [finding.code for finding in roles.findings] == ["two-goals"]
    assert "ACTIVE_GOAL.md exists as well and is not read" in roles.findings[0].text


def test_a_path_from_the_settings_is_the_only_candidate() -> None:
    existing = {"docs/ACTIVE_GOAL.md", "plan/goal.md"}

    bound = map_roles(existing, {"ACTIVE_GOAL": "plan/goal.md"})
    assert bound.paths["ACTIVE_GOAL"] == "plan/goal.md"
    assert map_roles(existing, {"ACTIVE_GOAL": "gone.md"}).paths["ACTIVE_GOAL"] is None


def test_letter_case_counts() -> None:
    assert map_roles({"docs/active_goal.md"}).paths["ACTIVE_GOAL"] is None


def test_an_id_is_the_digest_of_path_text_and_count() -> None:
    canonical = '["docs/ACTIVE_GOAL.md","Заказать ключ",0]'.encode()
    expected = "req_" + hashlib.sha256(canonical).hexdigest()[:32]

    assert pending_id("docs/ACTIVE_GOAL.md", "Заказать ключ") == expected


def test_equal_words_get_different_ids_and_other_words_other_ids() -> None:
    ids = pending_ids("x", [Item("sign", 3), Item("pay", 4), Item("sign", 9)])

    assert len(set(ids)) == 3
    assert ids[0] == pending_id("x", "sign", 0)
    assert ids[2] == pending_id("x", "sign", 1)
    assert pending_ids("x", [Item("sign", 77)])[0] == ids[0], "the line is no part of it"
