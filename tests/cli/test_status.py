"""`ppgp-tui status`: one line, harmless anywhere, without loading what takes time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from ppgp_tui.cli.status_line import SIGNS, line
from ppgp_tui.session.picture.glance import Glance, RunState
from tests.cli.running import run
from tests.cli.test_demo_story import tell
from tests.cli.test_show import HARMFUL, HOSTILE

NOW = 1_790_000_000_000
QUIET: dict[str, Any] = Glance(
    run="none", run_since_ms=None, agents_in_run=0, agents=0, needs=0, needs_oldest_ms=None,
    blockers=0, audit=None, phase=None, phase_inferred=False, done=0, claimed=0, total=0,
    last_event_ms=None,
)._asdict()  # fmt: skip


def said(*, ascii_only: bool = False, **members: Any) -> str:
    return line({**QUIET, **members}, NOW, ascii_only=ascii_only)


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("told")
    return tell(place / "importer", place / "state", until=22).root


# --- the words ----------------------------------------------------------------------------------


def test_everything_at_once_the_most_urgent_first() -> None:
    assert (
        said(
            needs=2, needs_oldest_ms=NOW - 360_000, run="working", run_since_ms=NOW - 12_000,
            blockers=3, audit="claimed", phase="EXECUTE", done=2, total=7,
        )
        == "? 2 for you 6m  ▸ working 12s  ⊘3  A claimed  EXECUTE 2/7"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("members", "text"),
    [
        ({}, ""),
        ({"needs": 1}, "? 1 for you"),
        ({"run": "held", "run_since_ms": NOW - 240_000}, "= held 4m"),
        ({"run": "pause_asked", "run_since_ms": NOW - 3000}, "= pause asked 3s"),
        ({"run": "quiet", "run_since_ms": NOW - 720_000}, ". no evidence 12m"),
        ({"run": "idle"}, ". idle"),
        ({"run": "waiting_for_you"}, "? waiting for you"),
        ({"phase": "SHIP", "phase_inferred": True}, "SHIP, inferred"),
        ({"total": 7}, "0/7"),
        ({"phase": "CLOSED"}, "CLOSED"),
        ({"audit": "running", "audit_done": 3, "audit_checks": 7}, "A 3/7"),
        ({"audit": "rejected"}, "A ✗"),
        ({"audit": "verified"}, "A verified"),
    ],
)
def test_what_is_unknown_or_empty_is_left_out(members: dict[str, Any], text: str) -> None:
    assert said(**members) == text


def test_ascii_signs_are_those_of_the_app() -> None:
    from ppgp_tui.ui.looks.look import Look

    for ascii_only in (False, True):
        look = Look({}, ascii=ascii_only)
        for name, pair in SIGNS.items():
            assert pair[ascii_only] == look.sign(name)  # type: ignore[arg-type]
    assert said(blockers=3, run="working", ascii_only=True) == "> working  !3"


def test_every_run_state_has_the_words_of_the_lamp() -> None:
    from ppgp_tui.ui.screen.lamps import RUN

    for state in get_args(RunState):
        if state != "none":
            sign, _, (_, short) = RUN[state]
            text = said(run=state)
            assert text.startswith(SIGNS[sign][0])
            assert short in text


# --- the program --------------------------------------------------------------------------------


def test_text_is_the_default(told: Path) -> None:
    code, out, err = run("status", told, LANG="C.UTF-8")
    assert (code, err) == (0, "")
    assert out.startswith("? 3 for you ")
    assert out.endswith("⊘3  EXECUTE 2/7\n")


@pytest.mark.parametrize("words", [["--format", "tmux"], ["--format=tmux"]])
def test_tmux_gets_the_same_line(told: Path, words: list[str]) -> None:
    plain = run("status", told)
    assert run("status", *words, told) == plain


def test_tmux_never_reads_a_command_in_it(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    from ppgp_tui.cli import status

    hostile = {**QUIET, "phase": "#[fg=red]#(rm)"}
    monkeypatch.setattr("ppgp_tui.session.status.line.read_status", lambda *_: hostile)
    assert status.main(["--format", "tmux"]) == 0
    assert capsys.readouterr().out == "##[fg=red]##(rm)\n"


def test_in_colours_the_most_urgent_stands_out_and_words_stay_words(
    monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    from ppgp_tui.cli import status

    monkeypatch.setenv("PPGP_ASCII", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    shown = {**QUIET, "needs": 2, "run": "working", "blockers": 3, "phase": "#[fg=red]#(rm)"}
    monkeypatch.setattr("ppgp_tui.session.status.line.read_status", lambda *_: shown)
    assert status.main(["--tmux"]) == 0
    assert capsys.readouterr().out == (
        "#[fg=yellow,bold]? 2 for you#[default]  #[fg=cyan]> working#[default]  "
        "#[fg=red]!3#[default]  ##[fg=red]##(rm)\n"
    )
    monkeypatch.setenv("NO_COLOR", "1")
    assert status.main(["--tmux"]) == 0
    assert capsys.readouterr().out == "? 2 for you  > working  !3  ##[fg=red]##(rm)\n"
    assert status.main(["--tmux", "--format", "json"]) == 2


def test_json_has_every_member_of_the_glance(told: Path) -> None:
    code, out, _ = run("status", "--format", "json", told)
    assert code == 0
    value = json.loads(out)
    assert value["schema"] == "ppgp-tui-status/1"
    assert set(value) == {"schema", "root", "at_ms", *Glance._fields}
    assert (value["needs"], value["blockers"], value["done"], value["claimed"]) == (3, 3, 2, 1)


def test_the_place_is_found_as_everywhere(told: Path) -> None:
    here = run("status", cwd=told / "docs")
    assert here == run("status", told)
    assert here == run("status", "--root", told)
    assert here == run("status", "--root=" + str(told), cwd=Path("/"))
    assert here == run("status", cwd=Path("/"), PPGP_ROOT=str(told))


def test_an_empty_folder_is_an_empty_line(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    assert run("status", folder) == (0, "\n", "")


def test_hostile_documents_are_harmless(tmp_path: Path) -> None:
    root = tmp_path / "hostile"
    (root / "docs").mkdir(parents=True)
    (root / "docs/ACTIVE_GOAL.md").write_text(
        f"## GOAL\n{HOSTILE}\n\n## PHASE\nEXECUTE {HOSTILE}\n\n## BLOCKERS\n- {HOSTILE}\n"
    )
    for form in ("text", "tmux", "json"):
        code, out, err = run("status", root, "--format", form)
        assert (code, err) == (0, "")
        assert HARMFUL.isdisjoint(out)


@pytest.mark.parametrize(
    "environ", [{"PPGP_ASCII": "1"}, {"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "POSIX"}]
)
def test_ascii_where_nothing_else_can_be_shown(told: Path, environ: dict[str, str]) -> None:
    code, out, err = run("status", told, **environ)
    assert (code, err) == (0, "")
    assert out.isascii()
    assert "!3  EXECUTE" in out


@pytest.mark.parametrize(
    "words", [["--no-such"], ["--format"], ["--format", "xml"], ["a", "b"], ["--root"]]
)
def test_words_that_make_no_sense_exit_2(words: list[str]) -> None:
    code, out, err = run("status", *words)
    assert (code, out) == (2, "")
    assert "Usage: ppgp-tui status" in err


def test_a_path_that_cannot_be_read_exits_1(tmp_path: Path) -> None:
    code, out, err = run("status", tmp_path / "nowhere")
    assert (code, out) == (1, "")
    assert "nowhere" in err


@pytest.mark.parametrize("words", [["no\n\x1b[31mwhere"], ["--no\n\x1b[31mwhere"]])
def test_an_odd_path_is_printed_harmless(words: list[str]) -> None:
    said = run("status", *words)
    assert said.code in (1, 2)
    assert "\x1b" not in said.err
    assert not any(line.startswith("\u241b") for line in said.err.splitlines())


def test_nothing_that_takes_time_is_loaded(told: Path) -> None:
    script_needs = imported_by_status(told)
    heavy = {
        "textual", "click", "pydantic", "msgspec", "rich", "watchfiles", "git", "platformdirs",
        "dataclasses", "pathlib", "subprocess", "argparse",
    }  # fmt: skip
    assert script_needs.isdisjoint(heavy)


def imported_by_status(root: Path) -> set[str]:
    """Modules loaded by a second call, when the document has been read before.

    Nothing is kept of a document that may be written again without a new stamp, so it is aged.
    """
    for document in root.glob("docs/*.md"):
        os.utime(document, (document.stat().st_atime, document.stat().st_mtime - 60))
    for _ in range(2):
        run("status", root)
    script = (
        "import sys, os\n"
        "def leave(code):\n"
        "    sys.stderr.write('MODULES ' + ' '.join(sys.modules))\n"
        "    sys.stderr.flush()\n"
        "    end(code)\n"
        "end, os._exit = os._exit, leave\n"
        "sys.argv[1:] = ['status', sys.argv[1]]\n"
        "from ppgp_tui.cli.entry import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", script, str(root)],
        capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )  # fmt: skip
    return set(done.stderr.split("MODULES ", 1)[1].split())
