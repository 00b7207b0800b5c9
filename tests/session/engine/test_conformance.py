"""Whatever everybody does, the log keeps GASP's rules and everything else follows from it."""

import os
import shutil
from pathlib import Path

import pytest

from ppgp_tui.gasp.checks.check import check
from ppgp_tui.gasp.history import read_history
from ppgp_tui.gasp.repo import read_repository
from ppgp_tui.session.actions import start
from ppgp_tui.session.engine.fold import fold
from ppgp_tui.session.engine.ledger import Ledger
from tests.session.engine.checks import add_manifest, failures
from tests.session.engine.life import Life
from tests.session.engine.repository import (
    GOAL,
    LOG,
    RUN,
    TEXT,
    TODO,
    Repository,
    good,
    repository,
)

ACTIONS = int(os.environ.get("PPGP_TEST_ACTIONS", "80"))


CONFORMANT = "conformant: all checks passed"


def gasp_check(root: Path) -> str:
    """The last line of what `gasp check` prints."""
    return [*check(read_repository(str(root)), read_history(str(root))).lines()][-1]


def lived(folder: Path, seed: int, *, actions: int = ACTIONS) -> Life:
    made = repository(folder, TEXT, git=True)
    add_manifest(made.root)
    life = Life(made, seed)
    for _ in range(actions):
        life.step()
    return life


@pytest.mark.parametrize("seed", [1, 2])
def test_a_repository_that_only_the_engine_writes_to_passes_the_seven_checks(
    memory: Path, seed: int
) -> None:
    life = lived(memory / "here", seed)
    assert {result.code for result in life.results} > {"done", "refused"}
    assert failures(life.repository.root) == {}
    assert gasp_check(life.repository.root) == CONFORMANT
    life.repository.git("add", "-A")
    life.repository.git("commit", "--quiet", "-m", "End")
    assert failures(life.repository.root) == {}
    assert gasp_check(life.repository.root) == CONFORMANT


@pytest.mark.parametrize("seed", [3, 4])
def test_every_projection_rebuilt_from_the_log_alone_has_the_same_bytes(
    memory: Path, seed: int
) -> None:
    here = lived(memory / "here", seed).repository
    if (here.root / TODO).exists():  # an edit that nobody recorded is nothing the log can know
        (here.root / TODO).unlink()
    good(start.rebuild(here.engine()))
    again = Repository(memory / "again")
    (again.root / LOG).parent.mkdir(parents=True)
    shutil.copy(here.root / LOG, again.root / LOG)
    good(start.init(again.engine()))
    good(start.rebuild(again.engine()))
    rebuilt = projections(again.root)
    assert {TODO, GOAL} < rebuilt.keys()
    assert rebuilt == {path: here.read(path) for path in rebuilt}
    assert (here.root / TODO).exists() == (TODO in rebuilt)


def projections(root: Path) -> dict[Path, bytes]:
    files = [root / TODO, root / GOAL, *(root / RUN).glob("requests/*.json")]
    files += (root / RUN).glob("answers/*.json")
    return {path.relative_to(root): path.read_bytes() for path in files if path.exists()}


def test_a_fold_that_goes_on_from_a_checkpoint_equals_one_from_the_start(
    memory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ppgp_tui.session.engine.fold.KEEP_EVERY", 2000)
    made = lived(memory / "here", 5, actions=60).repository
    assert (made.state / "checkpoint.json").exists()
    whole = Ledger()
    for event in made.events():
        whole.apply(event)
    assert made.ledger().as_json() == whole.as_json()
    again: list[Ledger] = []
    made.engine().journal.append(lambda view: again.append(fold(view)) or ())
    assert again[0].as_json() == whole.as_json()
