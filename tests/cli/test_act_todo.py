"""The plan from the command line: replaced whole at a revision, its history, edits by hand."""

from __future__ import annotations

import json

import pytest

from tests.cli.acting import Place


def call(*tasks: dict[str, object], **more: object) -> str:
    return json.dumps({"tasks": list(tasks), **more})


def task(key: str, status: str = "pending", **more: object) -> dict[str, object]:
    return {"key": key, "subject": f"Do {key}", "status": status, **more}


def edit(place: Place, *keys: str) -> None:
    """Edit the plan as somebody does with an editor."""
    file = place.root / ".ppgp" / "todo.json"
    plan = json.loads(file.read_text()) if file.exists() else {"schemaVersion": 1, "revision": 0}
    file.write_text(json.dumps({**plan, "tasks": [task(key) for key in keys]}))


def test_a_plan_is_set_from_standard_input_or_a_file_and_got_back(place: Place) -> None:
    said = place.agent("todo", "set", stdin=call(task("a"), task("b", dependsOn=["a"])))
    assert said == (0, "Todo plan updated to revision 1: 2 tasks.\n", "")
    (place.root / "plan.json").write_text(call(task("a", "in_progress"), task("b")))
    assert place.agent("todo", "set", "plan.json").code == 0
    result = place.json("todo", "get")
    assert result["revisions"]["plan"] == result["data"]["state"]["revision"] == 2
    assert [one["key"] for one in result["data"]["state"]["tasks"]] == ["a", "b"]
    assert "[>] a: Do a" in place.act("todo", "get").out


def test_what_get_gives_can_be_set_again(place: Place) -> None:
    place.plan("a", "b")
    state = place.json("todo", "get")["data"]["state"]
    again = place.json("todo", "set", stdin=call(*state["tasks"], baseRevision=1))
    assert (again["code"], again["message"]) == ("unchanged", "Todo plan unchanged at revision 1.")


def test_a_stale_base_changes_nothing_and_exits_3(place: Place) -> None:
    place.plan("a")
    said = place.agent("todo", "set", stdin=call(task("b"), baseRevision=0))
    assert said.code == 3
    assert "Stale Todo revision 0; current revision is 1." in said.err
    assert place.json("todo", "get")["revisions"]["plan"] == 1


def test_an_unfinished_task_is_not_lost_by_leaving_it_out(place: Place) -> None:
    place.plan("a", "b")
    said = place.agent("todo", "set", stdin=call(task("b")))
    assert said.code == 1
    assert 'Existing unfinished Todo "a" was omitted' in said.err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "standard input is not JSON"),
        ('{"tasks": [}', "line 1, column 12"),
        ('{"tasks": [NaN]}', "NaN is no number of JSON"),
        ("[" * 100_000, "standard input is not JSON"),
    ],
    ids=["nothing", "broken", "NaN", "deep"],
)
def test_what_is_no_json_is_a_usage_error_with_its_place(
    place: Place, text: str, said: str
) -> None:
    told = place.agent("todo", "set", stdin=text)
    assert (told.code, told.out) == (2, "")
    assert said in told.err
    result = json.loads(place.agent("todo", "set", "--json", stdin=text).out)
    assert (result["code"], result["action"]) == ("usage", "todo.set")


@pytest.mark.parametrize("value", ["[]", "null", "3", '"tasks"', "{}", '{"tasks": 3}'])
def test_json_that_is_no_call_is_refused(place: Place, value: str) -> None:
    said = place.agent("todo", "set", stdin=value)
    assert (said.code, said.out) == (1, "")
    assert place.events("todo") == []


