"""Agent repositories made step by step, with commits whose ids are always the same."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[2] / "data" / "gasp"
FIXTURE: dict[str, str] = json.loads((DATA / "fixture.json").read_text("utf-8"))
LOG = "state/events.jsonl"
_BEGIN_S = 1_767_225_600

Step = dict[str, Any]


class AgentRepository:
    """The fixture repository in a new folder; every method is one edit."""

    def __init__(self, root: Path, *, empty: bool = False) -> None:
        self.root = root
        self._commits = 0
        root.mkdir(parents=True)
        for path, text in {} if empty else FIXTURE.items():
            self.write(path, text)

    def write(self, path: str, data: str | bytes) -> None:
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data.encode() if isinstance(data, str) else data)

    def read(self, path: str = LOG) -> bytes:
        return (self.root / path).read_bytes()

    def append(self, data: str | bytes, path: str = LOG) -> None:
        before = self.read(path) if (self.root / path).exists() else b""
        self.write(path, before + (data.encode() if isinstance(data, str) else data))

    def delete(self, path: str) -> None:
        target = self.root / path
        shutil.rmtree(target) if target.is_dir() else target.unlink()

    def substitute(self, old: str, new: str, path: str = LOG, count: int = 1) -> None:
        before = self.read(path)
        assert old.encode() in before
        self.write(path, before.replace(old.encode(), new.encode(), count))

    def line(self, number: int) -> Any:
        return json.loads(self.read().split(b"\n")[number - 1])

    def set_line(self, number: int, text: str | bytes | dict[str, Any]) -> None:
        lines = self.read().split(b"\n")
        lines[number - 1] = as_line(text)
        self.write(LOG, b"\n".join(lines))

    def insert_line(self, number: int, text: str | bytes | dict[str, Any]) -> None:
        lines = self.read().split(b"\n")
        lines.insert(number - 1, as_line(text))
        self.write(LOG, b"\n".join(lines))

    def delete_line(self, number: int) -> bytes:
        lines = self.read().split(b"\n")
        line = lines.pop(number - 1)
        self.write(LOG, b"\n".join(lines))
        return line

    def edit_line(
        self, number: int, change: dict[str, Any] | None = None, remove: tuple[str, ...] = ()
    ) -> None:
        """Change members of a line's event; digits in a dotted path are places in a list."""
        event = self.line(number)
        for path, value in (change or {}).items():
            holder, last = _holder(event, path)
            holder[last] = value
        for path in remove:
            holder, last = _holder(event, path)
            del holder[last]
        self.set_line(number, event)

    def init(self) -> None:
        self.git("init", "-q", "-b", "main", ticks=0)

    def commit(self, message: str = "step") -> str:
        self.git("add", "-A", ticks=0)
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD", ticks=0).strip()

    def git(self, *words: str, ticks: int = 1) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.root), *words],
            env=self._environ(), capture_output=True, check=True, text=True,
        )  # fmt: skip
        self._commits += ticks
        return done.stdout

    def _environ(self) -> dict[str, str]:
        date = f"{_BEGIN_S + 60 * self._commits} +0000"
        person = {
            f"GIT_{who}_{what}": value
            for who in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", "t"), ("EMAIL", "t@example.invalid"), ("DATE", date))
        }
        nowhere = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        return {**os.environ, **person, **nowhere}

    def follow(self, steps: list[Step]) -> AgentRepository:
        """Carry out recorded steps."""
        for step in steps:
            self._follow(step)
        return self

    def _follow(self, step: Step) -> None:
        path = step.get("path", LOG)
        match step["op"]:
            case "init":
                self.init()
            case "commit":
                self.commit(step.get("message", "step"))
            case "git":
                self.git(*step["args"])
            case "write":
                self.write(path, _data(step))
            case "append":
                self.append(_data(step), path)
            case "prepend":
                self.write(path, _data(step) + self.read(path))
            case "delete":
                self.delete(path)
            case "mkdir":
                (self.root / path).mkdir(parents=True, exist_ok=True)
            case "sub":
                count = step.get("count", 1)
                self.substitute(step["old"], step["new"], path, count if count > 0 else -1)
            case "line_json":
                self.edit_line(step["line"], step.get("set"), tuple(step.get("unset", ())))
            case "line_text":
                self.set_line(step["line"], step["text"])
            case "insert_line":
                self.insert_line(step["line"], step["text"])
            case "delete_line":
                self.delete_line(step["line"])
            case "move_line":
                self.insert_line(step["to"], self.delete_line(step["line"]))
            case "event":
                self.append(as_line(step["event"]) + b"\n")
            case "crlf":
                self.write(path, self.read(path).replace(b"\n", b"\r\n"))
            case "chop":
                self.write(path, self.read(path)[: -step["bytes"]])
            case other:
                raise AssertionError(f"no such step: {other}")


def as_line(event: str | bytes | dict[str, Any]) -> bytes:
    """An event as compact JSON; text and bytes as they are."""
    if isinstance(event, dict):
        event = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return event.encode() if isinstance(event, str) else event


def event(number: int, kind: str, payload: Any, cause: str | None, **more: Any) -> dict[str, Any]:
    """A sound event with the id `event_NUMBER`."""
    return {
        "id": f"event_{number:02}",
        "schema_version": 1,
        "ts_ms": 1_739_000_001_000,
        "actor": {"kind": "agent", "id": "evolve"},
        "kind": kind,
        "payload": payload,
        "causation_id": cause,
        "correlation_id": "run_42",
        **more,
    }


def _data(step: Step) -> bytes:
    return base64.b64decode(step["b64"]) if "b64" in step else step["text"].encode()


def _holder(event: Any, path: str) -> tuple[Any, Any]:
    *above, last = [int(word) if word.isdigit() else word for word in path.split(".")]
    for word in above:
        event = event[word]
    return event, last
