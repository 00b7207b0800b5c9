"""The restart loops in the picture: recorded logs, runners, clocks, output, damage."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.persist.disk import side
from ppgp_tui.persist.disk.home import HOME_VARIABLE, Home
from ppgp_tui.persist.live import Live, Runner
from ppgp_tui.persist.orders import Pause
from ppgp_tui.persist.reading import read
from ppgp_tui.session.picture.loop import Loop
from ppgp_tui.session.picture.loops import LoopsLook
from ppgp_tui.session.process import host_name, start_of
from ppgp_tui.session.sources.loops import CLOSED, LoopsSource, watched
from tests.persist.logs import EXPECTED, ID, OTHER, log, recorded, row, spawned

NOW = 1_800_000_000_000
MINE = Runner(os.getpid(), start_of(os.getpid()), host_name())
GONE = Runner(2**22 + 1, 1, host_name())
FAR = Runner(4711, 1, "elsewhere")


class Loops:
    """A home, and what its loops look like from a root."""

    def __init__(self, folder: Path) -> None:
        self.home = Home(folder / "home")
        self.root = folder / "root"
        self.root.mkdir()
        self.source = LoopsSource(self.root, {HOME_VARIABLE: str(self.home.path)})

    def write(self, data: bytes) -> None:
        self.home.path.mkdir(exist_ok=True)
        self.home.log.write_bytes(data)

    def here(self, loop_id: str = ID, **extra: Any) -> bytes:
        return log(spawned(loop_id, cwd=str(self.root), **extra))

    def says(self, **said: Any) -> None:
        """The runner's last word."""
        known: dict[str, Any] = {
            "runner": MINE, "phase": "running", "since_ms": NOW - 5_000, "iteration": 1,
        }  # fmt: skip
        side.write_live(self.home, ID, Live(**{**known, **said}))

    def look(self) -> LoopsLook:
        return self.source.look(NOW)

    @property
    def one(self) -> Loop:
        (loop,) = self.look().loops.seen
        return loop


@pytest.fixture
def loops(tmp_path: Path) -> Loops:
    return Loops(tmp_path.resolve())


# --- recorded logs ------------------------------------------------------------------------------

_SAME = {
    "state": "state", "open": "open", "iteration": "iteration", "reason": "reason",
    "max_iterations": "max_iterations", "max_wall_clock_s": "max_wall_clock_s",
    "success_condition": "condition", "agent_cmd": "agent_cmd", "prompt_file": "prompt",
    "rows": "rows", "late_rows": "late_rows",
}  # fmt: skip


@pytest.mark.parametrize("name", EXPECTED)
def test_every_recorded_log_is_read_as_expected(loops: Loops, name: str) -> None:
    expected = EXPECTED[name]
    salvaged = {one["loop_id"] for one in expected.get("salvageable_rows", ())}
    loops.write(recorded(name))
    look = loops.look()
    for wanted in expected["loops"]:
        loop = look.loops.loop(wanted["loop_id"])
        assert loop is not None
        if loop.id not in salvaged:
            told = {member: getattr(loop, ours) for member, ours in _SAME.items()}
            assert told.items() <= wanted.items()
    listed = [loop.id for loop in look.loops.seen if loop.open and loop.id not in salvaged]
    assert listed == [one for one in expected["open_in_order"] if one not in salvaged]
    total = expected.get("loop_count", len(expected["loops"]))
    closed = look.loops.closed_here + look.loops.closed_elsewhere
    assert total <= sum(loop.open for loop in look.loops.seen) + closed <= total + len(salvaged)
    codes = {problem.code for problem in look.problems}
    assert ("loops-line" in codes) == bool(expected["bad_lines"])
    assert ("loops-torn" in codes) == expected["incomplete_tail"]


def test_damage_is_named_with_file_line_and_what_to_do(loops: Loops) -> None:
    loops.write(loops.here() + b"{torn\n" + b'{"ts"')
    line, tail = loops.look().problems
    assert (line.path, line.line) == (str(loops.home.log), 2)
    assert "line 2 is no row of a loop" in line.text
    assert "cut short" in tail.text
    assert {line.mend, tail.mend} == {"ppgp-tui persist doctor --mend"}


