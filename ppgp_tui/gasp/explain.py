"""Why a finding is one, and how to mend it without rewriting history.

Lines that are committed stay as they are: changing one would break check 4 for good. So what an
event says can only be added to, by later events; where that is not enough, it is said plainly.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from ppgp_tui.gasp.checks.names import LOG
from ppgp_tui.gasp.checks.report import Finding
from ppgp_tui.gasp.envelope import read_line
from ppgp_tui.gasp.telling.sentence import sentence


class Reason(NamedTuple):
    """What is known of one rule."""

    why: str
    mend: str


class Explanation(NamedTuple):
    """One finding explained."""

    finding: Finding
    where: str
    """File and physical line; the file alone where no line is to blame; empty without a file."""
    event: str
    """The event in a few words; empty where none is to blame."""
    why: str
    mend: str


_UNCOMMITTED: Final = (
    "If the line is not committed yet, correct it, or cut it off when it is the torn end of an"
    " interrupted append. "
)
_COMMITTED: Final = (
    "If it is committed it cannot be mended without rewriting history: leave it, correct the"
    " program that wrote it, and go on; or begin a new repository whose first commit holds a"
    " corrected log and whose README names this one."
)
_LINE: Final = _UNCOMMITTED + _COMMITTED

REASONS: Final[dict[str, Reason]] = {
    "log_unreadable": Reason(
        "The log is the source of truth: without it nothing can be restored.",
        "Bring the file back with its committed bytes (git restore state/events.jsonl), or create"
        " it empty in a new agent repository. Bytes that are no UTF-8 can only be taken out while"
        " they are not committed.",
    ),
    "not_run": Reason(
        "This check needs every line of the log to be read as an event.",
        "Mend what check 1 says; this check then runs by itself.",
    ),
    "not_json": Reason(
        "Every line is one JSON object, so that any reader in any language reads the same.", _LINE
    ),
    "not_object": Reason(
        "An event is an object with named members; a reader cannot know what else is meant.", _LINE
    ),
    "missing_member": Reason(
        "All eight members must stand in the line, so that what is unknown is said as null and"
        " not left to guess.",
        _LINE,
    ),
    "unknown_member": Reason(
        "The envelope is closed: readers drop what they do not know, and then a copy is not what"
        " was written. What a producer wants to add belongs into the payload.",
        _LINE,
    ),
    "invalid_envelope": Reason(
        "A member of the wrong type makes the whole line unreadable for the protocol's readers.",
        _LINE,
    ),
    "no_round_trip": Reason(
        "An event that is read and written again must be the same, or every copy loses something.",
        _LINE,
    ),
    "fold_failed": Reason(
        "State is what the operations fold into; one payload that holds none stops every reader"
        " there.",
        _LINE,
    ),
    "snapshot": Reason(
        "A snapshot may only save time: it must be exactly what folding its lines gives.",
        "Delete the snapshot's folder, or make it again (ppgp-tui gasp snapshot). Snapshots are no"
        " history: nothing is lost.",
    ),
    "packs_unreadable": Reason(
        "Packs declare words beyond the baseline; here they cannot be listed.",
        "Make .agent/packs a folder that can be read, or remove it.",
    ),
    "pack_unreadable": Reason(
        "A pack that cannot be read declares nothing.",
        "Make the file readable UTF-8, or remove it. Packs may be changed at any time.",
    ),
    "pack_malformed": Reason(
        "A pack that is no pack declares nothing.",
        "Correct the file: it needs id, name, version, object_types, relation_types, policies,"
        " prompts and settings. Packs may be changed at any time.",
    ),
    "ops_malformed": Reason(
        "Only the seven operations with all their members change the state.", _LINE
    ),
    "undeclared_kind": Reason(
        "Readers know the closed list of node kinds and what the repository's packs declare.",
        "Declare the kind in a pack (.agent/packs/NAME.json, object_types), which needs no change"
        " of the log; and let the program use a baseline kind from now on if one fits.",
    ),
    "undeclared_relation": Reason(
        "Readers know the closed list of relations and what the repository's packs declare.",
        "Declare the relation in a pack (.agent/packs/NAME.json, relation_types), which needs no"
        " change of the log; and let the program use a baseline relation from now on if one fits.",
    ),
    "no_git": Reason(
        "Git is what proves that nothing was changed afterwards.",
        "Run git init in the folder and commit. If Git refuses the folder because it belongs to"
        " somebody else, check as its owner.",
    ),
    "history_unknown": Reason(
        "What Git cannot show cannot be proved.",
        "See what Git says (git fsck, git log), fetch what is missing (git fetch --unshallow), and"
        " check again.",
    ),
    "edited": Reason(
        "These files may only grow: a commit changed, reordered or removed bytes that an earlier"
        " one had, or two branches appended and were merged.",
        "It cannot be mended without rewriting history, and restoring the old text is a second"
        " edit. Leave it, and prevent the next one: let the guard check each commit (ppgp-tui gasp"
        " init), and rebase branches that both appended instead of merging them. A branch that"
        " is not published yet can still be rebased.",
    ),
    "deleted": Reason(
        "These files may only grow; a commit took this one away.",
        "It cannot be mended without rewriting history. Bring the file back with all its bytes"
        " (git restore --source=@COMMIT~1 @PATH) so that nothing is lost; the deletion stays"
        " known.",
    ),
    "work_tree_edited": Reason(
        "The file on the disk no longer begins with what is committed. Line ends count, too.",
        "The change is not committed yet: put your new lines aside, git restore @PATH, and append"
        " them.",
    ),
    "work_tree_missing": Reason(
        "The file is committed and not on the disk.", "git restore @PATH brings it back."
    ),
    "work_tree_unreadable": Reason(
        "The file on the disk cannot be compared with what is committed.",
        "Make it a readable text file again: put your new lines aside, then git restore @PATH.",
    ),
    "cause_unknown": Reason(
        "A cause stands on an earlier line, so that chains end and can be followed.",
        _UNCOMMITTED + "If it is committed it cannot be mended without rewriting history: leave"
        " it, and append an event that names the right cause and says what it corrects.",
    ),
    "bad_root": Reason(
        "Only what begins something may have no cause; all else happened because of something.",
        _UNCOMMITTED + "If it is committed it cannot be mended without rewriting history: leave"
        " it, and let the program name the open run or goal as the cause from now on.",
    ),
    "duplicate_id": Reason(
        "Two events with one id make every reference to it ambiguous.",
        _UNCOMMITTED + "If it is committed it cannot be mended without rewriting history: leave"
        " it, see whether a merge or a retry appended the same line twice, and let the program make"
        " a random id for each event.",
    ),
    "no_manifest": Reason(
        "AGENT.md says whose state this is; restoring begins with it.",
        "Write it (ppgp-tui gasp init) and commit it. It is no append-only file.",
    ),
    "no_identity": Reason(
        "An agent's identity is a committed file, read at every start.",
        "Write identity/IDENTITY.md (ppgp-tui gasp init) and commit it with its hash in AGENT.md.",
    ),
    "no_hash": Reason(
        "Only the hash shows that the identity is the one a person approved. It is looked for in"
        " the first fenced block (three backticks) of AGENT.md.",
        "Let a person read identity/, then put identity_hash: and the 64 digits into that block.",
    ),
    "bad_hash": Reason(
        "The hash is 64 hex digits and nothing else: no quotes, no prefix, no comment behind it.",
        "Correct the line in AGENT.md; the file may be changed.",
    ),
    "hash_differs": Reason(
        "The identity is not the one that the manifest was written for. Untracked files, such as"
        " an editor's copies, and changed line ends count too.",
        "See git status and git diff identity. Take away what does not belong there; if a person"
        " approves the change, put the computed hash into AGENT.md in the same commit.",
    ),
    "identity_unreadable": Reason(
        "What cannot be read cannot be verified.",
        "Make every entry below identity/ a readable file; take links, pipes and the like away.",
    ),
    "fixture": Reason(
        "--fixture asks for the graph of the protocol's own example.",
        "Leave --fixture out, unless this repository is meant to be that example.",
    ),
    "no_id": Reason("An event that creates an entity names it, or nothing can refer to it.", _LINE),
    "unpaired": Reason(
        "What creates an entity needs the operations that make its node, or the story tells of"
        " something that the state does not have.",
        "Append one state.ops_applied event whose cause is this event and that creates the node"
        " with the same id and status. A later line is allowed: that mends it.",
    ),
    "malformed_pair": Reason("The operations that should make the node are none.", _LINE),
    "wrong_kind": Reason(
        "Event and node must say the same kind of thing.",
        _UNCOMMITTED + "If it is committed it cannot be mended without rewriting history: a"
        " second node would be one too many. Leave it, and record the entity again under a new id.",
    ),
    "status_differs": Reason(
        "Event and node must begin with the same status.",
        _UNCOMMITTED + "If it is committed it cannot be mended without rewriting history: leave"
        " it, and append a status event whose operations set what is right.",
    ),
    "not_created": Reason(
        "The operations caused by this event do not make its node.",
        "Append one state.ops_applied event whose cause is this event and that creates the node"
        " with the same id and status. A later line is allowed: that mends it.",
    ),
    "created_often": Reason(
        "Each making begins the node anew and forgets what happened to it in between.",
        _UNCOMMITTED + "If it is committed it cannot be mended without rewriting history: leave"
        " it, and let the program update the node instead of making it again.",
    ),
    "chained": Reason(
        "Operations are caused by what happened, not by other operations; else the reason is lost.",
        _UNCOMMITTED + "If it is committed it cannot be mended without rewriting history: leave"
        " it, and let the program name the domain event as the cause from now on.",
    ),
}
"""By the `rule` of a finding. `@PATH` and `@COMMIT` stand for those of the finding."""

_COMMIT: Final = re.compile(r"\bcommit ([0-9a-f]{7,64})\b")


def reason_of(finding: Finding) -> Reason:
    """Why this finding is one and how to mend it, with its own path and commit."""
    reason = REASONS[finding.rule]
    commit = _COMMIT.search(finding.text)
    mend = reason.mend.replace("@COMMIT", commit[1] if commit else "COMMIT")
    is_quoted = finding.path.startswith('"')  # by Git, which takes it so from nobody
    path = "PATH" if is_quoted else shlex.quote(finding.path)
    return Reason(reason.why, mend.replace("@PATH", path))


def explain(findings: Iterable[Finding], log: bytes) -> Iterator[Explanation]:
    """Explain findings. `log`: the bytes they are about, to say what happened on a line."""
    lines = log.split(b"\n")
    for finding in findings:
        reason = reason_of(finding)
        place = finding.place
        where = f"{finding.path} line {place.physical}" if place else finding.path
        event = ""
        if place and finding.path == LOG and place.physical <= len(lines):
            event = _told(lines[place.physical - 1], place.event)
        yield Explanation(finding, where, event, reason.why, reason.mend)


def _told(line: bytes, name: str | None) -> str:
    event = read_line(line)
    words = sentence(event, {}).words
    kind = f"{event.kind}: " if event.kind and not words.startswith(event.kind) else ""
    return f"{name or event.id or 'no id'} ({kind}{words})"
