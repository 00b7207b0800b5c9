"""What a new agent repository consists of (GASP reference sections 2, 3 and 9): paths and texts."""

from __future__ import annotations

import re
from typing import Final

CONFIG: Final = ".agent/config.toml"
LOG: Final = "state/events.jsonl"
IGNORED: Final = (".agent/lease", ".agent/HEAD")
"""What belongs to one machine and must not be committed."""

LONGEST_ID: Final = 64
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)


def is_agent_id(text: str) -> bool:
    """Whether `text` can stand behind `agent_id:` without quotes, and in a path."""
    return _ID.fullmatch(text) is not None


def agent_id_of(folder: str) -> str:
    """An id made of a folder's name; `agent` when nothing of the name can be used."""
    plain = re.sub(r"[^a-z0-9._]+", "-", folder.lower()).strip("-._")[:LONGEST_ID]
    return plain.rstrip("-._") or "agent"


def manifest(agent_id: str, identity_hash: str) -> str:
    """The text of `AGENT.md`. Its first fenced block is the part that programs read."""
    return _MANIFEST.format(agent_id=agent_id, identity_hash=identity_hash)


def identity(agent_id: str) -> dict[str, bytes]:
    """The files of a new `identity/` folder, by name."""
    return {name: text.format(agent_id=agent_id).encode() for name, text in _IDENTITY.items()}


def config() -> str:
    """The text of `.agent/config.toml`: which model and program carry the agent out."""
    return _CONFIG


def missing_ignores(text: bytes) -> bytes:
    """What must be added at the end of a `.gitignore` with these bytes; empty when nothing.

    The file's own line ends are kept.
    """
    there = {line.strip().lstrip(b"/") for line in text.splitlines()}
    lines = [path.encode() for path in IGNORED if path.encode() not in there]
    if not lines:
        return b""
    end = b"\r\n" if b"\r\n" in text else b"\n"
    begin = b"" if not text or text.endswith(b"\n") else end
    return begin + b"".join(line + end for line in lines)


_MANIFEST: Final = """\
# AGENT

```yaml
spec_version: 1
agent_id: {agent_id}
identity_hash: {identity_hash}
executor: .agent/config.toml
```

The state of this agent is this Git repository. `state/events.jsonl` holds everything that happened,
one event a line, and only ever grows; folding it from the first line gives goals, tasks, runs and
decisions. `identity/` says who the agent is. A change there is made by a person, in one commit that
also renews `identity_hash` above and appends a `decision.created` event.
"""

_IDENTITY: Final = {
    "IDENTITY.md": """\
# Identity

I am {agent_id}.

Write here what this agent is for, whom it serves, and what it answers for.
""",
    "PERSONALITY.md": """\
# Personality

Write here how this agent speaks and works: its tone, how much it says, when it asks.
""",
    "PRINCIPLES.md": """\
# Principles

Write here what this agent always does and never does, whatever it is asked.
""",
}

_CONFIG: Final = """\
# What carries this agent out. Another model or program changes this file and nothing else.

[executor]
# provider = "…"
# model = "…"

[state]
events = "state/events.jsonl"
"""
