"""`goal-verified`: a restart loop is done when an audit has verified the goal. An edge.

Never by asking the agent, and never by asking a person: a claim without a verdict is audited here,
through the same door as `ppgp-tui audit` and with the commands that a person has let run before.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from typing import Final

from ppgp_tui.audit import whole
from ppgp_tui.audit.recording import CannotAuditError
from ppgp_tui.audit.underway import BusyError
from ppgp_tui.persist.condition import Over, never
from ppgp_tui.persist.surroundings import Need
from ppgp_tui.pi.javascript import cut
from ppgp_tui.session.actions import objections
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.looping.verified import still_fits, undecided, verified, waits_for_audit
from ppgp_tui.session.picture.audit_report import CANNOT_CHECK
from ppgp_tui.session.sources.audit import running_now
from ppgp_tui.session.text import one_line

_COMMAND: Final = "ppgp-tui persist iterate"
_POLL_S: Final = 0.2
_SHOWN: Final = 3
_LINE_MOST: Final = 200
_OVER_S: Final = 60.0
"""An audit may take so long beside what it looks at: it is given up later than its own limit."""


class GoalVerified:
    """The condition of one loop. Calling it says why it holds, or None."""

    def __init__(
        self,
        engine: Callable[[], Engine],
        goal: str | None,
        *,
        may_audit: bool,
        note: Callable[[str], None],
    ) -> None:
        """`engine` gives one with the settings as they are; `goal` is the id in the log.

        `may_audit`: whoever started the loop may start audits too. `note` gets what happens, in
        one line.
        """
        self._engine = engine
        self._goal = goal
        self._may_audit = may_audit
        self._note = note
        self._has_run = False
        self._before: str | None = None
        """What could not be decided before the loop began: it began all the same."""
        self._need: Need | None = None
        self._unknown: list[tuple[str, ...]] = []
        """Commands of the last audit that may not run."""

    def run_begins(self) -> None:
        """From now on a claim is audited; a look before the first run begins nothing."""
        if not self._has_run:
            with suppress(RefusalError):
                self._before = undecided(self._engine(), self._goal)
        self._has_run = True

    def needs(self) -> Need | None:
        """What the last audit could not decide, until there is another verdict or a claim.

        A verdict that something moved away from asks nobody: the next run can claim anew.
        """
        with suppress(RefusalError, OSError, ValueError):  # else as it was at the last look
            engine = self._engine()
            found = undecided(engine, self._goal)
            if found is None or found == self._before:
                self._need = None
            elif self._need is None or self._need.id != found:
                is_asked = still_fits(engine, self._goal)
                self._need = _to_decide(engine, found) if is_asked else None
        return self._need

    def look_ahead(self) -> None:
        """Say now, while a person may be there, which commands an audit would have to leave out."""
        with suppress(CannotAuditError):
            engine = self._engine()
            self._unknown = whole.untrusted(engine, whole.planned_for(engine))
            if self._unknown:
                self._note(_not_let(self._unknown))

    def __call__(self, over: Over = never) -> str | None:
        """Why the goal is verified now, such as `verdict eval_… approved`; audits an open claim.

        Once it is `over`, an audit that has begun is cancelled.
        """
        try:
            engine = self._engine()
            why = verified(engine, self._goal)
            if why is not None or not (self._may_audit and self._has_run):
                return why
            _wait_for_another(engine, over)
            if waits_for_audit(engine, self._goal) and not over():
                self._audit(engine, over)
            return verified(engine, self._goal)
        except RefusalError as refusal:
            self._note(f"the goal's verdict cannot be known: {refusal.refused.message}")
        except (CannotAuditError, BusyError) as error:
            self._note(f"the claim was not audited: {error}")
        except (OSError, ValueError) as error:
            self._note(f"the claim was not audited: {getattr(error, 'strerror', None) or error}")
        return None

    def _audit(self, engine: Engine, over: Over) -> None:
        plan = whole.planned_for(engine)
        limit_s = engine.settings.audit_timeout_s
        self._note(f"the goal is claimed: an audit of at most {limit_s} s begins")
        unknown = whole.untrusted(engine, plan)
        if unknown and unknown != self._unknown:
            self._note(_not_let(unknown))
        self._unknown = unknown
        ended = whole.make(engine, plan, cancelled=over, command=_COMMAND)
        if ended.verdict is None or not ended.result.ok:
            self._note(f"the audit came to nothing: {ended.result.message}")
            return
        why = f": {ended.verdict.why}" if ended.verdict.why else ""
        more = "" if ended.verdict.word.startswith("approved") else "; see ppgp-tui audit --history"
        self._note(f"the audit's verdict: {ended.result.message}{why}{more}")


def _to_decide(engine: Engine, eval_id: str) -> Need:
    lines = objections.undecided(engine, eval_id)
    what = cut(lines[0].removeprefix(f"- {CANNOT_CHECK}"), _LINE_MOST) if lines else ""
    more = f" (and {len(lines) - 1} more)" if len(lines) > 1 else ""
    how = "take it in the app with A and y, or with ppgp-tui audit --take CRITERION=WHY"
    why = "the audit could not decide" + (f": {what}{more}" if what else "")
    return Need(eval_id, why, how, may_be_done=True)


def _not_let(unknown: list[tuple[str, ...]]) -> str:
    shown = ", ".join(one_line(shlex.join(argv)) for argv in unknown[:_SHOWN])
    more = f" and {len(unknown) - _SHOWN} more" if len(unknown) > _SHOWN else ""
    noun = "these commands" if len(unknown) > 1 else "this command"
    return (
        f"audits leave {noun} out, {whole.NOT_LET} (ppgp-tui audit asks, at a terminal):"
        f" {shown}{more}"
    )


def _wait_for_another(engine: Engine, over: Over) -> None:
    """Until the audit that is under way is over: a claim may have begun one by itself."""
    until = monotonic() + engine.settings.audit_timeout_s + _OVER_S
    while running_now(engine.root) is not None and monotonic() < until and not over():
        sleep(_POLL_S)
