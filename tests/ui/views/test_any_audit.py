"""Whatever is known of an audit, its view and its section can be drawn at every size."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from ppgp_tui.audit.model import Alarm
from ppgp_tui.session.model import Part, SessionSnapshot
from ppgp_tui.session.picture.audit_state import Running
from ppgp_tui.ui.views import AUDIT
from ppgp_tui.ui.views.audit.brief import audit_brief
from ppgp_tui.ui.views.audit.detail import alarm_rows
from tests.ui import picture_audit
from tests.ui.views.drawn import frame, screen
from tests.ui.views.made import snapshots
from tests.ui.views.made_words import words

running = st.builds(
    Running,
    started_ms=st.integers(0, 2**41),
    limit_s=st.integers(0, 10**6),
    stage=st.sampled_from(["planning", "checking", "asking", "recording", "odd"]),
    states=st.dictionaries(words, words, max_size=4),
    command=words,
    command_ms=st.one_of(st.none(), st.integers(0, 2**41)),
    command_limit_s=st.one_of(st.none(), st.integers(0, 10**5)),
    output=st.lists(words, max_size=4).map(tuple),
    done=st.integers(0, 99),
    checks=st.integers(0, 99),
    isolation=st.sampled_from(["", "bubblewrap", "copy"]),
)


@settings(max_examples=25, deadline=None)
@given(snapshots, st.sampled_from([40, 48, 80, 120, 160]), st.one_of(st.none(), running))
def test_any_audit_is_drawn(shown: SessionSnapshot, width: int, under_way: Running | None) -> None:
    audit = shown.audit.value._replace(running=under_way)
    shown = replace(shown, audit=Part(audit))
    room = frame(width, 30, reports=picture_audit.reports())
    assert screen(AUDIT, shown, room)
    assert audit_brief(shown, room, 50)


def test_the_lines_of_a_test_that_went_and_came_are_shown_as_they_are_written() -> None:
    diff = (" def test_a():", "-    assert f() == 3  # \x1b[31m", "+    assert f()")
    rows = alarm_rows(Alarm("test_changed", "tests/test_a.py::test_a", diff=diff), 0, 60)
    shown = [(span.text, span.role) for row in rows for line in row.lines for span in line.left]
    assert ("tests/test_a.py::test_a", "ink") in shown
    assert (" def test_a():", "soft") in shown
    assert ("-    assert f() == 3  # \u241b[31m", "stop") in shown
    assert ("+    assert f()", "ok") in shown
