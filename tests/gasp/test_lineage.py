"""Where a thing comes from and what came of it."""

from ppgp_tui.gasp.lineage import Branch, find, lineage
from tests.gasp.logs import FIXTURE, Log


def outline(branch: Branch, depth: int = 0) -> list[str]:
    """A tree as lines: how each thing is known, and what it is."""
    how = f"<{branch.ways[0].words}> " if branch.ways else ""
    above = " (shown above)" if branch.shown_above else ""
    lines = ["  " * depth + how + branch.thing.id + above]
    for one in branch.branches:
        lines += outline(one, depth + 1)
    return [*lines, *(["  " * (depth + 1) + f"and {branch.more} more"] if branch.more else [])]


def of(log: Log, asked: str, **bounds: int):  # type: ignore[no-untyped-def]
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
