"""The lamp for the log's conformance, and what `o` tells about it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppgp_tui.session.model import Part, SessionSnapshot
from ppgp_tui.session.picture.conformance import (
    NUMBERS,
    CheckLook,
    Conformance,
    Finding,
    Lack,
    Standing,
)
from ppgp_tui.ui.acts import acts
from ppgp_tui.ui.screen.conformity import conformance_rows, log_lamp
from ppgp_tui.ui.seat.seat import Seat
from ppgp_tui.ui.views import VIEWS
from tests.ui import picture
from tests.ui.picture import NOW, ago
from tests.ui.stand_in import seat, text, told

LOG = "state/events.jsonl"
BAD = Finding(
    7, "line 11: goal.created `goal_x` has no paired state.ops_applied", LOG, 12, "event_11",
    "Append the missing pair.",
)  # fmt: skip


def known(state: Standing, *findings: Finding, lacks: tuple[Lack, ...] = ()) -> Conformance:
    of = {finding.check for finding in findings}
    checks = tuple(
        CheckLook(n, "failed" if n in of else "passed", sum(one.check == n for one in findings))
        for n in NUMBERS
    )
    return Conformance(
        state, checks, len(findings), findings, lacks,
        lines=1_234, offset=567_890, since_ms=ago(minutes=3),
    )  # fmt: skip


OK = known("ok")
FAILED = known("failed", BAD, BAD._replace(check=5, text="line 9: duplicate event id e"))
CHECKING = Conformance("checking", progress=0.4)
WHY = "it has 488 MB; above 34 MB it is checked when you ask for it"
UNCHECKED = Conformance(
    "unchecked", tuple(CheckLook(n, "unchecked", why=WHY) for n in NUMBERS), why=WHY
)


def with_log(verdict: Conformance) -> SessionSnapshot:
    sound = picture.goal()._replace(reasons=())
    return replace(picture.full(), goal=Part(sound), conformance=Part(verdict))


def at(verdict: Conformance, width: int) -> Seat:
    return seat(with_log(verdict), width, 40, VIEWS, clock=lambda: NOW)


def key_line(verdict: Conformance, width: int) -> str:
    return text(at(verdict, width))[-1].rstrip()


@pytest.mark.parametrize(
    ("verdict", "at_48", "at_80", "at_120"),
    [
        (Conformance(), "live", "files ok  live", "files ok  live"),
        (known("absent"), "live", "files ok  live", "files ok  live"),
        (OK, "log ok  live", "log ok  live", "files ok  log ok  live"),
        (
            known("incomplete", lacks=("manifest",)),
            "log ok  live",
            "log ok, no manifest  live",
            "files ok  log ok, no manifest  live",
        ),
        (
            known("incomplete", lacks=("git",)),
            "log ok  live",
            "log ok, no git  live",
            "files ok  log ok, no git  live",
        ),
        (FAILED, "log: 2  live", "log: 2 findings  live", "files ok  log: 2 findings  live"),
        (
            CHECKING,
            "log 40 %  live",
            "checking log 40 %  live",
            "files ok  checking log 40 %  live",
        ),
        (UNCHECKED, "log ?  live", "log not checked  live", "files ok  log not checked  live"),
    ],
    ids=["unknown", "absent", "ok", "no manifest", "no git", "failed", "checking", "not checked"],
)
def test_the_key_line_ends_with_what_is_known_of_the_log(
    verdict: Conformance, at_48: str, at_80: str, at_120: str
) -> None:
    for width, words in ((48, at_48), (80, at_80), (120, at_120), (160, at_120)):
        assert key_line(verdict, width).endswith(f"? help  {words}"), width


def test_what_is_wrong_with_files_is_said_beside_the_log_at_every_width() -> None:
    shown = replace(with_log(FAILED), goal=picture.full().goal)
    for width in (48, 80, 120):
        line = text(seat(shown, width, 40, VIEWS, clock=lambda: NOW))[-1]
        assert ("!2  log: 2" if width < 60 else "2 findings  log: 2") in line


def test_in_a_narrow_pane_a_sound_log_makes_room_for_keys_where_files_have_findings() -> None:
    for verdict in (OK, known("incomplete", lacks=("manifest",))):
        shown = replace(with_log(verdict), goal=picture.full().goal)
        narrow, wide = (
            text(seat(shown, width, 40, VIEWS, clock=lambda: NOW)) for width in (48, 80)
        )
        assert narrow[-1].rstrip().endswith("? help  !2  live")
        assert "2 findings  log ok" in wide[-1]


@pytest.mark.parametrize("width", [48, 80, 120, 160])
def test_o_tells_each_check_and_each_finding_with_line_event_and_mend(width: int) -> None:
    of = at(FAILED, width)
    acts.press(of, "5", "5")
    acts.press(of, "o", "o")
    said = "\n".join(text(of))
    for words in (
        "The log has 2 findings", "since 3m", "1,234 lines, 567,890 bytes", "envelope round-trip",
        "domain↔ops consistency", "check 7: line 11: goal.created", "line   12", "event  event_11",
        "mend   Append the missing pair.",
    ):  # fmt: skip
        assert words in said or words in _scrolled(of), words


def _scrolled(of: Seat) -> str:
    assert of.sheet is not None
    of.sheet.rows.scroll(10_000)
    return "\n".join(text(of))


def test_a_log_that_is_not_checked_says_why_and_can_be_checked_from_the_palette() -> None:
    of = at(UNCHECKED, 80)
    acts.press(of, "o", "o")
    assert "488 MB" in _scrolled(of)
    acts.press(of, "escape", None)
    acts.run(of, "log.check")
    assert told(of).checked_log == 1


def test_a_log_that_is_checked_need_not_be_asked_for() -> None:
    of = at(OK, 80)
    acts.run(of, "log.check")
    assert (told(of).checked_log, of.toast) == (0, "nothing of the log is left unchecked")


def test_findings_beyond_the_first_are_counted_and_where_to_see_them() -> None:
    rows = list(conformance_rows(with_log(FAILED._replace(findings=4_310)), 80, NOW))
    said = ["".join(span.text for span in row.lines[0].left) for row in rows if row.lines]
    assert "more   4,308 more: ppgp-tui gasp check . --explain" in said


@given(words=st.text(max_size=200), width=st.integers(40, 200))
def test_no_words_of_a_log_break_the_lamp_or_the_sheet(words: str, width: int) -> None:
    hostile = Finding(1, words, words, 1, words, words)
    of = at(known("failed", hostile), width)
    acts.press(of, "o", "o")
    for line in text(of):
        assert "\x1b" not in line
    assert log_lamp(of.snapshot, width).text.startswith("log: 1")
