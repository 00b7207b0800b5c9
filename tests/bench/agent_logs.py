"""An agent repository with a long history, as an agent that evolves itself leaves it."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LOG = "state/events.jsonl"
_BEGUN_MS = 1_790_000_000_000


def repository(root: Path, commits: int, size: int) -> Path:
    """Make a repository with a log of at least `size` bytes that grew in that many commits."""
    root.mkdir(parents=True)
    identity = b"# Identity\n\nAn agent that is measured.\n"
    digest = hashlib.sha256(b"identity/IDENTITY.md\n" + identity).hexdigest()
    files = {
        "AGENT.md": f"```yaml\nspec_version: 1\nidentity_hash: {digest}\n```\n".encode(),
        "identity/IDENTITY.md": identity,
        LOG: b"",
    }
    lines = _lines()
    stream = [b"feature done\n"]
    for number in range(commits):
        while len(files[LOG]) < size * (number + 1) // commits:
            files[LOG] += next(lines)
        stream.append(_commit(number, files))
    stream.append(b"done\n")
    for words, given in (
        (["init", "-q", "-b", "main"], b""),
        (["fast-import", "--quiet"], b"".join(stream)),
        (["reset", "-q", "--hard"], b""),
        (["repack", "-q", "-a", "-d"], b""),
    ):
        subprocess.run(["git", "-C", str(root), *words], input=given, check=True)
    return root


def _commit(number: int, files: dict[str, bytes]) -> bytes:
    changed = files if not number else {LOG: files[LOG]}
    blobs = b"".join(
        b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)
        for path, data in changed.items()
    )
    person = b"t <t@example.invalid> %d +0000" % (1_790_000_000 + 60 * number)
    return b"commit refs/heads/main\ncommitter %s\ndata 4\nrun\n\n%s\n" % (person, blobs)


def _lines() -> Iterator[bytes]:
    """Goals, runs, tasks, patches with their evals and decisions, each with its operations."""
    count = 0

    def event(kind: str, payload: Any, cause: str | None, run: str | None) -> tuple[str, bytes]:
        nonlocal count
        count += 1
        name = "event_" + hashlib.md5(str(count).encode(), usedforsecurity=False).hexdigest()
        told = {
            "id": name, "schema_version": 1, "ts_ms": _BEGUN_MS + 700 * count,
            "actor": {"kind": "agent", "id": "yolo"}, "kind": kind, "payload": payload,
            "causation_id": cause, "correlation_id": run,
        }  # fmt: skip
        return name, json.dumps(told, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"

    def pair(kind: str, payload: dict[str, Any], cause: str | None, run: str | None,
             *links: tuple[str, str]) -> Iterator[bytes]:  # fmt: skip
        name, line = event(kind, payload, cause, run)
        props = {key: value for key, value in sorted(payload.items()) if key != "id"}
        node = {"id": payload["id"], "kind": kind.partition(".")[0], "props": props}
        ops: list[Any] = [{"CreateNode": node}]
        for rel, target in links:
            link = {"from": payload["id"], "props": {}, "rel": rel, "to": target}
            ops.append({"CreateRelation": link})
        yield line + event("state.ops_applied", ops, name, run)[1]

    number = 0
    goal = {"id": "goal_0", "metadata": {}, "status": "Open", "summary": "", "title": "Grow"}
    yield from pair("goal.created", goal, None, None)
    while True:
        number += 1
        run = f"run_day{number}"
        begun, line = event("run.started", {"run_id": run, "task": f"day {number} 🐙"}, None, run)
        yield line
        title = f"Make part {number} of the retry counter survive a restart – “always” #{number}"
        told = {"metadata": {}, "summary": title * 2, "title": title}
        task, patch = f"task_{number}", f"patch_{number}"
        yield from pair("task.created", {"id": task, "status": "Open", **told}, begun, run,
                        ("serves", "goal_0"))  # fmt: skip
        yield from pair("patch.proposed", {"id": patch, "status": "Proposed", **told}, begun, run,
                        ("advances", "goal_0"))  # fmt: skip
        test = {"command": "cargo test", "id": f"eval_{number}", "metadata": {}, "score": 1.0}
        yield from pair("eval.finished", {**test, "status": "Passed"}, begun, run)
        said = {"id": f"decision_{number}", "metadata": {}, "reason": "", "status": "Approved"}
        yield from pair("decision.created", said, begun, run)
        moved = {"patch_id": patch, "reason": None, "status": "Promoted"}
        name, line = event("patch.status_changed", moved, begun, run)
        yield line
        change = [{"UpdateNode": {"id": patch, "props": {"status": "Promoted"}}}]
        yield event("state.ops_applied", change, name, run)[1]
        finished = {"outcome": "completed", "run_id": run}
        yield event("run.finished", finished, begun, run)[1]
