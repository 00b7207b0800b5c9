"""Where a thing comes from and what came of it."""

import pytest

from ppgp_tui.gasp.envelope import Envelope
from ppgp_tui.gasp.tracing.lineage import Branch, Lineage, find, lineage, unlinked
from ppgp_tui.gasp.tracing.mermaid import escaped, mermaid
from ppgp_tui.gasp.tracing.things import Things
from tests.gasp.logs import FIXTURE, Log, event, link, log, node, ops, real


def outline(branch: Branch, depth: int = 0) -> list[str]:
    """A tree as lines: how each thing is known, and what it is."""
    how = f"<{branch.ways[0].words}> " if branch.ways else ""
    above = " (shown above)" if branch.shown_above else ""
    lines = ["  " * depth + how + branch.thing.id + above]
    for one in branch.branches:
        lines += outline(one, depth + 1)
    return [*lines, *(["  " * (depth + 1) + f"and {branch.more} more"] if branch.more else [])]


def of(log: Log, asked: str, **bounds: int) -> Lineage:
    found = find(log.index, asked)
    assert found is not None
    return lineage(log.things, found, asked, **bounds)


def test_the_fixture_explains_its_decision() -> None:
    assert outline(of(Log(FIXTURE), "decision_3").up) == [
        "decision_3",
        "  <relation approved_by> patch_9",
        "    <relation advances> goal_retry",
        "    <cause> run_42",
        "      <cause> goal_retry (shown above)",
        "  <cause> eval_5",
        "    <relation validated_by> patch_9 (shown above)",
        "    <cause> tool_1",
        "      <cause> patch_9 (shown above)",
    ]


def test_the_fixture_shows_what_came_of_its_goal() -> None:
    found = of(Log(FIXTURE), "goal_retry")
    assert outline(found.down) == [
        "goal_retry",
        "  <cause> run_42",
        "    <cause> patch_9",
        "      <cause> tool_1",
        "        <cause> eval_5",
        "          <cause> decision_3",
        "      <relation validated_by> eval_5 (shown above)",
        "      <relation approved_by> decision_3 (shown above)",
        "  <relation advances> patch_9 (shown above)",
    ]
    patch = found.down.branches[0].branches[0]
    assert [(one.how, one.commit) for one in patch.artifacts] == [("references_commit", "abc1234")]
    assert found.unlinked == ()


def test_a_patch_of_a_real_log_has_its_task_by_suffix_and_its_failure_too() -> None:
    made = Log(real("head400.jsonl").read_bytes())
    found = of(made, "patch_run_day125_20260703T143703Z_1")
    assert outline(found.up) == [
        "patch_run_day125_20260703T143703Z_1",
        "  <relation advances> goal_product_value",
        "    <cause> run_day125_20260703T143703Z",
        "  <same suffix> task_run_day125_20260703T143703Z_1",
        "    <cause> run_day125_20260703T143703Z (shown above)",
        "    <relation serves> goal_product_value (shown above)",
    ]
    down = outline(found.down)
    assert "  <same suffix> failure_run_day125_20260703T143703Z_1" in down
    assert [one.commit for one in found.down.artifacts] == [
        "477cd93e0c9c9cbf1ac7716f353e9e45dc7e0239"
    ]


def test_ends_outside_a_slice_are_listed_and_not_guessed() -> None:
    made = Log(real("tail400.jsonl").read_bytes())
    found = of(made, "patch_run_day175_20260822T174305Z_2")
    assert found.unlinked[0] == (
        "goal_product_value",
        "relation advances ends at `goal_product_value`, not in this log",
        391,
    )
    assert "goal_product_value" not in " ".join(outline(found.up))
    ends = [one for one in unlinked(made.things) if one.reason.startswith("relation")]
    assert len(ends) == 54


def test_a_run_that_wrote_a_goal_down_is_not_told_all_the_work_on_it() -> None:
    made = Log(real("head400.jsonl").read_bytes())
    goal = of(made, "run_day125_20260703T143703Z").down.branches[0]
    assert (goal.thing.id, goal.branches, goal.more > 0) == ("goal_product_value", (), True)


