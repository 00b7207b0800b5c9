"""Plans to draw: the importer example of the screens, and its comparison with revision 12."""

from __future__ import annotations

from ppgp_tui.ui.graph import Mark, Node
from ppgp_tui.ui.looks.look import Role, Sign

_STATES: dict[str, tuple[Sign, Role]] = {
    "done": ("done", "ok"),
    "runs": ("running", "run"),
    "ready": ("ready", "ink"),
    "waits": ("waits", "soft"),
    "blocked": ("blocked", "stop"),
    "you": ("for_you", "needs"),
}


def task(key: str, subject: str, state: str, needs: str = "", word: str = "") -> Node:
    """One task; `needs` are keys with blanks between."""
    sign, role = _STATES[state]
    return Node(key, key, sign, role, word or state, subject, tuple(needs.split()))


def importer() -> tuple[Node, ...]:
    """Revision 14: twelve tasks."""
    return (
        task("T1", "Map the import pipeline", "done"),
        task("T2", "Choose checkpoint format", "done", "T1"),
        task("T3", "Add checkpoint table", "done", "T2"),
        task("T4", "Golden files of old imports", "done", "T1"),
        task("T5", "Write checkpoint per batch", "runs", "T3"),
        task("T6", "Resume from last checkpoint", "waits", "T5"),
        task("T7", "Make row writes idempotent", "ready", "T3"),
        task("T8", "Drop old cursor column", "blocked", "T3 T4", "C you"),
        task("T9", "Kill test at 50 points", "waits", "T6 T7"),
        task("T10", "Progress and resume messages", "you", "T2"),
        task("T11", "Soak run on staging copy", "blocked", "T8 T9", "B 02:00"),
        task("T12", "Write the runbook", "waits", "T10 T11"),
    )


def compared() -> tuple[Node, ...]:
    """What changed from revision 12 to 14: two added, two changed, one removed."""
    marks: dict[str, Mark] = {"T5": "restated", "T9": "reworded", "T10": "added", "T11": "added"}
    words = {"T9": "chg", "T10": "new"}
    tasks = [
        node._replace(mark=marks.get(node.key, ""), word=words.get(node.key, node.word))
        for node in importer()
    ]
    removed = task("T13", "Parallel import", "waits", "T3", "gone")._replace(mark="removed")
    return (*tasks[:7], removed, *tasks[7:])
