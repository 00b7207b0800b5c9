"""Finding text in the raw lines of a log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.session.log import search
from ppgp_tui.session.log.tail import LogTail
from ppgp_tui.session.log.view import LogView
from tests.session.log.writing import event

LOG = "state/events.jsonl"


def view_of(root: Path, lines: list[bytes]) -> LogView:
    (root / "state").mkdir(exist_ok=True)
    (root / LOG).write_bytes(b"".join(lines))
    view = LogTail(root, LOG, lambda: 0).look().view
    assert view is not None
    return view


@pytest.fixture
def view(tmp_path: Path) -> LogView:
    said = ["Drop the column", "nothing", "the COLUMN stays", 'say "hi"', "Größe", "a/b\\c"]
    return view_of(tmp_path, [event(at, payload={"text": text}) for at, text in enumerate(said)])


def test_letter_case_does_not_matter(view: LogView) -> None:
    assert list(view.matching("Column")) == [2, 0]


def test_the_oldest_comes_first_when_asked(view: LogView) -> None:
    assert list(view.matching("column", newest_first=False)) == [0, 2]


def test_no_text_matches_everything(view: LogView) -> None:
    assert list(view.matching("")) == [5, 4, 3, 2, 1, 0]
    assert list(view.matching("", newest_first=False)) == [0, 1, 2, 3, 4, 5]


def test_text_is_found_as_a_person_reads_it_although_json_escapes_it(view: LogView) -> None:
    assert list(view.matching('say "hi"')) == [3]
    assert list(view.matching("a/b\\c")) == [5]


def test_text_is_found_as_it_stands_in_the_file(view: LogView) -> None:
    assert list(view.matching('"kind":"tool.called"')) == [5, 4, 3, 2, 1, 0]
    assert list(view.matching('\\"hi\\"')) == [3]


def test_other_scripts_ignore_case_and_match_escapes(view: LogView, tmp_path: Path) -> None:
    assert list(view.matching("GRÖSSE")) == []
    assert list(view.matching("größe")) == [4]
    escaped = json.dumps({"text": "Größe 🚦"}).encode()
    line = event(1, payload="PLACE").replace(b'"PLACE"', escaped)
    assert list(view_of(tmp_path, [line]).matching("GRÖßE 🚦")) == [0]


def test_a_line_with_several_hits_is_listed_once(tmp_path: Path) -> None:
    assert list(view_of(tmp_path, [event(1, payload="xx xx xx")]).matching("xx")) == [0]


def test_a_search_ends_when_it_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "_BLOCK", 1_000)
    view = view_of(tmp_path, [event(at) for at in range(100)])
    asked = iter([False, True])
    found = view.matching("demo", cancelled=lambda: next(asked))
    assert 0 < len(found) < 100
    assert found[0] == 99


@settings(max_examples=80)
@given(
    texts=st.lists(st.text(alphabet='aAbBéÉ"\\/ü☃🚦 \t', max_size=6), max_size=8),
    wanted=st.text(alphabet='aAbBéÉ"\\/ü☃🚦 \t', min_size=1, max_size=3),
    escaped=st.booleans(),
)
def test_every_line_whose_text_contains_the_words_is_found(
    tmp_path: Path, texts: list[str], wanted: str, escaped: bool
) -> None:
    lines = [json.dumps({"text": text}, ensure_ascii=escaped).encode() + b"\n" for text in texts]
    found = set(view_of(tmp_path, lines).matching(wanted))
    assert found >= {at for at, text in enumerate(texts) if wanted.lower() in text.lower()}


@settings(max_examples=40)
@given(count=st.integers(0, 40), block=st.integers(1, 4000), newest_first=st.booleans())
def test_block_borders_hide_and_repeat_nothing(
    tmp_path: Path, count: int, block: int, newest_first: bool
) -> None:
    view = view_of(tmp_path, [event(at) for at in range(count)])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "_BLOCK", block)
        found = list(view.matching("demo", newest_first))
    assert found == sorted(range(count), reverse=newest_first)