def test_circles_and_diamonds_end() -> None:
    circle = log(
        ops("e1", node("a", "task"), node("b", "task"), node("c", "task")),
        ops("e2", link("a", "depends_on", "b"), link("b", "depends_on", "a")),
        ops("e3", link("a", "depends_on", "c"), link("b", "depends_on", "c")),
        ops("e4", link("c", "depends_on", "c")),
    )
    assert outline(of(circle, "a").up) == [
        "a",
        "  <relation depends_on> b",
        "    <relation depends_on> a (shown above)",
        "    <relation depends_on> c",
        "  <relation depends_on> c (shown above)",
    ]


def long_chain(length: int) -> Log:
    pairs = [ops("n", *(node(f"t{at}", "task") for at in range(length)))]
    links = [link(f"t{at}", "depends_on", f"t{at + 1}") for at in range(length - 1)]
    return log(*pairs, ops("l", *links))


def test_depth_and_breadth_end_with_a_count() -> None:
    assert outline(of(long_chain(5), "t0", depth=2).up)[-1] == "      and 1 more"
    wide = log(
        ops("n", node("g", "goal"), *(node(f"t{at}", "task") for at in range(50))),
        ops("l", *(link(f"t{at}", "serves", "g") for at in range(50))),
    )
    lines = outline(of(wide, "g", breadth=3).down)
    assert (len(lines), lines[-1]) == (5, "  and 47 more")


def test_a_chain_of_thousands_has_an_end() -> None:
    lines = outline(of(long_chain(3000), "t0", depth=10**6).up)
    assert lines[-1].strip() == "and 1 more"
    assert len(lines) < 600


def test_ids_may_be_of_any_characters() -> None:
    made = log(ops("e1", node("a b\n[31m", "task"), node("", "goal"), link("", "serves", "\ud800")))
    assert of(made, "a b\n[31m").thing.id == "a b\n[31m"
    assert of(made, "").unlinked[0].id == "\ud800"


@pytest.mark.parametrize(
    ("changes", "notes"),
    [
        ([{"TombstoneNode": {"id": "t", "reason": "merged"}}], ("tombstoned: merged",)),
        ([{"MarkStale": {"id": "t", "reason": "old"}}], ("stale: old",)),
        ([node("t", "task")], ("created 2 times, replaced before",)),
        (
            [{"TombstoneNode": {"id": "t", "reason": "merged"}}, node("t", "task")],
            ("created 2 times, tombstoned before",),
        ),
    ],
)
def test_nodes_that_are_gone_or_came_again_say_so(
    changes: list[dict[str, object]], notes: tuple[str, ...]
) -> None:
    made = log(ops("e1", node("t", "task")), *(ops(f"c{n}", one) for n, one in enumerate(changes)))
    assert of(made, "t").thing.notes == notes


def test_an_open_run_says_so() -> None:
    made = log(
        event("e1", "run.started", {"run_id": "r", "task": "day"}, run="r"),
        ops("e2", node("r", "run", task="day", status="started"), cause="e1", run="r"),
    )
    assert of(made, "r").thing.notes == ("open: no run.finished",)


def test_a_cause_or_correlation_that_is_not_there_is_listed() -> None:
    made = log(event("e1", "patch.proposed", {"id": "p"}, cause="gone", run="run_x"))
    assert [one.reason for one in of(made, "p").unlinked] == [
        "cause `gone` is no earlier event of this log",
        "correlation `run_x` is not in this log",
    ]


def test_a_later_event_is_no_cause() -> None:
    made = log(
        event("e1", "patch.proposed", {"id": "p"}, cause="e2"),
        event("e2", "goal.created", {"id": "g"}),
    )
    assert of(made, "p").up.branches == ()


