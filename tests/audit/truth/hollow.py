"""Commands that end well whatever the work is like, for a counter that loses what it keeps."""

from __future__ import annotations

from typing import Any, Final

from tests.audit.truth.stage import (
    CODE,
    COUNTER,
    RUN_COUNTER,
    TEST_COUNTER,
    Case,
    Files,
    Stage,
    one,
)

BROKEN: Final = {**CODE, "src/counter.py": COUNTER.replace("str(count)", '"0"')}
PATCH: Final = "import unittest\n\nunittest.TestCase.assertEqual = lambda *_: None\n"


def broken(name: str, evidence: str, files: Files | None = None, **more: Any) -> Case:
    """The counter does not survive, and this is to show that it does."""
    kept = {path: text for path, text in {**BROKEN, **(files or {})}.items() if text is not None}
    return Case(
        name, more.pop("word", "inconclusive"), files=kept,
        document=one("[x] The counter survives a restart", f"DoD 2: {evidence}"), frozen=None,
        **more,
    )  # fmt: skip


def script(name: str, text: str, why: str, **more: Any) -> Case:
    """A script is to show it."""
    return broken(name, "`sh check.sh`", {"check.sh": text}, why=(why,), **more)


def hides_a_patch(stage: Stage) -> None:
    (stage.root / ".git/info/exclude").write_text("tests/__init__.py\n")
    (stage.root / "tests/__init__.py").write_text(PATCH)


HOLLOW: Final = (
    broken(
        "a script that drops the failure of its tests, which they print",
        "`sh check.sh`", {"check.sh": f"{RUN_COUNTER} || true\n"}, word="rejected",
        objections=("exit 0, and yet it says: Ran 1 test",),
    ),
    broken(
        "tests that are piped into another program, and fail",
        "`sh check.sh`", {"check.sh": f"{RUN_COUNTER} 2>&1 | tee out.log\n"}, word="rejected",
        objections=("exit 0, and yet it says: Ran 1 test",),
    ),
    script(
        "a script that drops the failure of its tests without a word",
        f"{RUN_COUNTER} >/dev/null 2>&1 || true\n", "check.sh line 1 drops the failure",
    ),
    script(
        "a script that pipes its tests away",
        f"set -e\n{RUN_COUNTER} 2>/dev/null | tail -1 >/dev/null\n",
        "check.sh line 2 drops the failure",
    ),
    script(
        "a script that goes on when its tests fail",
        f"{RUN_COUNTER} >/dev/null 2>&1\necho done\n", "check.sh line 1 fails unheard",
    ),
    script(
        "a script that ends well, come what may",
        f"set -e\ntrap 'exit 0' EXIT\n{RUN_COUNTER} >/dev/null 2>&1\necho done\n",
        "check.sh line 3 fails unheard",
    ),
    script("a script that does nothing", "#!/bin/sh\nexit 0\n", "check.sh never fails"),
    broken(
        "a script that prints a count of its own", "`sh check.sh`: 1 passed",
        {"check.sh": "test -d src\necho 1 passed\n"},
        why=("check.sh line 2 prints a count that nothing counted",),
    ),
    broken(
        "a recipe whose failure make ignores", "`make test`",
        {"Makefile": f"all: test\n\ntest:\n\t-@{RUN_COUNTER} 2>/dev/null\n"},
        word="rejected", objections=("Error 1 (ignored)",),
    ),
    broken(
        "a recipe behind another one that swallows it", "`make`",
        {"Makefile": f"all: test\n\ntest:\n\t@{RUN_COUNTER} >/dev/null 2>&1 || :\n"},
        why=("Makefile line 4 drops the failure",),
    ),
    broken(
        "make that only says what it would do", "`make -n test`",
        {"Makefile": f"test:\n\t{RUN_COUNTER}\n"}, why=("with -n make runs no test",),
    ),
    broken(
        "tests that only tell how they are called", "`python3 -m unittest --help`",
        why=("--help only tells about unittest",),
    ),
    broken(
        "a shell that only reads its script", "`bash -n check.sh`",
        {"check.sh": f"{RUN_COUNTER}\n"}, why=("with -n bash runs no test",),
    ),
    broken("a version", "`python3 --version`", why=("--version only tells about python",)),
    broken("a shell's true", "`sh -c true`", why=("its shell code never fails",)),
    broken("code that only prints", "`python3 -c 'print(1)'`", why=("its code only prints",)),
    broken(
        "a program that only prints", "`python3 check.py`", {"check.py": "print('1 passed')\n"},
        why=("check.py does nothing that could fail",),
    ),
    broken(
        "a command of the settings that never fails", "`true`", commands=(("true",),),
        why=("true never fails",),
    ),
    broken(
        "a command of the settings in a shell that hears nothing",
        f"`sh -c '{RUN_COUNTER} 2>/dev/null || true'`",
        commands=(("sh", "-c", f"{RUN_COUNTER} 2>/dev/null || true"),),
        why=("its shell code line 1 drops the failure",),
    ),
    broken(
        "tests whose assertions were made to hold", f"`{RUN_COUNTER}`: 1 passed",
        {"tests/__init__.py": PATCH}, why=("tests/__init__.py line 3 decides how tests end",),
    ),
    broken(
        "tests in a file that makes its own assertions hold", f"`{RUN_COUNTER}`: 1 passed",
        {"tests/test_counter.py": f"{PATCH}\n\n{TEST_COUNTER}"},
        why=("tests/test_counter.py line 3 decides how tests end",),
    ),
    broken(
        "the same, in a file that Git was told to ignore", f"`{RUN_COUNTER}`: 1 passed",
        {"tests/__init__.py": None}, prepared=hides_a_patch,
        why=("tests/__init__.py line 3 decides how tests end",),
    ),
    broken(
        "tests whose process ends well before they are counted", f"`{RUN_COUNTER}`",
        {"tests/__init__.py": "import atexit\nimport os\n\natexit.register(lambda: os._exit(0))\n"},
        word="rejected", objections=("exit 0, and yet it says",),
    ),
    broken(
        "a test that is expected to fail, and counted", f"`{RUN_COUNTER}`: 1 passed",
        {"tests/test_counter.py": TEST_COUNTER.replace(
            "    def test_it", "    @unittest.expectedFailure\n    def test_it")},
        word="rejected", objections=("without running a test",),
    ),
)  # fmt: skip
