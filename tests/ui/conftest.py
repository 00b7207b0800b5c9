"""What one test may leave behind in no other."""

from __future__ import annotations

import pytest

from ppgp_tui.ui.looks import ages


@pytest.fixture(autouse=True)
def _nothing_is_left_of_the_test_before() -> None:
    """One process has one clock."""
    ages.show_as("ages")
