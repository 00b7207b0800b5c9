"""An agent brought back from its files: who it is, what its log folds into, what is still open.

The steps are those of GASP reference section 10: manifest, identity, snapshots, fold. Nothing is
guessed: what cannot be verified is said to be so.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import msgspec

from ppgp_tui.gasp import manifest as manifests
from ppgp_tui.gasp import packs
from ppgp_tui.gasp.checks.envelope import judge, sound_event
from ppgp_tui.gasp.checks.event import Event
from ppgp_tui.gasp.checks.repository import AgentRepository, Unreadable
from ppgp_tui.gasp.envelope import is_blank
from ppgp_tui.gasp.folding import snapshot
from ppgp_tui.gasp.folding.fold import Fold, FoldError, Skip
from ppgp_tui.gasp.folding.graph import Graph, Node
from ppgp_tui.gasp.folding.ops_line import event_id
from ppgp_tui.gasp.vocabulary import NODE_KINDS, RELATIONS

Json = Any

LOG: Final = "state/events.jsonl"
SPEC_VERSION: Final = "1"
_CLOSED: Final = ("Satisfied", "Abandoned")
_COMPARED: Final = 5000
"""So many of the newest ids are compared when an id is not found."""


class RestoreError(Exception):
    """The agent cannot be restored; the message says why, `mend` what to do next."""

    def __init__(self, text: str, mend: str) -> None:
        super().__init__(text)
        self.mend = mend


class Checked(NamedTuple):
    """Whether something is as it was declared; `why` says what is wrong otherwise."""

    name: str
    ok: bool
    why: str = ""


class Open(NamedTuple):
    """A goal or run that is not ended."""

    id: str
    title: str
    status: str


class LastEvent(NamedTuple):
    """The last event that was folded."""

    id: str
    kind: str
    ts_ms: int
    line: int
    """Physical line number in the log, from 1."""


class Restored(NamedTuple):
    """What is known of the agent after a restore."""

    agent_id: str | None
    executor: str | None
    """Path of the file that says what carries the agent out."""
    manifest: Checked
    identity: Checked
    packs: tuple[Checked, ...]
    snapshots: tuple[Checked, ...]
    began_from: str
    """The snapshot the fold began from, or why it began with the first line."""
    lines: int
    graph: Graph
    kinds: Mapping[str, int]
    """Nodes by kind, tombstoned ones left out."""
    open_goals: tuple[Open, ...]
    open_runs: tuple[Open, ...]
    skipped: tuple[Skip, ...]
    """Operations on nodes that do not exist."""
    undeclared: tuple[str, ...]
    """Kinds and relations that neither GASP nor a pack knows."""
    last: LastEvent | None

    @property
    def is_verified(self) -> bool:
        """Manifest and identity are what they claim to be."""
        return self.manifest.ok and self.identity.ok


def restore(repository: AgentRepository, at: str | None = None) -> Restored:
    """Return the agent as of its last event, or as of the event `at`. Raises `RestoreError`."""
    text = _manifest(repository)
    keys = manifest_keys(text)
    log = _log(repository)
    if at is not None:
        log = through(log, at)
    last, runs = read_log(log)
    fold, snapshots, began_from = _folded(repository, log)
    admitted = _packs(repository)
    return Restored(
        agent_id=keys.get("agent_id"),
        executor=keys.get("executor"),
        manifest=_spec_version(keys),
        identity=_identity(repository, text),
        packs=tuple(one for one, _ in admitted),
        snapshots=snapshots,
        began_from=began_from,
        lines=fold.lines,
        graph=fold.graph,
        kinds=dict(Counter(node.kind for node in _living(fold.graph)).most_common()),
        open_goals=tuple(_open_goals(fold.graph)),
        open_runs=tuple(_open_run(name, fold.graph) for name in runs),
        skipped=tuple(fold.skipped),
        undeclared=_undeclared(fold.graph, [pack for _, pack in admitted if pack is not None]),
        last=last,
    )


def manifest_keys(text: str) -> dict[str, str]:
    """The `key: value` lines of the first fenced block; the first of equal keys counts."""
    keys: dict[str, str] = {}
    inside = False
    for line in text.split("\n"):
        bare = line.strip()
        if bare.startswith("```"):
            if inside:
                break
            inside = True
        elif inside and ":" in bare:
            key, _, value = bare.partition(":")
            keys.setdefault(key.strip(), value.strip())
    return keys


def through(log: bytes, event: str) -> bytes:
    """The lines of the log up to that event and including it. Raises `RestoreError`."""
    end, word = 0, event.encode("utf-8", "replace")
    lines = log.split(b"\n")
    for line in lines:
        end += len(line) + 1
        if (word in line or b"\\" in line) and event_id(line) == event:
            return log[:end]
    ids = [found for line in lines[-_COMPARED:] if (found := event_id(line)) is not None]
    near = [each for each in ids if each.startswith(event)][:3] if event else []
    near = near or difflib.get_close_matches(event, ids, 3)
    mend = f"nearest: {', '.join(near)}" if near else _newest(ids)
    raise RestoreError(f"there is no event {event!r} in {LOG}", mend)


def _newest(ids: list[str]) -> str:
    return f"the newest event is {ids[-1]}" if ids else "the log has no event yet"


# What the repository says of itself ----------------------------------------------------------


def _manifest(repository: AgentRepository) -> str:
    found = repository.manifest
    if found is None:
        text = "AGENT.md manifest missing: this is no agent repository"
        raise RestoreError(text, "if it should be one: ppgp-tui gasp init PATH, and commit")
    if isinstance(found, Unreadable):
        raise RestoreError(f"AGENT.md cannot be read: {found.why}", "put a plain text file there")
    try:
        return found.decode()
    except UnicodeDecodeError:
        raise RestoreError("AGENT.md is not UTF-8 text", "save it as UTF-8") from None


def _spec_version(keys: Mapping[str, str]) -> Checked:
    version = keys.get("spec_version")
    if version is None:
        return Checked("AGENT.md", False, "it declares no spec_version in its first fenced block")
    if version != SPEC_VERSION:
        return Checked("AGENT.md", False, f"its spec_version is {version}, and only 1 is known")
    return Checked("AGENT.md", True)


def _identity(repository: AgentRepository, manifest: str) -> Checked:
    files = repository.identity
    name = "identity"
    if files is None:
        return Checked(name, False, "there is neither identity/ nor IDENTITY.md")
    if isinstance(files, Unreadable):
        return Checked(name, False, f"its hash cannot be computed: {files.why}")
    declared, computed = manifests.declared_hash(manifest), manifests.identity_hash(files)
    if declared is None:
        return Checked(name, False, "AGENT.md declares no identity_hash")
    if not manifests.is_hash(declared):
        return Checked(name, False, f"the identity_hash of AGENT.md is malformed: {declared}")
    if declared != computed:
        return Checked(name, False, f"AGENT.md declares {declared}, but its bytes give {computed}")
    return Checked(name, True)


def _packs(repository: AgentRepository) -> list[tuple[Checked, packs.Pack | None]]:
    if isinstance(repository.packs, Unreadable):
        return [(Checked(".agent/packs", False, repository.packs.why), None)]
    found: list[tuple[Checked, packs.Pack | None]] = []
    for name, data in sorted(repository.packs.items()):
        if isinstance(data, Unreadable):
            found.append((Checked(name, False, data.why), None))
            continue
        try:
            found.append((Checked(name, True), packs.parse(data)))
        except packs.MalformedPackError as error:
            found.append((Checked(name, False, f"is no pack: {error}"), None))
    return found


def _undeclared(graph: Graph, admitted: list[packs.Pack]) -> tuple[str, ...]:
    kinds = {node.kind for node in graph.nodes.values()} - NODE_KINDS
    rels = {relation.rel for relation in graph.relations} - RELATIONS
    for pack in admitted:
        kinds -= pack.node_kinds
        rels -= pack.relations
    return (*sorted(kinds), *sorted(rels))


# The log --------------------------------------------------------------------------------------


def _log(repository: AgentRepository) -> bytes:
    if isinstance(repository.log, Unreadable):
        why = repository.log.why.rpartition(": ")[2]
        raise RestoreError(
            f"{LOG} cannot be read: {why}",
            f"an agent repository has its events in {LOG}; ppgp-tui gasp init makes an empty one",
        )
    return repository.log


def read_log(log: bytes, path: str = LOG) -> tuple[LastEvent | None, tuple[str, ...]]:
    """The last event, and the runs that began and did not finish: not every writer pairs these.

    Raises `RestoreError` for the first line that is no event, as the reference's reader does.
    """
    last: LastEvent | None = None
    runs: dict[str, None] = {}
    lines = log.split(b"\n")
    for number, line in enumerate(lines, 1):
        if is_blank(line):
            continue
        event = sound_event(line) or _judged(
            line, f"{path}:{number}", is_last=number == len(lines), last=last
        )
        last = LastEvent(event.id, event.kind, event.ts_ms, number)
        if event.kind in ("run.started", "run.finished") and isinstance(event.payload, dict):
            name = event.payload.get("run_id")
            if event.kind == "run.finished":
                runs.pop(str(name), None)
            elif isinstance(name, str):
                runs[name] = None
    return last, tuple(runs)


def _judged(line: bytes, where: str, *, is_last: bool, last: LastEvent | None) -> Event:
    """The event of a line that has something odd to it."""
    judged = judge(line)
    if judged.event is not None:
        return judged.event
    detail = judged.faults[-1].text
    before = f"; --at {last.id} restores what came before it" if last else ""
    if is_last:
        mend = f"its last line was not finished by its writer: cut that line off{before}"
    else:
        mend = f"ppgp-tui gasp check REPO --explain says how to mend it{before}"
    raise RestoreError(f"{where}: corrupt event: {detail}", mend)


def _folded(repository: AgentRepository, log: bytes) -> tuple[Fold, tuple[Checked, ...], str]:
    """The fold of `log`, the verdict on each snapshot, and where the fold could begin.

    A snapshot is believed when folding its lines gives its graph. So the lines are folded once,
    and each snapshot is compared when the fold comes by.
    """
    verdicts, ahead = _candidates(repository, log)
    fold, done, began_from = Fold(), 0, "the first line"
    try:
        for lines, name, data in ahead:
            end = _end(log, done, lines - fold.lines)
            fold.take(log[done:end])
            done = end
            verdicts[name] = _compared(name, data, fold, log[:end])
            if verdicts[name].ok:
                began_from = f"snapshot {name} ({lines:,} lines)"
        fold.take(log[done:])
    except FoldError as error:
        raise RestoreError(
            f"{LOG}: the fold failed: {error}",
            "ppgp-tui gasp check REPO --explain says how to mend it; --at EVENT restores what was"
            " there",
        ) from error
    return fold, tuple(verdicts[name] for name in sorted(verdicts)), began_from


def _candidates(
    repository: AgentRepository, log: bytes
) -> tuple[dict[str, Checked], list[tuple[int, str, bytes]]]:
    """Verdicts that need no fold of `log`; and the snapshots of its beginnings, shortest first."""
    snapshots = repository.snapshots or {}
    if isinstance(snapshots, Unreadable):
        return {"snapshots": Checked("snapshots", False, snapshots.why)}, []
    verdicts: dict[str, Checked] = {}
    ahead: list[tuple[int, str, bytes]] = []
    whole = log.count(b"\n") + (log[-1:] not in (b"", b"\n"))
    for name, data in snapshots.items():
        if data is None:
            verdicts[name] = Checked(name, False, "no graph.json")
        elif isinstance(data, Unreadable):
            verdicts[name] = Checked(name, False, f"unreadable: {data.why}")
        elif 0 < (lines := _line_count(data)) <= whole:
            ahead.append((lines, name, data))
        else:
            assert isinstance(repository.log, bytes)
            verdicts[name] = _verified(name, data, repository.log)
    return verdicts, sorted(ahead)


class _Integrity(msgspec.Struct):
    line_count: int


class _Record(msgspec.Struct):
    integrity: _Integrity


def _line_count(data: bytes) -> int:
    """How many lines a snapshot says it is of; 0 when it does not say."""
    try:
        return msgspec.json.decode(data, type=_Record).integrity.line_count
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return 0


def _end(log: bytes, begin: int, lines: int) -> int:
    """Where the next so many lines end."""
    for _ in range(lines):
        begin = log.find(b"\n", begin) + 1 or len(log)
    return begin


def _compared(name: str, data: bytes, fold: Fold, prefix: bytes) -> Checked:
    """The verdict on a snapshot of the lines that were just folded."""
    try:
        if snapshot.of_fold(fold, prefix).data == data:
            return Checked(name, True)
    except snapshot.NothingToKeepError:
        pass  # its last line is unfinished: the long way says what that means
    return _verified(name, data, prefix)


def _verified(name: str, data: bytes, log: bytes) -> Checked:
    try:
        snapshot.verify(data, log)
    except snapshot.SnapshotError as error:
        return Checked(name, False, str(error))
    return Checked(name, True)


# What is open ---------------------------------------------------------------------------------


def _living(graph: Graph) -> Iterator[Node]:
    return (node for node in graph.nodes.values() if not node.tombstoned)


def _open_goals(graph: Graph) -> Iterator[Open]:
    for node in _living(graph):
        status = node.prop("status")
        if node.kind == "goal" and status not in _CLOSED:
            yield Open(node.id, _word(node.prop("title")), _word(status))


def _open_run(name: str, graph: Graph) -> Open:
    node = graph.nodes.get(name)
    return Open(name, _word(node.prop("task")) if node else "", "started")


def _word(value: Json) -> str:
    return value if isinstance(value, str) else ""
