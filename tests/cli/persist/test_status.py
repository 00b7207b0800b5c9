"""`persist status`: what each loop does, in the words of its log and of its runner."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from ppgp_tui.cli.persist import seeing
from ppgp_tui.persist import shelf
from ppgp_tui.persist.live import Runner
from ppgp_tui.persist.loop import Loop
from tests.cli.persist.loops import (
    GONE,
    ID,
    NOW,
    OTHER,
    Loops,
    row,
    runner_of,
    spawned,
)  # fmt: skip
from tests.cli.running import PROGRAM, imported_by, run


@pytest.fixture(autouse=True)
def later(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is ten minutes after everything that is written here."""
    monkeypatch.setattr("ppgp_tui.cli.persist.status.now_ms", lambda: NOW + 600_000)


def me() -> Runner:
    return runner_of(os.getpid())


def test_an_empty_home_has_no_loops_in_flight(loops: Loops) -> None:
    assert loops.call("status") == (0, "no loops in flight\n", "")
    assert loops.call("status", "--json").out == '{\n  "open_loops": []\n}\n'
    assert not loops.home.path.exists()


def test_folder_age_runs_time_and_condition_stand_below_each_loop(loops: Loops) -> None:
    loops.log(spawned(runner=me()), row("ITERATING", 12))
    loops.live("running", me(), iteration=12, counted_s=3600.0)
    assert loops.call("status").out == (
        f"{ID}  ITERATING          iter=12   prompt=PROMPT.md\n"
        "    /srv/loops/api; began 10m ago; run 12 of 50; 2h50 of 4h00 left; until exit-code-0\n"
        f"    run 12 for 10m (process {os.getpid()})\n"
    )


def test_a_run_goes_on_since_its_row_also_after_somebody_held_it(loops: Loops) -> None:
    loops.log(spawned(runner=me()), row("ITERATING", 12, at_ms=NOW + 60_000))
    loops.live("running", me(), iteration=12, since_ms=NOW + 597_000)  # released just now
    assert f"    run 12 for 9m (process {os.getpid()})\n" in loops.call("status").out


@pytest.mark.parametrize(
    ("phase", "more", "words"),
    [
        ("starting", {}, "starts"),
        ("stopping", {"iteration": 3}, "run 3 is told to end"),
        ("checking", {"iteration": 3}, "run 3 is over, its outcome is looked at for 10m"),
        ("rate_limited", {"until_ms": NOW + 840_000}, "waits for a rate limit, goes on in 4m"),
        ("slowed", {"until_ms": NOW + 602_000}, "waits after quick failures, goes on in 2s"),
        (
            "paused",
            {"why": "paused by user:dev: lunch"},
            "rests for 10m: paused by user:dev: lunch",
        ),
        ("ended", {}, "ends"),
    ],
)
def test_what_the_runner_does_is_told_in_its_own_last_word(
    loops: Loops, phase: str, more: dict[str, Any], words: str
) -> None:
    loops.log(spawned(runner=me()), row("ITERATING", 1))
    loops.live(phase, me(), **more)
    assert f"    {words} (process {os.getpid()})\n" in loops.call("status").out


def test_while_it_rests_its_time_stands_still(loops: Loops) -> None:
    loops.log(spawned(runner=me()), row("ITERATING", 1))
    loops.live("paused", me(), counted_s=7200.0)
    assert "2h00 of 4h00 left" in loops.call("status").out


def test_a_runner_that_is_gone_is_said_to_be_gone_and_what_to_do(loops: Loops) -> None:
    loops.log(spawned(runner=GONE), row("ITERATING", 1))
    loops.live("running", GONE)
    out = loops.call("status").out
    assert f"its runner (process {GONE.pid}) is gone; close it with: " in out
    assert f"ppgp-tui persist abandon {ID}\n" in out
    assert "left" not in out
    (told,) = loops.json("--all")["loops"]
    assert told["runner"]["alive"] is False
    assert told["phase"] is None


def test_another_process_with_its_number_is_not_its_runner(loops: Loops) -> None:
    loops.log(spawned(runner=me()._replace(started=1)), row("ITERATING", 1))
    assert "is gone" in loops.call("status").out


def test_a_runner_on_another_host_is_neither_alive_nor_gone(loops: Loops) -> None:
    loops.log(spawned(runner=me()._replace(host="elsewhere")), row("ITERATING", 1))
    assert "its runner is on elsewhere, which cannot be looked at from here" in (
        loops.call("status").out
    )
    assert loops.json("--all")["loops"][0]["runner"]["alive"] is None