def test_a_user_without_a_home_has_no_loops_and_nothing_is_made(loops: Loops) -> None:
    look = loops.look()
    assert (look.loops.seen, look.problems, look.stale_since_ms) == ((), (), None)
    assert not loops.home.path.exists()
    assert watched(loops.home, look.loops).files == ()


def test_a_log_that_is_a_pipe_is_not_waited_for_and_the_last_loops_stay(loops: Loops) -> None:
    loops.write(loops.here())
    before = loops.look().loops
    loops.home.log.unlink()
    os.mkfifo(loops.home.log)
    look = loops.look()
    assert look.loops == before
    assert look.stale_since_ms == NOW
    (problem,) = look.problems
    assert problem.text == f"{loops.home.log} cannot be read: not a plain file"
    loops.home.log.unlink()
    loops.write(loops.here())
    assert loops.look().stale_since_ms is None


# --- whose loops --------------------------------------------------------------------------------


def test_a_loop_belongs_here_by_its_prompt_its_folder_or_its_work_tree(loops: Loops) -> None:
    beside = f"{loops.root}-other/PROMPT.md"
    rows = [
        spawned("0" * 12)._replace(prompt_file=f"{loops.root}/loops/PROMPT.md"),
        spawned("1" * 12, cwd=f"{loops.root}/src"),
        spawned("2" * 12, root=str(loops.root)),
        spawned("3" * 12)._replace(prompt_file=beside),
        spawned("4" * 12, cwd="/", root=None),
    ]
    loops.write(log(*rows))
    assert [loop.here for loop in loops.look().loops.seen] == [True, True, True, False, False]


def test_of_closed_loops_the_newest_are_listed_and_all_are_counted(loops: Loops) -> None:
    rows = []
    for number in range(CLOSED + 5):
        own = f"{number:012x}"
        rows.append(spawned(own, cwd=str(loops.root)))
        end = row("ABANDONED", 0, own, reason="over")
        rows.append(end._replace(ts=f"2026-11-30T02:00:{number:02}+00:00"))
    loops.write(log(*rows, spawned("f" * 12, cwd=str(loops.root))))
    found = loops.look().loops
    assert found.closed_here == CLOSED + 5
    assert [loop.id for loop in found.seen][:2] == ["f" * 12, f"{CLOSED + 4:012x}"]
    assert len(found.seen) == CLOSED + 1


