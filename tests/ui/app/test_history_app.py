"""The plan's history in the app itself: its keys, and a storm of revisions in a real log."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ppgp_tui.session.files.places import root_folder
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.plan_history.seen import Looked, keep_looked, last_looked
from ppgp_tui.ui.app.app import PpgpApp
from ppgp_tui.ui.seat import last_look
from ppgp_tui.ui.terminal.ability import Ability
from tests.session.plan_history.plans import revised, task, write_log
from tests.ui.app.test_app import app
from tests.ui.picture_history import LOOKED, with_history
from tests.ui.waiting import shown, until

SIZE = (80, 24)


def sitting() -> PpgpApp:
    of = app(with_history())
    of.seat.lately.looked = LOOKED
    return of


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (["2", "left_square_bracket"], "r12 to r14  since you last looked, 25m"),
        (["2", "left_square_bracket", "left_square_bracket"], "r13 to r14  8m ago, claude"),
        (["2", "left_square_bracket", "right_square_bracket"], "Plan r14"),
        (["2", "equals_sign", "left_square_bracket"], "r12 to r14  compared, r14 is held"),
        (["2", "left_square_bracket", "B"], "Who changed T10"),
    ],
)
async def test_each_key_of_the_history_arrives(keys: list[str], said: str) -> None:
    of = sitting()
    async with of.run_test(size=SIZE) as pilot:
        of.seat.lately.looked = LOOKED
        await pilot.press(*keys)
        await until(pilot, lambda: said in shown(of))


async def test_a_look_is_remembered_in_the_users_folder_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(last_look, "LOOK_MS", 0)
    write_log(tmp_path, revised(1, 1, task("a")))
    before = sorted(tmp_path.rglob("*"))
    session = LiveSession(tmp_path)
    session.read_all()
    of = PpgpApp(session, ability=Ability())
    async with of.run_test(size=SIZE) as pilot:
        await pilot.press("2")
        await until(pilot, lambda: last_looked(tmp_path) is not None)
    looked = last_looked(tmp_path)
    assert looked is not None
    assert looked.number == 1
    assert sorted(tmp_path.rglob("*")) == before
    assert (root_folder(tmp_path) / "seen.json").exists()
    session.close()


async def test_what_was_looked_at_in_an_earlier_app_is_compared_with(tmp_path: Path) -> None:
    write_log(tmp_path, revised(1, 1, task("a")), revised(2, 2, task("a"), task("b")))
    keep_looked(tmp_path, Looked(1, f"{1:064x}"[:16], 1_000))
    session = LiveSession(tmp_path)
    session.read_all()
    of = PpgpApp(session, ability=Ability())
    async with of.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: of.seat.lately.looked is not None)
        await pilot.press("2", "left_square_bracket")
        await until(pilot, lambda: "r1 to r2  since you last looked" in shown(of))
    session.close()


@pytest.mark.parametrize("looking_back", [False, True])
async def test_eighty_revisions_in_two_seconds_paint_ten_times_a_second_at_most(
    tmp_path: Path, looking_back: bool
) -> None:
    path = write_log(tmp_path, revised(1, 1, task("a")))
    keep_looked(tmp_path, Looked(1, f"{1:064x}"[:16], 1_000))
    session = LiveSession(tmp_path)
    session.read_all()
    of = PpgpApp(session, ability=Ability())
    paints: list[float] = []
    async with of.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: of.seat.lately.looked is not None)
        await pilot.press("2")
        await until(pilot, lambda: of.seat.snapshot.watching.mode == "live")
        show = of.canvas.show
        of.canvas.show = lambda lines: paints.append(of.painter.painted_at) or show(lines)  # type: ignore[func-returns-value,method-assign]
        if looking_back:
            await pilot.press("left_square_bracket")
        began = time.monotonic()
        with path.open("ab", buffering=0) as log:
            for number in range(2, 82):
                status = ("pending", "in_progress", "completed")[number % 3]
                log.write(revised(number, number, task("a", status), task(f"t{number % 7}")))
                await pilot.pause(max(0.0, began + (number - 1) * 0.025 - time.monotonic()))
        expected = "r1 to r81" if looking_back else "Plan r81"
        await until(pilot, lambda: of.seat.snapshot.plan.value.revision == 81)
        await until(pilot, lambda: paints and paints[-1] >= began)
        ended = time.monotonic()
        if looking_back:
            await pilot.press("escape", "left_square_bracket")
        await until(pilot, lambda: expected in shown(of))
    session.close()
    stormy = [at for at in paints if began <= at <= ended]
    for at in stormy:
        assert sum(at <= other < at + 1 for other in stormy) <= 10
