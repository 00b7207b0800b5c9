"""One module for each agent that can be connected; `adapter` finds it by our name of the agent."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from ppgp_tui.agents.adapters.shape import Adapter

NAMES: Final = ("claude", "codex")
"""Agents there is an adapter for, each in the module of its name."""


def adapter(name: str) -> Adapter | None:
    """The adapter of an agent; None where there is none."""
    if name not in NAMES:
        return None
    found: Adapter = import_module(f"ppgp_tui.agents.adapters.{name}").ADAPTER
    return found
