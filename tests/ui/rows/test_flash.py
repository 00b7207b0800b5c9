"""A state word that changed stands out for two seconds, and then no more."""

from dataclasses import replace

from ppgp_tui.session.model import Part, SessionSnapshot
from ppgp_tui.ui.rows.flash import FLASH_MS, changed
from ppgp_tui.ui.screen.screen import screen_lines
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.pressing import press
from tests.ui.stand_in import seat


def with_t5(state: str) -> SessionSnapshot:
    full = picture.full()
    tasks = tuple(
        task._replace(state=state) if task.key == "T5" else task  # type: ignore[arg-type]
        for task in full.plan.value.tasks
    )
    return replace(full, plan=Part(full.plan.value._replace(tasks=tasks), 99))


def bold_words(of: Seat, words: str) -> str:
    """What is bold in the line that holds `words`."""
    line = next(line for line in screen_lines(of)[4:] if words in line.text)
    return " ".join(segment.text for segment in line if segment.style and segment.style.bold)


def watching(now: list[int]) -> Seat:
    return press(seat(views=VIEWS, width=80, height=40, clock=lambda: now[0]), "2", "t", "G")


def test_the_word_of_a_task_that_changed_stands_out_for_two_seconds() -> None:
    now = [picture.NOW]
    of = watching(now)
    assert "done" not in bold_words(of, "Write checkpoint")
    of.take(with_t5("done"))
    assert "done" in bold_words(of, "Write checkpoint")
    assert "done" not in bold_words(of, "Map the import")
    now[0] += FLASH_MS
    assert "done" not in bold_words(of, "Write checkpoint")


def test_with_reduced_motion_nothing_stands_out() -> None:
    of = press(watching([picture.NOW]), ",", "m")
    of.take(with_t5("done"))
    assert "done" not in bold_words(of, "Write checkpoint")


def test_only_what_was_there_and_says_another_state_has_changed() -> None:
    full = picture.full()
    assert changed(full, full) == set()
    assert changed(full, with_t5("done")) == {"task:T5"}
    assert changed(full, picture.full()) == set()
    nothing = replace(full, plan=Part(full.plan.value._replace(tasks=()), 98))
    assert changed(nothing, full) == set()


def test_requests_agents_and_conditions_are_seen_too() -> None:
    full = picture.full()
    request = full.inbox.value[0]
    agent = full.agents.value[0]
    goal = full.goal.value
    criterion = goal.dod[3]._replace(state="done")
    after = replace(
        full,
        inbox=Part((request._replace(state="answered"), *full.inbox.value[1:]), 50),
        agents=Part((agent._replace(state="ended"), *full.agents.value[1:]), 50),
        goal=Part(goal._replace(dod=(*goal.dod[:3], criterion, *goal.dod[4:])), 50),
    )
    keys = {f"req:{request.id}", f"agent:{agent.session}", f"dod:{criterion.number}"}
    assert changed(full, after) == keys
