"""Following an audit from another terminal, and ending it from there."""

from __future__ import annotations

import json
import os

from ppgp_tui.session.sources.audit import running_now
from tests.cli import claimed as claims
from tests.cli.acting import Place, Running
from tests.waiting import until

SLOW = ["python3", "-c", "import time; print('begun', flush=True); time.sleep(600)"]


def under_way(place: Place) -> Running:
    """An audit whose one command takes ten minutes."""
    claims.claimed(place, trusted=False)
    (place.root / ".ppgp/config.toml").write_text(f"[verify]\ncommands = [{json.dumps(SLOW)}]\n")
    claims.commit(place)
    claims.trust(place)
    running = place.start("audit")
    until(lambda: running_now(place.root))
    return running


def first_line(running: Running) -> str:
    """What it printed first, as soon as it has."""
    assert running.process.stdout is not None
    return os.read(running.process.stdout.fileno(), 4096).decode()


def test_an_audit_is_followed_and_ended_from_elsewhere(place: Place) -> None:
    running = under_way(place)
    watching = place.start("audit", "--watch")
    assert first_line(watching).startswith("1 of 3  python3 -c import time;")
    second = place.start("audit").end()
    assert (second.code, "under way here already" in second.err) == (1, True)
    assert place.start("audit", "--cancel").end().code == 0
    ended = running.end()
    assert (ended.code, "nothing was recorded" in ended.err) == (3, True)
    assert watching.end().out.splitlines()[-1] == "the audit is over"
    assert place.events("eval.finished") == []
    assert len(place.events("goal.claimed")) == 1
    assert not (place.root / ".ppgp/run/audit/progress.json").exists()


def test_where_no_audit_runs_there_is_nothing_to_follow_or_end(place: Place) -> None:
    watched, ended = place.act("audit", "--watch"), place.act("audit", "--cancel")
    assert (watched.code, ended.code) == (0, 1)
    assert watched.err == ended.err == "no audit is under way here\n"
