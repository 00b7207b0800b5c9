"""What the doctor says of audits: sandbox, killed ones, reports that changed, trust. An edge."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from ppgp_tui.audit import machine, trust
from ppgp_tui.audit.kept import NotKeptError, kept, path_of
from ppgp_tui.session.actions.claims import Step, history
from ppgp_tui.session.doctor.finding import Finding
from ppgp_tui.session.engine.draft import SYSTEM
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.files import places
from ppgp_tui.session.files.safe import Folder
from ppgp_tui.session.journal import RefusalError
from ppgp_tui.session.picture.audit_state import PLACE
from ppgp_tui.session.sources.audit import PROGRESS, held

LOOKED_AT: Final = 20
"""The newest reports; older ones are history."""


def audits(root: Path) -> Iterator[Finding]:
    """Sandbox, an audit that was killed, the reports of the newest audits, trusted commands."""
    yield _sandbox()
    yield from _killed(root)
    yield from _reports(root)
    yield from _trusted(places.root_folder(root))


def _sandbox() -> Finding:
    bwrap, why = machine.bubblewrap()
    if bwrap:
        return Finding("ok", f"commands of an audit run in a sandbox ({bwrap})")
    text = "commands of an audit run in a copy of the work tree only"
    return Finding("note", text, f"{why}; every verdict says so", "install bubblewrap (bwrap)")


def _killed(root: Path) -> Iterator[Finding]:
    try:
        with Folder.open(root, *PLACE.split("/")) as folder:
            left = folder.status(PROGRESS) is not None and not held(folder)
    except OSError:
        return
    if left:
        why = "nothing was recorded by it: the claim is still a claim"
        mend = "start it again: ppgp-tui audit"
        yield Finding("note", "an audit was killed", why, mend, f"{PLACE}/{PROGRESS}")


def _reports(root: Path) -> Iterator[Finding]:
    try:
        steps = history(Engine(root, SYSTEM))
    except RefusalError:
        return
    verdicts = [step for step in steps if step.kind == "verdict"][-LOOKED_AT:]
    wrong = [finding for step in verdicts if (finding := _report(root, step)) is not None]
    yield from wrong
    if verdicts and not wrong:
        count = len(verdicts)
        yield Finding("ok", f"the newest audit reports, {count}, are as they were recorded")


def _report(root: Path, step: Step) -> Finding | None:
    try:
        kept(root, step.id, step.report_digest)
    except NotKeptError as error:
        why = "only what the log says of that verdict can be relied on"
        mend = f"git log -- {path_of(step.id)}, or audit again"
        return Finding("warning", str(error), why, mend, path_of(step.id))
    return None


def _trusted(state: Path) -> Iterator[Finding]:
    path = state / trust.NAME
    try:
        with Folder.open(state) as folder:
            said: Any = json.loads(folder.read(trust.NAME))
    except FileNotFoundError:
        return
    except (OSError, ValueError):
        said = None
    if isinstance(said, dict) and isinstance(said.get("commands"), list):
        count = len(trust.trusted(state))
        yield Finding("ok", f"you have let {count} command{'' if count == 1 else 's'} run here")
    else:
        why = "it trusts nothing, so every command is asked about again"
        mend = "move it away and let the commands run again"
        yield Finding("warning", "the commands you trusted cannot be read", why, mend, str(path))
