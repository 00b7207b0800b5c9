"""The events of a log as chapters of sentences."""

from collections import Counter

from ppgp_tui.gasp.telling.chapters import Chapter, Chapters
from ppgp_tui.gasp.telling.story import Story
from tests.gasp.logs import FIXTURE, Log, event, link, log, node, ops, real


def told(log: Log) -> tuple[Story, Chapters]:
    story = Story(log.index)
    story.extend()
    return story, Chapters(log.things, story)


def words(log: Log) -> list[list[str]]:
    story, chapters = told(log)
    return [[one.words for one in chapters.tellings(group)] for group in story.groups]


def only_run(log: Log) -> Chapter:
    story, chapters = told(log)
    (chapter,) = map(chapters.chapter, story.groups)
    return chapter


def test_the_fixture_is_a_goal_and_a_run_with_a_patch() -> None:
    assert words(Log(FIXTURE)) == [
        ["goal: Make retry reliable"],
        [
            "run: fix retry skill",
            "patch 9 proposed for ‘Make retry reliable’, passed `cargo test retry`, "
            "approved by evolve, promoted: persist retry counter",
            "cargo test cargo test retry",
        ],
    ]


def test_an_audit_of_a_claim_is_told_as_what_it_came_to_not_as_its_command() -> None:
    def audited(verdict: str, status: str, why: str) -> list[list[str]]:
        about = {"type": "audit", "claim": "claim_1", "verdict": verdict, "why": why}
        made = {"id": "eval_1", "command": "ppgp-tui audit", "status": status, "metadata": about}
        about = {"type": "verdict", "eval": "eval_1", "claim": "claim_1"}
        judged = {"id": "dec_1", "status": "Rejected", "reason": why, "metadata": about}
        decided = [event("e3", "decision.created", judged, cause="e2")]
        return words(log(
            event("e1", "goal.claimed", {"id": "claim_1", "summary": "all is done"}),
            event("e2", "eval.finished", made, cause="e1"),
            *(decided if verdict == "rejected" else []),
        ))  # fmt: skip

    assert audited("inconclusive", "Error", "1 criterion cannot be checked here") == [
        ["claims done: all is done, audit: inconclusive: 1 criterion cannot be checked here"]
    ]
    assert audited("rejected", "Failed", "1 thing fails") == [
        ["claims done: all is done, audit: rejected: 1 thing fails"]
    ]


def test_a_run_that_has_not_finished_is_open() -> None:
    story, chapters = told(Log(FIXTURE))
    chapter = chapters.chapter(story.groups[1])
    assert (chapter.run, chapter.title, chapter.state) == ("run_42", "fix retry skill", "open")
    assert chapter.time_words == "open"


def test_a_rejected_patch_of_a_real_log_says_why() -> None:
    story, chapters = told(Log(real("head400.jsonl").read_bytes()))
    said = [one for group in story.groups for one in chapters.tellings(group)]
    rejected = [one for one in said if "rejected by" in one.words]
    assert [one.sign for one in rejected] == ["failed"] * 5
    assert "rejected by yoyo (reverted to d3d4593d" in rejected[0].words


def test_every_event_of_the_real_logs_is_told_once() -> None:
    for name in ("head400.jsonl", "tail400.jsonl"):
        story, chapters = told(Log(real(name).read_bytes()))
        found = Counter(
            event
            for group in story.groups
            for one in chapters.tellings(group)
            for event in one.events
        )
        assert found == Counter(range(400))


def test_the_real_runs_have_the_outcomes_and_times_that_the_log_says() -> None:
    story, chapters = told(Log(real("tail400.jsonl").read_bytes()))
    last = chapters.chapter(story.groups[-1])
    assert (last.title, last.outcome, last.time_words) == (
        "evolve session day 175", "promoted 2/2 tasks", "took 51m",
    )  # fmt: skip


def run(*times: int | None, outcome: str = "completed") -> Log:
    started, ended = times
    return log(
        event("e1", "run.started", {"run_id": "r", "task": "t"}, ts_ms=started, run="r"),
        event("e2", "run.finished", {"run_id": "r", "outcome": outcome}, ts_ms=ended, cause="e1"),
    )


