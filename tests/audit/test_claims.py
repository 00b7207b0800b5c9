"""What a piece of evidence claims."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.audit.claims import Claim, claims_in, command_of


@pytest.mark.parametrize(
    ("text", "claimed"),
    [
        (
            "`pytest tests/batch`: 41 passed",
            [
                Claim("command", "pytest tests/batch", argv=("pytest", "tests/batch")),
                Claim("tests", "41 passed", passed=41),
            ],
        ),
        ("commit 4e1f09c adds it", [Claim("commit", "commit 4e1f09c", commit="4e1f09c")]),
        ("see `4E1F09C`", [Claim("commit", "4E1F09C", commit="4e1f09c")]),
        (
            "src/importer/batch.py:41",
            [Claim("file", "src/importer/batch.py:41", path="src/importer/batch.py", line=41)],
        ),
        ("`tests/data/` has them", [Claim("file", "tests/data/", path="tests/data/")]),
        ("41/41 tests pass", [Claim("tests", "41/41 tests pass", passed=41)]),
        ("$ cargo test\nok", [Claim("command", "cargo test", argv=("cargo", "test"))]),
        ("`make test && make lint`", [Claim("shell", "make test && make lint")]),
        ("`make test > out`", [Claim("shell", "make test > out")]),
        ("`CI=1 pytest`", [Claim("shell", "CI=1 pytest")]),
        (
            "https://ci.invalid/a/b.py",
            [Claim("elsewhere", "https://ci.invalid/a/b.py")],
        ),
        ("it runs in production since Monday", [Claim("elsewhere", "in production")]),
        ("customers confirmed it", [Claim("elsewhere", "customers confirmed")]),
    ],
)
def test_evidence_claims_what_it_names(text: str, claimed: list[Claim]) -> None:
    assert list(claims_in(text)) == claimed


@pytest.mark.parametrize(
    "text",
    [
        "",
        "it works well now, I am confident",
        "facade, deadbeef and 1234567 rows",
        "v1.2.3 of 2026-09-25",
        "at least 20 tests pass",
        "e.g. this, i.e. that",
        "`import_cursor.pos` is gone",
    ],
)
def test_words_that_name_nothing_claim_nothing(text: str) -> None:
    assert claims_in(text) == ()


def test_a_file_or_number_inside_a_command_is_no_claim_of_its_own() -> None:
    assert [claim.kind for claim in claims_in("`pytest tests/test_a.py -k '3 passed'`")] == [
        "command"
    ]


def test_a_quoted_argument_stays_one_argument() -> None:
    claim = command_of("pytest -k 'one two'")
    assert claim is not None
    assert claim.argv == ("pytest", "-k", "one two")


@pytest.mark.parametrize("line", ["rm -rf build", "git push", "curl x", "batch.py", "make_row()"])
def test_only_known_tools_and_scripts_named_by_path_are_commands(line: str) -> None:
    assert command_of(line) is None


@given(st.text(max_size=400))
def test_any_text_can_be_asked_what_it_claims(text: str) -> None:
    for claim in claims_in(text):
        assert claim.text
        assert (claim.kind == "command") == bool(claim.argv)
