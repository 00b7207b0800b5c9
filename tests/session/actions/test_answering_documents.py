"""Answering an entry of the goal document: recorded as asked, and marked where it stands."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ppgp_tui.session.actions import answering, plan
from ppgp_tui.session.actions.answering import Said
from ppgp_tui.session.authority.keys import SigningKey
from ppgp_tui.session.model import Request
from ppgp_tui.session.picture.inbox import Bullet, inbox, pending_bullets
from tests.session.actions.test_answering import answer
from tests.session.engine.desk import CLAUDE
from tests.session.engine.repository import (
    DOCUMENT,
    TEXT,
    Repository,
    good,
    refused,
    repository,
    task,
)
from tests.session.engine.rules import broken

DAY = "2026-09-21"
pytestmark = pytest.mark.usefixtures("utc")


def bullets(here: Repository) -> list[Bullet]:
    return pending_bullets(here.engine().read_document().reading)


def test_an_answered_entry_is_recorded_as_asked_and_marked_in_the_document(
    here: Repository,
) -> None:
    first = bullets(here)[0]
    result = good(answer(here, first.id, seen_digest=first.digest))
    assert result.data["document"] == str(DOCUMENT)
    assert here.read(DOCUMENT).decode() == TEXT.replace("- Publish", f"- [granted {DAY}] Publish")
    asked = here.newest("authority.requested")
    assert asked["actor"] == {"kind": "system", "id": "ppgp-tui"}
    request = asked["payload"]["request"]
    assert (request["kind"], request["question"]) == ("document", "Publish 0.2.0 to the index?")
    assert request["evidence"] == "docs/ACTIVE_GOAL.md:17"
    assert [bullet.item.text for bullet in bullets(here)] == ["Rename the command?"]
    assert broken(here.events()) == []


@pytest.mark.parametrize(
    ("said", "mark"),
    [
        (Said("no"), f"[refused {DAY}] "),
        (Said(text="to  my-tool\nplease"), f"[answered {DAY}: to my-tool please] "),
        (Said(text="[x] <!-- `a|b`"), f"[answered {DAY}: (x) ‹!-- 'a/b'] "),
        (Said(text="w" * 200), f"[answered {DAY}: {'w' * 80}] "),
    ],
    ids=["no", "words", "signs", "long"],
)
def test_the_mark_says_what_was_answered(here: Repository, said: Said, mark: str) -> None:
    good(answer(here, bullets(here)[1].id, said))
    assert here.read(DOCUMENT).decode() == TEXT.replace("- Rename", f"- {mark}Rename")


def test_an_entry_taken_back_loses_its_mark_and_waits_again(here: Repository) -> None:
    first = bullets(here)[0]
    good(answer(here, first.id))
    good(answer(here, bullets(here)[0].id, Said("no")))
    good(answering.take_back(here.engine(), first.id))
    assert here.read(DOCUMENT).decode() == TEXT.replace("- Rename", f"- [refused {DAY}] Rename")
    good(answer(here, first.id, Said("no"), seen_digest=first.digest))
    assert here.newest("decision.created")["payload"]["metadata"]["attempt"] == 2


def test_an_entry_reworded_since_it_was_painted_is_not_answered(here: Repository) -> None:
    first = bullets(here)[0]
    here.write(DOCUMENT, TEXT.replace("Publish 0.2.0", "Publish and yank 0.1.0 and"))
    assert "waits here" in refused(answer(here, first.id, seen_digest=first.digest))
    assert "decision.created" not in here.kinds()


def test_an_entry_reworded_while_the_person_was_signing_is_not_answered(here: Repository) -> None:
    first = bullets(here)[0]

    class Slow(SigningKey):
        def sign(self, text: bytes) -> str | None:
            here.write(DOCUMENT, TEXT.replace("Publish 0.2.0", "Publish 0.3.0"))
            return super().sign(text)

    said = refused(
        answering.answer(here.engine(), first.id, Said("yes"), key=Slow(here.pins)), "stale"
    )
    assert said == "the document changed: read the request again"


def test_a_waiting_entry_that_is_reworded_is_withdrawn_with_the_next_act(here: Repository) -> None:
    first = bullets(here)[0]
    good(answer(here, first.id))
    good(answering.take_back(here.engine(), first.id))
    here.write(DOCUMENT, TEXT.replace("Publish 0.2.0", "Publish 0.3.0"))
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    event = here.newest("authority.withdrawn")
    assert event["payload"] == {"id": first.id, "reason": "reworded"}
    assert event["actor"] == {"kind": "system", "id": "ppgp-tui"}
    assert here.request_state(first.id) == "withdrawn"
    here.write(DOCUMENT, TEXT)
    known = Request(first.id, "withdrawn", "sha256:0", "document", "C", first.item.text)
    reading = here.engine().read_document().reading
    shown = {one.id: one for one in inbox(reading, (known,), {}, 0, here.now_ms)}[first.id]
    assert (shown.state, shown.digest) == ("waiting", first.digest)
    good(answer(here, first.id, Said("no"), seen_digest=shown.digest))
    assert here.request_state(first.id) == "answered", "it stands there again and is asked again"
    assert here.newest("decision.created")["payload"]["metadata"]["attempt"] == 2
    assert broken(here.events()) == []


@pytest.mark.parametrize("data", [None, b"", b"\x00" * 99], ids=["gone", "empty", "no text"])
def test_a_document_that_cannot_be_read_withdraws_nothing(
    here: Repository, data: bytes | None
) -> None:
    first = bullets(here)[0]
    good(answer(here, first.id))
    good(answering.take_back(here.engine(), first.id))
    if data is None:
        (here.root / DOCUMENT).unlink()
    else:
        here.write(DOCUMENT, data)
    good(plan.revise(here.engine(CLAUDE), {"tasks": [task("a")]}))
    assert here.request_state(first.id) == "waiting"


def test_a_long_entry_is_answered_by_its_beginning_and_the_id_of_the_whole(memory: Path) -> None:
    long = "Publish " + "very " * 1000 + "soon?"
    here = repository(memory / "there", TEXT.replace("Rename the command?", long))
    good(answer(here, bullets(here)[1].id))
    assert f"- [granted {DAY}] Publish very" in here.read(DOCUMENT).decode()


def test_the_record_stands_where_the_document_cannot_be_marked(here: Repository) -> None:
    first = bullets(here)[0]
    elsewhere = here.folder / "goal.md"
    (here.root / DOCUMENT).rename(elsewhere)
    (here.root / "docs" / "real.md").write_bytes(elsewhere.read_bytes())
    (here.root / DOCUMENT).symlink_to("real.md")
    result = good(answer(here, first.id))
    assert "was not followed" in result.data["document_refused"]
    assert any("recorded, but not written into the document" in text for text in result.warnings)
    assert here.request_state(first.id) == "answered"
    assert (here.root / "docs" / "real.md").read_bytes() == elsewhere.read_bytes()


EDITS: list[Callable[[str], str]] = [
    lambda text: text.replace("\n", "\r\n"),
    lambda text: "\ufeff" + text,
    lambda text: text.replace("- Publish", "* **Publish").replace("index?", "index?**"),
    lambda text: text.replace("- Publish", "1. Publish").replace("- Rename", "2. Rename"),
    lambda text: text.replace("- Publish", "> - Publish").replace("- Rename", "> - Rename"),
    lambda text: text.replace("- Publish", "- [ ] Publish"),
    lambda text: text.replace("- Publish 0.2.0 to", "- Publish 0.2.0\n  to"),
    lambda text: text.rstrip("\n"),
]


@pytest.mark.parametrize("edit", EDITS, ids=[
    "CRLF", "BOM", "bold", "numbers", "quoted", "box", "continued", "no newline",
])  # fmt: skip
def test_whatever_the_style_of_the_document_only_the_mark_is_added_and_taken_away(
    memory: Path, edit: Callable[[str], str]
) -> None:
    data = edit(TEXT).encode()
    here = repository(memory / "there", data)
    first = bullets(here)[0]
    good(answer(here, first.id))
    marked = here.read(DOCUMENT)
    assert marked.replace(f"[granted {DAY}] ".encode(), b"") == data
    assert len(marked) == len(data) + len(f"[granted {DAY}] ")
    assert [bullet.item.text for bullet in bullets(here)] == ["Rename the command?"]
    good(answering.take_back(here.engine(), first.id))
    assert here.read(DOCUMENT) == data
