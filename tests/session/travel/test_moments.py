"""The picture of a moment is the one that a session would make which reads no further."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.session.log.facts import LogSays
from ppgp_tui.session.model import Request, SessionSnapshot
from ppgp_tui.session.picture.human_load import human_load
from ppgp_tui.session.travel.past import Past
from ppgp_tui.session.travel.picture import picture
from tests.cli.telling import tell
from tests.gasp.logs import real
from tests.session.travel.logs import (
    BEGUN,
    LOG,
    answer,
    goal,
    lay,
    line,
    live,
    plan,
    read,
    request,
    view_of,
)


class Journey:
    """One log, and the moments of it."""

    def __init__(self, root: Path) -> None:
        self.now = live(root)
        self.view = view_of(self.now)
        self.past = Past(LOG, self.now.at_ms)

    def moment(self, index: int) -> SessionSnapshot:
        return picture(self.now, self.view, LOG, self.past.at(self.view, index))

    def says(self, index: int) -> LogSays:
        return self.past.at(self.view, index).says()


def without_process(requests: tuple[Request, ...]) -> tuple[Request, ...]:
    """Whether a process of now lives is no part of the past."""
    blank = {
        "asker_pid": None,
        "asker_pid_start": None,
        "asker_state": None,
        "asker_quiet_ms": None,
    }
    return tuple(one._replace(**blank) for one in requests)


def assert_same_as_cut(moment: SessionSnapshot, says: LogSays, cut: Path) -> None:
    """Everything that the log tells is as a session sees it that has read no further."""
    seen = live(cut, moment.at_ms)
    assert moment.plan.value == seen.plan.value._replace(hand_edit=False)
    assert without_process(moment.inbox.value) == without_process(seen.inbox.value)
    assert moment.lifecycle.value == seen.lifecycle.value
    assert moment.recorded_blockers.value == seen.recorded_blockers.value
    then, cut_events = moment.events.value, seen.events.value
    assert (then.count, then.bytes, then.last) == (
        cut_events.count, cut_events.bytes, cut_events.last,
    )  # fmt: skip
    assert (then.phases, then.pulse, then.per_hour) == (
        cut_events.phases, cut_events.pulse, cut_events.per_hour,
    )  # fmt: skip
    assert dict(then.names) == dict(cut_events.names)
    whole = read(cut, moment.at_ms).says
    assert says._replace(minutes={}, load=whole.load) == whole._replace(minutes={})
    assert human_load(says.load, moment.at_ms) == human_load(whole.load, moment.at_ms)


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("told")
    return tell(place / "importer", place / "state").root


def test_moments_of_a_told_session_are_what_its_cut_log_says(told: Path, tmp_path: Path) -> None:
    lines = (told / LOG).read_bytes().splitlines(keepends=True)
    journey = Journey(lay(tmp_path / "whole", lines))
    for index in (*range(0, len(lines) - 1, 3), len(lines) - 1):
        moment = journey.moment(index)
        cut = lay(tmp_path / "cut", lines[: index + 1])
        assert_same_as_cut(moment, journey.says(index), cut)


NAMES = st.sampled_from(["a", "b", "c"])
STATUS = st.sampled_from(["pending", "in_progress", "completed"])
TIMES = st.one_of(
    st.none(), st.integers(BEGUN, BEGUN + 7_200_000), st.just("soon"), st.just(-(2**62))
)
ACTOR = st.sampled_from(["claude-1", "codex-2", "dev"])
EVENTS = st.one_of(
    st.builds(
        lambda revision, tasks: ("todo.revised", plan(revision, **tasks)),
        st.integers(1, 9),
        st.dictionaries(NAMES, STATUS),
    ),
    st.builds(lambda name: ("authority.requested", request(f"req_{name}", f"{name}?")), NAMES),
    st.builds(
        lambda name, option: ("decision.created", answer(f"dec_{name}", f"req_{name}", option)),
        NAMES,
        st.sampled_from(["yes", "no"]),
    ),
    st.builds(lambda name: ("authority.delivered", {"id": f"req_{name}", "attempt": 1}), NAMES),
    st.builds(lambda name: ("authority.withdrawn", {"id": f"req_{name}"}), NAMES),
    st.builds(
        lambda name: ("decision.status_changed", {"decision_id": f"dec_{name}",
                                                  "status": "Superseded"}), NAMES
    ),
    st.builds(lambda title: ("goal.created", goal(title)), NAMES),
    st.builds(
        lambda phase: ("goal.phase_changed", {"to": phase}),
        st.sampled_from(["THINK", "FREEZE", "EXECUTE", "HARDEN", "?"]),
    ),
    st.builds(
        lambda name: ("blocker.raised", {"id": f"blk_{name}", "class": "B", "text": name,
                                         "blocks": [f"todo:{name}"]}), NAMES
    ),
    st.builds(lambda name: ("blocker.cleared", {"id": f"blk_{name}"}), NAMES),
    st.builds(
        lambda run: ("run.started", {"run_id": run, "task": "x", "metadata": {"agent": "claude"}}),
        st.sampled_from(["run_1", "run_2"]),
    ),
    st.builds(lambda run: ("run.finished", {"run_id": run}), st.sampled_from(["run_1", "run_2"])),
    st.builds(
        lambda what, hold: ("human.interrupted", {"what": what, "hold": hold}),
        st.sampled_from(["pause", "resume", "note"]),
        st.sampled_from(["hold_1", "hold_2"]),
    ),
    st.builds(
        lambda hold, who: ("agent.held", {"hold": hold, "session": who, "tool": "Bash"}),
        st.sampled_from(["hold_1", "hold_2"]),
        st.sampled_from(["claude-1", "codex-2"]),
    ),
    st.just(("agent.released", {"session": "claude-1"})),
    st.just(("context.compacted", {"trigger": "auto"})),
    st.just(("observation.created", {"id": "obs_1"})),
)  # fmt: skip
DAMAGED = st.sampled_from([b"{\n", b"null\n", b"\xff\xfe\n", b'{"kind":5}\n', b"  \n", b"[[[[\n"])
LINES = st.lists(st.one_of(st.tuples(EVENTS, TIMES, ACTOR), DAMAGED), min_size=1, max_size=24)


def written(told: list[object]) -> list[bytes]:
    lines = []
    for number, one in enumerate(told):
        if isinstance(one, bytes):
            lines.append(one)
        else:
            (kind, payload), ts_ms, actor = one  # type: ignore[misc]
            members = {} if ts_ms is None else {"ts_ms": ts_ms}
            lines.append(line(number, kind, payload, actor=actor, **members))
    return lines


@settings(max_examples=25, deadline=None)
@given(told=LINES)
def test_every_moment_of_any_log_is_what_its_cut_log_says(told: list[object]) -> None:
    lines = written(told)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve()
        journey = Journey(lay(folder / "whole", lines)) if any(map(bytes.strip, lines)) else None
        index = -1
        for at, text in enumerate(lines):
            if not text.strip() or journey is None:
                continue
            index += 1
            moment = journey.moment(index)
            cut = lay(folder / "cut", lines[: at + 1])
            assert_same_as_cut(moment, journey.says(index), cut)


@settings(max_examples=25, deadline=None)
@given(told=LINES, chance=st.randoms(use_true_random=False))
def test_a_moment_is_the_same_whichever_way_one_came(
    told: list[object], chance: random.Random
) -> None:
    lines = [text for text in written(told) if text.strip()] or [line(0, "x", {})]
    with tempfile.TemporaryDirectory() as place:
        journey = Journey(lay(Path(place).resolve(), lines))
        straight = [journey.moment(index) for index in range(len(lines))]
        for _ in range(40):
            index = chance.randrange(len(lines))
            assert journey.moment(index) == straight[index]


@pytest.mark.parametrize("name", ["head400", "tail400"])
def test_a_real_log_of_others_can_be_travelled(name: str, tmp_path: Path) -> None:
    lines = real(f"{name}.jsonl").read_bytes().splitlines(keepends=True)
    journey = Journey(lay(tmp_path / "whole", lines))
    for index in range(0, len(lines), 37):
        cut = lay(tmp_path / "cut", lines[: index + 1])
        assert_same_as_cut(journey.moment(index), journey.says(index), cut)
