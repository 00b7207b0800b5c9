"""The status line says what the app's lamps say, in every repository, cold and from memory."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.session.files import places
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.status.line import StatusError, read_status
from tests.session.status.reading import (
    DOCUMENT,
    GOAL,
    LOG,
    NOW,
    agrees,
    git,
    write,
)
from tests.session.status.test_log import answer, ask, line
from tests.unprivileged import nobody, open_place


def test_an_empty_folder(root: Path, environ: dict[str, str]) -> None:
    app = agrees(root, environ)
    assert (app["run"], app["needs"], app["phase"]) == ("none", 0, None)


def test_a_document_outside_git(root: Path, environ: dict[str, str]) -> None:
    write(root, DOCUMENT, GOAL)
    app = agrees(root, environ)
    assert app["needs"] == 2
    assert app["needs_oldest_ms"] is None


def test_a_document_in_git_has_the_ages_of_its_lines(root: Path, environ: dict[str, str]) -> None:
    git(root, "init", "-q")
    write(root, DOCUMENT, GOAL)
    assert agrees(root, environ)["needs_oldest_ms"] is None
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")
    assert agrees(root, environ)["needs_oldest_ms"] == 1_789_990_000_000


def test_a_document_in_a_folder_below_the_git_top_level(
    root: Path, environ: dict[str, str]
) -> None:
    git(root, "init", "-q")
    below = root / "part"
    (below / ".ppgp").mkdir(parents=True)
    write(below, DOCUMENT, GOAL)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")
    assert agrees(below, environ)["needs_oldest_ms"] == 1_789_990_000_000


def test_another_document_named_in_the_settings(root: Path, environ: dict[str, str]) -> None:
    write(root, DOCUMENT, GOAL)
    write(root, "plans/other.md", GOAL.replace("EXECUTE", "HARDEN"))
    assert agrees(root, environ)["phase"] == "EXECUTE"
    write(root, ".ppgp/config.toml", '[paths]\ngoal = "plans/other.md"\nlog = "plans/log"\n')
    write(root, "plans/log", line("tool.called", {}, 77))
    app = agrees(root, environ)
    assert (app["phase"], app["last_event_ms"]) == ("HARDEN", 77)


def test_the_users_settings_count_too(root: Path, environ: dict[str, str]) -> None:
    write(root, "plans/other.md", GOAL)
    assert agrees(root, environ)["phase"] is None
    write(Path(environ["XDG_CONFIG_HOME"]), "ppgp-tui/config.toml",
          f'[roots."{root}".paths]\ngoal = "plans/other.md"\n')  # fmt: skip
    assert agrees(root, environ)["phase"] == "EXECUTE"


@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe\x00", b"no goal here\n", GOAL.replace("\n", "\r\n").encode(),
     b"\xef\xbb\xbf" + GOAL.encode(), b"a\x00b" * 1000],
    ids=["empty", "not utf-8", "no field", "crlf", "bom", "nul"],
)  # fmt: skip
def test_documents_of_every_kind(root: Path, environ: dict[str, str], data: bytes) -> None:
    write(root, DOCUMENT, data)
    agrees(root, environ)


def test_a_folder_or_a_link_in_place_of_the_document(root: Path, environ: dict[str, str]) -> None:
    (root / DOCUMENT).mkdir(parents=True)
    agrees(root, environ)
    write(root, "ACTIVE_GOAL.md", GOAL)
    assert agrees(root, environ)["phase"] == "EXECUTE"
    (root / "ACTIVE_GOAL.md").unlink()
    (root / "ACTIVE_GOAL.md").symlink_to(root / "ACTIVE_GOAL.md")
    agrees(root, environ)


def test_requests_in_the_log(root: Path, environ: dict[str, str]) -> None:
    log = write(root, LOG, ask("req_a", created_ms=NOW - 5000) + ask("req_b", expires_ms=NOW))
    app = agrees(root, environ)
    assert (app["needs"], app["needs_oldest_ms"]) == (1, NOW - 5000)
    log.write_bytes(log.read_bytes() + answer("req_a"))
    assert agrees(root, environ)["needs"] == 0


def test_a_bullet_that_is_also_in_the_log_is_one_request(
    root: Path, environ: dict[str, str]
) -> None:
    write(root, DOCUMENT, GOAL)
    session = LiveSession(root, clock=lambda: NOW)
    bullet = session.read_all().inbox.value[0].id
    session.close()
    write(root, LOG, ask(bullet, created_ms=NOW - 7000))
    app = agrees(root, environ)
    assert (app["needs"], app["needs_oldest_ms"]) == (2, NOW - 7000)
    write(root, LOG, ask(bullet) + answer(bullet))
    assert agrees(root, environ)["needs"] == 1


def test_an_unfinished_or_damaged_last_line(root: Path, environ: dict[str, str]) -> None:
    sound = line("tool.called", {}, 5)
    for data, last_ms in (
        (sound + line("tool.called", {}, 6)[:-3], 5),
        (sound + b"\n  \n", 5),
        (sound + b"nonsense\n", None),
        (b"", None),
    ):
        write(root, LOG, data)
        assert agrees(root, environ)["last_event_ms"] == last_ms


def test_a_log_that_leads_out_of_the_repository_is_not_read(
    root: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    outside = write(tmp_path, "elsewhere.jsonl", line("tool.called", {}, 5))
    (root / "state").mkdir()
    (root / LOG).symlink_to(outside)
    assert agrees(root, environ)["last_event_ms"] is None


times = st.one_of(st.none(), st.integers(NOW - 100_000, NOW), st.sampled_from([True, "x", -1]))
beat = st.fixed_dictionaries(
    {},
    optional={
        "state": st.sampled_from(["idle", "working", "ended", "strange", None]),
        "since_ms": times,
        "pid": st.sampled_from([os.getpid(), 2**22 + 1, 0, None, "x", 1]),
        "pid_start": st.sampled_from([None, 1, "x"]),
        "agent": st.sampled_from(["claude", "", None]),
    },
)
call = st.builds(
    lambda ms, what, knew, decision, key, name: f"{ms} {what} {knew} {decision} {key} - {name}",
    st.integers(NOW - 100_000, NOW),
    st.sampled_from(["pre", "post", "fail"]),
    st.integers(0, 3),
    st.sampled_from(["go", "held", "deny"]),
    st.sampled_from(["-", "a", "b"]),
    st.sampled_from(["Edit", "Bash"]),
)
calls = st.lists(st.one_of(call, st.sampled_from(["", "x", "1 2 3 4 5 6 7 8"])), max_size=6)
sessions = st.dictionaries(
    st.sampled_from(["claude-1", "codex-2", "pi-3"]), st.tuples(beat, calls), max_size=3
)
hold = st.one_of(
    st.none(),
    st.just("x"),
    st.fixed_dictionaries(
        {},
        optional={
            "id": st.sampled_from(["hold_1", "hold_2", "", None]),
            "since_ms": times,
            "who": st.sampled_from([["*"], ["claude-1"], ["nobody-9"], [], "x"]),
        },
    ),
)
order = st.fixed_dictionaries(
    {"hold": hold}, optional={"generation": st.sampled_from([0, 1, 2, 3, None, "x"])}
)
happened = st.builds(
    line,
    st.sampled_from(["goal.tweaked", "agent.held", "run.started", "human.interrupted"]),
    st.fixed_dictionaries(
        {
            "hold": st.sampled_from(["hold_1", "hold_2", 5]),
            "what": st.sampled_from(["pause", "resume"]),
        },
        optional={"session": st.sampled_from(["claude-1", "codex-2"])},
    ),
    st.integers(NOW - 100_000, NOW),
    st.sampled_from(["claude-1", "codex-2", "nobody-9"]),
)
held = st.dictionaries(
    st.sampled_from(["a", "b"]),
    st.fixed_dictionaries(
        {"session": st.sampled_from(["claude-1", "codex-2", ""]), "pid": st.just(os.getpid())},
        optional={"since_ms": times},
    ),
    max_size=2,
)
asked = st.lists(
    st.tuples(st.sampled_from(["claude-1", "codex-2"]), st.integers(NOW - 9000, NOW)), max_size=3
)


@settings(max_examples=60)
@given(
    sessions=sessions,
    ordered=order,
    kept=st.one_of(st.none(), order),
    held=held,
    asked=asked,
    events=st.lists(happened, max_size=8),
    torn=st.booleans(),
)
def test_agents_in_every_state(
    root: Path,
    environ: dict[str, str],
    sessions: dict[str, tuple[dict[str, Any], list[str]]],
    ordered: dict[str, Any],
    kept: dict[str, Any] | None,
    held: dict[str, dict[str, Any]],
    asked: list[tuple[str, int]],
    events: list[bytes],
    torn: bool,
) -> None:
    run = root / ".ppgp/run"
    for old in (*run.glob("agents/*"), *run.glob("held/*")):
        old.unlink()
    for session, (said, lines) in sessions.items():
        write(run, f"agents/{session}.json", json.dumps(said)[: 5 if torn else None])
        write(run, f"agents/{session}.calls", "".join(f"{text}\n" for text in lines))
    for name, said in held.items():
        write(run, f"held/{name}.json", json.dumps(said))
    write(run, "control.json", json.dumps(ordered))
    pause = places.root_folder(root) / "pause.json"
    pause.unlink(missing_ok=True)
    if kept is not None:
        write(pause.parent, pause.name, json.dumps(kept))
    log = b"".join(
        ask(f"req_{number}", asker={"session": who}, created_ms=ms)
        for number, (who, ms) in enumerate(asked)
    )
    write(root, LOG, log + b"".join(events))
    agrees(root, environ)


def test_blockers_of_document_and_log_count_once(root: Path, environ: dict[str, str]) -> None:
    write(root, DOCUMENT, GOAL)
    same = {"id": "blk_1", "class": "B", "text": "waits for the window"}
    other = {"id": "blk_2", "class": "D", "text": "the mirror is down", "blocks": ["todo:T2"]}
    log = write(root, LOG, line("blocker.raised", same) + line("blocker.raised", other))
    assert agrees(root, environ)["blockers"] == 3
    log.write_bytes(log.read_bytes() + line("blocker.cleared", {"id": "blk_2"}))
    assert agrees(root, environ)["blockers"] == 2


@pytest.mark.parametrize("until", [-4000, -3000, -1000, 0, 30, 56, 90, 130])
def test_every_moment_of_the_demo(root: Path, environ: dict[str, str], until: float) -> None:
    from tests.cli.telling import tell

    agrees(tell(root, places.root_folder(root), until=until).root, environ)


def test_the_shared_documents(shared_cases: Path, root: Path, environ: dict[str, str]) -> None:
    for case in sorted((shared_cases / "ppgp").glob("*.md")):
        write(root, DOCUMENT, case.read_bytes())
        agrees(root, environ)


# --- what cannot be read ------------------------------------------------------------------------


def test_a_path_that_does_not_exist(root: Path, environ: dict[str, str]) -> None:
    with pytest.raises(StatusError, match="nowhere"):
        read_status(str(root / "nowhere"), None, environ, NOW)
    with pytest.raises(StatusError, match="nowhere"):
        read_status(None, str(root / "nowhere"), environ, NOW)
    with pytest.raises(StatusError, match="nowhere"):
        read_status(None, None, {**environ, "PPGP_ROOT": str(root / "nowhere")}, NOW)


def test_a_folder_that_may_not_be_read(environ: dict[str, str]) -> None:
    with open_place() as place:
        place.chmod(0)
        with (
            nobody(),
            pytest.raises(StatusError, match=f"{place} cannot be read: permission denied"),
        ):
            read_status(str(place), None, environ, NOW)


def test_the_path_may_be_a_folder_or_a_file_in_the_repository(
    root: Path, environ: dict[str, str]
) -> None:
    git(root, "init", "-q")
    file = write(root, DOCUMENT, GOAL)
    for path in (root, root / "docs", file):
        assert read_status(str(path), None, environ, NOW)["root"] == str(root)
