"""All seven checks of one repository at once."""

from __future__ import annotations

from ppgp_tui.gasp.checks import append_only
from ppgp_tui.gasp.checks.append_only import History
from ppgp_tui.gasp.checks.log import LogChecks
from ppgp_tui.gasp.checks.report import Report, join
from ppgp_tui.gasp.checks.repository import AgentRepository


def check(repository: AgentRepository, history: History, *, fixture: bool = False) -> Report:
    """Return the report on a repository and its history.

    `fixture`: also assert the graph that the protocol's own example must give.
    """
    checks = LogChecks()
    if isinstance(repository.log, bytes):
        checks.feed(repository.log)
    results = checks.results(repository, fixture=fixture)
    return join((*results, append_only.result(history)))
