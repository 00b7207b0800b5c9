"""A person takes what no program can check: a new verdict from the report, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppgp_tui.audit import whole
from ppgp_tui.audit.taking import take
from ppgp_tui.session.engine.draft import Actor
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from tests.cli.acting import Place
from tests.cli.claimed import claimed


class Audited:
    """A goal whose audit could not decide everything."""

    def __init__(self, place: Place) -> None:
        self.root = place.root
        self.engine = Engine(place.root, Actor("user", "dev"))
        self.place = claimed(place)
        ended = whole.make(self.engine, whole.planned_for(self.engine))
        assert ended.verdict is not None
        assert ended.verdict.word == "inconclusive", ended.verdict
        self.open = [
            one.criterion.id for one in ended.verdict.judged if one.outcome == "cannot_check"
        ]
        (self.finished,) = self.audits()

    def audits(self) -> list[dict[str, object]]:
        return [one["payload"] for one in self.place.events("eval.finished")]

    def take(self, actor: str = "user", **taken: str) -> Result:
        engine = Engine(self.root, Actor(actor, "dev"))  # type: ignore[arg-type]
        said = {name.replace("_", ":"): why for name, why in taken.items()}
        metadata = self.finished["metadata"]
        assert isinstance(metadata, dict)
        return take(engine, str(self.finished["id"]), metadata["report_digest"], said)

    def take_all(self) -> Result:
        return self.take(**{one.replace(":", "_"): "I read it" for one in self.open})


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Audited:
    return Audited(Place(tmp_path, monkeypatch).begin())


def test_all_that_was_open_is_taken_and_the_goal_is_verified_with_notes(here: Audited) -> None:
    result = here.take_all()
    assert (result.code, result.data["verdict"]) == ("done", "approved_with_notes")
    newest = here.audits()[-1]
    assert newest["command"] == f"taken from the report of {here.finished['id']}"


def test_what_is_left_open_leaves_it_undecided(here: Audited) -> None:
    assert len(here.open) > 1
    result = here.take(**{here.open[0].replace(":", "_"): "I read it"})
    assert result.data["verdict"] == "inconclusive"


def test_what_was_taken_before_stays_taken(here: Audited) -> None:
    first, *rest = (one.replace(":", "_") for one in here.open)
    here.take(**{first: "I read it"})
    here.finished = here.audits()[-1]
    result = here.take(**dict.fromkeys(rest, "I read it"))
    assert result.data["verdict"] == "approved_with_notes"


@pytest.mark.parametrize("actor", ["agent", "system"])
def test_nobody_but_a_person_takes_anything(here: Audited, actor: str) -> None:
    result = here.take(actor, **{here.open[0].replace(":", "_"): "I read it"})
    assert (result.code, len(here.audits())) == ("refused", 1)


@pytest.mark.parametrize("reason", ["", "  \n"])
def test_without_a_reason_nothing_is_taken(here: Audited, reason: str) -> None:
    result = here.take(**{here.open[0].replace(":", "_"): reason})
    assert (result.code, len(here.audits())) == ("refused", 1)
    assert "say why" in result.message


def test_a_criterion_that_is_not_there_is_not_taken(here: Audited) -> None:
    assert here.take(dod_99="I read it").code == "refused"


def test_once_the_code_moved_the_report_is_of_no_use(here: Audited) -> None:
    (here.root / "counter.py").write_text("KEPT = True  # again\n")
    result = here.take_all()
    assert (result.code, len(here.audits())) == ("stale", 1)
    assert "the code moved since the audit" in result.message


def test_a_report_that_was_changed_is_of_no_use(here: Audited) -> None:
    (path,) = (here.root / ".ppgp/audits").glob("*/report.json")
    path.write_bytes(path.read_bytes().replace(b"cannot_check", b"pass"))
    result = here.take_all()
    assert (result.code, len(here.audits())) == ("refused", 1)
    assert "the report was changed since" in result.message


def test_an_older_audit_is_of_no_use(here: Audited) -> None:
    whole.make(here.engine, whole.planned_for(here.engine))
    result = here.take_all()
    assert result.code == "refused"
    assert "a newer audit" in result.message
