"""What every test may ask for."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from ppgp_tui.session.files import places
from ppgp_tui.session.journal import Journal
from tests.waiting import PATIENCE_S

gc.set_threshold(100_000, 20, 50)  # a fifth of the time went into walks through what stays

# Neither a busy machine nor a large example decides a test, and CI tries the same examples each
# time; PPGP_TEST_EXAMPLES=1000 looks further.
settings.register_profile(
    "ppgp-tui",
    max_examples=int(os.environ.get("PPGP_TEST_EXAMPLES", "25")),
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.function_scoped_fixture,
    ],
    derandomize="CI" in os.environ,
)
settings.load_profile("ppgp-tui")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "cases"


def pytest_collection_finish() -> None:
    """What was imported and collected stays until the end: no collection looks through it again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared_cases() -> Path:
    """Other people's documents, read where they lie and never committed."""
    if not SHARED.is_dir():
        pytest.skip(f"the shared cases are not here: looked for {SHARED}")
    return SHARED


@pytest.fixture(scope="session", autouse=True)
def _own_user_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or writes the settings, state or keys of whoever runs it."""
    home = tmp_path_factory.mktemp("user")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CONFIG", "STATE", "DATA"):
            patch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
        yield


@pytest.fixture(scope="session", autouse=True)
def _many_may_write_at_once() -> Iterator[None]:
    """On a busy machine a turn may take long to come: no writer gives up as long as it can come."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(Journal.__init__.__kwdefaults__, "wait_s", PATIENCE_S)
        yield


@pytest.fixture(autouse=True)
def _who_one_is_is_asked_anew() -> None:
    """A test may log in as somebody else; the next one does not."""
    places.login.cache_clear()
