"""Slices of a real log in the fixture repository give what the protocol's checker printed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.gasp.checks.agent_repository import LOG, AgentRepository
from tests.gasp.checks.said import Said
from tests.gasp.logs import real


@pytest.mark.parametrize("name", ["head400", "tail400"])
def test_the_lines_are_the_recorded_ones(
    name: str, repo: AgentRepository, said: Callable[..., Said]
) -> None:
    recorded = real(f"{name}.stdout.txt").read_text("utf-8").splitlines()
    repo.write(LOG, real(f"{name}.jsonl").read_bytes())
    repo.commit()
    assert said().lines == recorded[1:]