def test_of_the_originals_loops_only_what_its_log_can_know_is_said(loops: Loops) -> None:
    loops.log(spawned(), row("ITERATING", 1), spawned(OTHER, max_wall_clock_s=300))
    out = loops.call("status").out
    assert "at most 3h50 of 4h00 left" in out
    assert "its time is over" in out
    assert out.count("its runner is not recorded, as the original leaves it") == 2


def test_only_the_loop_that_is_asked_for_is_listed_and_a_closed_one_is_none(loops: Loops) -> None:
    loops.log(spawned(), spawned(OTHER), row("SUCCESS", 1, loop=OTHER, reason="x"))
    assert loops.call("status", "--loop-id", ID, "--compat").out.startswith(ID)
    assert loops.call("status", "--loop-id", ID).out.count("iter=") == 1
    closed = f"loop {OTHER} is closed (SUCCESS); --all lists it"
    for unlisted, why in (
        (OTHER, closed),
        *((given, f"loop {given} not found") for given in ("0123456789ab", "", "no id")),
    ):
        nothing = (0, "no loops in flight\n")
        assert loops.call("status", "--loop-id", unlisted) == (*nothing, f"persist: {why}\n")
        assert loops.call("status", "--loop-id", unlisted, "--compat") == (*nothing, "")
    assert loops.call("status", "--loop-id", OTHER, "--all").out.startswith(OTHER)


def test_the_first_digits_are_enough_where_they_mean_one(loops: Loops) -> None:
    loops.log(spawned(), spawned("77e1b0c4d2aa"), spawned(OTHER))
    assert loops.call("status", "--loop-id", "77e1").out.startswith("77e1b0c4d2aa")
    said = loops.call("status", "--loop-id", "0bad")
    assert said == (1, "", f"persist: loop 0bad could be any of {ID}, {OTHER}\n")


@pytest.mark.parametrize("command", ["abandon", "pause", "resume"])
def test_of_too_few_digits_it_is_said_how_many_are_needed(loops: Loops, command: str) -> None:
    loops.log(spawned())
    hint = "persist: give at least the first 4 digits of its id\n"
    assert loops.call(command, ID[:3]) == (1, "", f"persist: loop {ID[:3]} not found\n{hint}")
    assert loops.call(command, "77e1") == (1, "", "persist: loop 77e1 not found\n")
    assert loops.call("status", "--loop-id", ID[:3]) == (
        0, "no loops in flight\n", f"persist: loop {ID[:3]} not found\n{hint}",
    )  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        ["abandon", OTHER[:11]], ["pause", OTHER], ["resume", OTHER[:11]],
        ["status", "--loop-id", OTHER], ["status", "--all", "--loop-id", OTHER[:11]],
    ],
)  # fmt: skip
def test_to_find_one_loop_no_other_closed_one_is_opened(
    loops: Loops, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [f"{number:012x}" for number in range(300)]
    closed = (
        line for one in (*others, OTHER) for line in (spawned(one), row("SUCCESS", 1, loop=one))
    )
    loops.log(*closed)
    opened: list[str] = []
    unpack = shelf._unpacked

    def count(packed: Any) -> Loop:
        loop = unpack(packed)
        opened.append(loop.loop_id)
        return loop

    monkeypatch.setattr(shelf, "_unpacked", count)
    assert OTHER in "".join(map(str, loops.call(*words)))
    assert not set(opened) & set(others)


def test_closed_loops_are_listed_on_demand_with_their_end(loops: Loops) -> None:
    loops.log(
        spawned(), row("ITERATING", 1), row("ABANDONED", 1, reason="manual abandon"),
        row("ITERATING", 2), row("SUCCESS", 2),
    )  # fmt: skip
    said = loops.call("status", "--all")
    assert f"{ID}  ABANDONED          iter=1    prompt=PROMPT.md\n" in said.out
    assert "manual abandon; 2 later rows do not count" in said.out
    assert said.err == f"persist: rows after the end of {ID} do not count\n"
    assert loops.call("status").out == "no loops in flight\n"


def test_names_of_files_reach_the_terminal_as_harmless_text(loops: Loops) -> None:
    loops.log(
        row("SPAWNED", before="SPAWNED", prompt="/srv/a\x1b]0;x\x07\n/Plan — été 你好\x1b[2J\nb.md")
    )
    for words in ("status", "--all"), ("status", "--compat"), ("status", "--json"):
        out = loops.call(*words).out
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f]", out)
    assert "prompt=Plan — été 你好␛[2J␊b.md\n" in loops.call("status", "--compat").out


