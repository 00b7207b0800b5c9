"""`ppgp-tui audit`: is it really done? Plan, checks, auditor, verdict."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ppgp_tui.cli.options import path_argument, root_option

if TYPE_CHECKING:
    from ppgp_tui.audit.model import AuditPlan
    from ppgp_tui.audit.whole import Ended
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Code
    from ppgp_tui.session.picture.audit_state import Running

EXIT: Final = {"approved": 0, "approved_with_notes": 0, "rejected": 1, "inconclusive": 3}
STALE: Final = 3


@click.command("audit")
@path_argument
@root_option
@click.option("--mechanical", is_flag=True, help="Checks alone, without an auditor.")
@click.option("--plan", "plan_only", is_flag=True, help="Print what would be looked at, and end.")
@click.option("--watch", is_flag=True, help="Follow the audit under way, then end.")
@click.option("--cancel", is_flag=True, help="End the audit under way.")
@click.option("--history", is_flag=True, help="Print every claim and what became of it.")
@click.option(
    "--leave-out", multiple=True, metavar="CHECK=WHY", help="Leave a check out; the report says so."
)
@click.option(
    "--run", "more", multiple=True, metavar="[CRITERION:]COMMAND", help="Run one command more."
)
@click.option(
    "--take", multiple=True, metavar="CRITERION=WHY",
    help="Take what nothing here can check as done (yours alone).",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def audit(
    path: Path | None,
    root: Path | None,
    mechanical: bool,
    plan_only: bool,
    watch: bool,
    cancel: bool,
    history: bool,
    leave_out: tuple[str, ...],
    more: tuple[str, ...],
    take: tuple[str, ...],
    as_json: bool,
) -> None:
    """Find out whether the goal is done, independently of who says so.

    Compares what the goal document claims with the repository, runs the commands that prove it in
    a sandbox, and asks the auditor of your settings. A command runs only after a person has let
    that very command run here once. Ends with 0 verified, 1 rejected, 3 inconclusive or stale.

    An agent may start one only where audit.on_claim is true, and never change its plan.

    \b
    Example:
      ppgp-tui audit --plan
      ppgp-tui audit --mechanical --run "dod:3:pytest -q tests/resume"
    """  # noqa: D301 - click wants the character
    from ppgp_tui.audit.plan import PlanEditError
    from ppgp_tui.audit.recording import CannotAuditError
    from ppgp_tui.audit.underway import BusyError
    from ppgp_tui.session.files.root import RootError
    from ppgp_tui.session.journal import RefusalError

    try:
        engine = _engine(path, root)
        if history:
            from ppgp_tui.cli.audit_history import print_history

            sys.exit(print_history(engine, as_json=as_json))
        if watch:
            sys.exit(_watch(engine.root))
        edits = mechanical or bool(leave_out or more or take)
        if not plan_only:
            _must_be_allowed(engine, more_than_start=edits or cancel)
        if cancel:
            sys.exit(_cancel(engine.root))
        if take:
            _must_be_a_person(engine)
        code = _audit(engine, mechanical, plan_only, leave_out, more, _pairs(take), as_json=as_json)
    except RefusalError as refusal:
        code = _refused(refusal.refused.code, refusal.refused.message, as_json)
    except BusyError as error:
        code = _refused("busy", str(error), as_json)
    except (CannotAuditError, PlanEditError, RootError) as error:
        code = _refused("refused", str(error), as_json)
    except OSError as error:
        said = f"{error.filename or 'the disk'}: {error.strerror or error}"
        code = _refused("disk", said, as_json)
    sys.exit(code)


def _refused(code: Code, message: str, as_json: bool) -> int:
    from ppgp_tui.cli.acting import report
    from ppgp_tui.session.engine.result import Result
    from ppgp_tui.session.text import one_line

    result = Result("audit", code, one_line(message))
    report(result, as_json=as_json)
    return result.exit_code


def _audit(
    engine: Engine,
    mechanical: bool,
    plan_only: bool,
    leave_out: tuple[str, ...],
    more: tuple[str, ...],
    take: dict[str, str],
    *,
    as_json: bool,
) -> int:
    from ppgp_tui.audit import whole
    from ppgp_tui.cli.audit_text import plan_lines
    from ppgp_tui.cli.json_text import json_text
    from ppgp_tui.cli.out import write

    plan = _edited(whole.planned_for(engine, mechanical=mechanical), leave_out, more)
    if plan_only:
        from ppgp_tui.audit.report import plain

        lines = plan_lines(plan, whole.untrusted(engine, plan))
        write(json_text(plain(plan)) if as_json else "\n".join(lines) + "\n")
        return 0
    if not as_json:
        write("\n".join(plan_lines(plan)) + "\n")
    plan = _trusted(engine, plan)
    ended = whole.make(engine, plan, taken=take, tell=_Telling(engine, quiet=as_json))
    return _told(ended, as_json=as_json)


def _edited(plan: AuditPlan, leave_out: tuple[str, ...], more: tuple[str, ...]) -> AuditPlan:
    from ppgp_tui.audit import plan as planning

    for check, why in _pairs(leave_out).items():
        plan = planning.leave_out(plan, check, why)
    known = {criterion.id for criterion in plan.criteria}
    for said in more:
        parts = said.split(":", 2)
        named = ":".join(parts[:2]) if len(parts) == 3 else ""
        about, line = ([named], parts[2]) if named in known else ([], said)
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise planning.PlanEditError(f"{line} is no command: {error}") from None
        plan = planning.add_command(plan, words, about)
    return plan


def _pairs(said: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for one in said:
        name, equals, why = one.partition("=")
        if not equals or not name.strip() or not why.strip():
            raise click.BadParameter(f"{one!r}: write it as ID=WHY")
        found[name.strip()] = why.strip()
    return found


def _trusted(engine: Engine, plan: AuditPlan) -> AuditPlan:
    """The plan with every command that a person lets run; the others are left out."""
    from ppgp_tui.audit import whole
    from ppgp_tui.cli.audit_text import command_words

    unknown = whole.untrusted(engine, plan)
    if not unknown:
        return plan
    if _may_ask(engine):
        allowed = []
        for argv in unknown:
            text = f"Run {command_words(argv)} here, now and in later audits?"
            if click.confirm(text, default=False, err=True):
                allowed.append(argv)
        whole.trust(engine, allowed)
    return whole.without_untrusted(engine, plan)


def _must_be_allowed(engine: Engine, *, more_than_start: bool) -> None:
    """An agent starts audits only where the person's settings let claims begin them."""
    from ppgp_tui.session.authority import identity
    from ppgp_tui.session.journal import RefusalError

    why = identity.refuse_reason(
        _environ(), identity.ancestors_now(), identity.recorded_agents(engine.root),
        terminal=False, granting=False, scripted=False,
    )  # fmt: skip
    if why and (more_than_start or not engine.settings.audit_on_claim):
        raise RefusalError("refused", why)


