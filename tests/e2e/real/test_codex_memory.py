"""What Codex is told again when its memory was cut down, and the proof of it."""

from __future__ import annotations

import pytest

from tests.e2e.acting import OBJECTIVE
from tests.e2e.real.agents import program
from tests.e2e.real.desk import PATIENCE_S, UNTRUSTED, Desk, connected_to_codex
from tests.e2e.real.dialects import Turn
from tests.waiting import until

pytestmark = pytest.mark.skipif(program("codex") is None, reason="Codex is not there")


@pytest.fixture
def here(at: Desk) -> Desk:
    at.set_up("[continue]\non = false\n")
    return connected_to_codex(at)


def test_after_a_compaction_it_is_told_the_goal_again(here: Desk) -> None:
    codex, app = here.codex(UNTRUSTED), here.server.app(110, 36)
    for at in range(2):
        here.model.will(Turn(f"I know {at}."))
        here.prompts(codex, f"Do you know {at}?")
        codex.sees(f"I know {at}.")
        here.until_idle()
    here.model.will(Turn("A summary."))
    here.prompts(codex, "/compact")
    codex.until(lambda text: "ompacted" in text, PATIENCE_S)
    here.prompts(codex, "And what is it now?")
    told = here.model.asked_with("And what is it now?").words()
    assert "I know 1." not in told
    assert told.count(OBJECTIVE) >= 1
    (cut,) = until(lambda: here.events("context.compacted"), PATIENCE_S)
    assert cut["payload"]["trigger"] == "manual"
    assert cut["payload"]["before"] == cut["payload"]["after"] != ""
    assert cut["payload"]["injected"]
    app.key("6")
    app.until(lambda text: "compact" in text.lower(), PATIENCE_S)
