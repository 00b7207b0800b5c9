"""The plan as a file, and its digest."""

from __future__ import annotations

import json

import pytest

from ppgp_tui.session.sources.document import DamagedError
from ppgp_tui.session.sources.todo import parse_todo

STATE = {
    "schemaVersion": 1,
    "revision": 1,
    "tasks": [{"key": "impl", "subject": "Keep the counter on disk", "status": "in_progress"}],
}


def test_the_digest_does_not_depend_on_how_the_file_is_written() -> None:
    digests = set()
    for text in (json.dumps(STATE, indent=2), json.dumps(STATE, sort_keys=True), json.dumps(STATE)):
        found = parse_todo(text.encode(), ".ppgp/todo.json")
        assert found is not None
        digests.add(found.digest)
    assert len(digests) == 1
    assert str(digests.pop()).startswith("sha256:a3f181be")


def test_a_plan_without_canonical_form_has_no_digest() -> None:
    found = parse_todo(json.dumps({**STATE, "revision": 1.5}).encode(), "x")
    assert found is not None
    assert found.digest is None
    assert [task.key for task in found.reading.tasks] == ["impl"]


def test_no_file_is_no_plan() -> None:
    assert parse_todo(None, "x") is None


@pytest.mark.parametrize(
    ("data", "line"),
    [(b'{\n"tasks": [,]}', 2), (b"", 1), (b"[]", 1), (b'{"tasks":5}', 1), (b"a\n\xff", 2)],
)
def test_damage_is_named_with_its_line(data: bytes, line: int) -> None:
    with pytest.raises(DamagedError) as caught:
        parse_todo(data, ".ppgp/todo.json")
    assert caught.value.line == line
    assert ".ppgp/todo.json" in caught.value.why
