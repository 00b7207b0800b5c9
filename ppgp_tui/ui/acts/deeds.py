"""What a person wants done, as values: the seat makes them, the engine does them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from ppgp_tui.session.engine.result import Result

if TYPE_CHECKING:
    from ppgp_tui.audit.model import AuditPlan


class Hold(NamedTuple):
    """Let every agent wait before its next call, or one.

    `generation` is that of the order on screen.
    """

    generation: int | None
    session: str | None = None


class Release(NamedTuple):
    """Let every held call go on, or those of one agent that is held alone."""

    generation: int | None
    session: str | None = None


class StopTurn(NamedTuple):
    """Let the turn of an agent end at its next hook point."""

    session: str


class Note(NamedTuple):
    """Tell an agent something at its next hook point."""

    session: str
    text: str


class Freeze(NamedTuple):
    """Stop an agent's processes where they are."""

    session: str


class Thaw(NamedTuple):
    """Let frozen processes go on."""

    session: str


class Kill(NamedTuple):
    """End an agent's processes."""

    session: str


class OpenPane(NamedTuple):
    """Go to the window an agent runs in."""

    pane: str
    pid: int | None


class Connect(NamedTuple):
    """Put our hooks into the settings of the installed agents; without `shown` only look."""

    shown: str = ""


class Answer(NamedTuple):
    """Answer a request as it was painted."""

    request: str
    digest: str
    option: str | None = None
    text: str | None = None
    note: str | None = None


class TakeBack(NamedTuple):
    """Take an answer back that nobody has received yet."""

    request: str


class Edit(NamedTuple):
    """Open a file outside the repository in the person's editor; the app does that itself."""

    path: str
    line: int


class NewGoal(NamedTuple):
    """Make a goal; it is active at once."""

    objective: str


class Tweak(NamedTuple):
    """Give the goal another objective."""

    objective: str


class Block(NamedTuple):
    """Say, with proof, that the goal cannot go on."""

    blocker: str
    evidence: str
    why: str
    until: str


class Unblock(NamedTuple):
    """Let a paused or blocked goal go on."""


class Abandon(NamedTuple):
    """Give the goal up."""

    reason: str


class Adopt(NamedTuple):
    """Record the plan that was edited by hand, or put the recorded one back (`drop`)."""

    drop: bool = False


class Restore(NamedTuple):
    """Put recorded events back that something took out of the log."""


class Init(NamedTuple):
    """Make a session in this repository, or only find out what that would create (`dry_run`)."""

    dry_run: bool = False


class PlanAudit(NamedTuple):
    """Find out what an audit would look at; nothing runs."""


class StartAudit(NamedTuple):
    """Make the audit of `plan` and record its verdict; lasts as long as that takes.

    `trusts` are the commands that the person lets run here from now on.
    """

    plan: AuditPlan
    trusts: tuple[tuple[str, ...], ...]


class CancelAudit(NamedTuple):
    """End the audit under way, whoever makes it."""


class Take(NamedTuple):
    """Take a criterion as done that nothing can check; `digest` is that of the report."""

    eval: str
    digest: str
    criterion: str
    reason: str


class Close(NamedTuple):
    """Close the goal, or only find out what that would do (`dry_run`).

    `override` is why the person closes one that is not verified.
    """

    override: str | None = None
    dry_run: bool = False


class PauseLoop(NamedTuple):
    """Order a restart loop to rest between two runs; its agents are held meanwhile."""

    loop: str


class ResumeLoop(NamedTuple):
    """Let a restart loop go on."""

    loop: str


class AbandonLoop(NamedTuple):
    """Close a restart loop for good, and end its runner."""

    loop: str
    reason: str


class CloseOrphan(NamedTuple):
    """Close a restart loop that nobody runs any more."""

    loop: str


class StartLoop(NamedTuple):
    """Start a restart loop: `persist iterate` with these options."""

    options: tuple[str, ...]


class Leave(NamedTuple):
    """End the app, and the audits it makes; the app does that itself."""


class MendHold(NamedTuple):
    """Give the order to hold again, which was lost. Nobody asks for it: it is put right."""


class MendFiles(NamedTuple):
    """Write the files of open requests again, which were deleted."""


class Flush(NamedTuple):
    """Append to the log what had to wait while somebody else held it."""


Typed = NewGoal | Tweak | Block | Abandon | Note | AbandonLoop | StartLoop
"""What words were typed for; they are kept until it is done."""
Mending = MendHold | MendFiles | Flush
"""What the app does by itself, because something was lost or had to wait."""
PersonsDeed = (
    Hold | Release | Answer | TakeBack | NewGoal | Tweak | Block | Unblock | Abandon | Adopt
    | Restore | Init | StopTurn | Note | Freeze | Thaw | Kill
)  # fmt: skip


class Share(NamedTuple):
    """Write down what is to be given away; the app itself does it, in a folder of the user's."""

    what: Literal["screen", "report", "bug"]


OfLoop = PauseLoop | ResumeLoop | AbandonLoop | CloseOrphan | StartLoop
OfAudit = PlanAudit | StartAudit | CancelAudit | Take | Close
AtLength = PlanAudit | StartAudit
"""What takes long, so that no other deed waits for it."""
Outward = OpenPane | Connect
"""What a person wants done outside the session."""
Deed = PersonsDeed | OfAudit | OfLoop | Outward | Mending | Share
Doer = Callable[[Deed], Result]
"""Does a deed and says how it went; may take a second, so it runs beside the screen."""
