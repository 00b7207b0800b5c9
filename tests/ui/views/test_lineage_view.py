"""What is opened in view 4: the hops around a thing, the thing itself, and the way there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ppgp_tui.session.model import GraphLook, Part, SessionSnapshot
from ppgp_tui.session.picture.commit import ChangedFile, Commit
from ppgp_tui.ui.rows.row import Row
from ppgp_tui.ui.views.log.events import DETAIL, EVENT, LIST, EventsView
from tests.ui.picture_story import COMMIT, Teller, event, link, node, ops
from tests.ui.picture_time import ago
from tests.ui.views.drawn import frame, screen


@pytest.fixture
def teller(tmp_path: Path) -> Teller:
    return Teller(tmp_path)


def opened(
    snapshot: SessionSnapshot, thing: str, width: int = 90, height: int = 70, **given: object
) -> list[str]:
    return screen(EventsView(), snapshot, frame(width, height, opened=thing, **given))


def section(lines: list[str], title: str) -> list[str]:
    """The lines below a heading, up to the next blank line."""
    start = next(at for at, line in enumerate(lines) if line.startswith(f" {title}"))
    rest = lines[start + 1 :]
    return rest[: rest.index("")] if "" in rest else rest


def tree(lines: list[str]) -> list[str]:
    return [" ".join(line.split()) for line in section(lines, "How it came about")]


def rows_of(snapshot: SessionSnapshot, thing: str, **given: object) -> list[Row]:
    room = frame(80, 40, opened=thing, **given)
    return list(EventsView().layout(snapshot, room)[0][0].rows)


def test_a_patch_stands_below_its_goal_run_and_task_and_above_what_came_of_it(
    teller: Teller,
) -> None:
    assert tree(opened(teller.snapshot(), "node:patch_9")) == [
        "goal Make retry reliable advances, serves open 5h00",
        "run 1 evolve session 1 cause, run finished 4h00",
        "↳ task 9 Retry with a limit same id suffix open 3h58",
        "↳ patch 9 Retry up to five times promoted 3h50",
        "↳ eval 9 cargo test retry validated by passed 3h49",
        "↳ decision 9 oracle said so approved by approved 3h48",
        "↳ ✓ Retry up to five times promoted patch_id 3h48",
        "↳ commit 4e1f09c artifact",
    ]


def test_each_hop_is_further_in_than_what_it_came_from(teller: Teller) -> None:
    lines = section(opened(teller.snapshot(), "node:patch_9"), "How it came about")
    indents = [line.index("↳") if "↳" in line else 0 for line in lines]
    assert indents == [0, 0, 3, 5, 7, 7, 7, 7]


def test_a_narrow_tree_says_on_a_second_line_how_a_hop_is_known(teller: Teller) -> None:
    lines = section(opened(teller.snapshot(), "node:patch_9", 48), "How it came about")
    assert lines[:6] == [
        " goal  Make retry reliable                 5h00",
        "   advances, serves  open",
        " run  1 evolve session 1                   4h00",
        "   cause, run  finished",
        "   ↳ task  9 Retry with a limit            3h58",
        "       same id suffix  open",
    ]


def test_the_thing_itself_is_bright_and_every_hop_leads_on(teller: Teller) -> None:
    rows = rows_of(teller.snapshot(), "node:patch_9")
    this = next(row for row in rows if row.key == "this")
    assert any(span.role == "ink" and span.bold for span in this.lines[0].left)
    assert this.thing == "node:patch_9"
    hops = [row for row in rows if row.key.startswith(("up:", "down:"))]
    assert [row.thing for row in hops] == [
        "node:goal_retry", "node:run_1", "node:task_9", "node:eval_9", "node:decision_9",
        "event:13",
    ]  # fmt: skip
    assert all(row.leads and row.opens == "go there" for row in hops)


def test_what_the_log_names_and_does_not_hold_is_not_linked(teller: Teller) -> None:
    lines = opened(teller.snapshot(), "node:task_9")
    assert any(line.startswith(" Not linked  1") for line in lines)
    assert section(lines, "Not linked") == [
        " . relation serves ends at `goal_elsewhere`, not in this log"
    ]


def test_a_node_says_that_it_was_given_up_made_anew_or_went_stale(tmp_path: Path) -> None:
    made = [
        event("g", "goal.created", {"id": "goal_1", "title": "Old"}, 9),
        ops("go", "g", 9, node("goal_1", "goal", title="Old")),
        ops("g2", None, 8, node("goal_1", "goal", title="New")),
        ops("g3", None, 7, {"MarkStale": {"id": "goal_1", "reason": "superseded by events"}}),
    ]
    lines = "\n".join(opened(Teller(tmp_path, made).snapshot(), "node:goal_1"))
    assert "goal  1 New" in lines
    assert "created 2 times" in lines
    assert "stale: superseded by events" in lines


def test_a_tombstoned_node_says_why(teller: Teller) -> None:
    lines = opened(teller.snapshot(), "node:observation_1")
    assert any("tombstoned: it is not" in line for line in lines)
    assert lines[0] == " How it came about"


def test_a_run_that_nothing_ended_is_open(teller: Teller) -> None:
    assert "run 2 on T5 cause, run open 30m" in tree(opened(teller.snapshot(), "node:todo:T5"))


def test_a_question_that_waits_has_no_decision_yet(teller: Teller) -> None:
    assert tree(opened(teller.snapshot(), "node:req_5"))[-1] == "↳ decision none yet"


def test_a_task_is_found_by_its_key(teller: Teller) -> None:
    lines = opened(teller.snapshot(), "node:todo:T5")
    assert any("task  T5 Bound it well" in line for line in lines)


def test_what_is_not_in_the_log_is_said_to_be_absent(teller: Teller) -> None:
    lines = opened(teller.snapshot(), "node:todo:T99")
    assert lines == [" How it came about", " T99 is not in this log"]


def test_while_the_log_is_folded_causes_are_shown_and_how_far_it_is(teller: Teller) -> None:
    plain = teller.snapshot(folded=False)
    lines = opened(replace(plain, graph=Part(GraphLook("folding", 0.4))), "event:4")
    assert lines[0].startswith(" How it came about")
    assert lines[0].endswith("reading the graph 40 %")
    assert tree(lines) == ["▸ run: evolve session 1 4h00", "↳ + Retry with a limit 3h58"]


def test_an_event_shows_its_line_and_a_node_its_properties_and_events(teller: Teller) -> None:
    of_event = opened(teller.snapshot(), "event:6")
    assert any(line.startswith(" The event") and line.endswith(":7") for line in of_event)
    of_node = opened(teller.snapshot(), "node:patch_9")
    assert any(line.startswith(" The patch") for line in of_node)
    assert '   "status": "Promoted"' in of_node
    assert section(of_node, "Its events  4")[-1].startswith(" + patch: Retry up to five times")


def test_the_whole_sentence_is_told_where_the_list_has_no_room_for_it(teller: Teller) -> None:
    lines = opened(teller.snapshot(), "event:6")
    told = " ".join(" ".join(lines[: lines.index("")]).split())
    assert told == (
        "patch 9 proposed for ‘Make retry reliable’, passed `cargo test retry`, "
        "approved by evolve, promoted: Retry up to five times"
    )


def test_the_way_here_is_a_line_on_top(teller: Teller) -> None:
    trail = ("view:plan", "node:goal_retry", "node:task_9")
    lines = opened(teller.snapshot(), "node:run_1", trail=trail)
    assert lines[0] == " plan › goal Make retry reliab… › task 9 › run 1"


def test_the_steps_of_a_long_way_are_cut_short(teller: Teller) -> None:
    trail = ("view:plan", *(f"node:{name}" for name in ("goal_retry", "task_9", "patch_8")))
    lines = opened(teller.snapshot(), "node:run_1", 48, trail=trail)
    assert lines[0] == " plan › goal Make… › task 9 › patch 8 › run 1"


def test_a_longer_way_loses_its_beginning(teller: Teller) -> None:
    gone = ("goal_retry", "run_2", "todo:T5", "req_5", "task_9", "patch_8")
    trail = ("view:plan", *(f"node:{name}" for name in gone))
    lines = opened(teller.snapshot(), "node:run_1", 48, trail=trail)
    assert lines[0] == " … › request 5 › task 9 › patch 8 › run 1"


def many(tmp_path: Path, count: int) -> SessionSnapshot:
    run = event("r", "run.started", {"run_id": "run_1", "task": "dream"}, 99, run="run_1")
    calls = [
        event(f"c{at}", "tool.called", {"id": f"call_{at}", "tool": "Read"}, 50, cause="r",
              run="run_1")
        for at in range(count)
    ]  # fmt: skip
    return Teller(tmp_path, [run, *calls]).snapshot()


def test_of_many_hops_a_part_is_shown_and_more_can_be_asked_for(tmp_path: Path) -> None:
    snapshot = many(tmp_path, 60)
    rows = rows_of(snapshot, "node:run_1")
    more = next(row for row in rows if row.key.startswith("more:"))
    assert (more.copy, more.opens, more.thing) == ("and 36 more", "show", "node:run_1")
    assert not any(row.key.startswith("more:") for row in rows_of(snapshot, "node:run_1", more=1))


def test_three_columns_show_list_tree_and_the_thing(teller: Teller) -> None:
    layout = EventsView().layout(teller.snapshot(), frame(160, 50, opened="node:patch_9"))
    assert [[pane.id for pane in panes] for panes in layout] == [
        ["events.head", LIST], [DETAIL], [EVENT],
    ]  # fmt: skip


def test_a_link_to_what_comes_later_in_a_circle_ends(tmp_path: Path) -> None:
    made = [
        event("g", "goal.created", {"id": "goal_1", "title": "One"}, 9),
        ops("go", "g", 9, node("goal_1", "goal", title="One"), node("task_1", "task", title="Two"),
            link("task_1", "serves", "goal_1"), link("goal_1", "depends_on", "task_1")),
    ]  # fmt: skip
    for width in (48, 80, 120, 160):
        assert opened(Teller(tmp_path, made).snapshot(), "node:goal_1", width)


# --- commits -------------------------------------------------------------------------------------

LOOK = Commit(
    id=COMMIT,
    author="Ada \x1b[31m",
    at_ms=ago(minutes=38),
    subject="Bound the retries",
    body="Five are enough.\n\nMore only wait.",
    parents=1,
    files=(ChangedFile("src/retry.py", 2, 1), ChangedFile("logo.png", None, None)),
    changes=(
        "diff --git a/src/retry.py b/src/retry.py",
        "--- a/src/retry.py",
        "+++ b/src/retry.py",
        "@@ -1,2 +1,3 @@",
        " def retry():",
        "-    while True:",
        "+    for _ in range(5):",
        "+\tpass \x1b[2J",
    ),
    left_out=True,
)


def test_a_commit_says_who_when_why_which_files_and_what_changed(teller: Teller) -> None:
    room = frame(60, 60, opened=f"commit:{COMMIT}", commits={COMMIT: LOOK},
                 trail=("node:patch_9",))  # fmt: skip
    lines = screen(EventsView(), teller.snapshot(), room)
    assert lines[0] == " patch 9 › commit 4e1f09c"
    assert lines[2].split() == ["Commit", "4e1f09c", "38m"]
    assert lines[3] == " Bound the retries"
    assert lines[4].startswith(" Ada ␛[31m, 20")
    start = next(at for at, line in enumerate(lines) if line.startswith(" Files  2"))
    assert lines[start].endswith("+2 -1")
    assert [line.split() for line in lines[start + 1 : start + 3]] == [
        ["src/retry.py", "+2", "-1"], ["logo.png", "binary"],
    ]  # fmt: skip
    changes = section(lines, "Changes")
    assert changes[5:] == [
        " -    while True:", " +    for _ in range(5):", " +   pass ␛[2J",
        " and more changes than are read here: git show has them all",
    ]  # fmt: skip


def test_added_and_removed_lines_have_their_colour_and_their_sign(teller: Teller) -> None:
    room = frame(60, 60, opened=f"commit:{COMMIT}", commits={COMMIT: LOOK})
    rows = EventsView().layout(teller.snapshot(), room)[0][0].rows
    roles = {row.copy: row.lines[0].left[0].role for row in rows if row.key.startswith("line:")}
    assert roles["-    while True:"] == "stop"
    assert roles["+    for _ in range(5):"] == "ok"
    assert roles["+++ b/src/retry.py"] == "soft"
    assert roles["@@ -1,2 +1,3 @@"] == "wait"


def test_a_commit_that_is_not_here_says_so_and_one_being_read_too(teller: Teller) -> None:
    for found, said in (("this repository has no commit 4e1f09c", None), (None, "reading it")):
        commits = {} if found is None else {COMMIT: found}
        room = frame(60, 40, opened=f"commit:{COMMIT}", commits=commits)
        lines = screen(EventsView(), teller.snapshot(), room)
        assert lines[0] == " Commit 4e1f09c"
        assert lines[1] == f" {said or found}"


def test_a_commit_that_an_event_names_can_be_opened_without_a_graph(teller: Teller) -> None:
    rows = rows_of(teller.snapshot(folded=False), "event:6")
    named = [row for row in rows if row.thing.startswith("commit:")]
    assert [(row.thing, row.opens, row.leads) for row in named] == [
        (f"commit:{COMMIT}", "diff", True)
    ]
