"""Answers on disk: one per attempt, and one end."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ppgp_tui.session.authority.answer import Answer, write
from ppgp_tui.session.authority.answer_files import (
    attempts,
    create_answer,
    end_attempt,
    free_attempt,
    read_answer,
    read_end,
)
from ppgp_tui.session.authority.damage import DamagedError
from ppgp_tui.session.authority.examine import examine
from ppgp_tui.session.authority.verdict import Accepted, Rejected
from ppgp_tui.session.files.safe import Folder, UnsafePathError
from tests.session.authority.conftest import T0, plant


def end(run, request, outcome, attempt=1, by="agent:x"):
    return end_attempt(run, request["id"], attempt, outcome, by=by, at_ms=T0)


def test_an_answer_reads_back(run, person, request_asked):
    answer = person.answer(request_asked)
    create_answer(run, answer)
    assert read_answer(run, request_asked["id"], 1) == write(answer)
    assert attempts(run, request_asked["id"]) == [1]


def test_of_many_answerers_at_once_one_wins(run, person, request_asked):
    given = [person.answer(request_asked, option) for option in ("yes", "no") * 4]

    def created(answer: Answer) -> Answer | None:
        try:
            create_answer(run, answer)
        except FileExistsError:
            return None
        return answer

    with ThreadPoolExecutor(len(given)) as pool:
        (winner,) = [answer for answer in pool.map(created, given) if answer]
    assert read_answer(run, request_asked["id"], 1) == write(winner)


def test_garbage_under_an_attempt_is_passed_by(run, person, request_asked, root: Path):
    request_id = request_asked["id"]
    assert free_attempt(run, request_id) == 1
    plant(run, request_asked, 1, b"garbage")
    assert free_attempt(run, request_id) == 2
    end(run, request_asked, "revoked", attempt=2)
    assert free_attempt(run, request_id) == 3
    assert free_attempt(run, request_id, after=5) == 6
    (root / f".ppgp/run/answers/{request_id}.3.json").symlink_to(root / "nowhere")
    assert free_attempt(run, request_id) == 4
    create_answer(run, person.answer(request_asked, attempt=4))
    assert attempts(run, request_id) == [4, 3, 1]
    assert not (root / "nowhere").exists()


def test_other_names_in_the_folder_are_no_attempts(run, request_asked, root: Path):
    plant(run, request_asked, 1, b"x")
    folder = root / ".ppgp/run/answers"
    for name in ("0", "01", "-1", "10000", "1.end", "1e3", "٣"):
        (folder / f"{request_asked['id']}.{name}.json").write_bytes(b"x")
    assert attempts(run, request_asked["id"]) == [1]


def test_when_no_attempt_is_free_that_is_said(run, request_asked):
    with pytest.raises(DamagedError, match="no attempt is free"):
        free_attempt(run, request_asked["id"], after=9999)


def test_the_first_end_decides(run, request_asked):
    mine = end(run, request_asked, "delivered")
    assert (mine.outcome, mine.mine) == ("delivered", True)
    late = end(run, request_asked, "revoked", by="user:dev")
    assert (late.outcome, late.by, late.mine) == ("delivered", "agent:x", False)
    assert read_end(run, request_asked["id"], 1) == late
    assert read_end(run, request_asked["id"], 2) is None


@pytest.mark.parametrize("data", [b"", b"{}", b"\0", b"[" * 4000, b"x" * 10_000])
def test_a_planted_end_is_damaged_and_ends_nothing_well(run, request_asked, data):
    with run.child("answers", create=True) as folder:
        folder.publish(f"{request_asked['id']}.1.end.json", data)
    with pytest.raises(DamagedError):
        end(run, request_asked, "delivered")


def test_a_link_in_place_of_the_folder_is_not_followed(run, person, request_asked, root, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / ".ppgp/run/answers").symlink_to(outside)
    answer = person.answer(request_asked)
    acts = [
        lambda: create_answer(run, answer),
        lambda: end(run, request_asked, "delivered"),
        lambda: attempts(run, request_asked["id"]),
        lambda: free_attempt(run, request_asked["id"]),
        lambda: read_answer(run, request_asked["id"], 1),
    ]
    for act in acts:
        with pytest.raises(UnsafePathError):
            act()
    assert list(outside.iterdir()) == []


def test_examining_tells_good_from_bad_newest_first(run, pins, person, request_asked):
    good = person.answer(request_asked, attempt=1)
    create_answer(run, good)
    end(run, request_asked, "revoked", by="user:dev")
    plant(run, request_asked, 2, good)
    plant(run, request_asked, 3, b"\0")
    third, second, first = examine(run, request_asked, pins.check)
    assert (third.attempt, third.verdict.reason, third.end) == (3, "damaged", None)
    assert isinstance(second.verdict, Rejected)
    assert second.verdict.shown == "other attempt"
    assert first.verdict == Accepted(good, signed=True)
    assert first.end is not None
    assert first.end.outcome == "revoked"


RACER = """
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from ppgp_tui.session.authority.answer_files import end_attempt
from ppgp_tui.session.files.safe import Folder
root, outcome, rounds = sys.argv[1:]
print("ready", flush=True)
sys.stdin.readline()
with Folder.open(Path(root), ".ppgp", "run") as run:
    for number in range(int(rounds)):
        end = end_attempt(run, "req_" + f"{number:032x}", 1, outcome, by=outcome, at_ms=1)
        print(end.outcome, end.mine)
"""


def test_delivery_and_taking_back_race_for_one_name_and_one_wins(run: Folder, root: Path):
    rounds = 50
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(root), outcome, str(rounds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for outcome in ("delivered", "revoked")
    ]
    for racer in racers:
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        racer.stdin.write("\n")
        racer.stdin.flush()
    delivering, revoking = (racer.communicate()[0].splitlines() for racer in racers)
    assert len(delivering) == len(revoking) == rounds
    for number, (one, other) in enumerate(zip(delivering, revoking, strict=True)):
        (outcome, mine), (seen, theirs) = one.split(), other.split()
        assert outcome == seen
        assert {mine, theirs} == {"True", "False"}
        assert read_end(run, f"req_{number:032x}", 1).outcome == outcome
