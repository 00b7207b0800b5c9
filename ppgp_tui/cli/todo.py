"""`ppgp-tui todo`: the plan as it is recorded, replaced whole, with its history."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ppgp_tui.cli.acting import acts, text_of

if TYPE_CHECKING:
    from ppgp_tui.pi.plan import TodoState
    from ppgp_tui.session.engine.engine import Engine
    from ppgp_tui.session.engine.result import Result


@click.group("todo")
def todo() -> None:
    """Read, replace and compare the plan."""


@todo.command("get")
@acts(example="ppgp-tui todo get --json | jq .data.state > plan.json")
def get(engine: Engine) -> Result:
    """Print the recorded plan and its revision."""
    from ppgp_tui.pi.plan import render_todo, state_json
    from ppgp_tui.session.actions.recorded import recorded
    from ppgp_tui.session.engine.plans import plan_of

    seen = recorded(engine)
    state = plan_of(seen.ledger)
    edited = seen.plan_file.state in ("edited", "damaged")
    data = {"state": state_json(state), "hand_edit": edited}
    return seen.result("todo.get", render_todo(state), data)


@todo.command("set")
@click.argument("file", default="-")
@click.option("--dry-run", is_flag=True, help="Say what would come of it; change nothing.")
@click.option("--against", metavar="STATE.json", help="With --dry-run: the plan it meets.")
@acts(
    example="ppgp-tui todo set plan.json\nppgp-tui todo set --dry-run --json < plan.json",
)
def set_(engine: Engine, file: str, dry_run: bool, against: str | None) -> Result:
    """Replace the plan by the call in FILE, or on standard input.

    The call is {"baseRevision": 3, "tasks": [{"key", "subject", "status", "description",
    "dependsOn"}, …], "remove": [{"key", "reason"}, …]}; of an empty plan baseRevision is 0. A
    status is pending, in_progress or completed. A task that is not done must be kept or removed
    with a reason. Exit code 3: the plan is at another revision, or was edited by hand.
    """
    if against is not None and not dry_run:
        raise click.UsageError("--against needs --dry-run")
    call = _json_in(file)
    if dry_run:
        _try(engine, call, against)
    from ppgp_tui.session.actions import plan

    result = plan.revise(engine, call)
    hint = "" if result.ok else _incomplete(call)
    return replace(result, message=hint) if hint else result


@todo.command("history")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the newest N.")
@acts(example="ppgp-tui todo history --limit 5")
def history(engine: Engine, limit: int | None) -> Result:
    """Print every revision of the plan: when, by whom, what changed and why tasks left.

    They come from the log; where it holds no plan, from the Pi session of this repository or from
    the commits of todo.json, and the first line says so.
    """
    from ppgp_tui.cli.plan_history import revisions

    return revisions(engine, limit)


@todo.command("diff")
@click.argument("a", required=False)
@click.argument("b", required=False)
@acts(example="ppgp-tui todo diff 3 7")
def diff(engine: Engine, a: str | None, b: str | None) -> Result:
    """Print what changed in the plan from revision A to revision B.

    Without B: from A to the newest. Without both: what somebody edited in todo.json by hand, else
    what the newest revision changed. The word "file" stands for todo.json as it is.
    """
    from ppgp_tui.cli.plan_history import difference

    return difference(engine, a, b)


@todo.command("blame")
@click.argument("key")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Only the newest N.")
@acts(example="ppgp-tui todo blame T8")
def blame(engine: Engine, key: str, limit: int | None) -> Result:
    """Print who changed the task KEY, when and in which revision, the newest change first."""
    from ppgp_tui.cli.plan_history import blamed

    return blamed(engine, key, limit)


@todo.command("adopt")
@click.option("--drop", is_flag=True, help="Put the recorded plan back; the edit is kept aside.")
@acts(example="ppgp-tui todo diff && ppgp-tui todo adopt")
def adopt(engine: Engine, drop: bool) -> Result:
    """Record a todo.json that was edited by hand as the next revision."""
    from ppgp_tui.session.actions import plan

    return plan.adopt(engine, drop=drop)


def _try(engine: Engine, call: Any, against: str | None) -> NoReturn:
    """Print what the rules say to `call`, and exit: 0 accepted, 1 refused."""
    import sys

    from ppgp_tui.cli.json_text import json_text
    from ppgp_tui.cli.out import write
    from ppgp_tui.pi.mutation import Accepted, Refused, apply_call
    from ppgp_tui.pi.plan import Limits, state_json
    from ppgp_tui.session.text import safe

    limits = Limits(engine.settings.plan_max_tasks, engine.settings.plan_max_bytes)
    given, state = _plan_met(engine, against)
    outcome = apply_call(state, call, limits)
    accepted = not isinstance(outcome, Refused)
    if click.get_current_context().params["as_json"]:
        after = state_json(outcome.state) if isinstance(outcome, Accepted) else given
        write(json_text({"ok": accepted, "text": outcome.text, "state_after": after}))
    elif accepted:
        write(f"{safe(outcome.text)}\n")
    else:
        click.echo(f"ppgp-tui: {safe(_incomplete(call) or outcome.text)}", err=True)
    sys.exit(0 if accepted else 1)


def _incomplete(call: Any) -> str:
    """What a person left out of the call, where the rules only say that it does not fit."""
    from ppgp_tui.pi.plan import STATUSES
    from ppgp_tui.session.text import one_line

    tasks = call.get("tasks") if isinstance(call, dict) else None
    allowed = f"{', '.join(STATUSES[:-1])} or {STATUSES[-1]}"
    for number, task in enumerate(tasks if isinstance(tasks, list) else (), 1):
        if not isinstance(task, dict):
            return f'task {number} is no object: {{"key", "subject", "status"}}'
        missing = [name for name in ("key", "subject", "status") if name not in task]
        if missing:
            about = f"; status is {allowed}" if "status" in missing else ""
            return f"task {number} has no {' and no '.join(missing)}{about}"
        if task["status"] not in STATUSES:
            return one_line(f"task {number}: status is {allowed}, not {task['status']}")
    return ""


def _plan_met(engine: Engine, against: str | None) -> tuple[Any, TodoState]:
    """The plan that a trial call meets, as it was given and as it is read."""
    from ppgp_tui.pi.plan import read_state, state_json
    from ppgp_tui.session.actions.recorded import recorded
    from ppgp_tui.session.engine.folds import NO_LIMITS
    from ppgp_tui.session.engine.plans import plan_of
    from ppgp_tui.session.text import one_line

    if against is None:
        recorded_plan = plan_of(recorded(engine).ledger)
        return state_json(recorded_plan), recorded_plan
    given = _json_in(against)
    state = read_state(given, NO_LIMITS)
    if state is None:
        raise click.UsageError(
            f'{one_line(against)} is no plan: {{"schemaVersion": 1, "revision": 0, "tasks": []}}'
        )
    return given, state


def _json_in(file: str) -> Any:
    """The JSON value in `file`; `-` is standard input. Raises `click.UsageError` with the place."""
    from ppgp_tui.session.text import one_line

    if file == "-":
        name, text = "standard input", text_of("-")
    else:
        name = one_line(file)
        try:
            text = Path(file).read_text("utf-8-sig")
        except OSError as error:
            raise click.UsageError(f"{name}: {(error.strerror or str(error)).lower()}") from None
        except UnicodeDecodeError as error:
            raise click.UsageError(f"{name} is not UTF-8: {error.reason}") from None
    try:
        return json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        said = error.msg[:1].lower() + error.msg[1:]
        raise click.UsageError(f"{name} is not JSON: {said} ({place})") from None
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"{name} is not JSON: {error}") from None


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")