def test_a_list_that_grew_row_by_row_is_the_one_that_is_read_at_once(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Also with an end that has no line end yet, and after the log was another one."""

    @given(_LOOPS, _LOOPS)
    @settings(max_examples=40)
    def check(lines: list[tuple[int, int, bool]], others: list[tuple[int, int, bool]]) -> None:
        loops = Loops(tmp_path_factory.mktemp("any").resolve())
        for several in (lines, others):
            data = b""
            for number, second, here in several:
                own, cwd = f"{number:012x}", str(loops.root) if here else "/srv"
                end = row("ABANDONED", 0, own)._replace(ts=f"2026-11-30T02:00:{second:02}+00:00")
                data += log(spawned(own, cwd=cwd), end)
                for written in (data[:-1], data):
                    loops.write(written)
                    known = loops.look().loops
                    anew = LoopsSource(loops.root, {HOME_VARIABLE: str(loops.home.path)})
                    assert known == anew.look(NOW).loops
                    assert [loop.id for loop in known.seen] == _newest(written, loops.root)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ppgp_tui.session.sources.loops.CLOSED", 2)
        check()


_LOOPS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 3), st.booleans()), max_size=8)
"""Which one, in which second it ends, and whether it is one of this repository."""


def _newest(data: bytes, root: Path) -> list[str]:
    """The two newest of each side; of two that ended in one second the one that began first."""
    closed = sorted(read(data).loops, key=lambda loop: loop.last_ts, reverse=True)
    here = [loop.loop_id for loop in closed if loop.spawned["cwd"] == str(root)]
    return here[:2] + [loop.loop_id for loop in closed if loop.loop_id not in here][:2]


# --- runners ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("runner", "state"),
    [(MINE, "alive"), (GONE, "gone"), (FAR, "elsewhere"), (None, "not recorded")],
)
def test_it_is_said_whether_somebody_runs_it(
    loops: Loops, runner: Runner | None, state: str
) -> None:
    loops.write(loops.here(**({"runner": runner._asdict()} if runner else {})))
    loop = loops.one
    assert loop.runner.state == state
    assert loop.orphan == (state == "gone")


def test_a_closed_loop_is_no_orphan(loops: Loops) -> None:
    loops.write(loops.here(runner=GONE._asdict()) + log(row("ABANDONED", 0)))
    assert not loops.one.orphan


def test_the_runner_says_what_it_does_and_until_when(loops: Loops) -> None:
    loops.write(loops.here(runner=MINE._asdict()))
    loops.says(phase="rate_limited", until_ms=NOW + 60_000, why="rate limit", counted_s=30.0)
    loop = loops.one
    assert (loop.phase, loop.phase_ms, loop.until_ms, loop.why) == (
        "rate_limited", NOW - 5_000, NOW + 60_000, "rate limit",
    )  # fmt: skip
    assert loop.clock is not None
    assert loop.clock.used_s(NOW) == 35.0


def test_while_a_person_holds_it_its_clock_stands(loops: Loops) -> None:
    loops.write(loops.here(runner=MINE._asdict()))
    loops.says(phase="paused", counted_s=30.0)
    side.write_pause(loops.home, ID, Pause("user:kim", NOW - 9_000, "look first"))
    loop = loops.one
    assert loop.clock is not None
    assert loop.clock.used_s(NOW + 1_000_000) == 30.0
    assert loop.pause is not None
    assert (loop.pause.by, loop.pause.reason) == ("user:kim", "look first")


def test_the_last_word_of_a_dead_runner_is_not_taken_for_what_is_done_now(loops: Loops) -> None:
    loops.write(loops.here(runner=GONE._asdict()))
    loops.says(runner=GONE, counted_s=30.0)
    loop = loops.one
    assert (loop.phase, loop.orphan) == (None, True)
    assert loop.clock is not None
    assert loop.clock.used_s(NOW + 1_000_000) == 30.0


@pytest.mark.parametrize(("phase", "took"), [("ended", 30.0), ("running", None)])
def test_how_long_a_closed_loop_took_is_known_where_its_runner_counted_to_the_end(
    loops: Loops, phase: str, took: float | None
) -> None:
    loops.write(loops.here(runner=GONE._asdict()) + log(row("ABANDONED", 1)))
    loops.says(runner=GONE, phase=phase, counted_s=30.0)
    clock = loops.one.clock
    assert (clock and clock.used_s(NOW + 1_000_000)) == took


def test_a_loop_of_the_original_has_no_clock_only_a_beginning(loops: Loops) -> None:
    loops.write(loops.here())
    loop = loops.one
    assert (loop.clock, loop.phase) == (None, None)
    assert loop.began_ms == 1_795_996_800_000 + 7_200_000


def test_an_id_that_would_lead_elsewhere_names_no_folder(loops: Loops) -> None:
    loops.write(log(spawned("../../../etc", cwd=str(loops.root))))
    loop = loops.one
    assert (loop.id, loop.output, loop.phase) == ("../../../etc", None, None)
    assert watched(loops.home, loops.look().loops).folders == ()


# --- runs and output ----------------------------------------------------------------------------


def test_the_last_runs_come_with_exit_code_signal_time_and_changes(loops: Loops) -> None:
    git = {"commits": 1, "files": 2, "insertions": 30, "deletions": 4, "untracked": 0}
    loops.write(
        loops.here()
        + log(
            row("ITERATING", 1),
            row("ITERATING", 2, exit_code=143, signal="SIGTERM", duration_s=1.5, cut="wall-clock"),
            row("PAUSED", 2, reason="rate_limited", exit_code=1, duration_s=0.5),
            row("ITERATING", 2),
            row("SUCCESS", 2, exit_code=0, duration_s=2.0, git=git),
        )
    )
    first, second, third = loops.one.runs
    assert (first.iteration, first.signal, first.cut) == (1, "SIGTERM", "wall-clock")
    assert (second.iteration, second.limited) == (2, True)
    assert (third.iteration, third.exit_code, third.duration_s) == (2, 0, 2.0)
    assert third.changes is not None
    assert third.changes._asdict() == git


def test_the_end_of_the_output_is_read_clean(loops: Loops) -> None:
    loops.write(loops.here(runner=MINE._asdict()))
    loops.says(output="0001.log")
    folder = loops.home.loop(ID) / "output"
    folder.mkdir()
    (folder / "0001.log").write_bytes(b"\x1b[31mred\x1b[0m\n10 %\r50 %\r\nbell\x07\n")
    output = loops.one.output
    assert output is not None
    assert output.lines == ("red", "50 %", "bell\N{SYMBOL FOR BELL}")
    assert output.path == str(folder / "0001.log")


def test_output_that_is_a_link_or_a_pipe_is_not_followed(loops: Loops, tmp_path: Path) -> None:
    loops.write(loops.here(runner=MINE._asdict()))
    loops.says(output="0001.log")
    folder = loops.home.loop(ID) / "output"
    folder.mkdir()
    (tmp_path / "secret").write_text("secret")
    (folder / "0001.log").symlink_to(tmp_path / "secret")
    output = loops.one.output
    assert output is None or output.lines == ()
    (folder / "0001.log").unlink()
    os.mkfifo(folder / "0001.log")
    output = loops.one.output
    assert output is None or output.lines == ()


def test_only_what_runs_is_watched_besides_the_log(loops: Loops) -> None:
    loops.write(loops.here(runner=MINE._asdict()) + log(spawned(OTHER, runner=GONE._asdict())))
    own = loops.home.loop(ID)
    concern = watched(loops.home, loops.look().loops)
    assert concern == ((loops.home.log,), (own, own / "output"))


# --- conditions ---------------------------------------------------------------------------------


def test_whether_the_condition_holds_is_looked_at_for_open_loops_here(loops: Loops) -> None:
    (loops.root / "STATUS").write_text("so far\nDONE\n")
    loops.write(
        loops.here("0" * 12, success_condition="grep:DONE:STATUS")
        + loops.here("1" * 12, success_condition="file-exists:MISSING")
        + log(spawned("2" * 12, cwd="/nowhere", success_condition="file-exists:/"))
        + loops.here("3" * 12, success_condition="grep:DONE:STATUS")
        + log(row("ABANDONED", 0, "3" * 12))
    )
    held = {loop.id[0]: (loop.holds, loop.holds_why) for loop in loops.look().loops.seen}
    assert held == {
        "0": (True, "STATUS line 2"), "1": (False, ""), "2": (None, ""), "3": (None, ""),
    }  # fmt: skip


def test_of_a_loop_that_nobody_runs_only_the_condition_is_looked_at_again(loops: Loops) -> None:
    loops.write(loops.here(runner=GONE._asdict(), success_condition="file-exists:DONE"))
    assert loops.one.holds is False
    (loops.root / "DONE").touch()
    assert (loops.one.holds, loops.one.orphan) == (True, True)
    loops.write(loops.here(runner=GONE._asdict()) + log(row("ABANDONED", 0, reason="runner gone")))
    assert (loops.one.open, loops.one.reason) == (False, "runner gone")


def test_a_runner_that_dies_is_missed_though_no_row_says_so(
    loops: Loops, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops.write(loops.here(runner=MINE._asdict()))
    assert not loops.one.orphan
    monkeypatch.setattr("ppgp_tui.session.sources.loops.is_alive", lambda *_: False)
    assert loops.one.orphan


def test_a_thousand_dead_loops_are_taken_apart_once(
    loops: Loops, monkeypatch: pytest.MonkeyPatch
) -> None:
    loops.write(log(*(spawned(f"{number:012x}") for number in range(1_000))))
    first = loops.look().loops
    looked: list[str] = []
    monkeypatch.setattr(side, "read_live", lambda _, loop_id: looked.append(loop_id))
    assert loops.look().loops == first
    assert looked == []


def test_what_showed_that_the_condition_holds_is_told_of_a_loop_that_is_done(loops: Loops) -> None:
    done = row("SUCCESS", 3, reason="success_condition matched", why="STATUS line 3")
    loops.write(loops.here() + log(done))
    assert (loops.one.reason, loops.one.why) == ("success_condition matched", "STATUS line 3")
    odd = row("SUCCESS", 3, reason="success_condition matched", why=[3])
    loops.write(loops.here() + log(odd))
    assert loops.one.why == "", "nothing but words is shown"