def _may_ask(engine: Engine) -> bool:
    from ppgp_tui.session.authority import identity

    return (
        identity.refuse_reason(
            _environ(), identity.ancestors_now(), identity.recorded_agents(engine.root),
            terminal=sys.stdin is not None and sys.stdin.isatty(), granting=True, scripted=False,
        )
        is None
    )  # fmt: skip


def _must_be_a_person(engine: Engine) -> None:
    from ppgp_tui.session.authority import identity
    from ppgp_tui.session.journal import RefusalError

    why = identity.refuse_reason(
        _environ(), identity.ancestors_now(), identity.recorded_agents(engine.root),
        terminal=sys.stdin is not None and sys.stdin.isatty(), granting=True,
        scripted=engine.settings.authority_scripted,
    )  # fmt: skip
    if why:
        raise RefusalError("refused", why)


class _Telling:
    """Says how far it is on standard error, once for each command."""

    def __init__(self, engine: Engine, *, quiet: bool) -> None:
        self._engine = engine
        self._quiet = quiet
        self._last = ""

    def __call__(self, progress: Running) -> None:
        from ppgp_tui.cli.audit_text import progress_line

        if (
            self._quiet
            or progress.check == self._last
            or progress.stage not in ("checking", "asking")
        ):
            return
        self._last = progress.check
        click.echo(progress_line(progress, self._engine.clock()), err=True)


def _told(ended: Ended, *, as_json: bool) -> int:
    from ppgp_tui.cli.audit_text import verdict_lines
    from ppgp_tui.cli.json_text import json_text
    from ppgp_tui.cli.out import write
    from ppgp_tui.session.text import one_line

    if as_json:
        write(json_text({**ended.result.as_json(), "report": ended.report}))
    elif ended.verdict is not None:
        write("\n".join(verdict_lines(ended.plan, ended.verdict)) + "\n")
    if not ended.result.ok:
        click.echo(f"ppgp-tui: {one_line(ended.result.message)}", err=True)
        return ended.result.exit_code
    if ended.result.code == "unchanged":
        click.echo(one_line(ended.result.message), err=True)
    if ended.verdict is None:
        return STALE
    return STALE if ended.verdict.stale else EXIT[ended.verdict.word]


def _watch(root: Path) -> int:
    from time import sleep, time_ns

    from ppgp_tui.cli.audit_text import progress_line
    from ppgp_tui.cli.out import write
    from ppgp_tui.session.sources.audit import running_now

    last: Any = None
    progress = running_now(root)
    if progress is None:
        click.echo("no audit is under way here", err=True)
        return 0
    while progress is not None:
        told = (progress.check, progress.stage, progress.done)
        if told != last and not write(progress_line(progress, time_ns() // 1_000_000) + "\n"):
            return 0
        last = told
        sleep(0.2)
        progress = running_now(root)
    write("the audit is over\n")
    return 0


def _cancel(root: Path) -> int:
    from ppgp_tui.audit.underway import cancel

    if cancel(root):
        click.echo("the audit is asked to end", err=True)
        return 0
    click.echo("no audit is under way here", err=True)
    return 1


def _engine(path: Path | None, root: Path | None) -> Engine:
    from ppgp_tui.cli.aim import aim
    from ppgp_tui.session.authority import identity
    from ppgp_tui.session.engine.engine import Engine

    found = aim(Path.cwd(), path, root, _environ()).root
    above, agents = identity.ancestors_now(), identity.recorded_agents(found)
    return Engine(found, identity.acting(_environ(), above, agents))


def _environ() -> dict[str, str]:
    import os

    return dict(os.environ)