@pytest.mark.parametrize(
    ("task", "hint"),
    [
        (
            '{"key": "a", "subject": "x"}',
            "task 1 has no status; status is pending, in_progress or completed",
        ),
        ('{"key": "a", "status": "pending"}', "task 1 has no subject"),
        (
            '{"key": "a", "subject": "x", "status": "open"}',
            "task 1: status is pending, in_progress or completed, not open",
        ),
        ("3", 'task 1 is no object: {"key", "subject", "status"}'),
    ],
)
@pytest.mark.parametrize("how", [[], ["--dry-run"]])
def test_what_is_wrong_with_a_call_is_named_by_task_not_by_the_rule_that_broke(
    place: Place, task: str, hint: str, how: list[str]
) -> None:
    said = place.agent("todo", "set", *how, stdin=f'{{"baseRevision": 0, "tasks": [{task}]}}')
    assert (said.code, said.out) == (1, "")
    assert said.err == f"ppgp-tui: {said.err.split(': ', 1)[1]}"
    assert hint in said.err
    assert "contract" not in said.err


def test_a_file_that_is_not_there_is_named(place: Place) -> None:
    said = place.agent("todo", "set", "nowhere.json")
    assert said.code == 2
    assert "nowhere.json: no such file" in said.err


def test_a_trial_of_the_recorded_plan_changes_nothing(place: Place) -> None:
    place.plan("a")
    before = place.snapshot()
    said = place.agent("todo", "set", "--dry-run", stdin=call(task("a"), task("b")))
    assert said == (0, "Todo plan updated to revision 2: 2 tasks.\n", "")
    said = place.agent("todo", "set", "--dry-run", "--json", stdin=call(task("b")))
    told = json.loads(said.out)
    assert (said.code, told["ok"]) == (1, False)
    assert [one["key"] for one in told["state_after"]["tasks"]] == ["a"]
    assert place.snapshot() == before


def test_a_trial_against_what_is_no_plan_is_a_usage_error(place: Place) -> None:
    (place.root / "state.json").write_text('{"revision": 1}')
    words = ["todo", "set", "--against", "state.json"]
    assert place.agent(*words, "--dry-run", stdin=call()).code == 2
    assert "--against needs --dry-run" in place.agent(*words, stdin=call()).err


def test_history_tells_what_changed_why_who_and_when(place: Place) -> None:
    place.plan("a", "b")
    place.plan("a", "b", a="in_progress")
    gone = [{"key": "b", "reason": "the library does it"}]
    changed = {"key": "a", "subject": "Do a well", "status": "completed"}
    place.agent("todo", "set", stdin=call(changed, task("c", dependsOn=["a"]), remove=gone))
    text = place.act("todo", "history").out
    heads = [line.split("  ")[0] for line in text.splitlines() if line.startswith("revision")]
    assert heads == ["revision 3", "revision 2", "revision 1"]
    for line in (
        "  + c: Do c [pending] needs a", "  - b: Do b (because: the library does it)",
        "  ~ a: in_progress to completed", "  ~ a: “Do a” to “Do a well”",
        "  ~ a: pending to in_progress", "  + a: Do a [pending]",
    ):  # fmt: skip
        assert line in text.splitlines()
    newest, *_ = place.json("todo", "history")["data"]["revisions"]
    assert newest["actor"] == {"kind": "agent", "id": "claude-0f3a9c21"}
    assert newest["ts_ms"] == place.events("todo.revised")[-1]["ts_ms"]
    assert newest["removed"] == gone
    assert [one["key"] for one in newest["changes"]["added"]] == ["c"]
    assert len(place.json("todo", "history", "--limit", 1)["data"]["revisions"]) == 1


def test_diff_tells_what_changed_between_any_two_revisions(place: Place) -> None:
    place.plan("a", "b")
    place.plan("a", "b", "c")
    place.agent(
        "todo", "set", stdin=call(task("a"), task("c"), remove=[{"key": "b", "reason": "no"}])
    )
    assert place.act("todo", "diff").out == "revision 2 to 3\n  - b: Do b (because: no)\n"
    whole = place.json("todo", "diff", 1)["data"]
    assert (whole["from"], whole["to"]) == (1, 3)
    assert [one["key"] for one in whole["changes"]["added"]] == ["c"]
    assert whole["changes"]["removed"] == [{"key": "b", "subject": "Do b", "reason": "no"}]
    assert place.json("todo", "diff", 1, 2)["data"]["changes"]["removed"] == []
    back = place.json("todo", "diff", 2, 1)["data"]["changes"]
    assert [one["key"] for one in back["removed"]] == ["c"]
    assert "no change" in place.act("todo", "diff", 2, 2).out


