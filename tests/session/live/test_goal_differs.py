"""When document and log name different goals, both are said."""

import pytest

from ppgp_tui.session.picture.goal_state import goal_differs


@pytest.mark.parametrize(
    ("document", "recorded", "differ"),
    [
        ("Ship 0.2.0", "Ship it", True),
        ("Ship 0.2.0", "ship\n 0.2.0", False),
        ("Make the importer resumable. No row is written twice.", "Make the importer", False),
        (None, "Ship it", False),
        ("Ship it", None, False),
    ],
)
def test_only_another_goal_is_called_another(
    document: str | None, recorded: str | None, differ: bool
) -> None:
    assert goal_differs(document, recorded) is differ
