"""Whether a document is whole: its level, and what is missing, empty, renamed or unknown.

Levels and message texts are those of PPGP reference section 2.1 with the corrections of 2.2.
"""

from __future__ import annotations

from collections.abc import Iterator

from ppgp_tui.ppgp.fields import Fields, missing
from ppgp_tui.ppgp.prose import clipped
from ppgp_tui.ppgp.reading import Finding, Health
from ppgp_tui.ppgp.vocabulary import CANONICAL

_NAMED = 12
"""So many sections are named in one message."""


def health_of(fields: Fields) -> Health:
    """Return the level: no field of its own name is malformed, one missing or empty partial."""
    absent = missing(fields)
    if len(absent) == len(CANONICAL):
        return "MALFORMED"
    return "PARTIAL" if absent or any(_empty(fields)) else "CONFORMANT"


def field_findings(fields: Fields) -> Iterator[Finding]:
    """Yield what is to be said about the fields and sections of the document."""
    absent = missing(fields)
    if len(absent) == len(CANONICAL):
        yield _no_fields(fields)
    elif absent:
        yield Finding(
            "missing-field",
            f"canonical field(s) missing ({len(absent)} of 13): {', '.join(absent)}",
            None,
            "add the missing headings",
        )
    for name in _empty(fields):
        line = fields.found[name].field.line
        text = f"{name} is present but empty"
        yield Finding("empty-field", text, line, "fill it or write None")
    for one in fields.found.values():
        if one.field.match == "mapped":
            yield Finding(
                "mapped-field",
                f'"{clipped(one.field.heading, 60)}" is read as {one.field.name}; '
                "it does not count as that field",
                one.field.line,
                f"call it {one.field.name}",
            )
    if fields.extra and len(absent) < len(CANONICAL):
        yield _extra_sections(fields)


def _no_fields(fields: Fields) -> Finding:
    seen = ", ".join(f'"{clipped(title, 40)}"' for title in fields.outline.headings[:6])
    return Finding(
        "no-fields",
        "no recognizable ACTIVE_GOAL sections; "
        + (f"headings seen: {seen}" if seen else "no headings at all"),
        None,
        "name the sections as PPGP does: ## GOAL, ## PHASE, ## DEFINITION_OF_DONE …",
    )


def _extra_sections(fields: Fields) -> Finding:
    titles = [f'"{clipped(section.label, 60)}"' for section in fields.extra]
    more = f" and {len(titles) - _NAMED} more" if len(titles) > _NAMED else ""
    listed = ", ".join(titles[:_NAMED])
    text = f"unrecognized section(s) kept as-is: {listed}{more}"
    return Finding("extra-section", text, fields.extra[0].line)


def _empty(fields: Fields) -> Iterator[str]:
    for name, one in fields.found.items():
        if one.field.match != "mapped" and one.field.empty:
            yield name
