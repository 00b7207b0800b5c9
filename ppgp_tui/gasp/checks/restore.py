"""Check 6, restore: manifest and identity are there and agree, and the log folds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ppgp_tui.gasp.checks.report import CheckResult, Finding
from ppgp_tui.gasp.checks.repository import AgentRepository, Unreadable
from ppgp_tui.gasp.folding.fold import Fold
from ppgp_tui.gasp.folding.graph import Graph
from ppgp_tui.gasp.manifest import MANIFEST, declared_hash, identity_hash, is_hash

VERIFIED = "identity hash verified against identity bytes"


def result(
    repository: AgentRepository, fold_failure: Finding | None, *, fixture: bool
) -> CheckResult:
    """Check 6 of a repository whose log was read.

    `fold_failure` is the one check 2 has. `fixture`: also look for the graph that the protocol's
    own example must give.
    """
    notes: list[str] = []
    findings: list[Finding] = []
    if repository.manifest is None:
        findings.append(_finding("no_manifest", "AGENT.md manifest missing"))
    if repository.identity is None:
        text = (
            "no identity/ directory or IDENTITY.md "
            "(manifest-declared alternate locations are not yet checked)"
        )
        findings.append(_finding("no_identity", text))
    else:
        wrong = _compare(repository.manifest, repository.identity)
        if wrong is not None:
            findings.append(wrong)
        elif _text(repository.manifest) is not None:
            notes.append(VERIFIED)
    if fold_failure is not None:
        findings.append(fold_failure._replace(check=6))
    elif fixture and isinstance(repository.log, bytes):
        findings += _fixture(repository.log)
    return CheckResult(6, tuple(notes), tuple(findings))


def _compare(
    manifest: bytes | Unreadable | None, identity: Mapping[str, bytes] | Unreadable
) -> Finding | None:
    """What is wrong between the two; None too where the manifest cannot be read."""
    text = _text(manifest)
    if text is None:
        return None
    declared = declared_hash(text)
    if declared is None:
        words = (
            "AGENT.md declares no identity_hash — restore step 2 cannot verify identity integrity"
            " (compute it with the Part I recipe and declare it in the manifest)"
        )
        return _finding("no_hash", words)
    if not is_hash(declared):
        words = f"AGENT.md identity_hash is malformed: `{declared}` is not 64 hex chars"
        return _finding("bad_hash", words)
    if isinstance(identity, Unreadable):
        words = f"cannot compute identity hash: {identity.why}"
        return _finding("identity_unreadable", words, "identity")
    computed = identity_hash(identity)
    if declared != computed:
        words = (
            f"identity bytes do not match the manifest: declared {declared}, computed {computed}"
            " (commit rule 4 — an identity edit must update the hash in the same human-gated"
            " commit)"
        )
        return _finding("hash_differs", words)
    return None


def _text(manifest: bytes | Unreadable | None) -> str | None:
    if not isinstance(manifest, bytes):
        return None
    try:
        return manifest.decode()
    except UnicodeDecodeError:
        return None


def _fixture(log: bytes) -> Iterator[Finding]:
    fold = Fold()
    fold.take(log)
    graph = fold.graph
    facts = {
        "goal_retry missing": "goal_retry" in graph.nodes,
        "patch_9 --advances--> goal_retry missing": _linked(graph, "advances", "goal_retry"),
        "patch_9.status != Promoted": _prop(graph, "patch_9", "status") == "Promoted",
        "patch_9.references_commit != abc1234": (
            _prop(graph, "patch_9", "references_commit") == "abc1234"
        ),
        "patch_9 validated_by passed eval_5 missing": (
            _linked(graph, "validated_by", "eval_5")
            and _prop(graph, "eval_5", "status") == "Passed"
        ),
        "patch_9 approved_by approved decision_3 missing": (
            _linked(graph, "approved_by", "decision_3")
            and _prop(graph, "decision_3", "status") == "Approved"
        ),
    }
    for text, holds in facts.items():
        if not holds:
            yield _finding("fixture", f"fixture: {text}")


def _prop(graph: Graph, node: str, name: str) -> object:
    found = graph.nodes.get(node)
    return None if found is None else found.prop(name)


def _linked(graph: Graph, rel: str, target: str) -> bool:
    return any(
        (relation.source, relation.rel, relation.target) == ("patch_9", rel, target)
        for relation in graph.relations
    )


def _finding(rule: str, text: str, path: str = MANIFEST) -> Finding:
    return Finding(6, rule, text, path)