def test_a_question_leads_to_its_answer_and_the_task_it_holds_up() -> None:
    made = log(
        event("e1", "run.started", {"run_id": "r", "task": "session"}, run="r"),
        event("e2", "task.created", {"id": "todo:impl", "title": "Keep it"}, cause="e1", run="r"),
        ops("e3", node("todo:impl", "task", title="Keep it"), cause="e2", run="r"),
        event("e4", "authority.requested",
              {"id": "req", "request": {"question": "Publish?", "frees": ["todo:impl"]}},
              cause="e1", run="r"),
        ops("e5", node("req", "decision", reason="Publish?", status="Pending"),
            link("req", "blocks", "todo:impl"), cause="e4", run="r"),
        event("e6", "decision.created",
              {"id": "dec", "status": "Approved", "reason": "yes", "metadata": {"request": "req"}},
              cause="e4", run="r"),
        ops("e7", node("dec", "decision", reason="yes", status="Approved"),
            link("req", "approved_by", "dec"), cause="e6", run="r"),
        event("e8", "authority.delivered", {"id": "req", "decision": "dec"}, cause="e6", run="r"),
    )  # fmt: skip
    assert outline(of(made, "req").down) == [
        "req",
        "  <relation blocks> todo:impl",
        "  <relation approved_by> dec",
        "    <cause> e8",
    ]
    assert outline(of(made, "impl").up) == [
        "todo:impl",
        "  <cause> r",
        "  <relation blocks> req",
        "    <cause> r (shown above)",
    ]


def test_a_graph_change_leads_to_the_event_it_belongs_to() -> None:
    found = of(Log(FIXTURE), "event_08")
    assert (found.thing.id, found.is_change_of) == ("eval_5", "event_08")
    assert of(Log(FIXTURE), "event_07").is_change_of == ""


def test_titles_cannot_break_out_of_a_chart() -> None:
    assert escaped('a"]; click x --> <b>`#1` |end| {') == (
        "a#34;#93;#59; click x --#62; #60;b#62;#96;#35;1#96; #124;end#124; #123;"
    )
    assert escaped("1. first") == "1#46; first"
    assert escaped("- second") == "#45; second"
    assert escaped("") == " "
    assert escaped("x" * 99).endswith("…")
    chart = mermaid(of(Log(FIXTURE), "eval_5"))
    assert '  n1 -->|"relation validated_by"| n0' in chart.splitlines()


def test_the_work_for_a_lineage_does_not_grow_with_the_log() -> None:
    def days(count: int) -> list[dict[str, object]]:
        return [
            one
            for day in range(count)
            for one in (
                event(f"s{day}", "run.started", {"run_id": f"run_{day}", "task": "day"},
                      run=f"run_{day}"),
                event(f"p{day}", "patch.proposed", {"id": f"patch_{day}"}, cause=f"s{day}",
                      run=f"run_{day}"),
                ops(f"o{day}", node(f"patch_{day}", "patch"), cause=f"p{day}", run=f"run_{day}"),
            )
        ]  # fmt: skip

    def reads(count: int) -> list[int]:
        made = log(*days(count))
        asked: list[int] = []

        def event_at(index: int) -> Envelope:
            asked.append(index)
            return made.events[index]

        thing = find(made.index, "patch_7")
        assert thing is not None
        lineage(Things(made.index, event_at), thing)
        return asked

    assert reads(10) == reads(1000)


def test_a_node_that_every_line_changes_is_not_folded_anew_for_every_line() -> None:
    many = 300
    changes = [
        ops(f"o{n}", {"UpdateNode": {"id": "g", "props": {"title": f"title {n}"}}})
        for n in range(many)
    ]
    whole = log(ops("made", node("g", "goal", title="new")), *changes)
    growing = log()
    asked: list[int] = []

    def event_at(index: int) -> Envelope:
        asked.append(index)
        return whole.events[index]

    things = Things(growing.index, event_at)
    for index, one in enumerate(whole.events):
        growing.index.take(one)
        expected = f"title {index - 1}" if index else "new"
        assert things.names["g"] == things.names["g"] == expected
    assert len(asked) <= 2 * many


def test_a_node_without_a_title_is_not_looked_for_in_every_line_again() -> None:
    many = 300
    whole = log(*(ops(f"o{n}", node("g", "goal")) for n in range(many)),
                event("told", "goal.created", {"id": "g", "title": "at last"}))  # fmt: skip
    growing = log()
    asked: list[int] = []

    def event_at(index: int) -> Envelope:
        asked.append(index)
        return whole.events[index]

    things = Things(growing.index, event_at)
    for one in whole.events:
        growing.index.take(one)
        assert things.names.get("g") == ("at last" if one.id == "told" else None)
    assert len(asked) <= 3 * many
