"""What is shared tells no secret, no person, no machine and no address."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.sharing.scrub import Private, scrubbed
from tests.session.sharing.secrets_planted import PLANTED, told_by

NOBODY = Private()
ANNA = Private(("/home/anna", "/Users/anna"), ("anna",), ("thinkpad", "thinkpad.lan"))


@pytest.mark.parametrize("name", PLANTED)
def test_no_planted_secret_is_left(name: str) -> None:
    plant = PLANTED[name]
    for around in ("{}", "it said {} and went on", "x={}\ny=2", "<{}>", "see ({}).", "\t{}\t"):
        assert told_by(scrubbed(around.format(plant), NOBODY)) == [], around


@pytest.mark.parametrize("name", PLANTED)
def test_nor_inside_a_line_of_json(name: str) -> None:
    line = json.dumps({"kind": "x", "payload": {"text": f"before {PLANTED[name]} after"}})
    assert told_by(scrubbed(line, NOBODY)) == []


@given(st.permutations(list(PLANTED)), st.sampled_from([" ", "\n", ", ", '", "']))
def test_nor_any_order_of_all_of_them(order: list[str], between: str) -> None:
    assert told_by(scrubbed(between.join(PLANTED[name] for name in order), NOBODY)) == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("/home/anna/work/importer/a.py", "~/work/importer/a.py"),
        ("/home/annabel/work", "~/work"),
        ("Anna ran it on thinkpad", "[user] ran it on [host]"),
        ("user:bob answered", "user:[user] answered"),
        ("thinkpad.lan is down", "[address] is down"),
        ("annals of history", "annals of history"),
    ],
)  # fmt: skip
def test_home_user_and_host_are_words_in_brackets(words: str, said: str) -> None:
    assert scrubbed(words, ANNA) == said


@pytest.mark.parametrize(
    "words",
    [
        'File "~/x/ppgp_tui/session/sharing/scrub.py", line 12, in scrubbed',
        "event_5c700224a9f0a13ea41733669c8dc2bc state.ops_applied, line 3",
        "authority.requested 12, todo.revised 4",
        "authority: 3 pending, tasks: 12",
        "12 tasks: 4 done, 1 running at 20:15 on 2026-11-30",
        '{"ts_ms": 1790000000000, "events": 1204, "bytes": 512000}',
        "textual 8.2.8, Python 3.11.7, Linux-6.1.0-18-amd64-x86_64",
        "    self.canvas.show(screen_lines(self.seat))",
        "ValueError: a whole number above 0 is wanted",
        "test_the_members_of_the_json_are_those_it_has",
    ],
)
def test_what_tells_a_fault_stays_readable(words: str) -> None:
    assert scrubbed(words, NOBODY) == words


@pytest.mark.parametrize(
    "piece",
    ["a", "-", "1", "a.", "a@", "token", "pass_", "ab1-_", "-----BEGIN X KEY-----", "http://", "\\",
     "ab12:", '"token":"', "eyJ", "1 ", "user:", "_"],
)  # fmt: skip
def test_no_text_takes_long(piece: str) -> None:
    text = piece * (20_000 // len(piece))
    began = time.process_time()
    scrubbed(text, ANNA)
    assert time.process_time() - began < 2


@given(st.text())
def test_any_text_can_be_scrubbed_and_scrubbing_again_changes_little(words: str) -> None:
    once = scrubbed(words, ANNA)
    assert "anna" not in once.lower().split()
    assert len(scrubbed(once, ANNA)) <= len(once) + 20
