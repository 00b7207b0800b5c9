"""What a piece of evidence claims."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.audit.claims import Claim, claims_in, command_of, only_shows
from ppgp_tui.audit.production import speaks_of_production


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


def test_a_script_that_is_given_to_a_shell_is_a_command() -> None:
    assert claims_in("`sh check.sh`: 2 passed") == (
        Claim("command", "sh check.sh", argv=("sh", "check.sh")),
        Claim("tests", "2 passed", passed=2),
    )


@given(st.text(max_size=400))
def test_any_text_can_be_asked_what_it_claims(text: str) -> None:
    for claim in claims_in(text):
        assert claim.text
        assert (claim.kind == "command") == bool(claim.argv)


@pytest.mark.parametrize(
    ("text", "argv", "passed"),
    [
        ("pytest reports/tests: 41 passed.", ("pytest", "reports/tests"), 41),
        ("DoD 3: pytest -q tests/a.py: 3 passed (local)", ("pytest", "-q", "tests/a.py"), 3),
        ("ran npm test -> 12 tests passed", ("npm", "test"), 12),
        ("pytest: 7 passed", ("pytest",), 7),
    ],
)
def test_a_command_without_code_marks_is_one_before_its_result(
    text: str, argv: tuple[str, ...], passed: int
) -> None:
    found = claims_in(text)
    assert [one.argv for one in found if one.kind == "command"] == [argv]
    assert [one.passed for one in found if one.kind == "tests"] == [passed]


@pytest.mark.parametrize(
    "text",
    ["pytest says so: 3 passed", "go team: 3 passed", "we make things: 2 passed",
     "node 3: 4 passed", "task 3: 4 passed", "the task: 5 passed"],
)  # fmt: skip
def test_prose_before_a_count_is_no_command(text: str) -> None:
    assert [one for one in claims_in(text) if one.kind == "command"] == []


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("It holds in production", True),
        ("Deployed to staging and watched", True),
        ("No customer email is sent from a production environment", True),
        ("The new search is live", True),
        ("Deployed on Fly", True),
        ("The service is deployed", True),
        ("Prod migration is done", True),
        ("The production database has the index", True),
        ("Live on https://shop.invalid", True),
        ("https://shop.invalid/health answers 200", True),
        ("The page is served from https://shop.invalid", True),
        ("Published on npm", True),
        ("Version 2 is released to PyPI", True),
        ("The app is in the App Store", True),
        ("The canary runs a week without errors", True),
        ("Monitoring shows no errors for a day", True),
        ("Customers confirmed it", True),
        ("The beta users approve", True),
        ("http://localhost:8080/health answers 200", False),
        ("The README links to https://shop.invalid", False),
        ("The lock is released on exit", False),
        ("Events are published to the queue", False),
        ("A deploy script is there", False),
        ("Records live on disk", False),
        ("Customers see their own orders only", False),
        ("A prod build has no debug code", False),
        ("Works in production builds", False),
        ("Objects live in memory", False),
        ("Users see an error with its cause", False),
        ("Released in 1.2", False),
    ],
)
def test_conditions_about_a_place_elsewhere_are_told(condition: str, expected: bool) -> None:
    assert speaks_of_production(condition) == expected


@pytest.mark.parametrize(
    "text",
    [
        "old/importer.py was removed",
        "removed old/importer.py",
        "deleted `a.py`, b.py and c.py",
        "old/importer.py is no longer needed",
        "Tested on Node.js 20 and Vue.js 3",
        "container 4e1f09cab123",
        "run id 7f3a9c2e",
        r"in src\retry.py",
    ],
)
def test_what_only_looks_like_a_file_or_a_commit_is_none(text: str) -> None:
    assert claims_in(text) == ()


def test_where_something_went_is_still_a_file() -> None:
    assert [one.path for one in claims_in("renamed a.py to b.py")] == ["b.py"]
    assert [one.path for one in claims_in("old/a.py -> new/a.py")] == ["new/a.py"]
    assert [one.path for one in claims_in("Removed debug prints from src/a.py")] == ["src/a.py"]


@pytest.mark.parametrize(
    "remark",
    [
        " (done 2026-11-30)", " — src/a.py:12, PR #12", " (`pytest tests`: 12 passed)", ": DONE",
        " - evidence: commit 4e1f09c", " ✅", " → 41 tests passed",
        " (Nachweis: docs/a.md)", "：完成",
    ],
)  # fmt: skip
def test_a_remark_that_only_shows_says_no_more(remark: str) -> None:
    assert only_shows(remark)


@pytest.mark.parametrize(
    "remark",
    [
        " (done, but only on Linux)", " except after a crash", " (deferred)", " - N/A",
        " (see src/a.py for what is missing)", " (`--fast` only)", "s in most cases", " (optional)",
    ],
)  # fmt: skip
def test_a_remark_that_says_more_is_told(remark: str) -> None:
    assert not only_shows(remark)
