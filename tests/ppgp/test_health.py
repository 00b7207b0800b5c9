"""Conformant, partial, malformed, missing; and why, with the line."""

import pytest

from ppgp_tui.ppgp.goal import read_goal
from ppgp_tui.ppgp.vocabulary import CANONICAL
from tests.ppgp.reader import codes, read, read_field

WHOLE = (
    "\n".join(f"## {name}\nsomething\n" for name in CANONICAL if name != "PHASE")
    + "## PHASE\nTHINK\n"
)


def test_thirteen_filled_fields_are_conformant_without_a_word() -> None:
    reading = read(WHOLE.replace("## BLOCKERS\nsomething", "## BLOCKERS\nNone."))
    assert (reading.health, reading.reasons) == ("CONFORMANT", ())


def test_each_missing_field_is_named_in_order() -> None:
    reading = read("## PHASE\nTHINK\n\n## GOAL\nx\n\n## Objective\ny\n")

    assert reading.health == "PARTIAL"
    assert reading.reasons[0].text == (
        "canonical field(s) missing (11 of 13): "
        + ", ".join(n for n in CANONICAL if n not in ("GOAL", "PHASE"))
    )


def test_present_but_empty_is_partial_with_the_field_and_line() -> None:
    reading = read(WHOLE.replace("## WHY\nsomething", "## WHY\n<!-- later -->"))

    assert reading.health == "PARTIAL"
    assert [(r.text, r.line) for r in reading.reasons if r.code == "empty-field"] == [
        ("WHY is present but empty", 4)
    ]


def test_thirteen_empty_headings_are_not_healthy() -> None:
    reading = read("\n".join(f"## {name}" for name in CANONICAL))

    assert reading.health == "PARTIAL"
    assert codes(reading).count("empty-field") == 13


def test_synonyms_alone_are_malformed_and_still_read() -> None:
    reading = read("# Ziel\n\n## Ziel\nSchneller starten.\n\n## Abnahmekriterien\n- [ ] eins\n")

    assert reading.health == "MALFORMED"
    assert (reading.goal, reading.goal_source, len(reading.dod)) == (
        "Schneller starten.",
        "mapped",
        1,
    )
    assert codes(reading).count("mapped-field") == 2


def test_a_text_without_sections_is_malformed_and_its_headings_are_named() -> None:
    reading = read("# Shop\n\n## Stack\nPython\n\n## Style\nplain\n")

    assert reading.health == "MALFORMED"
    assert reading.reasons[0].text == (
        'no recognizable ACTIVE_GOAL sections; headings seen: "Shop", "Stack", "Style"'
    )


def test_extra_sections_are_named() -> None:
    reading = read("## GOAL\nx\n\n## Remarks\ny\n\n## More\nz\n")
    assert 'unrecognized section(s) kept as-is: "Remarks", "More"' in [
        r.text for r in reading.reasons
    ]


def test_closed_while_the_file_exists_and_work_is_left() -> None:
    reading = read_field(
        "PHASE", "CLOSED", "## DEFINITION_OF_DONE\n- [x] a\n- b", "## REMAINING\n- b\n"
    )
    texts = [reason.text for reason in reading.reasons]

    assert any(text.startswith("PHASE is CLOSED but ACTIVE_GOAL still exists; ") for text in texts)
    assert "contradiction: PHASE is CLOSED while REMAINING is not empty" in texts
    assert "contradiction: PHASE is CLOSED while 1 of 2 conditions are not marked done" in texts


def test_closed_with_nothing_left_is_no_contradiction() -> None:
    assert "closed-remaining" not in codes(
        read_field("PHASE", "CLOSED", "## REMAINING\nNone. Done.")
    )


def test_only_lines_that_begin_with_todo_are_scaffold() -> None:
    reading = read("## GOAL\nA TODO list app.\n\n## WHY\n- TODO: say why\nTODO: more\n`TODO: x`\n")
    assert [(r.text, r.line) for r in reading.reasons if r.code == "scaffold"] == [
        ("2 scaffold TODO placeholder(s) still present", 5)
    ]


def test_a_long_document_is_a_diary() -> None:
    data = WHOLE.encode()
    assert "diary" not in codes(read_goal(data, "x", max_bytes=len(data)))
    assert "diary" in codes(read_goal(data, "x", max_bytes=len(data) - 1))


def test_many_dated_headings_are_a_chronicle() -> None:
    days = "\n".join(f"## 2026-09-0{day}\nworked" for day in range(1, 7))
    assert "chronicle" in codes(read("## GOAL\nx\n\n" + days))


def test_local_evidence_does_not_close_a_goal_about_production() -> None:
    def closing(evidence: str) -> list[str]:
        return codes(
            read_field("PHASE", "DISTILL", "## DEFINITION_OF_DONE\n- runs in production",
                       f"## VERIFICATION_EVIDENCE\n- {evidence}")
        )  # fmt: skip

    assert "local-only" in closing("pytest on my machine: 3 passed")
    assert "local-only" not in closing("production /health is green")


def test_a_next_action_that_names_a_done_condition_is_found() -> None:
    reading = read_field("DEFINITION_OF_DONE", "- [x] a\n- b", "## NEXT\nDoD 1: do a again.")
    assert "next-is-done" in codes(reading)


@pytest.mark.parametrize(
    "secret",
    [
        "AKIA" + "ABCDEFGHIJKLMNOP", "ghp_" + "a1B2" * 9, "-----BEGIN RSA PRIVATE " + "KEY-----",
        "postgres://app:" + "hunter22x@db.example.invalid/app", "password: " + "Tr0ub4dor3xyz",
        "xoxb-" + "123456789012-abcdef",
    ],
)  # fmt: skip
def test_secrets_are_found_and_never_repeated(secret: str) -> None:
    reading = read(f"## GOAL\nx\n\n## EVIDENCE\n- used {secret} here\n")

    (finding,) = [reason for reason in reading.reasons if reason.code == "secret"]
    assert finding.line == 5
    assert secret not in finding.text


@pytest.mark.parametrize(
    "text",
    ["token bucket", "password reset works", "the API key is missing", "https://example.invalid/a"],
)
def test_talk_about_secrets_is_no_secret(text: str) -> None:
    assert "secret" not in codes(read(f"## GOAL\n{text}\n"))


def test_findings_come_in_the_order_of_their_lines() -> None:
    lines = [
        reason.line or 0 for reason in read("## GOAL\n\n## GOAL\nx\n\n## Status\ndone\n").reasons
    ]
    assert lines == sorted(lines)
