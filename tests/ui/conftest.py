"""What one test may leave behind in no other."""

from __future__ import annotations

import pytest

from ppgp_tui.ui import ages
from ppgp_tui.ui.views import VIEWS


@pytest.fixture(autouse=True)
def _nothing_is_left_of_the_test_before() -> None:
    """Views keep what they drew, so that it stays in its place; one process has one clock."""
    ages.show_as("ages")
    for view in VIEWS:
        if "_view" in vars(view):
            vars(view)["_view"] = None
