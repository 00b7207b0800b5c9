"""A commit as rows: who, when, why, which files, and the lines that changed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import lru_cache

from ppgp_tui.session.picture.commit import ChangedFile, Commit
from ppgp_tui.ui.looks.ages import age
from ppgp_tui.ui.looks.look import Role
from ppgp_tui.ui.looks.words import count
from ppgp_tui.ui.rows.row import Line, Row, Span, blank, heading
from ppgp_tui.ui.views.prose import exact_pieces, paragraph

_MOST_FILES = 200
_MOST_LINES = 5_000
"""Lines of changes that can be looked at here."""
_LONGEST = 2_000
"""Characters of one line of a change."""


def commit_rows(commit: Commit, width: int, now_ms: int) -> list[Row]:
    """Everything about `commit`, each line of its changes a row, so that it scrolls."""
    since = age(commit.at_ms, now_ms)
    day = "" if commit.at_ms is None else time.strftime(
        "%Y-%m-%d %H:%M", time.localtime(commit.at_ms / 1000)
    )  # fmt: skip
    return [
        _head(commit.id, since),
        *_told(commit, day, width),
    ]


def _head(commit: str, since: str) -> Row:
    name = Span(commit[:7], "ink", bold=True, link=f"commit:{commit}")
    left = (Span("Commit ", "ink", bold=True), name)
    return Row("", (Line(left, (Span(since, "soft"),), indent=1),))


@lru_cache(maxsize=8)
def _told(commit: Commit, day: str, width: int) -> tuple[Row, ...]:
    rows = [
        paragraph(commit.subject or "(no subject)", width, "ink", key="subject", bold=True),
        paragraph(f"{commit.author}, {day}" if day else commit.author, width, "soft", key="author"),
    ]
    if commit.parents > 1:
        said = "a merge, compared with its first parent"
        rows.append(paragraph(said, width, "soft", key="merge"))
    if commit.body:
        rows += [blank(), paragraph(commit.body, width, key="body")]
    rows += [blank(), *_files(commit, width)]
    if commit.changes:
        rows += [blank(), heading("Changes"), *_changes(commit, width)]
    return tuple(rows)


def _files(commit: Commit, width: int) -> Iterator[Row]:
    added = sum(file.added or 0 for file in commit.files)
    removed = sum(file.removed or 0 for file in commit.files)
    if not commit.files:
        yield heading("Files", "none changed")
        return
    yield heading("Files", str(len(commit.files)), _counts(added, removed))
    for number, file in enumerate(commit.files[:_MOST_FILES]):
        path = Span(file.path, link=f"file:{file.path}")
        line = Line((path,), _file_counts(file), indent=1, cut="middle")
        yield Row(f"file:{number}", (line,), copy=file.path)
    if (more := len(commit.files) - _MOST_FILES) > 0:
        yield _soft(f"and {count(more, 'more file')}", width)


def _counts(added: int, removed: int) -> tuple[Span, ...]:
    return (Span(f"+{added:,}", "ok"), Span(" "), Span(f"-{removed:,}", "stop"))


def _file_counts(file: ChangedFile) -> tuple[Span, ...]:
    if file.added is None or file.removed is None:
        return (Span("binary", "soft"),)
    return _counts(file.added, file.removed)


def _changes(commit: Commit, width: int) -> Iterator[Row]:
    in_hunk = False
    for number, text in enumerate(commit.changes[:_MOST_LINES]):
        if text.startswith("diff --git "):
            in_hunk = False
        elif text.startswith("@@"):
            in_hunk = True
        role, bold = _manner(text, in_hunk)
        pieces = exact_pieces(text[:_LONGEST], width - 2)
        lines = tuple(
            Line((Span(piece, role, bold=bold, exact=True),), indent=1) for piece in pieces
        )
        yield Row(f"line:{number}", lines, copy=text)
    more = len(commit.changes) - _MOST_LINES
    if more > 0:
        yield _soft(f"and {more:,} more lines", width)
    if commit.left_out:
        yield _soft("and more changes than are read here: git show has them all", width)


def _manner(text: str, in_hunk: bool) -> tuple[Role, bool]:
    """The colour of a line; its own first character says the same without colour."""
    if not in_hunk:
        return "soft", text.startswith("diff --git ")
    if text.startswith("@@"):
        return "wait", False
    return {"+": ("ok", False), "-": ("stop", False), "\\": ("soft", False)}.get(  # type: ignore[return-value]
        text[:1], ("text", False)
    )


def _soft(text: str, width: int) -> Row:
    return paragraph(text, width, "soft")
