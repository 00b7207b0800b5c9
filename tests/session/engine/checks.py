"""The seven GASP checks on a repository (GASP reference section 11), written out once more.

Independent of the program: it reads the files and asks Git.
"""

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

from tests.session.engine import rules

Json = dict[str, Any]

LOG = "state/events.jsonl"


def failures(root: Path) -> dict[int, list[str]]:
    """What each failed check says; empty for a conformant repository."""
    lines = [line for line in (root / LOG).read_bytes().split(b"\n") if line.strip()]
    found = {1: [text for number, line in enumerate(lines, 1) for text in _line(number, line)]}
    events = [] if found[1] else [json.loads(line) for line in lines]
    found |= {
        2: [] if found[1] else _replay(events),
        3: rules.vocabulary(events),
        4: _append_only(root),
        5: rules.causes(events),
        6: _restore(root),
        7: rules.pairs(events),
    }
    return {number: texts for number, texts in found.items() if texts}


def _line(number: int, line: bytes) -> list[str]:
    """Check 1 of one line."""
    try:
        event = json.loads(line.decode(), object_pairs_hook=_once, parse_constant=_no_number)
    except ValueError as error:
        return [f"line {number}: {error}"]
    if not isinstance(event, dict) or set(event) != set(rules.KEYS):
        return [f"line {number}: not the eight members"]
    texts = [event["id"], event["kind"], event["actor"]["kind"], event["actor"]["id"]]
    sound = (
        set(event["actor"]) == {"kind", "id"}
        and all(isinstance(text, str) for text in texts)
        and type(event["schema_version"]) is int
        and type(event["ts_ms"]) is int
        and all(isinstance(event[key], str | None) for key in ("causation_id", "correlation_id"))
    )
    written = json.dumps(event, ensure_ascii=False, separators=(",", ":")).encode()
    faults = [] if sound else [f"line {number}: types"]
    if written != line or json.dumps(event["payload"]) != json.dumps(_sorted(event["payload"])):
        faults.append(f"line {number}: not written as the reference writer would")
    return faults


def _replay(events: list[Json]) -> list[str]:
    try:
        _, _, skipped = rules.graph(events)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        return [f"fold failed: {error!r}"]
    return [f"skipped {text}" for text in skipped]


def _append_only(root: Path) -> list[str]:
    """Check 4 of the log."""
    commits = _git(root, "rev-list", "--reverse", "--full-history", "HEAD", "--", LOG).split()
    faults, before = [], b""
    for commit in commits:
        now = _git(root, "show", f"{commit.decode()}:./{LOG}")
        if not now.startswith(before):
            faults.append(f"commit {commit.decode()[:7]} edits existing lines")
        before = now
    if not (root / LOG).read_bytes().startswith(before):
        faults.append("working tree edits committed lines")
    return faults


def _restore(root: Path) -> list[str]:
    """Check 6 but for the fold."""
    if not (root / "AGENT.md").is_file():
        return ["AGENT.md manifest missing"]
    if not (root / "identity").is_dir():
        return ["no identity/ directory"]
    declared, computed = _declared(root), identity_hash(root)
    return [] if declared == computed else [f"declared {declared}, computed {computed}"]


def _declared(root: Path) -> str | None:
    inside = False
    for line in (root / "AGENT.md").read_text().split("\n"):
        if line.strip().startswith("```"):
            if inside:
                return None
            inside = True
        elif inside and line.strip().startswith("identity_hash:"):
            return line.strip().removeprefix("identity_hash:").strip().lower()
    return None


def identity_hash(root: Path) -> str:
    """SHA-256 over path, newline and bytes of every file of `identity/`, in order of paths."""
    files = [path for path in (root / "identity").rglob("*") if not path.is_dir()]
    digest = hashlib.sha256()
    for path in sorted(files, key=lambda path: path.relative_to(root).as_posix().encode()):
        digest.update(path.relative_to(root).as_posix().encode() + b"\n" + path.read_bytes())
    return digest.hexdigest()


def add_manifest(root: Path) -> None:
    """What makes a repository an agent's (GASP reference sections 2 and 3)."""
    (root / "identity").mkdir()
    (root / "identity" / "IDENTITY.md").write_text("# Demo\nA careful agent.\n")
    (root / "identity" / "PRINCIPLES.md").write_text("Say what is known.\n")
    (root / ".agent").mkdir()
    (root / ".agent" / "config.toml").write_text('[executor]\nprovider = "none"\n')
    (root / ".gitignore").write_text(".agent/lease\n.agent/HEAD\n")
    lines = [
        "# AGENT", "```yaml", "spec_version: 1", "agent_id: demo",
        f"identity_hash: {identity_hash(root)}", "executor: .agent/config.toml", "```",
    ]  # fmt: skip
    (root / "AGENT.md").write_text("\n".join(lines) + "\n")


def _git(root: Path, *arguments: str) -> bytes:
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, check=True)
    return done.stdout


def _once(pairs: list[tuple[str, Any]]) -> Json:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a member is given twice")
    return dict(pairs)


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, list) else value
