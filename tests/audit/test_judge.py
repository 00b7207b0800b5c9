"""What a check found, from facts and from how a command ended. No disk, no Git."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.audit.facts import AgeFact, CommitFact, Facts, FileFact
from ppgp_tui.audit.judge import Ran, how_it_ended, judge, of_claim, of_command
from ppgp_tui.audit.model import Check

ASSERTING = "def test_a():\n    assert f()\n"
IDLE = "def test_a():\n    f()\n"
HASH = "4e1f09c" + "0" * 33


def facts(**more: Any) -> Facts:
    return Facts(True, HASH, (), {}, {}, {}, {})._replace(**more)


def check(kind: str, **more: Any) -> Check:
    return Check("c1", kind, ("dod:1",), more.pop("says", "as claimed"), **more)  # type: ignore[arg-type]


def file(text: str | None, path: str = "docs/a.md", **more: Any) -> tuple[str, str]:
    fact = FileFact("file", text=text, size=9)._replace(**more)
    found = of_claim(check("file", path=path), facts(files={path: fact}))
    return found.outcome, found.why


def ran(output: str = "", code: int = 0, ended: str = "exited", **more: Any) -> Ran:
    return Ran(("pytest", "tests/test_a.py"), ended, code, 0.5, output, **more)  # type: ignore[arg-type]


def command(output: str = "", tests: dict[str, str] | None = None, **more: Any) -> tuple[str, str]:
    kind, passed = more.pop("kind", "command"), more.pop("passed", None)
    argv = more.pop("argv", ("pytest", "tests/test_a.py"))
    made = check(kind, argv=argv, passed=passed)
    found = of_command(made, ran(output, **more), facts(tests=tests or {}))
    return found.outcome, found.why


# --- files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("# Runbook\n\nStop the import first.\n", "pass"),
        ("", "fail"),
        ("\n \n", "fail"),
        ("# Runbook\n\n---\n", "fail"),
        ("# Runbook\n\nTODO: write this\n", "fail"),
        ("# Runbook\n\nStop it.\n\n- TODO: the rest\n", "fail"),
        ("# Runbook\n\nStop it.\n\nTBD\n", "fail"),
        ("# Runbook\n\nThe old TODO list is gone.\n", "pass"),
        ("# Runbook\n\nStop it. This is not implemented by others.\n", "pass"),
        (None, "pass"),
    ],
)
def test_a_document_that_says_nothing_or_is_only_begun_shows_nothing(
    text: str | None, outcome: str
) -> None:
    assert file(text)[0] == outcome


@pytest.mark.parametrize(
    ("path", "text", "outcome"),
    [
        ("a.py", "def f():\n    raise NotImplementedError\n", "fail"),
        ("a.py", "class A(ABC):\n    @abstractmethod\n    def f(self):\n"
         "        raise NotImplementedError\n", "pass"),
        ("a.py", "x = 1  # TODO: faster\n", "pass"),
        ("a.py", "# TODO: implement\ndef f(): pass\n", "fail"),
        ("a.py", "# nothing here\n", "fail"),
        ("a.rs", "fn f() { todo!() }\n", "fail"),
        ("a.ts", "throw new Error('not implemented')\n", "fail"),
        ("a.ts", "// what is not implemented is listed elsewhere\nf()\n", "pass"),
        ("a.html", "<p>Lorem ipsum dolor</p>\n", "fail"),
    ],
)  # fmt: skip
def test_code_that_is_only_begun_is_scaffolding(path: str, text: str, outcome: str) -> None:
    assert file(text, path)[0] == outcome


def test_a_file_that_is_there_is_quoted_where_it_begins_to_say_something() -> None:
    fact = FileFact("file", text="# Runbook\n\nStop it.\n")
    found = of_claim(check("file", path="a.md"), facts(files={"a.md": fact}))
    assert [(one.path, one.line, one.text) for one in found.quotes] == [("a.md", 3, "Stop it.")]


def test_a_long_line_of_signs_is_read_in_no_time() -> None:
    assert file("#" * 5_000 + "x\n" + "=" * 5_000 + "\n")[0] == "fail"
    assert file("#" * 5_000 + "\nwords\n")[0] == "pass"


# --- Git -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fact", "more", "outcome"),
    [
        (CommitFact(HASH, True), {}, "pass"),
        (CommitFact(HASH, False), {}, "fail"),
        (CommitFact(None), {}, "fail"),
        (CommitFact(None), {"shallow": True}, "cannot_check"),
        (CommitFact(HASH, False), {"shallow": True}, "cannot_check"),
        (CommitFact(HASH, True), {"shallow": True}, "pass"),
        (CommitFact(HASH, True), {"git": False, "why": "no Git"}, "cannot_check"),
    ],
)
def test_a_commit_counts_in_the_history_of_head(
    fact: CommitFact, more: dict[str, Any], outcome: str
) -> None:
    made = check("commit", commit="4e1f09c")
    assert of_claim(made, facts(commits={"4e1f09c": fact}, **more)).outcome == outcome


@pytest.mark.parametrize(
    ("fact", "outcome"),
    [(AgeFact(5), "pass"), (AgeFact(5, "src/a.py"), "fail"), (AgeFact(None), "cannot_check")],
)
def test_evidence_is_as_new_as_the_code(fact: AgeFact, outcome: str) -> None:
    made = check("evidence_age", path="out.log")
    assert of_claim(made, facts(ages={"out.log": fact})).outcome == outcome


def test_what_is_not_committed_is_said() -> None:
    assert of_claim(check("clean"), facts()).outcome == "pass"
    found = of_claim(check("clean"), facts(dirty=("a.py", "b.py")))
    assert (found.outcome, found.why) == ("fail", "2 paths are not committed, first a.py")


# --- commands ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ended", "outcome"),
    [
        ("time", "fail"), ("output", "fail"), ("memory", "fail"), ("processes", "fail"),
        ("signal", "fail"), ("cancelled", "cannot_check"), ("unborn", "cannot_check"),
    ],
)  # fmt: skip
def test_a_command_that_did_not_come_to_its_end_shows_nothing(ended: str, outcome: str) -> None:
    assert command("41 passed in 0.1s", ended=ended)[0] == outcome


def test_the_line_that_counts_stands_for_the_output() -> None:
    made = check("command", argv=("make",))
    for output, line in (
        ("Ran 2 tests in 0.1s\n\nOK\n", "Ran 2 tests in 0.1s"), ("a\nbuilt\n\n", "built"), ("", ""),
    ):  # fmt: skip
        quotes = of_command(made, ran(output), facts()).quotes
        assert [one.text for one in quotes] == ([line] if line else [])


def test_a_failing_command_is_told_with_its_count() -> None:
    assert command("1 failed, 40 passed in 3s", code=1) == ("fail", "exit 1, 1 failed")


@pytest.mark.parametrize(
    ("output", "passed", "outcome"),
    [
        ("41 passed in 0.1s", 41, "pass"),
        ("50 passed in 0.1s", 41, "pass"),
        ("40 passed in 0.1s", 41, "fail"),
        ("1 passed, 40 skipped in 0.1s", 41, "fail"),
        ("done", 41, "cannot_check"),
        ("3 skipped in 0.1s", None, "fail"),
        ("done", None, "pass"),
    ],
)
def test_as_many_tests_pass_as_are_claimed(output: str, passed: int | None, outcome: str) -> None:
    assert command(output, passed=passed, kind="tests")[0] == outcome


@pytest.mark.parametrize(
    ("argv", "outcome"),
    [
        (("pytest", "tests/test_a.py"), "fail"),
        (("pytest", "./tests/test_a.py::test_a"), "fail"),
        (("python3", "-m", "unittest", "tests.test_a"), "fail"),
        (("python3", "-m", "unittest", "tests.test_a.TestA.test_a"), "fail"),
        (("pytest", "tests"), "pass"),
        (("pytest", "tests/test_b.py"), "pass"),
        (("pytest",), "pass"),
        (("ruff", "check"), "pass"),
    ],
)
def test_tests_that_assert_nothing_show_nothing(argv: tuple[str, ...], outcome: str) -> None:
    tests = {"tests/test_a.py": IDLE, "tests/test_b.py": ASSERTING}
    assert command("2 passed in 0.1s", tests, argv=argv)[0] == outcome
    idle = {"tests/test_a.py": IDLE}
    expected = "pass" if argv[0] == "ruff" or "tests/test_b.py" in argv else "fail"
    if "tests/test_b.py" not in argv:
        assert command("2 passed in 0.1s", idle, argv=argv)[0] == expected


def test_a_helper_of_another_file_that_asserts_is_an_assertion() -> None:
    helped = {
        "tests/helping.py": "def same(a, b):\n    assert a == b\n",
        "tests/test_a.py": "from tests.helping import same\n\ndef test_a():\n    same(f(), 1)\n",
    }
    assert command("1 passed in 0.1s", helped)[0] == "pass"


def test_what_needs_a_shell_says_so() -> None:
    found = of_claim(check("nobody", says="pytest | tee out.log"), facts())
    assert (found.outcome, "only a shell" in found.why) == ("cannot_check", True)
    assert "only a shell" not in of_claim(check("nobody", says="seen by all"), facts()).why


def test_checks_that_were_left_out_or_not_run_are_not_found() -> None:
    left = check("file", path="a.md", left_out="no")
    assert [*judge([left, check("command", argv=("make",))], facts(), {})] == []


def test_how_an_auditor_ended_is_said_in_words() -> None:
    assert how_it_ended(ran(code=3)) == "exit 3"
    assert how_it_ended(ran(ended="signal", code=9)) == "it was killed"
    assert how_it_ended(ran(ended="time", why="x")) == "it did not end within its time: x"


@given(st.text(), st.sampled_from(["exited", "time", "signal"]), st.integers(0, 255))
def test_any_output_is_judged_and_kept_harmless(output: str, ended: str, code: int) -> None:
    found = of_command(check("command", argv=("make",)), ran(output, code, ended), facts())
    missing = ended == "exited" and code in (126, 127)
    assert found.outcome in (("cannot_check",) if missing else ("pass", "fail"))
    assert "\x1b" not in found.output + found.why


@pytest.mark.parametrize("code", [126, 127])
def test_a_program_that_is_not_there_shows_nothing_about_the_work(code: int) -> None:
    check = Check("c1", "command", ("dod:1",), "make test", argv=("make", "test"))
    found = of_command(check, Ran(check.argv, "exited", code, 0.1, "make: not found"), facts())
    assert found.outcome == "cannot_check"