def test_odd_ids_and_values_are_shown_and_looked_for_nowhere(loops: Loops) -> None:
    loops.log(
        row("ITERATING", 1, loop="../../etc"),
        row("SPAWNED", before="SPAWNED", loop="odd", max_iterations="many", max_wall_clock_s=[],
            success_condition=7, runner={"pid": -1}),
    )  # fmt: skip
    out = loops.call("status").out
    assert "../../etc  ITERATING" in out
    assert "odd  SPAWNED" in out
    assert loops.json("--all")["loops"][1]["max_iterations"] is None


def test_a_row_that_no_usual_reader_takes_hides_no_loop(loops: Loops) -> None:
    loops.log(spawned()[:-2] + b',"n":' + b"9" * 5000 + b"}\n", spawned(OTHER))
    first, second = loops.json()["open_loops"]
    assert first == {"loop_id": ID, "iteration": 0, "to_state": "SPAWNED"}
    assert second["loop_id"] == OTHER


def test_a_dry_run_leaves_no_open_loop(loops: Loops) -> None:
    (loops.work / "PROMPT.md").write_text("go\n")
    said = run("persist", "iterate", "PROMPT.md", "--dry-run", "--agent-cmd", "true")
    assert said.code == 0, said.err
    assert loops.call("status").out == "no loops in flight\n"
    assert "    dry run\n" in loops.call("status", "--all").out


def test_a_held_lock_keeps_nobody_from_looking(loops: Loops) -> None:
    import fcntl

    loops.log(spawned())
    with loops.home.lock.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert loops.call("status").out.startswith(ID)


def test_looking_changes_nothing(loops: Loops) -> None:
    loops.log(spawned(runner=GONE), b"torn")
    before = {path: path.stat() for path in sorted(loops.home.path.rglob("*"))}
    loops.call("status", "--all")
    loops.call("status", "--json")
    after = {path: path.stat() for path in sorted(loops.home.path.rglob("*"))}
    assert [(one.st_mtime_ns, one.st_size) for one in after.values()] == [
        (one.st_mtime_ns, one.st_size) for one in before.values()
    ]
    assert set(after) == set(before)


@pytest.mark.parametrize("odd", ["NaN", "Infinity", "-Infinity", "1e999"])
@pytest.mark.parametrize("member", ["root", "goal", "reason", "why"])
def test_json_stays_json_whatever_a_row_holds(loops: Loops, odd: str, member: str) -> None:
    loops.log(spawned(**{member: "?"}).replace(b'"?"', odd.encode()), spawned(OTHER))
    said = loops.call("status", "--json", "--all")
    told = json.loads(said.out, parse_constant=pytest.fail)
    assert [one["loop_id"] for one in told["open_loops"]] == [ID, OTHER]
    assert [one["loop_id"] for one in told["loops"]] == [ID, OTHER]


def test_a_log_that_cannot_be_read_is_one_line(loops: Loops) -> None:
    loops.home.log.mkdir(parents=True)
    assert loops.call("status") == (1, "", f"persist: {loops.home.log}: not a plain file\n")


def test_nothing_heavy_is_imported_for_a_look(loops: Loops) -> None:
    loops.log(spawned())
    imported = imported_by("persist", "status")
    for heavy in ("click", "textual", "rich", "asyncio", "git", "subprocess", "pydantic"):
        assert heavy not in imported, heavy
    assert not {name for name in imported if name.startswith("ppgp_tui.session.engine")}


def test_the_home_is_found_as_the_original_finds_it(
    loops: Loops, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    monkeypatch.delenv("BROOMVA_PERSIST_HOME")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert seeing.home().path == tmp_path / "config" / "broomva" / "persist"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert seeing.home().path == tmp_path / ".config" / "broomva" / "persist"
    monkeypatch.setenv("HOME", "")  # an empty one names the root, never the folder one is in
    assert seeing.home().path == Path("/.config/broomva/persist")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("BROOMVA_PERSIST_HOME", "~/loops")
    assert seeing.home().path == tmp_path / "loops"
    monkeypatch.setenv("BROOMVA_PERSIST_HOME", "~nobody-has-this-name/loops")
    assert loops.call("status").out == "no loops in flight\n"
    assert PROGRAM.with_name("persist").exists() is False
