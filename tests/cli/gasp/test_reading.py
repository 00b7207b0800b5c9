"""`ppgp-tui gasp lineage`, `story` and `log`: looking at a log from a shell."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import PROGRAM, Said, run
from tests.gasp.logs import FIXTURE
from tests.waiting import PATIENCE_S

TIMES = {"TZ": "UTC"}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return with_log(tmp_path / "agent", FIXTURE)


def with_log(folder: Path, data: bytes, path: str = "state/events.jsonl") -> Path:
    log = folder / path
    log.parent.mkdir(parents=True)
    log.write_bytes(data)
    return folder


def gasp(*words: object, **more: Any) -> Said:
    return run("gasp", *words, **{**TIMES, "XDG_CONFIG_HOME": "/nonexistent", **more})


def test_a_lineage_is_two_trees_that_say_how_each_step_is_known(repository: Path) -> None:
    said = gasp("lineage", "patch_9", repository)
    assert said.out == (
        "patch_9, patch, Promoted: persist retry counter\n"
        "line 4, 2025-02-08 07:33:20 by evolve\n"
        "\n"
        "why\n"
        "├─ relation advances: goal_retry, goal, Open: Make retry reliable\n"
        "└─ cause: run_42, run: fix retry skill (open: no run.finished)\n"
        "   └─ cause: goal_retry, goal, Open: Make retry reliable (shown above)\n"
        "\n"
        "what came of it\n"
        "├─ references_commit: commit abc1234\n"
        "├─ cause: tool_1, tool_call: cargo test\n"
        "│  └─ cause: eval_5, eval, Passed: cargo test retry\n"
        "│     └─ cause: decision_3, decision, Approved: eval passed; promote\n"
        "├─ relation validated_by: eval_5, eval, Passed: cargo test retry (shown above)\n"
        "└─ relation approved_by: decision_3, decision, Approved: eval passed; promote "
        "(shown above)\n"
    )
    assert (said.code, said.err) == (0, "")


def test_one_direction_is_enough_where_it_is_asked_for(repository: Path) -> None:
    assert "what came of it" not in gasp("lineage", "eval_5", repository, "--up").out
    assert "\nwhy\n" not in gasp("lineage", "eval_5", repository, "--down").out


def test_what_is_left_out_is_counted(repository: Path) -> None:
    assert "   └─ and 1 more\n" in gasp("lineage", "patch_9", repository, "--depth", 1).out
    assert "└─ and 2 more\n" in gasp("lineage", "patch_9", repository, "--breadth", 1).out


def test_an_id_may_be_shortened_as_long_as_it_is_one(repository: Path) -> None:
    assert gasp("lineage", "goal_r", repository).out.startswith("goal_retry, goal, Open")
    several = gasp("lineage", "event_0", repository)
    assert (several.code, several.out) == (1, "")
    assert "event_0 may be one of:\n  event_01\n  event_02\n" in several.err


def test_the_key_of_a_task_is_an_id(tmp_path: Path) -> None:
    payload = {"id": "todo:impl", "title": "Keep it", "status": "Open"}
    event = {"id": "e1", "schema_version": 1, "ts_ms": 0, "actor": {"kind": "user", "id": "dev"},
             "kind": "task.created", "payload": payload, "causation_id": None,
             "correlation_id": None}  # fmt: skip
    folder = with_log(tmp_path / "agent", json.dumps(event).encode() + b"\n")
    assert gasp("lineage", "impl", folder).out.startswith("todo:impl, task, Open: Keep it\n")


def test_the_event_of_a_graph_change_leads_to_what_it_changed(repository: Path) -> None:
    said = gasp("lineage", "event_05", repository)
    assert said.out.startswith("event_05 is a graph change of:\npatch_9, patch, Promoted")


def test_an_id_that_is_not_there_is_refused_with_the_next_step(repository: Path) -> None:
    said = gasp("lineage", "nothing", repository)
    assert (said.code, said.out) == (1, "")
    assert "nothing in state/events.jsonl (10 events) is called 'nothing'" in said.err
    assert "ppgp-tui gasp log --text" in said.err


def test_a_line_without_an_id_is_called_nothing(tmp_path: Path) -> None:
    said = gasp("lineage", "", with_log(tmp_path, b"[]\n"))
    assert (said.code, said.out) == (1, "")
    assert "(1 events) is called '' or begins so" in said.err


def test_a_lineage_as_json_has_lines_and_ways(repository: Path) -> None:
    found = json.loads(gasp("lineage", "decision_3", repository, "--json").out)
    assert found["schema"] == "ppgp-tui/gasp-lineage/1"
    (patch, check) = found["up"]["hops"]
    assert (patch["id"], patch["ways"]) == (
        "patch_9", [{"how": "relation", "name": "approved_by", "line": 10}],
    )  # fmt: skip
    assert (check["id"], check["ways"][0]["how"]) == ("eval_5", "cause")


def test_a_lineage_as_a_chart_is_mermaid(repository: Path) -> None:
    lines = gasp("lineage", "patch_9", repository, "--mermaid").out.splitlines()
    assert lines[0] == "flowchart LR"
    assert '  n1 -->|"relation advances"| n0' in lines


def test_a_story_is_told_in_chapters(repository: Path) -> None:
    assert gasp("story", repository).out == (
        "outside of runs, 2 events\n"
        "  2025-02-08 07:33:20  evolve      goal: Make retry reliable\n"
        "\n"
        "run_42: fix retry skill, open since 2025-02-08 07:33:20, 8 events\n"
        "  2025-02-08 07:33:20  evolve      run: fix retry skill\n"
        "  2025-02-08 07:33:20  evolve      patch 9 proposed for ‘Make retry reliable’, "
        "passed `cargo test retry`, approved by evolve, promoted: persist retry counter\n"
        "  2025-02-08 07:33:20  cargo       cargo test cargo test retry\n"
    )


def test_a_filtered_story_keeps_the_sentences_that_are_wanted(repository: Path) -> None:
    said = gasp("story", repository, "--kind", "decision.*")
    heading, sentence = said.out.splitlines()
    assert heading.startswith("run_42: fix retry skill, open since")
    assert "approved by evolve" in sentence
    assert gasp("story", repository, "--kind", "decision.*", "--actor", "nobody").out == ""


def test_a_story_as_json_names_the_lines_of_each_sentence(repository: Path) -> None:
    found = json.loads(gasp("story", repository, "--json").out)
    sentences = found["chapters"][1]["sentences"]
    assert [one["lines"] for one in sentences] == [[3], [4, 5, 7, 8, 9, 10], [6]]
    assert found["chapters"][1]["state"] == "open"


def test_a_log_is_one_line_an_event(repository: Path) -> None:
    lines = gasp("log", repository).out.splitlines()
    assert len(lines) == 10
    assert lines[3] == (
        "2025-02-08 07:33:20  patch.proposed          evolve      patch: persist retry counter"
    )
    assert "‘persist retry counter’ advances ‘Make retry reliable’" in lines[4]


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        (("--kind", "*.created"), [1, 9]),
        (("--actor", "tool"), [6]),
        (("--actor", "tool:cargo"), [6]),
        (("--run", "run_42"), [3, 4, 5, 6, 7, 8, 9, 10]),
        (("--goal", "goal_retry"), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        (("--text", "RELIABLE"), [1, 2]),
        (("--since", "2025-02-08T07:33:20.400+00:00"), [7, 8, 9, 10]),
        (("--until", "2025-02-08T07:33:20.100+00:00"), [1, 2]),
        (("--run", "run_42", "--kind", "eval.*"), [7]),
        (("-n", "2"), [9, 10]),
        (("-n", "2", "--reverse"), [10, 9]),
    ],
)
def test_a_log_can_be_narrowed_down(repository: Path, words: Any, numbers: list[int]) -> None:
    said = gasp("log", repository, "--json", *words)
    lines = FIXTURE.decode().splitlines(keepends=True)
    assert said.out == "".join(lines[number - 1] for number in numbers)


def test_damaged_lines_are_shown_with_their_number(tmp_path: Path) -> None:
    first, second, *_ = FIXTURE.splitlines(keepends=True)
    folder = with_log(tmp_path / "agent", first + b"\n{oops\n" + second + b"\xff\xfe")
    lines = gasp("log", folder).out.splitlines()
    assert "line 3 is damaged: not JSON" in lines[1]
    assert "line 5 is damaged: not UTF-8" in lines[3]
    assert len(lines) == 4


def test_what_a_terminal_would_obey_never_reaches_it(tmp_path: Path) -> None:
    event = FIXTURE.splitlines()[0].replace(b"Make retry reliable", b"\\u001b[31mred\\u0007\\u202e")
    folder = with_log(tmp_path / "agent", event + b"\n")
    for words in (("log",), ("story",), ("lineage", "goal_retry")):
        for form in ((), ("--json",), ("--mermaid",)):
            said = gasp(*words, folder, *form).out
            assert not {"\x1b", "\x07", "\u202e"} & set(said)


def test_the_log_may_lie_elsewhere_and_may_be_named_itself(tmp_path: Path) -> None:
    folder = with_log(tmp_path / "agent", FIXTURE, "elsewhere/log.jsonl")
    (folder / ".ppgp").mkdir()
    (folder / ".ppgp/config.toml").write_text('[paths]\nlog = "elsewhere/log.jsonl"\n')
    for place in (folder, folder / "elsewhere/log.jsonl"):
        assert len(gasp("log", place).out.splitlines()) == 10
    assert len(gasp("log", "--root", folder).out.splitlines()) == 10
    assert len(gasp("log", cwd=folder).out.splitlines()) == 10


def test_a_repository_without_a_log_says_what_to_do(tmp_path: Path) -> None:
    for words in (("log",), ("story",), ("lineage", "x")):
        said = gasp(*words, tmp_path)
        assert said.code == 1
        assert "there is no log at" in said.err
        assert "ppgp-tui init" in said.err


def test_a_time_that_is_none_is_refused(repository: Path) -> None:
    said = gasp("log", repository, "--since", "yesterday")
    assert said.code == 2
    assert "'yesterday' is no time" in said.err


def test_a_reader_that_stops_reading_is_no_error(repository: Path) -> None:
    import subprocess

    done = subprocess.run(
        f"{PROGRAM} gasp log {repository} | head -n 1; echo ${{PIPESTATUS[0]}}",
        shell=True, executable="/bin/bash", capture_output=True, text=True, timeout=PATIENCE_S,
        check=False,
    )  # fmt: skip
    assert done.stdout.splitlines()[1] == "0"
    assert done.stderr == ""


def test_what_is_only_a_lower_bound_of_hops_is_said_so(tmp_path: Path) -> None:
    run_1 = {"kind": "run.started", "payload": {"run_id": "run_1", "task": "dream"}}
    calls = [
        {"kind": "tool.called", "payload": {"id": f"call_{at}", "run_id": "run_1", "tool": "Read"},
         "causation_id": "e0"}
        for at in range(600)
    ]  # fmt: skip
    lines = [
        json.dumps({"id": f"e{at}", "schema_version": 1, **one})
        for at, one in enumerate([run_1, *calls])
    ]
    log = with_log(tmp_path / "agent", "\n".join(lines).encode())
    found = json.loads(gasp("lineage", "run_1", log, "--json").out)
    assert (found["down"]["more_is_at_least"], found["down"]["more"]) == (True, 560)
    assert (found["up"]["more_is_at_least"], found["up"]["more"]) == (False, 0)
    only_up = json.loads(gasp("lineage", "run_1", log, "--json", "--up").out)
    assert (only_up["down"]["more_is_at_least"], only_up["down"]["more"]) == (False, 0)
    few = json.loads(gasp("lineage", "call_7", log, "--json").out)
    assert not few["up"]["more_is_at_least"]
    assert "and many more" in gasp("lineage", "run_1", log, "--mermaid").out
