"""Whatever is in a log, view 4 draws it as a story, as events and as a lineage."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.session.model import SessionSnapshot
from ppgp_tui.ui.views.log.events import EventsView
from tests.gasp.logs import real
from tests.ui.hostile import HOSTILE, is_harmless
from tests.ui.picture_story import Teller
from tests.ui.picture_time import NOW
from tests.ui.views.drawn import ASCII, composed, frame

WIDTHS = [40, 48, 60, 80, 99, 100, 120, 150, 160]
names = st.sampled_from(
    ["goal_1", "task_1", "patch_1", "failure_1", "run_1", "run_2", "todo:T1", "req_1", "", "e1"]
)
text = st.one_of(st.sampled_from(HOSTILE).filter(lambda one: "\ud800" not in one), st.text())
kinds = st.sampled_from(
    [
        "goal.created", "task.created", "patch.proposed", "patch.status_changed", "eval.finished",
        "decision.created", "run.started", "run.finished", "failure.observed", "tool.called",
        "authority.requested", "todo.revised", "observation.created", "strange.kind", "",
    ]
)  # fmt: skip
relations = st.sampled_from(["serves", "advances", "validated_by", "approved_by", "depends_on"])
scalars = st.one_of(text, names, st.none(), st.booleans(), st.integers(-5, 2**62))
props = st.dictionaries(
    st.sampled_from(["title", "status", "task", "references_commit", "reason", "x"]), scalars
)
artifacts = st.fixed_dictionaries(
    {
        "kind": st.sampled_from(["git-commit", "file"]),
        "uri": st.one_of(text, st.just("a/b@" + "0f" * 20)),
        "metadata": st.none(),
    }
)
operations = st.one_of(
    st.builds(lambda i, k, p: {"CreateNode": {"id": i, "kind": k, "props": p}}, names,
              st.sampled_from(["goal", "task", "patch", "run", "eval", "decision"]), props),
    st.builds(lambda a, r, b: {"CreateRelation": {"from": a, "rel": r, "to": b, "props": {}}},
              names, relations, names),
    st.builds(lambda i, p: {"UpdateNode": {"id": i, "props": p}}, names, props),
    st.builds(lambda i, r: {"TombstoneNode": {"id": i, "reason": r}}, names, text),
    st.builds(lambda i, r: {"MarkStale": {"id": i, "reason": r}}, names, text),
    st.builds(lambda i, a: {"AttachArtifact": {"id": i, "artifact": a}}, names, artifacts),
)  # fmt: skip
payloads = st.one_of(
    st.builds(
        lambda i, more: {"id": i, "run_id": i, "patch_id": i, "task_id": i, **more},
        names,
        st.dictionaries(
            st.sampled_from(["title", "status", "goal", "outcome", "task", "request", "command"]),
            st.one_of(scalars, st.fixed_dictionaries({"question": text})),
        ),
    ),
    scalars,
    st.lists(scalars, max_size=3),
)


@st.composite
def logs(draw: st.DrawFn) -> bytes:
    """Lines of which most are events and some are anything."""
    lines = []
    for number in range(draw(st.integers(0, 14))):
        if draw(st.integers(0, 9)) == 0:
            lines.append(draw(st.binary(max_size=40)).replace(b"\n", b""))
            continue
        is_ops = draw(st.booleans())
        line: dict[str, Any] = {
            "id": f"e{number}",
            "schema_version": 1,
            "ts_ms": draw(st.integers(NOW - 10**9, NOW + 10**6) | st.integers(-(2**62), 2**62)),
            "actor": {"kind": draw(st.sampled_from(["agent", "user"])), "id": draw(text)},
            "kind": "state.ops_applied" if is_ops else draw(kinds),
            "payload": draw(st.lists(operations, max_size=4) if is_ops else payloads),
            "causation_id": draw(st.none() | st.integers(0, 14).map(lambda at: f"e{at}") | text),
            "correlation_id": draw(st.none() | names),
        }
        lines.append(json.dumps(line, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    return b"\n".join(lines) + draw(st.sampled_from([b"", b"\n"]))


def things(snapshot: SessionSnapshot) -> list[str]:
    folded = snapshot.graph.value.folded
    assert folded is not None
    with folded.reading() as inside:
        nodes = [f"node:{name}" for name in inside.links.names]
        return [f"event:{at}" for at in range(len(inside.links))] + nodes


def draw_all(snapshot: SessionSnapshot, width: int, height: int, **given_: object) -> None:
    """Draw view 4; each line must be as wide as its pane, and each row have a key of its own."""
    room = frame(width, height, **given_)
    layout = EventsView().layout(snapshot, room)
    for pane in (pane for panes in layout for pane in panes):
        keys = [row.key for row in pane.rows if row.key]
        assert len(keys) == len(set(keys)), keys
    lines = composed(layout, room)
    assert is_harmless("".join(lines).replace("\u2028", "?"))


@settings(max_examples=40)
@given(data=st.data(), log=logs(), width=st.sampled_from(WIDTHS), height=st.integers(12, 60))
def test_every_log_is_drawn_as_story_events_and_lineage(
    data: st.DataObject, log: bytes, width: int, height: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        teller = Teller(Path(folder), [])
        teller.write_bytes(log)
        snapshot = teller.snapshot()
        for raw in (False, True):
            draw_all(snapshot, width, height, raw=raw)
        draw_all(snapshot, width, height, filter=data.draw(st.sampled_from(
            ["kind:patch", "run:run_1", "goal:goal", "since:2h x", "\x1b"]), label="filter"
        ))  # fmt: skip
        if known := things(snapshot):
            thing = data.draw(st.sampled_from(known), label="thing")
            trail = tuple(data.draw(st.lists(st.sampled_from(known), max_size=4), label="trail"))
            draw_all(snapshot, width, height, opened=thing, trail=trail)
            draw_all(snapshot, width, height, opened=thing, look=ASCII, more=1)
            draw_all(snapshot, width, height, cursor={"events.list": thing})


@pytest.mark.parametrize("name", ["head400.jsonl", "tail400.jsonl"])
def test_real_logs_are_drawn_whole(tmp_path: Path, name: str) -> None:
    teller = Teller(tmp_path, [])
    teller.write_bytes(real(name).read_bytes())
    snapshot = teller.snapshot()
    widths = (48, 80, 120, 160)
    for width in widths:
        draw_all(snapshot, width, 400)
    for number, thing in enumerate(things(snapshot)[::7]):
        draw_all(snapshot, widths[number % 4], 60, opened=thing)


def test_half_of_a_real_log_needs_no_row_in_its_story(tmp_path: Path) -> None:
    teller = Teller(tmp_path, [])
    teller.write_bytes(real("tail400.jsonl").read_bytes())
    snapshot = teller.snapshot()
    rows = EventsView().layout(snapshot, frame(80, 40))[0][1].rows
    log = snapshot.events.value.log
    assert log is not None
    leading = [int(row.key[6:]) for row in rows if row.key.startswith("event:")]
    graph = [at for at in leading if log.event(at).kind == "state.ops_applied"]
    assert len(rows) < len(log) / 2
    assert graph == []
