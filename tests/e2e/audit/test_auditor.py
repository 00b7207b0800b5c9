"""An auditor of the person's own, with and without bubblewrap: what it is given and what not."""

from __future__ import annotations

import socket
import sys
from pathlib import Path

import pytest

from ppgp_tui.audit import machine
from ppgp_tui.audit.auditor import PRESETS, Auditor, Preset, auditor_of
from ppgp_tui.audit.judge import Ran
from ppgp_tui.audit.process import descendants
from ppgp_tui.audit.sandbox import Limits
from tests.e2e.audit.victim import PYTHON, SECRET, TIGHT, Victim, lasting_copies
from tests.e2e.terminal import REPOSITORY

HERE, WHY = machine.bubblewrap()
NEEDS_BUBBLEWRAP = pytest.mark.skipif(not HERE, reason=WHY)


@pytest.fixture(params=[pytest.param("sandbox", marks=NEEDS_BUBBLEWRAP), "copy"])
def kept(request: pytest.FixtureRequest) -> str:
    if request.param == "copy":
        request.getfixturevalue("without_bubblewrap")
    return str(request.param)


def asked(victim: Victim, script: str, preset: Preset | None = None, limits: Limits = TIGHT) -> Ran:
    """What an auditor says that is this script of Python."""
    argv = (PYTHON, "-c", victim.script(script))
    auditor = Auditor(
        preset._replace(argv=argv) if preset else Preset(argv), victim.root, limits,
        home=victim.home, environ=victim.environ,
    )  # fmt: skip
    return auditor.ask("Is it done?\n", on_output=lambda _: None, cancelled=lambda: False)


def test_it_reads_its_question_and_what_it_prints_is_its_answer(victim: Victim, kept: str) -> None:
    ran = asked(
        victim,
        "print(sys.stdin.read(), 'yes', open('README.md').read())\nprint('aside', file=sys.stderr)",
    )
    assert (ran.ended, ran.code) == ("exited", 0), ran
    assert ran.output == "Is it done?\n yes a project, changed\n\nTRIED\n"


def test_where_it_ends_badly_everything_that_it_said_is_kept(victim: Victim, kept: str) -> None:
    ran = asked(victim, "print('well', flush=True)\nsys.exit('not logged in')")
    assert (ran.ended, ran.code) == ("exited", 1)
    assert "not logged in" in ran.output
    assert "well" in ran.output


def test_one_that_does_not_read_its_question_is_heard(victim: Victim, kept: str) -> None:
    long = "x" * 3_000_000
    auditor = Auditor(
        Preset(("echo", "no")), victim.root, TIGHT, home=victim.home, environ=victim.environ
    )
    ran = auditor.ask(long, on_output=lambda _: None, cancelled=lambda: False)
    assert ran.output == "no\n"


def test_it_has_the_credentials_of_its_kind_and_no_others(victim: Victim, kept: str) -> None:
    before = victim.digest()
    ran = asked(
        victim,
        """
home = os.path.expanduser('~')
for folder, _, names in os.walk(home):
    for name in names:
        path = os.path.join(folder, name)
        print(os.path.relpath(path, home), oct(os.stat(path).st_mode & 0o777), open(path).read())
print(sorted(name for name in os.environ if 'TOKEN' in name or 'KEY' in name))
""",
        PRESETS["claude"],
    )
    assert ran.output == f".claude/.credentials.json 0o600 {SECRET}\n[]\nTRIED\n", ran
    assert victim.digest() == before
    assert not lasting_copies()


def test_its_variables_are_its_own_and_in_nobodys_list_of_processes(
    victim: Victim, kept: str
) -> None:
    victim.environ["ANTHROPIC_API_KEY"] = "sk-of-a-test"
    seen: list[bytes] = []

    def look() -> bool:
        import os

        for pid in descendants(os.getpid()):
            path = Path(f"/proc/{pid}/cmdline")
            seen.append(path.read_bytes() if path.exists() else b"")
        return False

    argv = (
        PYTHON,
        "-c",
        "import os, time; time.sleep(0.5); print(os.environ['ANTHROPIC_API_KEY'])",
    )
    auditor = Auditor(
        PRESETS["claude"]._replace(argv=argv), victim.root, TIGHT, home=victim.home,
        environ=victim.environ,
    )  # fmt: skip
    ran = auditor.ask("", on_output=lambda _: None, cancelled=look)
    assert ran.output == "sk-of-a-test\n"
    assert any(b"ANTHROPIC_API_KEY" in words for words in seen)
    assert not any(b"sk-of-a-test" in words for words in seen)


@NEEDS_BUBBLEWRAP
def test_it_can_change_nothing_and_read_nothing_else(victim: Victim) -> None:
    before = victim.digest()
    ran = asked(
        victim,
        """
for path in (ROOT + '/README.md', ROOT + '/new', ROOT + '/.git/config', HOME + '/planted'):
    try:
        open(path, 'a').write('x')
        print('wrote', path)
    except OSError as error:
        print(error.strerror)
for path in (HOME + '/.ssh/id_ed25519', ROOT + '/.ppgp/run/answers/one.json'):
    print(os.path.exists(path))
""",
    )
    assert ran.output.count("Read-only file system") == 3, ran
    assert "wrote" not in ran.output.replace(f"wrote {victim.home}/planted", "")
    assert ran.output.endswith("False\nFalse\nTRIED\n")
    assert victim.digest() == before


def test_it_reaches_the_network_where_its_model_is(victim: Victim, kept: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        ran = asked(
            victim,
            f"import socket\nprint(bool(socket.create_connection(('127.0.0.1', {port}), 5)))",
        )
    assert ran.output.startswith("True\n"), ran


def test_one_that_is_of_the_repository_is_not_asked(victim: Victim, kept: str) -> None:
    victim.environ["PATH"] = f"{victim.root}/tools:{victim.environ['PATH']}"
    for word in ("run.sh", "tools/run.sh"):
        found = auditor_of((word,), victim.root, TIGHT, victim.environ)
        assert found is not None
        ran = found.ask("", on_output=lambda _: None, cancelled=lambda: False)
        assert ran.ended == "unborn"
        assert "of the repository that it would judge" in ran.why


def test_it_has_its_time_as_well(victim: Victim, kept: str) -> None:
    ran = asked(victim, "import time; time.sleep(600)", limits=TIGHT._replace(seconds=1))
    assert ran.ended == "time"


@NEEDS_BUBBLEWRAP
def test_in_a_sandbox_where_no_other_can_be_made_there_is_the_copy(victim: Victim) -> None:
    """An audit in an audit: the inner one says why it is weaker, and still runs."""
    inner = (
        "import os, sys\n"
        f"sys.path[:0] = {[str(REPOSITORY), *(p for p in sys.path if 'site-packages' in p)]!r}\n"
        "from pathlib import Path\n"
        "from ppgp_tui.audit import command, machine\n"
        "from ppgp_tui.audit.sandbox import Limits\n"
        "print(machine.bubblewrap()[1])\n"
        "os.mkdir('/tmp/r')\n"
        "ran = command.run(Path('/tmp/r'), ['echo', 'ran'], Limits(), os.environ)\n"
        "print(ran.output, command.isolation())\n"
    )
    victim.root = REPOSITORY
    ran = victim.runs(PYTHON, "-c", inner, limits=Limits(seconds=60))
    assert ran.output.startswith("bubblewrap may not be used here: "), ran
    assert ran.output.endswith("ran\n copy\n"), ran
