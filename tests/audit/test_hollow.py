"""Which commands and scripts show nothing, told apart from those that do."""

from __future__ import annotations

import json
import shlex
from time import monotonic

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.audit.hollow import decided, is_harness, runs_nothing, unheard
from tests.waiting import PATIENCE_S


@pytest.mark.parametrize(
    "line",
    [
        "true",
        "echo done",
        "sh -c 'exit 0'",
        "bash -c 'echo a; true'",
        "bash -n check.sh",
        "python3 --version",
        "python3 -c 'print(1)'",
        "python -c pass",
        "node -e 'console.log(1)'",
        "node --version",
        "pytest --collect-only",
        "pytest --version",
        "uv run pytest --co tests",
        "python3 -m pytest --collect-only -q",
        "python3 -m unittest -h",
        "npx jest --listTests",
        "npm test -- --listTests",
        "npm run test --if-present",
        "vitest list",
        "cargo test --no-run",
        "cargo test -- --list",
        "go test -list . ./...",
        "go test -c ./pkg",
        "go version",
        "make -n check",
        "make --dry-run",
        "make -i test",
        "ctest -N",
        "tox -l",
        "bats --count t.bats",
        "mvn package -DskipTests",
        "ruff check --exit-zero .",
        "rspec --dry-run",
        "make --help",
        "dotnet test --list-tests",
        "poetry run pytest --help",
    ],
)
def test_a_command_that_cannot_fail_is_told(line: str) -> None:
    assert runs_nothing(shlex.split(line))


@pytest.mark.parametrize(
    "line",
    [
        "pytest tests",
        "python3 -m unittest tests.test_a",
        "python3 -m pytest -k list",
        "make test",
        "python3 -c 'import src.counter'",
        "python3 -c 'assert 1'",
        "python3 -m tool --version",
        "node --test tests/",
        "node -e 'require(\"./a\").check()'",
        "./tool --version",
        "cargo test",
        "go test ./...",
        "go vet ./...",
        "go test -run TestA ./...",
        "npm test",
        "npx jest tests",
        "sh -c 'cd app && make test'",
        "bash tests/all.sh -n",
        "cargo publish --dry-run",
        "bats t",
        "npm pack --dry-run",
        "uv run pytest",
        "tsc --noEmit",
        "ctest --test-dir build",
        "tox -e py",
    ],
)
def test_a_command_that_can_fail_is_no_matter(line: str) -> None:
    assert not runs_nothing(shlex.split(line))


@pytest.mark.parametrize(
    "text",
    [
        "pytest || true",
        "pytest || :",
        "pytest || exit 0",
        "pytest || echo failed",
        "pytest; true",
        "pytest | tee log",
        "set -e\npytest | tail -3",
        "pytest > log 2>&1 &",
        "pytest\nexit 0",
        "cargo test\necho done",
        "set -e\nset +e\ngo test ./...\necho done",
        "exit 0",
        "echo '12 passed'",
        "#!/bin/sh\n# nothing\n",
        "CI=1 npx jest || true",
        "set -e\npytest \\\n  -q || true",
        "set -e\ntrap 'exit 0' EXIT\nmake test\necho done",
        "set -e\npytest\necho 12 tests passed",
    ],
)
def test_a_script_in_which_a_failure_goes_unheard_is_told(text: str) -> None:
    assert unheard(("sh", "./check.sh"), {"check.sh": text})


@pytest.mark.parametrize(
    "text",
    [
        "pytest",
        "set -e\npytest\necho done",
        "#!/bin/sh -e\npytest\necho done",
        "pytest && echo done",
        "pytest || exit 1",
        "pytest\nstatus=$?\nexit $status",
        "ruff check .\nmypy\npytest",
        "set -eu\nrm -rf build || true\npytest",
        "set -euo pipefail\npytest | tee log",
        "pytest | grep -q '12 passed'",
        "if ! pytest; then\n  exit 1\nfi",
        "count=$(pytest)\ntest -n x",
        'set -e\npytest\necho "$count passed"',
        "test -f built\ndiff a b",
    ],
)
def test_a_script_that_hears_of_a_failure_is_no_matter(text: str) -> None:
    assert not unheard(("sh", "check.sh"), {"check.sh": text})


