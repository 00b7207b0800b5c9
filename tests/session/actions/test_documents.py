"""The goal document belongs to its writers: our edit goes between theirs and loses none of them."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ppgp_tui.ppgp.edits import NoSuchSpanError
from ppgp_tui.session.actions import answering, documents, goal
from ppgp_tui.session.actions.answering import Said
from ppgp_tui.session.picture.inbox import pending_bullets
from tests.session.engine.repository import DOCUMENT, TEXT, Repository, good, repository

AGENT = """
import os, random, sys, time
path, how, stop = sys.argv[1:]
n, here = 0, "## NEXT_EXECUTABLE_ACTION"
while not os.path.exists(stop):
    text = open(path, newline="").read()
    if here not in text:
        continue
    text = text.replace(here, f"- note {n}.\\n\\n{here}")
    if how == "rename":
        open(path + ".new", "w", newline="").write(text)
        os.replace(path + ".new", path)
    else:
        open(path, "w", newline="").write(text)
    n += 1
    time.sleep(random.random() / 10)
print(n)
"""
PHASES = ("EXECUTE", "HARDEN")
EDITS = int(os.environ.get("PPGP_TEST_EDITS", "15"))


@pytest.mark.parametrize("how", ["rename", "in place"])
def test_an_agent_that_keeps_writing_loses_no_line_to_our_edits(memory: Path, how: str) -> None:
    here = repository(memory / "here", TEXT)
    stop = memory / "stop"
    agent = subprocess.Popen(
        [sys.executable, "-c", AGENT, str(here.root / DOCUMENT), how, str(stop)],
        stdout=subprocess.PIPE,
    )
    edits = 0
    for attempt in range(100 * EDITS):
        result = goal.set_phase_of(here.engine(), PHASES[attempt % 2])
        edits += "document" in result.data
        if edits == EDITS:
            break
    stop.touch()
    notes = int(agent.communicate()[0])
    text = here.read(DOCUMENT).decode()
    assert [n for n in range(notes) if f"- note {n}.\n" not in text] == []
    assert (edits, notes > 0) == (EDITS, True)


def meanwhile(monkeypatch: pytest.MonkeyPatch, *writes: Callable[[], object]) -> None:
    """Somebody writes just before each of our attempts to replace the document."""
    real, left = documents.replace_known, list(writes)

    def replace(*arguments, **more):
        if left:
            left.pop(0)()
        return real(*arguments, **more)

    monkeypatch.setattr(documents, "replace_known", replace)


def test_an_edit_is_made_in_what_the_agent_wrote_meanwhile(
    here: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = TEXT.replace("## INVARIANTS", "## INVARIANTS\n- one more")
    meanwhile(monkeypatch, lambda: here.write(DOCUMENT, theirs))
    good(goal.set_phase_of(here.engine(), "HARDEN"))
    assert here.read(DOCUMENT).decode() == theirs.replace("EXECUTE", "HARDEN")


def test_an_answer_finds_its_entry_where_the_agent_has_moved_it(
    here: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    theirs = "# New title\n\nText.\n\n" + TEXT
    meanwhile(monkeypatch, lambda: here.write(DOCUMENT, theirs))
    asked = pending_bullets(here.engine().read_document().reading)[1]
    good(answering.answer(here.engine(), asked.id, Said("yes"), key=here.key))
    text = here.read(DOCUMENT).decode()
    assert text.startswith("# New title\n\nText.\n\n# Retry")
    assert "] Rename the command?" in text


@pytest.mark.parametrize(
    ("theirs", "why"),
    [
        (TEXT.replace("EXECUTE", "under way"), "names no lifecycle phase"),
        (None, "no such file"),
    ],
    ids=["reworded", "deleted"],
)
def test_an_edit_that_has_lost_its_place_says_so_and_the_record_stands(
    here: Repository, monkeypatch: pytest.MonkeyPatch, theirs: str | None, why: str
) -> None:
    def write() -> None:
        if theirs is None:
            (here.root / DOCUMENT).unlink()
        else:
            here.write(DOCUMENT, theirs)

    meanwhile(monkeypatch, write)
    result = good(goal.set_phase_of(here.engine(), "HARDEN"))
    assert why in result.data["document_refused"]
    assert result.warnings[-1].startswith("recorded, but not written into the document: ")
    assert here.newest("goal.phase_changed")["payload"]["to"] == "HARDEN"
    assert (here.root / DOCUMENT).exists() == (theirs is not None)


def test_a_document_that_never_stands_still_is_left_alone(
    here: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    writes = [lambda n=n: here.write(DOCUMENT, f"{TEXT}\nline {n}\n") for n in range(9)]
    meanwhile(monkeypatch, *writes)
    result = good(goal.set_phase_of(here.engine(), "HARDEN"))
    assert result.data["document_refused"] == (
        "docs/ACTIVE_GOAL.md keeps changing; nothing was written to it"
    )
    assert here.read(DOCUMENT).decode().startswith(TEXT)


def test_an_edit_keeps_the_mode_of_the_document_and_leaves_nothing_beside_it(
    here: Repository,
) -> None:
    (here.root / DOCUMENT).chmod(0o664)
    good(goal.set_phase_of(here.engine(), "HARDEN"))
    assert (here.root / DOCUMENT).stat().st_mode & 0o777 == 0o664
    assert [path.name for path in (here.root / "docs").iterdir()] == ["ACTIVE_GOAL.md"]


def test_a_document_of_another_user_is_not_touched(
    here: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = here.read(DOCUMENT)
    monkeypatch.setattr("ppgp_tui.session.files.safe.os.geteuid", lambda: 12345)
    with pytest.raises(documents.NotEditedError, match="belongs to user"):
        documents.edit_document(_scene(here), lambda known: known + b"x")
    assert here.read(DOCUMENT) == before


def test_an_edit_without_its_span_changes_nothing(here: Repository) -> None:
    def edit(_: bytes) -> bytes:
        raise NoSuchSpanError("the words are gone")

    with pytest.raises(documents.NotEditedError, match="the words are gone"):
        documents.edit_document(_scene(here), edit)


def _scene(here: Repository):
    from types import SimpleNamespace

    return SimpleNamespace(root=here.root, document=here.engine().read_document())
