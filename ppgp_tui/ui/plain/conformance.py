"""What `show` says of the log's conformance."""

from __future__ import annotations

from collections.abc import Iterator

from ppgp_tui.session.picture.conformance import Conformance
from ppgp_tui.session.text import one_line

_SAID = 3
"""Findings that are said in full."""


def conformance_sentences(known: Conformance) -> Iterator[str]:
    """Yield the verdict, then the first findings; nothing where nothing is known."""
    if known.state == "ok":
        yield "The log passes all seven conformance checks."
    elif known.state == "incomplete":
        yield f"The log is sound, no {' and no '.join(known.lacks)}."
    elif known.state == "unchecked":
        yield f"The log is not checked: {one_line(known.why)}."
    elif known.state == "failed":
        noun = "finding" if known.findings == 1 else "findings"
        yield f"The log has {known.findings:,} {noun}; ppgp-tui gasp check . --explain tells all."
        for finding in known.first[:_SAID]:
            yield f"Check {finding.check}: {one_line(finding.text)}."
