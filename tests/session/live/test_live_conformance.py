"""Verdict and graph of a followed session: they come with the pictures and keep up alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ppgp_tui.session.live import following
from ppgp_tui.session.live.store import LiveSession
from ppgp_tui.session.picture.conformance import Conformance, Standing
from ppgp_tui.session.picture.graph_look import GraphLook
from ppgp_tui.session.sources import conformance
from tests.gasp.checks.agent_repository import LOG, AgentRepository, as_line, event
from tests.waiting import until


class Live:
    """A followed session on an agent repository."""

    def __init__(self, repository: AgentRepository) -> None:
        self.session = LiveSession(repository.root)
        self.session.open()
        self.session.follow(lambda _: None)

    @property
    def verdict(self) -> Conformance:
        return self.session.snapshot.conformance.value

    @property
    def graph(self) -> GraphLook:
        return self.session.snapshot.graph.value

    def becomes(self, state: Standing) -> Conformance:
        until(lambda: self.verdict.state == state)
        return self.verdict


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AgentRepository:
    for name in ("CONFIG", "STATE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    made = AgentRepository(tmp_path.resolve() / "repo")
    made.init()
    made.commit()
    return made


@pytest.fixture
def live(repository: AgentRepository) -> Iterator[Live]:
    followed = Live(repository)
    yield followed
    followed.session.close()


def test_the_verdict_follows_log_manifest_and_history(
    repository: AgentRepository, live: Live
) -> None:
    assert live.becomes("ok").lines == 10
    repository.append(as_line(event(11, "tool.called", {}, "event_99")) + b"\n")
    assert live.becomes("failed").first[0].line == 11
    repository.write(LOG, repository.read()[: -len(repository.read().split(b"\n")[-2]) - 1])
    live.becomes("ok")
    repository.append("edited", "identity/IDENTITY.md")
    assert live.becomes("failed").first[0].check == 6
    repository.substitute("edited", "", "identity/IDENTITY.md")
    live.becomes("ok")
    repository.substitute("Make retry reliable", "Make retry better", count=-1)
    commit = repository.commit()
    until(lambda: any(commit[:7] in finding.text for finding in live.verdict.first))


def test_an_unfinished_line_comes_to_count_by_the_passing_of_time(
    repository: AgentRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conformance, "TORN_MS", 700)
    monkeypatch.setattr(following, "TORN_MS", 700)
    live = Live(repository)
    try:
        live.becomes("ok")
        repository.append(b'{"id":"event_11"')
        until(lambda: live.session.snapshot.events.value.torn is not None)
        assert live.verdict.state == "ok"
        assert "EOF" in live.becomes("failed").first[0].text
    finally:
        live.session.close()


def test_a_session_without_a_log_says_nothing_of_one(tmp_path: Path) -> None:
    now = LiveSession(tmp_path).read_all()
    assert now.conformance.value.state == "absent"


def test_a_long_log_is_checked_when_somebody_asks(
    repository: AgentRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conformance, "LONGEST", 100)
    live = Live(repository)
    try:
        live.becomes("unchecked")
        live.session.check_log()
        live.becomes("ok")
        repository.append(b"{\n")
        live.becomes("failed")
    finally:
        live.session.close()


def test_reading_once_gives_the_whole_verdict(repository: AgentRepository) -> None:
    now = LiveSession(repository.root).read_all()
    assert now.conformance.value.state == "ok"
    assert now.graph.value.state == "unasked"


def test_the_graph_is_folded_when_it_is_wanted_and_kept_up(
    repository: AgentRepository, live: Live
) -> None:
    live.becomes("ok")
    assert live.graph == GraphLook()
    live.session.want_graph()
    until(lambda: live.graph.state == "folded")
    assert (live.graph.lines, live.graph.nodes, live.graph.version) == (10, 4, 8)
    folded = live.graph.folded
    node = {"CreateNode": {"id": "goal_x", "kind": "goal", "props": {}}}
    repository.append(as_line(event(11, "state.ops_applied", [node], None)) + b"\n")
    until(lambda: live.graph.nodes == 5)
    assert live.graph.folded is folded
    repository.write(LOG, as_line(event(1, "state.ops_applied", [node], None)) + b"\n")
    until(lambda: live.graph.nodes == 1)
    assert live.graph.folded is not folded


def test_looking_leaves_the_repository_as_it_is(repository: AgentRepository) -> None:
    before = {path: path.stat().st_mtime_ns for path in repository.root.rglob("*")}
    live = Live(repository)
    live.becomes("ok")
    live.session.want_graph()
    until(lambda: live.graph.state == "folded")
    live.session.close()
    assert {path: path.stat().st_mtime_ns for path in repository.root.rglob("*")} == before
