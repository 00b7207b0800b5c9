"""The boot packet: what an agent without a memory reads first (PPGP reference section 8).

Contract, hot state and evidence in one text. The same document and the same evidence always give
the same bytes, so a packet can be compared, and nothing in it is younger than what it was made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from ppgp_tui.ppgp.reading import Field, GoalReading

CONTRACT: Final = (
    "GOAL", "WHY", "DEFINITION_OF_DONE", "FROZEN_DECISIONS", "INVARIANTS",
    "HUMAN_AUTHORITY_REQUIRED",
)  # fmt: skip
HOT_STATE: Final = (
    "PHASE", "VERIFIED_CURRENT_STATE", "COMPLETED", "REMAINING", "BLOCKERS",
    "NEXT_EXECUTABLE_ACTION",
)  # fmt: skip
EVIDENCE: Final = ("VERIFICATION_EVIDENCE",)

_FROZEN_PHASES: Final = ("FREEZE", "EXECUTE", "HARDEN", "SHIP", "DISTILL")


class Fact(NamedTuple):
    """Something that is known beside the document, such as what Git says; `text` may be lines."""

    title: str
    text: str


def boot_packet(reading: GoalReading, facts: Sequence[Fact] = (), memory: str | None = None) -> str:
    """Return the packet of the document behind `reading`, as Markdown that ends with a newline.

    `facts` follow the document's own evidence in the order given. `memory` is the path of the
    document in the role MEMORY: which of its entries touch the goal nobody can tell by rule, so the
    packet names it and quotes nothing.
    """
    missing = reading.health == "MISSING"
    blocks = [
        *_head(reading),
        *([] if missing else _part("GOAL_CONTRACT", CONTRACT, reading)),
        *([] if missing else _part("HOT_STATE", HOT_STATE, reading)),
        *_part("RELEVANT_EVIDENCE", [] if missing else EVIDENCE, reading),
        *(f"### {fact.title}\n{fact.text.strip()}" for fact in facts),
        f"## RELEVANT_MEMORY\n{_memory(memory)}",
    ]
    return "\n\n".join(blocks) + "\n"


def _head(reading: GoalReading) -> Iterator[str]:
    yield f"# BOOT PACKET\nFrom {reading.path}: {reading.health}."
    if reading.health == "MISSING":
        yield "There is no goal document, so there is no contract to go on with: ask for the goal."
    elif reading.health != "CONFORMANT":
        yield "\n".join(["What is wrong with the document:", *_faults(reading)])
    if reading.sections:
        titles = ", ".join(f'"{section.title}"' for section in reading.sections)
        yield f"The document has more than is repeated here: {titles}."
    yield _how_to_go_on(reading)


def _faults(reading: GoalReading) -> Iterator[str]:
    for reason in reading.reasons:
        where = f" (line {reason.line})" if reason.line else ""
        yield f"- {reason.text}{where}"


def _how_to_go_on(reading: GoalReading) -> str:
    order = (
        "Go on in this order: the repository's instructions to agents, this packet, `git status`, "
        "the last commits, the evidence, then NEXT_EXECUTABLE_ACTION. What can be observed is "
        "stronger than what is written here."
    )
    frozen = reading.field_named("FROZEN_DECISIONS")
    if frozen is None or frozen.empty or reading.phase not in _FROZEN_PHASES:
        return order
    return f"{order}\nThe strategy is frozen: go on with {reading.phase}, do not begin THINK again."


def _part(title: str, names: Sequence[str], reading: GoalReading) -> Iterator[str]:
    yield f"## {title}"
    for name in names:
        yield f"### {name}\n{_body(name, reading)}"


def _body(name: str, reading: GoalReading) -> str:
    field = reading.field_named(name)
    lines = [] if field is None else [_written(field)]
    if name == "GOAL" and field is None and reading.goal is not None:
        lines.append(f"{reading.goal}\n(from the {reading.goal_source}; no GOAL is written)")
    if name == "PHASE" and reading.phase is None and reading.phase_inferred is not None:
        lines.append(f"(no phase is named; the words suggest {reading.phase_inferred})")
    return "\n".join(lines) or "(not in the document)"


def _written(field: Field) -> str:
    text = field.text.strip("\n").rstrip() or "(empty)"
    return f'{text}\n(under the heading "{field.heading}")' if field.match == "mapped" else text


def _memory(path: str | None) -> str:
    if path is None:
        return "No document plays the role MEMORY here."
    return f"{path}: read the entries that touch this goal, not the whole history."
