"""What every test may ask for."""

from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[2] / "shared" / "cases"


@pytest.fixture(scope="session")
def shared_cases() -> Path:
    """Other people's documents, read where they lie and never committed."""
    if not SHARED.is_dir():
        pytest.skip(f"the shared cases are not here: looked for {SHARED}")
    return SHARED
