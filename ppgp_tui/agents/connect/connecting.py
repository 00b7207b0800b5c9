"""Connecting an agent and taking it apart again: first what would be written, then writing it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from ppgp_tui.agents.adapters import adapter
from ppgp_tui.agents.connect import merge, settings_file, targets
from ppgp_tui.agents.connect.merge import Merged, UnfitError
from ppgp_tui.agents.connect.receipts import Receipt, changing, load
from ppgp_tui.agents.connect.settings_file import Found, RefusedFileError, digest
from ppgp_tui.agents.connect.spans import scan
from ppgp_tui.agents.connect.targets import MANNERS, SCOPES, Scope

BLOCKS_FROM: Final = (2, 1, 295)
"""From this version on Claude Code can be told to refuse a call whose hook failed."""


class CannotConnectError(Exception):
    """Nothing was written; the message says why, and names the file."""


class Plan(NamedTuple):
    """One settings file, and what is to become of it."""

    agent: str
    scope: Scope
    found: Found
    data: bytes | None
    """None: the file is to be removed."""
    receipt: Receipt | None
    """What is remembered then; None: nothing."""
    folders: tuple[str, ...] = ()
    """Made for the file, so they go with it."""

    @property
    def changes(self) -> bool:
        """Whether anything is to be written."""
        return self.data != self.found.data

    def diff(self) -> list[str]:
        """The change as a unified diff, lines without their ends."""
        before, after = (_lines(data) for data in (self.found.data, self.data))
        name = str(self.found.path)
        old = name if self.found.data is not None else "/dev/null"
        new = name if self.data is not None else "/dev/null"
        return list(difflib.unified_diff(before, after, old, new, lineterm="", n=2))


def place(name: str, scope: Scope, root: Path, environ: Mapping[str, str]) -> Path | None:
    """The settings file of that agent there; None where the agent has no such place."""
    home = Path(environ.get("HOME") or Path.home())
    return targets.settings_file(name, scope, root, environ, home)


def plan_connect(
    name: str,
    scope: Scope,
    root: Path,
    environ: Mapping[str, str],
    *,
    strict: bool = False,
    version: str | None = None,
) -> Plan:
    """What connecting would write. Raises `CannotConnectError`."""
    known, path = adapter(name), place(name, scope, root, environ)
    if known is None:
        raise CannotConnectError(f"{name} cannot be connected; there is no adapter for it")
    if path is None:
        raise CannotConnectError(f"{known.title} has no settings that are {scope}")
    words = targets.command(name, strict=strict)
    blocks = strict and name == "claude" and _numbers(version) >= BLOCKS_FROM
    wanted = targets.groups(known, words, blocks=blocks)
    with _refusals(path):
        found = settings_file.look(path)
        if found.has_mark and not MANNERS[name].takes_mark:
            raise UnfitError("line 1: it begins with a byte order mark, which the agent refuses")
        before = load().get(str(found.real))
        if merge.is_complete(found.text, wanted):
            return Plan(name, scope, found, found.data, before)
        settings_file.must_be_changeable(found)
        clean = _clean(found, before)
        merged = merge.merge(clean, wanted)
        return _connected(name, scope, root, found, before, clean, merged)


def plan_disconnect(name: str, scope: Scope, root: Path, environ: Mapping[str, str]) -> Plan | None:
    """What disconnecting would write; None where nothing of ours is.

    Raises `CannotConnectError`.
    """
    path = place(name, scope, root, environ)
    if path is None:
        return None
    with _refusals(path):
        found = settings_file.look(path)
        receipt = load().get(str(found.real))
        if found.data is None or not merge.entries(found.text):
            return Plan(name, scope, found, found.data, None) if receipt else None
        settings_file.must_be_changeable(found)
        clean = _clean(found, receipt)
        is_left = clean.strip() and scan(clean).items
        if receipt is not None and receipt.created and not is_left:
            return Plan(name, scope, found, None, None, receipt.folders)
        return Plan(name, scope, found, found.encoded(clean), None)


def apply(plan: Plan) -> None:
    """Write what was planned, if the file is still what it was. Raises `CannotConnectError`."""
    with _refusals(plan.found.path), changing() as receipts:
        folders: tuple[str, ...] = ()
        if plan.changes and plan.data is None:
            settings_file.delete(plan.found, plan.folders)
        elif plan.changes and plan.data is not None:
            folders = settings_file.replace(plan.found, plan.data)
        key = str(plan.found.real)
        if plan.receipt is None:
            receipts.pop(key, None)
        elif plan.changes:
            made = (*plan.receipt.folders, *folders)
            receipts[key] = plan.receipt._replace(folders=made)


def connected_places(
    names: tuple[str, ...], scopes: tuple[Scope, ...], root: Path, environ: Mapping[str, str]
) -> list[tuple[str, Scope, Path]]:
    """Where hooks of ours stand; files that cannot be read are left out."""
    found: dict[Path, tuple[str, Scope, Path]] = {}
    for name in names:
        for scope in SCOPES:
            path = place(name, scope, root, environ) if scope in scopes else None
            if path is None or path in found:
                continue
            if has_entries(path):
                found[path] = (name, scope, path)
    return list(found.values())


def has_entries(path: Path) -> bool:
    """Whether hooks of ours stand in that file; not in one that cannot be read."""
    with suppress(RefusedFileError, UnfitError):
        return bool(merge.entries(settings_file.look(path).text))
    return False


def _clean(found: Found, receipt: Receipt | None) -> str:
    """The text of the file without anything of ours."""
    text = found.text
    if receipt is None:
        return merge.remove(text)
    if digest(found.data) == receipt.after:
        with suppress(ValueError):
            clean = merge.cut(text, receipt.pieces)
            if digest(found.encoded(clean)) == receipt.before:
                return clean
    return merge.remove(text, receipt.pieces, receipt.made)


def _connected(
    name: str,
    scope: Scope,
    root: Path,
    found: Found,
    before: Receipt | None,
    clean: str,
    merged: Merged,
) -> Plan:
    data = found.encoded(merged.text)
    created = found.data is None or (before is not None and before.created)
    receipt = Receipt(
        agent=name,
        scope=scope,
        root="" if scope == "user" else str(root),
        created=created,
        folders=before.folders if before is not None else (),
        before=digest(found.encoded(clean)),
        after=digest(data),
        pieces=merged.pieces,
        made=merged.made,
    )
    return Plan(name, scope, found, data, receipt)


class _refusals:  # noqa: N801 - reads as what it is: with _refusals(path)
    """Turns what goes wrong with one file into one kind of refusal that names it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, RefusedFileError):
            raise CannotConnectError(f"{error}; nothing was written") from None
        if isinstance(error, UnfitError):
            raise CannotConnectError(f"{self._path}, {error}; nothing was written") from None
        if isinstance(error, OSError):
            said = (error.strerror or str(error)).lower()
            raise CannotConnectError(f"{error.filename or self._path}: {said}") from None


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "replace")
    lines = text.split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _numbers(version: str | None) -> tuple[int, ...]:
    import re

    return tuple(int(part) for part in re.findall(r"\d+", version or "")[:3])