def test_only_the_recipes_that_are_made_count() -> None:
    text = "test: unit\nunit:\n\tpytest\nlint:\n\t-ruff check .\nclean:\n\trm -r out || true\n"
    assert not unheard(("make",), {"Makefile": text})
    assert not unheard(("make", "test", "V=1"), {"Makefile": text})
    assert unheard(("make", "lint"), {"Makefile": text})
    assert unheard(("make", "all"), {"Makefile": "all: unit\nunit: ; pytest || true\n"})
    assert unheard(("make",), {"Makefile": "all:\n\t@echo 3 tests passed\n"})


def test_the_scripts_of_a_package_are_followed() -> None:
    scripts = {"test": "npm run unit", "unit": "jest || true", "check": "jest && tsc"}
    files = {"package.json": json.dumps({"scripts": scripts})}
    assert unheard(("npm", "test"), files)
    assert unheard(("yarn", "unit"), files)
    assert not unheard(("npm", "run", "check"), files)
    assert unheard(("npm", "test"), {"package.json": '{"scripts": {"test": "echo ok"}}'})
    assert not unheard(("npm", "test"), {"package.json": "no JSON"})


def test_a_program_that_is_no_shell_script_is_not_read_as_one() -> None:
    assert not unheard(("./check",), {"check": "#!/usr/bin/env python3\nimport a\na.run()\n"})
    assert unheard(("./check",), {"check": "#!/usr/bin/env bash\necho fine\n"})


@pytest.mark.parametrize(
    "text",
    [
        "unittest.TestCase.assertEqual = lambda *_: None",
        "os._exit(0)",
        "sys.exit()",
        "def pytest_sessionfinish(session):\n    session.exitstatus = 0",
        "report.outcome = 'passed'",
        "AssertionError = ValueError",
        "setattr(TestCase, 'run', nothing)",
        "process.exitCode = 0;",
        "globalThis.expect = () => ({ toBe() {} });",
    ],
)
def test_a_harness_that_decides_how_tests_end_is_told(text: str) -> None:
    assert decided({"tests/conftest.py": text}, {})


@pytest.mark.parametrize(
    "text",
    [
        "def pytest_collection_modifyitems(items):\n    items.sort()",
        "os._exit(code)",
        "def pytest_runtest_makereport(item, call):\n    item.report = yield",
        "if a.exitstatus == 0:",
        "expect.extend({ toBeOdd() {} })",
        "class TestCase(Base):\n    name = 1",
    ],
)
def test_what_a_harness_usually_does_is_no_matter(text: str) -> None:
    assert not decided({"tests/conftest.py": text}, {})


def test_a_test_may_end_a_process_of_its_own() -> None:
    assert not decided({}, {"tests/test_a.py": "os._exit(0)"})
    assert decided({}, {"tests/test_a.py": "TestCase.fail = nothing"})


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("conftest.py", True),
        ("pkg/tests/conftest.py", True),
        ("sitecustomize.py", True),
        ("tests/__init__.py", True),
        ("jest.setup.ts", True),
        ("src/setupTests.js", True),
        ("src/__init__.py", False),
        ("tests/test_a.py", False),
        ("setup.py", False),
    ],
)
def test_the_files_around_tests_are_known_by_name(path: str, expected: bool) -> None:
    assert is_harness(path) == expected


@given(st.lists(st.text(), max_size=6), st.text())
def test_any_command_and_any_script_is_read(argv: list[str], text: str) -> None:
    runs_nothing(argv)
    for words in (argv, ("sh", "a"), ("make",), ("npm", "test")):
        unheard(words, {"a": text, "Makefile": text, "package.json": text})
    decided({"conftest.py": text}, {"test_a.py": text})


@pytest.mark.parametrize("word", ["pytest ", "|", "echo 1 ", "a: b\n\tmake a\n", "set ", "\\\n"])
def test_a_script_without_an_end_is_read_in_no_time(word: str) -> None:
    text = word * (256 * 1024 // len(word))
    began = monotonic()
    unheard(("sh", "a"), {"a": text})
    unheard(("make",), {"Makefile": text})
    decided({"conftest.py": text}, {})
    assert monotonic() - began < PATIENCE_S
