"""Making an agent repository: manifest, identity, executor, ignore lines, log and guard.

What is there already stays byte for byte as it is and is named as kept. Each file appears whole or
not at all, the manifest after the identity whose hash it states; so a run that was killed is
finished by the next one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ppgp_tui.gasp import manifest as manifests
from ppgp_tui.gasp import repo, scaffold
from ppgp_tui.gasp.checks.repository import Unreadable
from ppgp_tui.gasp.guard import HOOKS
from ppgp_tui.session import git, guard_hook
from ppgp_tui.session.actions import start
from ppgp_tui.session.engine.engine import Engine
from ppgp_tui.session.engine.result import Result
from ppgp_tui.session.files.reading import CannotReadError, read_inside
from ppgp_tui.session.files.root import git_top
from ppgp_tui.session.files.safe import Folder, components
from ppgp_tui.session.journal import RefusalError, Refused
from ppgp_tui.session.journal.results import refusing
from ppgp_tui.session.text import one_line

ACTION: Final = "gasp.init"
REPOSITORY: Final = ".git/"
IDENTITY: Final = "identity"
ROOT_IDENTITY: Final = "IDENTITY.md"
IGNORE: Final = ".gitignore"
_MOST: Final = 1024 * 1024
_NEW_IDENTITY: Final = "identity.new"


def init(
    engine: Engine, *, agent_id: str | None = None, dry_run: bool = False, hook: bool = False
) -> Result:
    """Make `engine.root` an agent repository of the standard layout; nothing is committed.

    `hook` puts the guard also where another hook or a shared folder of hooks is in the way.
    """
    name = agent_id or scaffold.agent_id_of(engine.root.name)
    if not scaffold.is_agent_id(name):
        text = f"{name!r} is no agent id: letters, digits and . _ - are wanted, at most 64"
        return Result(ACTION, "usage", text)
    try:
        plan = _look(engine, name)
        if why := start.lost(engine, plan.missing):
            return Result(ACTION, "refused", why)
        if dry_run:
            return _would(plan, engine.root, hook=hook)
        made = _make(engine, plan, name)
        hooks = _guard(engine.root, plan, insist=hook)
    except RefusalError as refusal:
        return Result(ACTION, refusal.refused.code, refusal.refused.message)
    except git.GitUnknownError as error:
        return Result(ACTION, "refused", str(error))
    return _made(plan, (*made, *hooks), engine.root)


@dataclass
class _Plan:
    """What there is and what is missing, as paths relative to the root."""

    missing: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    identity_hash: str = ""
    """Of the identity that is there; empty when none is."""
    guard: str = ""
    """The text of the guard, where Git does not run it."""

    def take(self, path: str, *, is_there: bool) -> None:
        (self.kept if is_there else self.missing).append(path)


def _look(engine: Engine, name: str) -> _Plan:
    root, plan = engine.root, _Plan()
    plan.take(REPOSITORY, is_there=git_top(root) is not None)
    _look_at_identity(root, plan)
    _look_at_manifest(root, plan, name)
    plan.take(scaffold.CONFIG, is_there=os.path.lexists(root / scaffold.CONFIG))
    _look_at_ignores(root, plan)
    session = engine.journal.missing()
    for path in (".ppgp/", ".ppgp/.gitignore", str(engine.journal.log)):
        plan.take(path, is_there=path not in session)
    if str(engine.journal.log) != scaffold.LOG:
        text = f"paths.log is {engine.journal.log}; the checks know only {scaffold.LOG}"
        plan.warnings.append(text)
    return plan


def _look_at_identity(root: Path, plan: _Plan) -> None:
    files = _identity(root)
    if not files:
        plan.missing.extend(f"{IDENTITY}/{name}" for name in scaffold.identity(""))
        return
    plan.kept.append(ROOT_IDENTITY if ROOT_IDENTITY in files else f"{IDENTITY}/")
    plan.identity_hash = manifests.identity_hash(files)


def _identity(root: Path) -> dict[str, bytes]:
    """The identity's files by path; empty when there is none."""
    files = repo.read_identity(str(root))
    if isinstance(files, Unreadable):
        text = f"the identity here cannot be read ({files.why}), so its hash is unknown"
        raise RefusalError("refused", f"{text}; mend or move away what is in {IDENTITY}/")
    if not files and os.path.lexists(root / IDENTITY) and not (root / IDENTITY).is_dir():
        raise RefusalError("refused", f"{IDENTITY} is no folder; move it away")
    return files or {}


