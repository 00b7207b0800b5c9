"""`ppgp-tui show`: the same picture as the app's, for people who listen and for programs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.session.live.store import LiveSession
from tests.cli.running import PROGRAM, Said, imported_by, run
from tests.cli.test_demo_story import tell
from tests.unprivileged import forbidden_things_stay_forbidden
from tests.waiting import PATIENCE_S

HOSTILE = (
    "[/] [@click=app.quit]x[/] \x1b]0;owned\x07 \x1b[31mred \x9b2J \x90q \x7f \u202eevil "
    "\u2066 \ufeff \U000e0041 \x00 日本語 é"
)
HARMFUL = set("\x1b\x07\x7f\u202e\u2066\ufeff\U000e0041\x00") | set(map(chr, range(0x80, 0xA0)))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("told")
    return tell(place / "importer", place / "state", until=22).root


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    root = tmp_path / "hostile"
    (root / "docs").mkdir(parents=True)
    (root / "state").mkdir()
    (root / "docs/ACTIVE_GOAL.md").write_text(
        f"## GOAL\n{HOSTILE}\n\n## PHASE\n{HOSTILE}\n\n## BLOCKERS\n- {HOSTILE}\n\n"
        f"## HUMAN_AUTHORITY_REQUIRED\n- Owner decides: {HOSTILE}\n\n"
        f"## DEFINITION_OF_DONE\n- [ ] {HOSTILE}\n"
    )
    event = {
        "id": HOSTILE, "schema_version": 1, "ts_ms": 1, "actor": {"kind": "agent", "id": HOSTILE},
        "kind": HOSTILE, "payload": {HOSTILE: HOSTILE}, "causation_id": None,
        "correlation_id": None,
    }  # fmt: skip
    line = json.dumps(event, ensure_ascii=False).replace('"payload": {', '"payload": {"far":1e999,')
    (root / "state/events.jsonl").write_text(line + "\n")
    return root


def shown(*words: object, cwd: Path | None = None) -> dict[str, Any]:
    code, out, err = run("show", "--json", *words, cwd=cwd)
    assert (code, err) == (0, "")
    value: dict[str, Any] = json.loads(out)
    return value


def test_the_json_has_every_member_that_the_schema_promises(told: Path) -> None:
    said = shown(told)
    assert said["schema"] == "ppgp-tui/1"
    assert said["root"] == str(told)
    assert set(said) >= {
        "schema", "root", "at_ms", "goal", "plan", "inbox", "control", "agents", "events", "repo",
        "loops", "audit", "lineages", "sources", "problems",
    }  # fmt: skip
    assert set(said["goal"]) >= {
        "path", "health", "reasons", "goal", "goal_source", "why", "phase", "phase_raw",
        "phase_inferred", "dod", "dod_total", "dod_done", "dod_partial", "blockers",
        "blocker_counts", "authority", "authority_pending", "next_action", "next_executable_now",
    }  # fmt: skip
    assert set(said["plan"]) >= {
        "source",
        "revision",
        "digest",
        "tasks",
        "ready",
        "blocked",
        "hand_edit",
        "history_count",
    }
    assert set(said["events"]) >= {
        "count",
        "bytes",
        "last",
        "torn",
        "cut",
        "outbox",
        "rewritten",
    }
    assert set(said["repo"]) >= {
        "branch",
        "head",
        "dirty",
        "ahead",
        "behind",
        "commits_since_goal",
    }
    assert set(said["control"]) >= {"handshake"}
    assert set(said["audit"]) >= {"state", "bound", "stale"}


def test_the_json_is_what_the_app_would_show(told: Path) -> None:
    session = LiveSession(told)
    snapshot = session.read_all()
    session.close()
    said = shown(told)
    assert said["goal"]["goal"] == snapshot.goal.value.goal
    assert said["goal"]["phase"] == snapshot.goal.value.phase == "EXECUTE"
    assert [task["key"] for task in said["plan"]["tasks"]] == [
        task.key for task in snapshot.plan.value.tasks
    ]
    assert said["events"]["count"] == snapshot.events.value.count
    assert [request["id"] for request in said["inbox"]] == [
        request.id for request in snapshot.inbox.value
    ]
    assert said["repo"]["branch"] == "feat/resume"


def test_it_is_found_from_a_folder_below(told: Path) -> None:
    assert shown(cwd=told / "docs")["root"] == str(told)
    assert shown(told / "src/importer")["root"] == str(told)
    assert shown("--root", told)["root"] == str(told)


def test_the_sentences_say_the_urgent_first_and_nothing_needs_eyes(told: Path) -> None:
    code, out, err = run("show", told)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("3 requests for you")
    assert lines[1].startswith("Request 1 of 3: ")
    assert "Phase: EXECUTE." in lines
    assert any(line.startswith("Done when, 7 conditions: ") for line in lines)
    assert any(line.startswith("Task T8, blocked") for line in lines)
    assert any(line.startswith("Plan revision ") for line in lines)
    assert out.isascii()


def test_the_repositorys_own_document_shows_the_whole_repository(told: Path) -> None:
    assert shown(told / "docs/ACTIVE_GOAL.md")["plan"]["source"] == "log"
    assert shown("docs/ACTIVE_GOAL.md", cwd=told)["plan"]["source"] == "log"


def test_any_other_file_is_read_as_a_goal_document_and_nothing_else(
    told: Path, tmp_path: Path
) -> None:
    file = tmp_path / "somebody's goal.md"
    file.write_text("## GOAL\n\nGo home.\n\n## PHASE\n\nSHIP\n")
    said = shown(file)
    assert said["goal"]["goal"] == "Go home."
    assert said["goal"]["phase"] == "SHIP"
    assert said["plan"] is said["agents"] is said["events"] is said["repo"] is None
    inside = told / "docs/other.md"
    inside.write_text(file.read_text())
    said = shown(inside)
    inside.unlink()
    assert (said["goal"]["path"], said["goal"]["phase"]) == ("docs/other.md", "SHIP")
    code, out, _ = run("show", file)
    assert code == 0
    assert "Goal: Go home." in out.splitlines()
    assert "agent" not in out.lower()


def test_a_link_to_a_document_is_followed_because_the_person_named_it(tmp_path: Path) -> None:
    file = tmp_path / "there/goal.md"
    file.parent.mkdir()
    file.write_text("## GOAL\n\nGo home.\n")
    (tmp_path / "link.md").symlink_to(file)
    assert shown(tmp_path / "link.md")["goal"]["goal"] == "Go home."


def test_an_empty_folder_says_what_was_looked_for(tmp_path: Path) -> None:
    code, out, _ = run("show", tmp_path)
    assert code == 0
    assert "docs/ACTIVE_GOAL.md" in out
    assert ".ppgp/todo.json" in out
    assert shown(tmp_path)["goal"]["health"] == "MISSING"


@pytest.fixture
def forbidden(tmp_path: Path) -> Iterator[Path]:
    """A folder nobody may look into, with a folder in it."""
    folder = tmp_path / "folder"
    (folder / "inner").mkdir(parents=True)
    folder.chmod(0)
    yield folder
    folder.chmod(0o700)


def barred(*words: object) -> Said:
    """`ppgp-tui WORDS` by somebody to whom what is forbidden stays so, even if it is root."""
    return run(*words, before=forbidden_things_stay_forbidden())


def test_a_document_that_may_not_be_read_exits_1_with_the_reason(tmp_path: Path) -> None:
    file = tmp_path / "goal.md"
    file.write_text("## GOAL\n")
    file.chmod(0)
    code, out, _ = barred("show", file)
    assert code == 1
    assert "permission denied" in out


@pytest.mark.parametrize(
    "words", [["show"], ["show", "--json"], ["show", "--root"], ["status"], ["status", "--root"]]
)
@pytest.mark.parametrize("below", ["", "inner", "inner/goal.md"])
def test_a_folder_that_may_not_be_read_exits_1_with_a_plain_sentence(
    forbidden: Path, words: list[str], below: str
) -> None:
    path = forbidden / below
    code, out, err = barred(*words, path)
    assert (code, out) == (1, "")
    assert err.removeprefix("Error: ") == f"{path} cannot be read: permission denied\n"


def test_an_act_in_a_folder_that_may_not_be_read_is_refused(forbidden: Path) -> None:
    code, out, err = barred("todo", "get", "--root", forbidden)
    assert (code, out) == (1, "")
    assert f"{forbidden} cannot be read: permission denied" in err


def test_a_document_that_is_a_link_to_itself_is_a_reason_and_no_crash(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/ACTIVE_GOAL.md").symlink_to("ACTIVE_GOAL.md")
    said = shown(tmp_path)
    assert said["goal"]["health"] == "MALFORMED"
    assert "link" in said["goal"]["reasons"][0]["text"]
    code, out, err = run("show", tmp_path)
    assert (code, err) == (0, "")
    assert "docs/ACTIVE_GOAL.md" in out
    code, _, err = run("show", tmp_path / "docs/ACTIVE_GOAL.md")
    assert code in (1, 2)
    assert "Traceback" not in err


def test_a_socket_or_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    code, out, _ = run("show", tmp_path / "pipe")
    assert code == 1
    assert "named pipe" in out


def test_hostile_text_is_harmless_in_sentences(hostile: Path) -> None:
    code, out, _ = run("show", hostile)
    assert code == 0
    assert HARMFUL.isdisjoint(out)
    assert "[@click=app.quit]x[/]" in out
    assert "日本語" in out
    assert "␛]0;owned" in out


def test_hostile_text_is_harmless_in_json_and_still_whole(hostile: Path) -> None:
    code, out, _ = run("show", "--json", hostile)
    assert code == 0
    assert HARMFUL.isdisjoint(out)
    assert "日本語" in out
    said = json.loads(out, parse_constant=lambda word: pytest.fail(word))
    assert said["events"]["last"]["payload"] == {"far": None, HOSTILE: HOSTILE}


def test_an_ascii_terminal_gets_escapes_not_a_crash(hostile: Path) -> None:
    code, out, _ = run("show", hostile, PYTHONIOENCODING="ascii")
    assert code == 0
    assert "\\u65e5" in out


@pytest.mark.parametrize("words", [["show"], ["show", "--json"], ["status"], ["--help"]])
def test_a_reader_that_has_gone_is_no_error(told: Path, words: list[str]) -> None:
    place = [] if words == ["--help"] else [str(told)]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [PROGRAM, *words, *place],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
        timeout=PATIENCE_S,
    )
    os.close(write)
    assert done.stderr == b""


def test_nothing_is_written_into_the_repository(told: Path) -> None:
    def stamps() -> dict[str, tuple[int, int]]:
        return {
            str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in told.rglob("*")
        }

    before = stamps()
    shown(told)
    run("status", told)
    assert stamps() == before


def test_showing_does_not_load_the_app(told: Path) -> None:
    assert imported_by("show", told).isdisjoint({"textual", "rich", "ppgp_tui.ui.app.app"})


def test_the_shared_documents_read_as_expected(shared_cases: Path) -> None:
    expected = json.loads((shared_cases / "ppgp/expected.json").read_text())["files"]
    script = (
        "import sys, io, json\n"
        "from pathlib import Path\n"
        "from ppgp_tui.cli.aim import aim\n"
        "from ppgp_tui.cli.show import show\n"
        "for path in sys.argv[1:]:\n"
        "    assert show(aim(Path.cwd(), Path(path), None, {}), as_json=True) == 0\n"
        "    print('\\0')\n"
    )
    files = [str(shared_cases / "ppgp" / name) for name in expected]
    done = subprocess.run(
        [sys.executable, "-c", script, *files], capture_output=True, text=True, check=True
    )
    for name, text in zip(expected, done.stdout.split("\0\n"), strict=False):
        goal, wanted = json.loads(text)["goal"], expected[name]
        for member in (
            "phase", "dod_total", "dod_done", "dod_partial", "authority_pending",
            "next_executable_now",
        ):  # fmt: skip
            assert goal[member] == wanted[member], (name, member)
        assert goal["blocker_counts"] == wanted["blockers"], name
