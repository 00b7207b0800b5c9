"""One audit from its plan to its report: look, run, ask, judge. An edge.

Nothing is recorded here: whoever starts an audit records what it came to.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple, Protocol

from ppgp_tui.audit import command
from ppgp_tui.audit.answer import read_answer
from ppgp_tui.audit.judge import KEPT, Ran, how_it_ended, judge
from ppgp_tui.audit.looking import LARGEST, gather
from ppgp_tui.audit.model import Answer, AuditPlan, Check, Found, Isolation, Outcome
from ppgp_tui.audit.prompt import asked, prompt
from ppgp_tui.audit.quotes import is_claim, with_quotes_checked
from ppgp_tui.audit.sandbox import Limits
from ppgp_tui.audit.verdict import mechanical
from ppgp_tui.audit.words import shown_by
from ppgp_tui.session.files.reading import CannotReadError, read_inside
from ppgp_tui.session.picture.audit_state import Running
from ppgp_tui.session.text import safe

TAIL: Final = 8
"""Lines of a running command that are shown."""
_TOLD_S: Final = 0.2
_HEARD: Final = 8 * 1024
"""Bytes of its output that are looked at for that."""
_LINE: Final = 500
"""Characters of a line; one may have no end."""


class Auditor(Protocol):
    """Somebody who answers a prompt."""

    def ask(
        self,
        text: str,
        *,
        on_output: Callable[[bytes], None],
        cancelled: Callable[[], bool],
    ) -> Ran:
        """Ask and wait for the answer."""
        ...


class Findings(NamedTuple):
    """What an audit found out, before it is judged."""

    found: tuple[Found, ...]
    answer: Answer | None
    isolation: Isolation
    cancelled: bool = False


class Audit:
    """An audit under way; its progress is told as it goes."""

    def __init__(
        self,
        root: Path,
        plan: AuditPlan,
        *,
        limits: Limits,
        network: bool = False,
        auditor: Auditor | None,
        clock: Callable[[], int],
        tell: Callable[[Running], None],
        cancelled: Callable[[], bool],
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        """`limits` are those of one command, but for the time, which is that of the whole audit.

        `tell` is called from the thread that runs it.
        """
        self.root = root
        self.plan = plan
        self.limits = limits
        self.network = network
        self.auditor = auditor
        self.clock = clock
        self.cancelled = cancelled
        self._tell = tell
        self._environ = environ
        self._ran: dict[str, Ran] = {}
        self._began = monotonic()
        self._told = 0.0
        self._heard = b""
        self._unsaid = False
        self._progress = Running(
            started_ms=clock(),
            limit_s=int(limits.seconds),
            stage="planning",
            states={one.id: "queued" for one in plan.criteria},
            checks=sum(not one.left_out for one in plan.checks),
            isolation=command.isolation(),
        )

    def run(self) -> Findings:
        """Make every check, then ask the auditor; a cancelled audit returns what it has."""
        self._say(stage="checking")
        facts = gather(self.root, self.plan)
        found: dict[str, Found] = {}
        for check in self.plan.checks:
            if check.left_out or self.cancelled():
                continue
            self._running(check)
            if check.argv:
                self._ran[check.id] = self._run(check)
            found.update((one.check, one) for one in judge([check], facts, self._ran))
            self._found(check, found)
        answer = None
        if self.auditor is not None and not self.cancelled():
            answer = self._asked(self.auditor, tuple(found.values()))
        self._say(stage="recording", check="", command="", output=())
        return Findings(tuple(found.values()), answer, self._isolation(), self.cancelled())

    # --- commands ------------------------------------------------------------------------------

    def _run(self, check: Check) -> Ran:
        left = self._left()
        if left <= 0:
            return command.unborn(check.argv, "the time of the whole audit was over")
        return command.run(
            self.root, check.argv, self.limits._replace(seconds=left), self._environ,
            network=self.network, on_output=self._output, cancelled=self._is_over,
        )  # fmt: skip

    def _left(self) -> float:
        """Seconds that are left of the audit's time."""
        return self.limits.seconds - (monotonic() - self._began)

    def _isolation(self) -> Isolation:
        return command.isolation() if self._ran or self.auditor is not None else "bubblewrap"

    # --- the auditor ---------------------------------------------------------------------------

    def _asked(self, auditor: Auditor, found: tuple[Found, ...]) -> Answer:
        token = secrets.token_hex(8)
        self._heard = b""
        self._say(stage="asking", check="auditor", command=" ".join(self.plan.auditor),
                  command_ms=self.clock(), output=())  # fmt: skip
        ran = auditor.ask(
            prompt(self.plan, found, token), on_output=self._output,
            cancelled=lambda: self._is_over() or self._left() <= 0,
        )  # fmt: skip
        if ran.ended == "cancelled" and not self.cancelled():
            ran = ran._replace(ended="time", why="the time of the whole audit was over")
        if ran.ended != "exited" or ran.code:
            return Answer(False, how_it_ended(ran), text=safe(ran.output[-KEPT:]))
        ids = [one.id for one in asked(self.plan)]
        answer = read_answer(ran.output, ids, token)
        claimed = self._text_of(self.plan.document) if self.plan.document else None
        return with_quotes_checked(answer, self._evidence, claimed or "")

    def _evidence(self, path: str) -> str | None:
        """The text that an auditor may quote; claims are none: the document, the plan, the log."""
        if path.startswith("output:"):
            ran = self._ran.get(path.removeprefix("output:"))
            return ran.output if ran is not None else None
        if is_claim(path, self.plan.document) or is_claim(self._real(path), self.plan.document):
            return None
        return self._text_of(path)

    def _real(self, path: str) -> str:
        """Where `path` leads, relative to the root: a link is what it leads to."""
        return os.path.relpath(os.path.realpath(self.root / path), os.path.realpath(self.root))

    def _text_of(self, path: str) -> str | None:
        try:
            found = read_inside(self.root, path, LARGEST)
        except CannotReadError:
            return None
        return found.data.decode("utf-8", "replace") if found is not None else None

    # --- progress ------------------------------------------------------------------------------

    def _say(self, **changed: object) -> None:
        self._progress = self._progress._replace(**changed)  # type: ignore[arg-type]
        self._told = monotonic()
        self._unsaid = False
        self._tell(self._progress)

    def _running(self, check: Check) -> None:
        states = dict(self._progress.states)
        for criterion in check.criteria:
            if states.get(criterion) == "queued":
                states[criterion] = "running"
        self._heard = b""
        self._say(states=states, check=check.id, command=" ".join(check.argv) or check.says,
                  command_ms=self.clock(), command_limit_s=max(0, int(self._left())) if check.argv
                  else None, output=())  # fmt: skip

    def _found(self, last: Check, found: Mapping[str, Found]) -> None:
        """A criterion is decided, as far as checks can, when its last check is made."""
        states = dict(self._progress.states)
        evidence = dict(self._progress.evidence)
        for criterion in self.plan.criteria:
            if criterion.id not in last.criteria:
                continue
            about = [one for one in self.plan.checks if criterion.id in one.criteria]
            if all(one.left_out or one.id in found for one in about):
                outcome: Outcome = mechanical(criterion, self.plan, found)[0]
                states[criterion.id] = outcome
                evidence[criterion.id] = shown_by(criterion, self.plan, found)
        self._say(states=states, evidence=evidence, done=len(found))

    def _output(self, data: bytes) -> None:
        self._heard = (self._heard + data)[-_HEARD:]
        lines = safe(self._heard.decode("utf-8", "replace")).splitlines()[-TAIL:]
        self._progress = self._progress._replace(output=tuple(line[:_LINE] for line in lines))
        self._unsaid = True
        self._is_over()

    def _is_over(self) -> bool:
        """Whether the audit was cancelled; asked many times a second while a program runs."""
        if self._unsaid and monotonic() - self._told >= _TOLD_S:
            self._say()
        return self.cancelled()