def _look_at_manifest(root: Path, plan: _Plan, name: str) -> None:
    path = manifests.MANIFEST
    plan.take(path, is_there=os.path.lexists(root / path))
    if path in plan.missing:
        return
    try:
        found = read_inside(root, path, _MOST)
        text = found.data.decode() if found else ""
    except CannotReadError as error:
        plan.warnings.append(f"{error.why}; it was left as it is")
        return
    except UnicodeDecodeError:
        plan.warnings.append(f"{path} is not UTF-8; it was left as it is")
        return
    files = _identity(root)
    new = {f"{IDENTITY}/{each}": data for each, data in scaffold.identity(name).items()}
    wanted = manifests.identity_hash(files or new)
    declared = manifests.declared_hash(text)
    if declared is None:
        say = f"declares no identity_hash; add this line to its first fenced block: {wanted}"
    elif declared != wanted:
        say = f"declares the identity_hash {declared}, but the identity here has {wanted}"
    else:
        return
    plan.warnings.append(f"{path} {say}; it was left as it is")


def _look_at_ignores(root: Path, plan: _Plan) -> None:
    path = root / IGNORE
    if path.is_symlink():
        lines = " and ".join(scaffold.IGNORED)
        plan.kept.append(IGNORE)
        plan.warnings.append(f"{IGNORE} is a link; add {lines} to what it leads to yourself")
        return
    try:
        found = read_inside(root, IGNORE, _MOST)
    except CannotReadError as error:
        raise RefusalError("refused", f"{error.why}; {error.mend}") from None
    there = found is not None and not scaffold.missing_ignores(found.data)
    plan.take(IGNORE, is_there=there)


# Making ---------------------------------------------------------------------------------------


def _make(engine: Engine, plan: _Plan, name: str) -> list[str]:
    """Make what is missing; return the paths made."""
    root, made = engine.root, []
    if REPOSITORY in plan.missing:
        said = git.ask(root, "init", "--quiet")
        if said.code:
            raise RefusalError("refused", f"git init failed: {said.said}")
        made.append(REPOSITORY)
    began = engine.journal.create()
    if isinstance(began, Refused):
        raise RefusalError(began.code, began.message)
    with engine.journal.lock() as run, refusing("not everything could be made"):
        with Folder.open(root) as folder:
            folder.sweep()
            made += _make_identity(folder, run, plan, name)
            made += _make_manifest(folder, root, plan, name)
            if IGNORE in plan.missing:
                made += _make_ignores(folder)
        made += _make_config(root, plan)
    return [*made, *began]


def _make_identity(root: Folder, run: Folder, plan: _Plan, name: str) -> list[str]:
    """The folder of a new identity, at once: half an identity would have a hash too."""
    if plan.identity_hash:
        return []
    files = scaffold.identity(name)
    with run.child(_NEW_IDENTITY, create=True) as folder:
        for each in os.listdir(folder.descriptor):  # noqa: PTH208 - of a run that was killed
            folder.remove(each)
        for each, data in files.items():
            folder.publish(each, data)
    try:
        os.rename(_NEW_IDENTITY, IDENTITY, src_dir_fd=run.descriptor, dst_dir_fd=root.descriptor)
    except OSError:
        if root.status(IDENTITY) is None:
            raise
        return []  # somebody made one meanwhile
    root.sync()
    return [f"{IDENTITY}/{each}" for each in files]


def _make_manifest(root: Folder, path: Path, plan: _Plan, name: str) -> list[str]:
    if manifests.MANIFEST not in plan.missing:
        return []
    text = scaffold.manifest(name, manifests.identity_hash(_identity(path)))
    return _put(root, manifests.MANIFEST, text.encode())


