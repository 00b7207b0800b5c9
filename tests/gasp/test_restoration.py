"""What a restore must hold for any log: a snapshot changes nothing, damage is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.gasp.checks.repository import AgentRepository
from ppgp_tui.gasp.folding import snapshot
from ppgp_tui.gasp.folding.fold import Fold
from ppgp_tui.gasp.restoration import Restored, RestoreError, manifest_keys, restore
from tests.gasp.logs import FIXTURE, real

DATA = Path(__file__).parents[1] / "data" / "gasp"
FILES: dict[str, str] = json.loads((DATA / "fixture.json").read_text())


def repository(log: bytes, snapshots: dict[str, bytes] | None = None) -> AgentRepository:
    identity = {path: text.encode() for path, text in FILES.items() if path.startswith("identity/")}
    return AgentRepository(log, FILES["AGENT.md"].encode(), identity, snapshots, {})


def outcome(log: bytes, at: str | None = None) -> Restored | RestoreError:
    try:
        return restore(repository(log), at)
    except RestoreError as error:
        return error


def test_the_protocols_example_folds_to_its_recorded_graph() -> None:
    recorded = json.loads((DATA / "fixture_fold.json").read_text())
    found = restore(repository(FIXTURE))
    assert found.graph.as_json() == recorded["graph"]
    assert found.skipped == ()
    assert found.is_verified


@pytest.mark.parametrize("name", ["head400", "tail400"])
def test_a_real_log_folds_to_its_recorded_graph_with_and_without_snapshots(name: str) -> None:
    log = real(f"{name}.jsonl").read_bytes()
    recorded = json.loads(real(f"{name}.fold.json").read_text())
    lines = log.splitlines(keepends=True)
    made = [snapshot.take(b"".join(lines[:count])) for count in (1, 150, 399, 400)]
    for snapshots in (None, {one.event: one.data for one in made}):
        found = restore(repository(log, snapshots))
        assert found.graph.as_json() == recorded["graph"]
        assert all(one.ok for one in found.snapshots)
        assert found.lines == 400


@given(
    counts=st.sets(st.integers(1, 10), max_size=4), at=st.none() | st.integers(1, 10),
    pretty=st.booleans(),
)  # fmt: skip
def test_snapshots_never_change_what_is_restored(
    counts: set[int], at: int | None, pretty: bool
) -> None:
    lines = FIXTURE.splitlines(keepends=True)
    snapshots: dict[str, bytes] = {}
    for count in counts:
        made = snapshot.take(b"".join(lines[:count]))
        data = json.dumps(json.loads(made.data), indent=2).encode() if pretty else made.data
        snapshots[made.event] = data
    until = None if at is None else f"event_{at:02}"
    plain = restore(repository(FIXTURE), until)
    found = restore(repository(FIXTURE, snapshots), until)
    assert found.graph.as_json() == plain.graph.as_json()
    assert all(one.ok for one in found.snapshots)
    fitting = [count for count in counts if count <= (at or 10)]
    assert found.began_from == (
        f"snapshot event_{max(fitting):02} ({max(fitting)} lines)" if fitting else "the first line"
    )
    fold = Fold()
    fold.take(b"".join(lines[: at or 10]))
    assert found.graph.as_json() == fold.graph.as_json()


@given(st.lists(st.binary(max_size=40), max_size=4), st.integers(0, 10), st.none() | st.text())
def test_any_bytes_are_restored_or_refused_in_words(
    pieces: list[bytes], place: int, at: str | None
) -> None:
    lines = FIXTURE.splitlines(keepends=True)
    log = b"".join([*lines[:place], *(piece + b"\n" for piece in pieces), *lines[place:]])
    found = outcome(log, at)
    assert not isinstance(found, RestoreError) or (str(found) and found.mend)


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 200 + b"]" * 200, b'{"id":"\\ud800"}', b'{"a":1e999}', b"\xff\xfe", b"NaN",
        b'{"id":"x","id":"y"}', b"[1,2,3]", b'"text"', b"9" * 400, b'{"kind":"run.started"}',
        b'{"id":5,"kind":"run.started","payload":{"run_id":[]}}', b"null", b"\x00",
    ],
)  # fmt: skip
def test_an_odd_line_crashes_nothing(line: bytes) -> None:
    for log in (FIXTURE + line, FIXTURE + line + b"\n", line + b"\n" + FIXTURE):
        found = outcome(log)
        assert not isinstance(found, RestoreError) or "state/events.jsonl" in str(found)


@given(st.binary(max_size=60) | st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["graph", "integrity", "line_count", "sha256", "event_id"]), inner
    ),
).map(lambda value: json.dumps(value).encode()))  # fmt: skip
def test_any_bytes_for_a_snapshot_leave_the_restore_as_it_is(data: bytes) -> None:
    found = restore(repository(FIXTURE, {"x": data}))
    assert found.graph.as_json() == restore(repository(FIXTURE)).graph.as_json()
    assert not found.snapshots[0].ok
    assert found.snapshots[0].why


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("```yaml\na: 1\nb:2\n```", {"a": "1", "b": "2"}),
        ("a: 0\n```\n  a: 1\r\na: 2\n```\n```\nb: 3\n```", {"a": "1"}),
        ("```\nurl: https://x", {"url": "https://x"}),
        ("", {}),
    ],
)
def test_the_first_fence_of_the_manifest_counts(text: str, keys: dict[str, Any]) -> None:
    assert manifest_keys(text) == keys


def test_an_open_run_is_one_that_no_event_ends() -> None:
    def line(number: int, kind: str, run: str) -> bytes:
        event = {
            "id": f"e{number}", "schema_version": 1, "ts_ms": 1,
            "actor": {"kind": "agent", "id": "a"}, "kind": kind,
            "payload": {"run_id": run, "task": "t"}, "causation_id": None, "correlation_id": None,
        }  # fmt: skip
        return json.dumps(event).encode() + b"\n"

    log = b"".join(
        line(number, *words)
        for number, words in enumerate(
            [
                ("run.started", "a"), ("run.started", "b"), ("run.finished", "a"),
                ("run.started", "c"), ("run.finished", "c"), ("run.started", "c"),
            ]
        )
    )  # fmt: skip
    assert [one.id for one in restore(repository(log)).open_runs] == ["b", "c"]
