"""The status line's memory of the log says what the log says, however the log grew."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.log.tail import LogTail
from ppgp_tui.session.status.log import log_memory

LOG = "events.jsonl"
REQUESTS = ["req_a", "req_b", "req_c"]
DECISIONS = ["dec_a", "dec_b"]


def line(kind: str, payload: Any, ts_ms: Any = 1_790_000_000_000, actor: str = "claude-1") -> bytes:
    event = {
        "id": "event_1", "schema_version": 1, "ts_ms": ts_ms,
        "actor": {"kind": "agent", "id": actor}, "kind": kind, "payload": payload,
        "causation_id": None, "correlation_id": None,
    }  # fmt: skip
    return json.dumps(event).encode() + b"\n"


def ask(request: str = "req_a", **asked: Any) -> bytes:
    return line("authority.requested", {"id": request, "request": asked})


def answer(request: str = "req_a", decision: str = "dec_a") -> bytes:
    return line("decision.created", {"id": decision, "metadata": {"request": request}})


ids = st.sampled_from(REQUESTS)
odd = st.sampled_from([None, 7, True, "", [], {}, 1.5])
asked = st.one_of(
    odd,
    st.fixed_dictionaries(
        {},
        optional={
            "created_ms": st.one_of(st.integers(0, 10**13), odd),
            "expires_ms": st.one_of(st.integers(0, 10**13), odd),
            "frees": st.one_of(odd, st.lists(st.one_of(ids, odd), max_size=3)),
            "asker": st.one_of(odd, st.fixed_dictionaries({"session": st.one_of(ids, odd)})),
        },
    ),
)
told = st.one_of(
    st.builds(
        lambda request, said: line("authority.requested", {"id": request, "request": said}),
        st.one_of(ids, odd),
        asked,
    ),
    st.builds(
        lambda kind, request: line(f"authority.{kind}", {"id": request}),
        st.sampled_from(["delivered", "consumed", "withdrawn", "unheard_of"]),
        st.one_of(ids, odd),
    ),
    st.builds(answer, ids, st.sampled_from(DECISIONS)),
    st.builds(lambda said: line("decision.created", said), odd),
    st.builds(lambda said: line("decision.created", {"metadata": said}), odd),
    st.builds(
        lambda decision, status: line(
            "decision.status_changed", {"decision_id": decision, "status": status}
        ),
        st.sampled_from(DECISIONS),
        st.sampled_from(["Superseded", "Approved", 3]),
    ),
    st.builds(lambda ts: line("tool.called", {}, ts), st.one_of(st.integers(), odd)),
    st.builds(lambda actor: line("authority.requested", {"id": "req_d"}, actor=actor), ids),
    st.sampled_from(
        [
            b"\n",
            b"  \r\n",
            b"\xe2\x80\xa8\n",
            b"not json, authority.requested\n",
            b'\xef\xbb\xbf{"ts_ms":5}\n',
            b'{"ts_ms":NaN}\n',
            b'{"ts_ms":6,"kind":"decision.created","payload":' + b"[" * 200 + b"]" * 200 + b"}\n",
            b'{"ts_ms":7,"kind":"\xff authority."}\n',
            b"[1]\n",
            line("authority.requested", {"id": "req_a"})[:-1] + b"\r\n",
        ]
    ),
)


def through_json(memory: Any) -> Any:
    """As the cache keeps it."""
    return json.loads(json.dumps(memory))


def said_by_the_log(root: Path) -> tuple[object, object]:
    read = LogTail(root, LOG, lambda: 0).look()
    assert read.view is not None
    last = read.view.event(len(read.view) - 1).ts_ms if len(read.view) else None
    requests = {
        request.id: (
            request.state,
            request.created_ms,
            request.expires_ms,
            request.asker,
            len(request.frees),
        )
        for request in read.says.requests
    }
    return last, requests


def said_by_the_memory(memory: Any) -> tuple[object, object]:
    requests = {
        key: (
            known["state"],
            *(known["asked"][name] for name in ("created_ms", "expires_ms", "asker", "frees")),
        )
        for key, known in memory["book"]["requests"].items()
    }
    return memory["last_ms"], requests


@given(lines=st.lists(told, max_size=25), cuts=st.lists(st.integers(0, 4000), max_size=4))
def test_a_log_read_in_pieces_says_what_it_says_read_whole(
    tmp_path: Path, lines: list[bytes], cuts: list[int]
) -> None:
    data, log, memory = b"".join(lines), tmp_path / LOG, None
    log.write_bytes(b"")
    for end in [*sorted(min(cut, len(data)) for cut in cuts), len(data)]:
        with log.open("ab") as file:
            file.write(data[log.stat().st_size : end])
        memory = through_json(log_memory(str(tmp_path), LOG, memory))
        assert said_by_the_memory(memory) == said_by_the_log(tmp_path)


def test_no_log_is_no_memory(tmp_path: Path) -> None:
    assert log_memory(str(tmp_path), LOG, None) is None
    assert log_memory(str(tmp_path), f"file/{LOG}", None) is None


def test_a_folder_of_that_name_or_a_link_out_of_the_root_is_not_read(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / LOG).mkdir(parents=True)
    assert log_memory(str(root), LOG, None) is None
    (tmp_path / LOG).write_bytes(ask())
    (root / "link").symlink_to(tmp_path / LOG)
    assert log_memory(str(root), "link", None) is None


def test_only_new_bytes_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / LOG
    log.write_bytes(line("tool.called", {"summary": "x" * 1000}) * 2000)
    memory = log_memory(str(tmp_path), LOG, None)
    with log.open("ab") as file:
        file.write(ask())
    taken: list[int] = []
    import os

    read = os.pread
    monkeypatch.setattr(os, "pread", lambda *where: taken.append(len(data := read(*where))) or data)
    memory = log_memory(str(tmp_path), LOG, memory)
    assert memory is not None
    assert set(memory["book"]["requests"]) == {"req_a"}
    assert sum(taken) <= 2 * 64 * 1024 + len(ask())


@pytest.mark.parametrize(
    "change",
    [
        lambda log: log.write_bytes(ask("req_b")),
        lambda log: log.write_bytes(log.read_bytes().replace(b"req_a", b"req_c")),
        lambda log: (log.rename(log.with_name("old")), log.write_bytes(ask("req_b"))),
        lambda log: log.write_bytes(b""),
    ],
    ids=["shorter", "rewritten in place", "replaced", "emptied"],
)
def test_a_log_that_is_not_the_one_remembered_is_read_anew(tmp_path: Path, change: Any) -> None:
    log = tmp_path / LOG
    log.write_bytes(ask("req_a") + line("tool.called", {}))
    memory = log_memory(str(tmp_path), LOG, None)
    change(log)
    assert said_by_the_memory(log_memory(str(tmp_path), LOG, memory)) == said_by_the_log(tmp_path)


def test_a_long_line_across_blocks_is_one_line(tmp_path: Path) -> None:
    log = tmp_path / LOG
    log.write_bytes(ask("req_a", why="x" * 3_000_000) + ask("req_b") + line("tool.called", {}, 9))
    assert said_by_the_memory(log_memory(str(tmp_path), LOG, None)) == said_by_the_log(tmp_path)