def _make_config(root: Path, plan: _Plan) -> list[str]:
    if scaffold.CONFIG not in plan.missing:
        return []
    *above, last = components(Path(scaffold.CONFIG))
    with Folder.open(root, *above, create=True) as folder:
        return [scaffold.CONFIG] if _put(folder, last, scaffold.config().encode()) else []


def _make_ignores(root: Folder) -> list[str]:
    """Add the lines at the end, with one write; a new file appears whole."""
    try:
        there = root.read(IGNORE)
    except FileNotFoundError:
        return _put(root, IGNORE, scaffold.missing_ignores(b""))
    if lines := scaffold.missing_ignores(there):
        descriptor = root.open_file(IGNORE, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(descriptor, lines)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        return [IGNORE]
    return []


def _put(folder: Folder, name: str, data: bytes) -> list[str]:
    try:
        folder.publish(name, data, exclusive=True)
    except FileExistsError:
        return []
    return [name]


# The guard and the receipt -------------------------------------------------------------------


def _guard(root: Path, plan: _Plan, *, insist: bool) -> list[str]:
    """Put the guard where Git looks for hooks, if that is free; return what was made."""
    hooks = guard_hook.look(root)
    if hooks is None:
        return []
    made: list[str] = []
    try:
        made = _named(root, hooks, guard_hook.install(hooks, insist=insist))
    except OSError as error:
        where = error.filename or hooks.folder
        plan.warnings.append(f"the guard could not be put at {where}: {error.strerror}")
    now = guard_hook.look(root)
    if now is None or now.is_guarded:
        there = [name for name, state in hooks.states.items() if state != "missing"]
        plan.kept += [path for path in _named(root, hooks, there) if path not in made]
        return made
    plan.guard = hooks.text
    if hooks.own:
        why = f"{hooks.folder / 'pre-commit'} is a hook of your own and was left alone"
        how = "puts the guard before it (yours becomes pre-commit.local and runs after the guard)"
    else:
        why = f"core.hooksPath names {hooks.folder}, which others may use too"
        how = "puts the guard there"
    plan.warnings.append(f"the log has no guard: {why}; `ppgp-tui gasp init --hook` {how}")
    return made


def _would(plan: _Plan, root: Path, *, hook: bool) -> Result:
    hooks = guard_hook.look(root)
    if hooks is None:
        guards = [f".git/hooks/{name}" for name in HOOKS]
    else:
        guards = _named(root, hooks, hooks.wanted(insist=hook))
    create = [*plan.missing, *guards]
    said = one_line(f"would make {', '.join(create)}") if create else "everything is here already"
    return Result(
        ACTION, "unchanged", said + _kept(plan), warnings=tuple(plan.warnings),
        data={"create": create, "kept": plan.kept},
    )  # fmt: skip


def _made(plan: _Plan, made: tuple[str, ...], root: Path) -> Result:
    said = f"made {', '.join(made)}" if made else f"everything is here already: {root}"
    said = one_line(said) + _kept(plan)
    if plan.guard:
        said += f"\n\nThe guard, for a hook of your own:\n\n{plan.guard}"
    if made:
        said += _next(made)
    return Result(
        ACTION, "done" if made else "unchanged", said, created=made,
        warnings=tuple(plan.warnings),
        data={"kept": plan.kept, **({"guard": plan.guard} if plan.guard else {})},
    )  # fmt: skip


def _named(root: Path, hooks: guard_hook.Hooks, names: Iterable[str]) -> list[str]:
    """Hooks as paths relative to the root, where they lie below it."""
    paths = [hooks.folder / name for name in names]
    return [str(path.relative_to(root) if path.is_relative_to(root) else path) for path in paths]


def _next(made: Iterable[str]) -> str:
    tops = dict.fromkeys(path.partition("/")[0] for path in made if not path.startswith("/"))
    names = " ".join(top for top in tops if top != ".git")
    if not names:
        return ""
    return (
        f"\nnext: git add {names} && git commit -m 'Begin the agent state'"
        "\nwho edits identity/ later renews identity_hash in AGENT.md in the same commit; "
        "ppgp-tui gasp init says what it must be"
    )


def _kept(plan: _Plan) -> str:
    return "\n" + one_line(f"kept {', '.join(plan.kept)}") if plan.kept else ""
