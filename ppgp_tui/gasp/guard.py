"""The Git hook that refuses a commit in which an append-only file loses or changes a byte.

Plain `sh` and Git, so that it works where this program is not installed. It compares what is about
to be committed with every parent: the old content must be a prefix of the new one, which is what
check 4 asks of the history afterwards (GASP reference section 11).
"""

from __future__ import annotations

import re
from typing import Final

HOOKS: Final = ("pre-commit", "pre-merge-commit")
"""The names under which Git has to find the guard: a merge without conflict asks the second."""

MARK: Final = "# gasp-guard 1"
"""A line by which a guard is known again."""

CHAINED: Final = ".local"
"""What is added to the name of a hook that was there before; the guard runs it afterwards."""


def guard(prefix: str = "") -> str:
    """The text of the hook for a root at `prefix` within the work tree (`""` or `a/b/`)."""
    pattern = re.sub(r"([*?\[\\])", r"\\\1", prefix)
    words = {"@MARK@": MARK, "@PREFIX@": _quoted(prefix), "@PATTERN@": _quoted(pattern)}
    return re.sub("@[A-Z]+@", lambda found: words[found[0]], _TEXT)


def is_guard(text: str) -> bool:
    """Whether a hook is a guard, of this or another release."""
    return "# gasp-guard " in text[:400]


def _quoted(word: str) -> str:
    """One word of `sh`."""
    return "'" + word.replace("'", "'\\''") + "'"


_TEXT: Final = """\
#!/bin/sh
@MARK@
# Refuses a commit that changes or removes existing bytes of an append-only file of the agent's
# state. To take it out, delete this file. To pass it once: git commit --no-verify.

prefix=@PREFIX@
pattern=@PATTERN@
unset GIT_LITERAL_PATHSPECS GIT_GLOB_PATHSPECS GIT_NOGLOB_PATHSPECS GIT_ICASE_PATHSPECS

# Every commit that the new one will have as parent; none yet means nothing to keep.
parents=$(git rev-parse --verify --quiet HEAD) || parents=
merging=$(git rev-parse --git-path MERGE_HEAD)
if [ -f "$merging" ]; then
    parents="$parents $(cat "$merging")"
else
    parents="$parents $(env | sed -n 's/^GITHEAD_\\([0-9a-f][0-9a-f]*\\)=.*/\\1/p')"
fi

refused=
for parent in $parents; do
    # Old and new mode, old and new blob, what happened, path.
    changed=$(git -c core.quotePath=false diff-index --cached --no-renames --diff-filter=MDT \\
        "$parent" -- ":(top,literal)${prefix}state/events.jsonl" \\
        ":(top,literal)${prefix}journal/JOURNAL.md" ":(top,literal)${prefix}JOURNAL.md" \\
        ":(top,glob)${pattern}**/facts.jsonl") || exit 1
    [ -n "$changed" ] || continue
    found=$(printf '%s\\n' "$changed" | while read -r _ _ old new what path; do
        if [ "$what" = D ]; then
            printf 'gasp-guard: %s is removed\\n' "$path"
            continue
        fi
        size=$(git cat-file -s "$old") || exit 1
        if [ "$size" -gt 0 ]; then
            kept=$(git cat-file blob "$new" | head -c "$size" | git hash-object --stdin)
            [ "$kept" = "$old" ] || printf 'gasp-guard: %s: existing lines are changed\\n' "$path"
        fi
    done) || exit 1
    [ -n "$found" ] || continue
    refused=yes
    printf '%s\\n' "$found" >&2
    if [ "$parent" != "${parents%% *}" ]; then
        echo "  compared with the branch that is merged: both branches have appended." >&2
        echo "  git merge --abort, then git rebase the branch that is not published yet." >&2
    fi
done

if [ -n "$refused" ]; then
    echo "  These files only grow, so nothing was committed. Put your new lines aside; then" >&2
    echo "  git restore --source=HEAD --staged --worktree PATH brings back what is committed." >&2
    exit 1
fi

# A hook that was here before the guard still has its say.
if [ -x "$0.local" ]; then
    exec "$0.local" "$@"
fi
exit 0
"""
