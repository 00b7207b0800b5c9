"""`ppgp-tui gasp restore`: an agent brought back from its repository, and what is still open."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ppgp_tui.gasp.restoration import Checked, Open, Restored
    from ppgp_tui.gasp.restore import Source

_SHOWN: Final = 10


_HELP: Final = """\
Bring an agent back from its repository and say how it stands.

Verifies manifest, identity and snapshots, folds the log, and lists what is open. A URL is
cloned to a temporary folder; the folder PATH is read where it lies, uncommitted lines too. With
--into either is cloned and kept. Nothing of the repository is run: no hook, filter, submodule.

Exit code: 0 restored and verified, 1 not verified or not restored, 2 usage.

(To put events back that Git took out of your own log, see ppgp-tui restore.)

\b
Example:
  ppgp-tui gasp restore ../agent
  ppgp-tui gasp restore file:///srv/agent.git --at event_0b7c --into agent
"""


@click.command("restore", help=_HELP)
@click.argument("source", metavar="URL|PATH")
@click.option("--at", metavar="EVENT", help="Only up to the event with this id.")
@click.option(
    "--into",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="Clone to this new folder and keep it.",
)
@click.option("--json", "as_json", is_flag=True, help="Print what was restored as JSON.")
def restore(source: str, at: str | None, into: Path | None, as_json: bool) -> None:
    """Print what is restored."""
    from ppgp_tui.gasp.clone import CloneError
    from ppgp_tui.gasp.restoration import RestoreError
    from ppgp_tui.gasp.restore import Hooks, restore_from
    from ppgp_tui.session.text import one_line

    def cloning(address: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"cloning {one_line(address)} …", err=True)

    try:
        found, restored = restore_from(source, at=at, into=into, hooks=Hooks(before_clone=cloning))
    except (CloneError, RestoreError) as error:
        _failed(str(error), error.mend, as_json=as_json)
        sys.exit(1)
    kept = into if into is not None else None if found.is_clone else found.folder
    if as_json:
        _print_json(source, kept, found, restored)
    else:
        _print(source, kept, found, restored)
    sys.exit(0 if restored.is_verified else 1)


def _failed(text: str, mend: str, *, as_json: bool) -> None:
    from ppgp_tui.cli.json_text import json_text
    from ppgp_tui.cli.out import write
    from ppgp_tui.session.text import one_line

    if as_json:
        write(json_text({"schema": _SCHEMA, "ok": False, "error": text, "mend": mend}, indent=2))
        return
    click.echo(f"ppgp-tui: {one_line(text)}", err=True)
    click.echo(f"  {one_line(mend)}", err=True)


# Sentences ------------------------------------------------------------------------------------


def _print(source: str, kept: Path | None, found: Source, restored: Restored) -> None:
    from ppgp_tui.cli.out import write
    from ppgp_tui.session.text import one_line

    where = f"cloned to {kept}" if kept is not None and found.is_clone else ""
    where = where or ("read in place" if kept is not None else "cloned for this look only")
    name = restored.agent_id or "an agent without a name"
    lines = [f"{name}, from {source} ({where})"]
    lines.append(f"  executor   {restored.executor or 'AGENT.md names none'}")
    lines += [_checked("manifest", restored.manifest), _checked("identity", restored.identity)]
    lines += [f"  pack       {one.name}: {one.why or 'admitted'}" for one in restored.packs]
    lines += [f"  snapshot   {one.name}: {one.why or 'verified'}" for one in restored.snapshots]
    lines.append(f"  fold       {restored.lines:,} lines, from {restored.began_from}")
    lines.append(f"  nodes      {_kinds(restored)}")
    lines += _listed("open goal", [_open(one) for one in restored.open_goals])
    lines += _listed("open run", [_open(one) for one in restored.open_runs])
    lines += _listed(
        "skipped", [f"line {one.line}: {one.op} {one.node}" for one in restored.skipped]
    )
    if restored.undeclared:
        lines.append(f"  undeclared {', '.join(restored.undeclared)}: no pack admits them")
    lines.append(f"  last event {_last(restored)}")
    if found.shallow:
        lines.append("  history    shallow: what came before was not cloned; git fetch --unshallow")
    write("".join(f"{_kept_indent(line, one_line)}\n" for line in lines))


def _kept_indent(line: str, one_line: Any) -> str:
    bare = line.lstrip(" ")
    head, text = (line[:13], line[13:]) if line.startswith("  ") else ("", bare)
    return head + str(one_line(text))


def _checked(name: str, checked: Checked) -> str:
    return f"  {name:<10} {'verified' if checked.ok else f'NOT VERIFIED: {checked.why}'}"


def _kinds(restored: Restored) -> str:
    return ", ".join(f"{count:,} {kind}" for kind, count in restored.kinds.items()) or "none"


def _open(one: Open) -> str:
    return " ".join(part for part in (one.id, one.status, one.title) if part)


def _listed(name: str, entries: list[str]) -> Iterable[str]:
    yield from (f"  {name:<10} {entry}" for entry in entries[:_SHOWN])
    if len(entries) > _SHOWN:
        yield f"  {name:<10} and {len(entries) - _SHOWN:,} more (--json lists them)"


def _last(restored: Restored) -> str:
    last = restored.last
    if last is None:
        return "none: the log is empty"
    return f"{last.id} {last.kind}, line {last.line}, {_age(last.ts_ms)}"


def _age(ts_ms: int) -> str:
    seconds = time.time() - ts_ms / 1000
    if seconds < 0:
        return "its time lies ahead"
    for unit, length in (("d", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= length:
            return f"{seconds // length:,.0f} {unit} ago"
    return "just now"


# JSON -----------------------------------------------------------------------------------------

_SCHEMA: Final = "ppgp-tui/gasp-restore/1"


def _print_json(source: str, kept: Path | None, found: Source, restored: Restored) -> None:
    from ppgp_tui.cli.json_text import json_text
    from ppgp_tui.cli.out import write

    last = restored.last
    value = {
        "schema": _SCHEMA,
        "ok": restored.is_verified,
        "source": source,
        "folder": str(kept) if kept is not None else None,
        "shallow": found.shallow,
        "agent_id": restored.agent_id,
        "executor": restored.executor,
        "manifest": restored.manifest._asdict(),
        "identity": restored.identity._asdict(),
        "packs": [one._asdict() for one in restored.packs],
        "snapshots": [one._asdict() for one in restored.snapshots],
        "began_from": restored.began_from,
        "lines": restored.lines,
        "version": restored.graph.version,
        "nodes": dict(restored.kinds),
        "relations": len(restored.graph.relations),
        "open_goals": [one._asdict() for one in restored.open_goals],
        "open_runs": [one._asdict() for one in restored.open_runs],
        "skipped": [
            {**one.as_json(), "line": one.line, "event": one.event} for one in restored.skipped
        ],
        "undeclared": list(restored.undeclared),
        "last_event": last._asdict() if last else None,
        "age_ms": int(time.time() * 1000) - last.ts_ms if last else None,
    }
    write(json_text(value, indent=2))