def test_a_run_that_took_time_says_how_long() -> None:
    assert only_run(run(1000, 221_000)).time_words == "took 3m"
    assert only_run(run(1000, 221_000)).duration_ms == 220_000


def test_time_that_goes_backwards_or_is_missing_is_unknown_and_never_negative() -> None:
    for chapter in (only_run(run(5000, 4000)), only_run(run(None, 4000)), only_run(run(1, None))):
        assert (chapter.duration_ms, chapter.time_words) == (None, "time unknown")


def test_a_run_whose_beginning_is_not_in_the_log_is_a_chapter_too() -> None:
    made = log(
        event("e1", "patch.proposed", {"id": "patch_1"}, cause="gone", run="run_1"),
        event("e2", "run.finished", {"run_id": "run_1", "outcome": "completed"}, run="run_1"),
    )
    chapter = only_run(made)
    assert (chapter.run, chapter.state, chapter.time_words, chapter.outcome) == (
        "run_1", "finished", "time unknown", "completed",
    )  # fmt: skip


def test_runs_side_by_side_are_told_apart() -> None:
    made = log(
        event("e1", "run.started", {"run_id": "a", "task": "one"}, run="a"),
        event("e2", "run.started", {"run_id": "b", "task": "two"}, run="b"),
        event("e3", "tool.called", {"run_id": "a", "tool": "Edit"}, cause="e1", run="a"),
        event("e4", "tool.called", {"run_id": "b", "tool": "Bash"}, cause="e2", run="b"),
    )
    assert words(made) == [["run: one", "Edit"], ["run: two", "Bash"]]


def test_events_of_no_run_stand_between_the_runs_where_they_were() -> None:
    made = log(
        event("e1", "goal.created", {"id": "g", "title": "G"}),
        event("e2", "run.started", {"run_id": "a", "task": "one"}, run="a"),
        event("e3", "weather.changed", {"sky": "grey"}, cause="e1"),
        event("e4", "weather.changed", {"sky": "blue"}, cause="e1"),
        event("e5", "run.started", {"run_id": "b", "task": "two"}, run="b"),
        event("e6", "weather.changed", {"sky": "red"}, cause="e1"),
    )
    story, _ = told(made)
    assert words(made) == [
        ["goal: G"],
        ["run: one"],
        ["weather.changed: grey", "weather.changed: blue"],
        ["run: two"],
        ["weather.changed: red"],
    ]
    assert [story.group_of(event).number for event in range(6)] == [0, 1, 2, 2, 3, 4]


def test_graph_changes_that_no_event_tells_have_words_of_their_own() -> None:
    made = log(
        ops("e1", node("goal_1", "goal", title="Ship"), node("task_1", "task", title="Write")),
        ops("e2", link("task_1", "serves", "goal_1"), cause=None),
        ops("e3", {"UpdateNode": {"id": "goal_1", "props": {"status": "Done"}}}),
        ops("e4", {"TombstoneNode": {"id": "goal_1", "reason": "merged"}}),
        event("e5", "state.ops_applied", "?"),
    )
    assert words(made) == [
        [
            "goal ‘Ship’ added; task ‘Write’ added; ‘Write’ serves ‘Ship’",
            "‘Ship’ changed: status Done",
            "‘Ship’ tombstoned: merged",
            'graph changes that cannot be read: invalid type: string "?", expected a sequence',
        ]
    ]


def test_a_story_goes_on_with_new_events_as_if_told_at_once() -> None:
    data = real("head400.jsonl").read_bytes()
    whole = Log(data)
    at_once, _ = told(whole)
    index = type(whole.index)()
    bit_by_bit = Story(index)
    for one in whole.events:
        index.take(one)
        bit_by_bit.extend()
    assert [list(bit_by_bit.events(group)) for group in bit_by_bit.groups] == [
        list(at_once.events(group)) for group in at_once.groups
    ]
