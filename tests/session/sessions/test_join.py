"""The requests of all sessions in one inbox, each of which is still the one it was."""

from __future__ import annotations

from ppgp_tui.session.model import Origin, Request
from ppgp_tui.session.sessions.join import joint_id, of_all, parted_id
from tests.session.sessions.repositories import row
from tests.session.status.reading import NOW


def request(**changed: object) -> Request:
    asked = Request("req_1", "waiting", "sha256:a", "question", "C", "Publish?")
    return asked._replace(**changed)  # type: ignore[arg-type]


def test_the_same_id_in_two_worktrees_is_two_requests() -> None:
    rows = [row(path, needs=1)._replace(requests=(request(),)) for path in ("/src/a", "/src/b")]
    inbox = of_all(rows, None, NOW).inbox.value
    assert [one.of for one in inbox] == ["a", "b"]
    assert [parted_id(one.id) for one in inbox] == [(one.key, "req_1") for one in rows]
    assert {one.digest for one in inbox} == {"sha256:a"}


def test_what_frees_most_comes_first_then_the_oldest_then_what_is_over() -> None:
    first = row("/src/a")._replace(
        requests=(
            request(id="old", created_ms=1),
            request(id="new", created_ms=2),
            request(id="over", state="answered"),
        )
    )
    second = row("/src/b")._replace(requests=(request(id="frees", frees=("T1",), created_ms=9),))
    inbox = of_all([first, second], None, NOW).inbox.value
    assert [parted_id(one.id).id for one in inbox] == ["frees", "old", "new", "over"]


def test_where_it_was_asked_is_said_by_the_whole_path() -> None:
    asked = request(origin=Origin("state/events.jsonl", 3))
    inbox = of_all([row("/src/a")._replace(requests=(asked,))], None, NOW).inbox.value
    assert inbox[0].origin == Origin("/src/a/state/events.jsonl", 3)


def test_an_inbox_that_does_not_differ_keeps_its_revision() -> None:
    rows = [row("/src/a")._replace(requests=(request(),))]
    first = of_all(rows, None, NOW)
    assert of_all(rows, first, NOW + 1).inbox is first.inbox
    changed = of_all([row("/src/a")], first, NOW + 2)
    assert changed.inbox.revision == first.inbox.revision + 1


def test_ids_come_apart_as_they_were_put_together() -> None:
    assert parted_id(joint_id("0123abcd", "req_a/b")) == ("0123abcd", "req_a/b")