@pytest.mark.parametrize("name", ["9", "-1", "x\x1b[31m", "file"])
def test_a_revision_nobody_recorded_is_refused(place: Place, name: str) -> None:
    said = place.act("todo", "diff", "--", name)
    assert (said.code, said.out) == (1, "")
    assert "\x1b" not in said.err


def test_an_edit_by_hand_is_shown_refused_over_and_adopted(place: Place) -> None:
    place.plan("a", "b")
    edit(place, "a", "c")
    refused = place.agent("todo", "set", stdin=call(task("a"), task("b")))
    assert refused.code == 3
    assert place.json("todo", "get")["data"]["hand_edit"] is True
    assert "todo adopt" in place.act("todo", "get").err
    shown = place.act("todo", "diff").out.splitlines()
    assert shown == ["revision 1 to file", "  + c: Do c [pending]", "  - b: Do b"]
    adopted = place.json("todo", "adopt")
    assert (adopted["code"], adopted["revisions"]["plan"]) == ("done", 2)
    assert "edited by hand" in place.act("todo", "history").out
    assert place.json("todo", "get")["data"]["hand_edit"] is False


def test_an_edit_by_hand_is_dropped_and_kept_aside(place: Place) -> None:
    place.plan("a", "b")
    edit(place, "a")
    edited = (place.root / ".ppgp" / "todo.json").read_bytes()
    dropped = place.json("todo", "adopt", "--drop")
    assert dropped["code"] == "done"
    assert (place.root / dropped["data"]["kept"]).read_bytes() == edited
    assert [one["key"] for one in place.json("todo", "get")["data"]["state"]["tasks"]] == ["a", "b"]
    assert place.json("todo", "adopt")["code"] == "unchanged"


def test_a_damaged_file_is_not_adopted(place: Place) -> None:
    place.plan("a")
    (place.root / ".ppgp" / "todo.json").write_text("{")
    said = place.act("todo", "adopt")
    assert said.code == 3
    assert "--drop" in said.err


def test_looking_at_the_plan_writes_nothing(place: Place) -> None:
    place.plan("a")
    place.plan("a", "b")
    before = place.snapshot()
    for words in (["get"], ["history"], ["diff"], ["diff", "1", "file"]):
        assert place.act("todo", *words).code == 0
    assert place.snapshot() == before


def test_looking_needs_no_lock(place: Place) -> None:
    place.plan("a")
    lock = place.root / ".ppgp" / "run" / "journal.lock"
    lock.unlink()
    assert "Do a" in place.act("todo", "get").out
    assert not lock.exists()


def test_hostile_subjects_are_harmless_in_every_view(place: Place) -> None:
    subject = "rm -rf\x1b[2J\u202e\nrevision 9"
    place.agent(
        "todo", "set", stdin=call({"key": "a\x07", "subject": subject, "status": "pending"})
    )
    for words in (["get"], ["history"], ["diff"]):
        said = place.act("todo", *words)
        assert said.code == 0
        assert "rm -rf" in said.out
        assert not {"\x1b", "\x07", "\u202e"} & set(said.out)
    lines = place.act("todo", "history").out.splitlines()
    assert sum(line.startswith("revision") for line in lines) == 1


def test_damaged_and_foreign_lines_do_not_hide_the_history(place: Place) -> None:
    place.plan("a")
    log = place.root / "state" / "events.jsonl"
    line = log.read_bytes().splitlines()[0]
    foreign = json.loads(line) | {"id": "event_x", "kind": "todo.revised", "payload": {"state": 3}}
    log.write_bytes(log.read_bytes() + b'{"todo.revised"\n' + json.dumps(foreign).encode() + b"\n")
    assert len(place.json("todo", "history")["data"]["revisions"]) == 1
