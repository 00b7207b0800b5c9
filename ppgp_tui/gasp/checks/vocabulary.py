"""Check 3, vocabulary: node kinds and relations are baseline words or those of a pack."""

from __future__ import annotations

from collections.abc import Mapping

from ppgp_tui.gasp import packs
from ppgp_tui.gasp.checks.batch import Batch
from ppgp_tui.gasp.checks.event import Event
from ppgp_tui.gasp.checks.report import CheckResult, Finding, Place
from ppgp_tui.gasp.checks.repository import Unreadable
from ppgp_tui.gasp.vocabulary import NODE_KINDS, OPS_EVENT, RELATIONS

FOLDER = ".agent/packs"


class Vocabulary:
    """Follows a log. Words beyond the baseline are kept, for packs may come and go."""

    def __init__(self) -> None:
        self._found: list[tuple[Finding, str, str]] = []
        """A finding, which pack words would clear it (`kind`, `rel` or none), and the word."""

    def take(self, batch: Batch, event: Event, line: int, physical: int) -> None:
        """Look at the operations of the next event."""
        for _, _, kind, _ in batch.created:
            if kind not in NODE_KINDS:
                return self._take_unknown(batch, event, line, physical)
        for _, _, rel in batch.related:
            if rel not in RELATIONS:
                return self._take_unknown(batch, event, line, physical)
        return None

    def _take_unknown(self, batch: Batch, event: Event, line: int, physical: int) -> None:
        unknown: list[tuple[int, str, str, str, str]] = []
        for index, name, kind, _ in batch.created:
            if kind not in NODE_KINDS:
                text = f"CreateNode {name} uses undeclared kind `{kind}`"
                unknown.append((index, "undeclared_kind", text, "kind", kind))
        for index, source, rel in batch.related:
            if rel not in RELATIONS:
                text = f"CreateRelation from {source} uses undeclared rel `{rel}`"
                unknown.append((index, "undeclared_relation", text, "rel", rel))
        for _, rule, text, which, word in sorted(unknown):
            self._keep(rule, text, Place(line, physical, event.id), which, word)

    def malformed(self, detail: str, event: Event, line: int, physical: int) -> None:
        """Note that the next event's payload holds no operations."""
        text = f"{OPS_EVENT} payload does not parse as ops: {detail}"
        self._keep("ops_malformed", text, Place(line, physical, event.id), "", "")

    def result(self, found: Mapping[str, bytes | Unreadable] | Unreadable) -> CheckResult:
        """What was found so far, with the files of the folder of packs."""
        findings: list[Finding] = []
        kinds: set[str] = set()
        relations: set[str] = set()
        if isinstance(found, Unreadable):
            text = f"cannot read {FOLDER}/: {found.why}"
            findings.append(Finding(3, "packs_unreadable", text, FOLDER))
            found = {}
        for name, data in found.items():
            path = f"{FOLDER}/{name}"
            if isinstance(data, Unreadable):
                text = f"pack {name} unreadable: {data.why}"
                findings.append(Finding(3, "pack_unreadable", text, path))
                continue
            try:
                pack = packs.parse(data)
            except packs.MalformedPackError as error:
                text = f"pack {name} does not parse as a Pack: {error.detail}"
                findings.append(Finding(3, "pack_malformed", text, path))
                continue
            kinds |= pack.node_kinds
            relations |= pack.relations
        admitted = {"kind": kinds, "rel": relations, "": frozenset[str]()}
        findings += [finding for finding, which, word in self._found if word not in admitted[which]]
        return CheckResult(3, findings=tuple(findings))

    def _keep(self, rule: str, text: str, place: Place, which: str, word: str) -> None:
        finding = Finding(3, rule, f"line {place.line}: {text}", place=place)
        self._found.append((finding, which, word))
