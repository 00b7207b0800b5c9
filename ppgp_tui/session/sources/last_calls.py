"""The last calls of a session, from the end of the file its hooks append to (`heartbeat`)."""

from __future__ import annotations

from typing import Final, Literal

from ppgp_tui.session.model import CallSeen

KEPT: Final = 6

How = Literal["running", "held", "done", "failed", "denied"]


def last_calls(tail: bytes) -> tuple[CallSeen, ...]:
    """The newest calls first, each as its newest line leaves it; other lines are left out."""
    found: dict[str, CallSeen] = {}
    for line in tail.split(b"\n")[:-1]:
        words = line.decode("ascii", "replace").split(" ")
        if len(words) != 7 or not (words[0].isdecimal() and len(words[0]) < 19):
            continue
        moment, what, _, decision, call, subagent, tool = words
        key = call if call != "-" else f"{subagent} {tool}"
        found.pop(key, None)
        found[key] = CallSeen(tool, int(moment), _how(what, decision))
    return tuple(reversed([*found.values()][-KEPT:]))


def _how(what: str, decision: str) -> How:
    if what == "pre":
        before: dict[str, How] = {"held": "held", "deny": "denied"}
        return before.get(decision, "running")
    return "failed" if what == "fail" else "done"
