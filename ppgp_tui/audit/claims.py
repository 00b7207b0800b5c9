"""What a piece of evidence claims, so that it can be compared with what is there.

Nothing is guessed from likeness: a claim is a command that is written out, a file that is named, a
commit id, a count of passed tests, or a place that nothing on this machine can look at.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection
from typing import Final, Literal, NamedTuple

Kind = Literal["command", "shell", "file", "commit", "tests", "elsewhere"]
"""`shell`: a command that only a shell understands, so it is shown and not run. `elsewhere`:
production, a link, an outside service."""
LONGEST: Final = 4_000
"""Characters of a piece of evidence that are looked at."""


class Claim(NamedTuple):
    """One thing that a piece of evidence says."""

    kind: Kind
    text: str
    """In its own words."""
    argv: tuple[str, ...] = ()
    path: str = ""
    line: int | None = None
    commit: str = ""
    passed: int | None = None


RUNNERS: Final = frozenset(
    {
        "ava", "bash", "bats", "bun", "bundle", "cabal", "cargo", "composer", "ctest", "dart",
        "deno", "dotnet", "flutter", "go", "gradle", "hatch", "jest", "just", "lein", "make",
        "meson", "mix", "mocha", "mvn", "mypy", "ninja", "node", "nox", "npm", "npx", "pdm",
        "php", "phpunit", "pnpm", "poetry", "prove", "pyright", "pytest", "python", "python3",
        "rake", "rspec", "ruby", "ruff", "sbt", "sh", "stack", "swift", "task", "tox", "tsc",
        "uv", "vitest", "yarn", "zig",
    }
)  # fmt: skip
"""First words that make words in code marks a command."""
_MARKED = re.compile(r"(`{1,3})(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_PROMPT = re.compile(r"^\s*\$ (.+)$", re.MULTILINE)
_PLAIN = re.compile(
    r"(?:^|[:;,] |\bran )(?P<line>(?:" + "|".join(sorted(RUNNERS)) + r")"
    r"(?: (?:-[\w=./:-]*|[\w-]*[/.:=][\w./:=-]*|test|run|check|build|lint|verify|ci)){0,12})"
    r" ?(?:[:=→—–]|->|=>|-) ?(?=\d{1,7} (?:tests? )?pass|ok\b|green\b|passe[sd]\b|exit 0)",
    re.IGNORECASE,
)
"""A command without code marks, before its result; its words look like arguments, not prose."""
_SHELL = re.compile(r"[|;&<>$`\n\\]|\*|(?<!\S)[A-Z_]+=\S")
_COMMIT = re.compile(
    r"\b(?:commits?|revision|sha)\s+`?([0-9a-f]{7,40})\b|"
    r"(?<![\w./:-])(?=[a-f]{0,39}\d)(?=\d{0,39}[a-f])([0-9a-f]{7,40})(?![\w/-]|\.\w)",
    re.IGNORECASE,
)
_PASSED = re.compile(
    r"(?<![\w.≥])(?<!least )(\d{1,7}) (?:(?:tests?|checks?|specs?) )?pass(?:ed|ing|es)?\b"
    r"|(?<![\w.])(\d{1,7})/\d{1,7} (?:tests? )?(?:pass(?:ed|ing)?|green|ok)\b"
    r"|(?<![\w.≥])(?<!least )(\d{1,7}) tests? (?:green|ok)\b",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"(?<![\w/.:@\\-])((?:\.{0,2}/)?(?:[\w.@+-]{1,80}/){0,12}[\w@+-][\w.@+-]{0,80}\."
    r"(?:c|cc|cfg|cpp|cs|css|csv|dart|ex|exs|go|h|hpp|hs|html|ini|ipynb|java|jl|js|json|jsonl|jsx"
    r"|kt|lock|log|lua|md|mjs|php|pl|png|proto|py|r|rb|rs|rst|scala|sh|sql|svg|swift|tex|toml|ts"
    r"|tsx|txt|vue|xml|ya?ml|zig))(?::(\d{1,7}))?(?![\w/])",
    re.IGNORECASE,
)
_SAYS_MORE = re.compile(
    r"\b(?:done|complete|completed|met|pass|passes|passed|verified|shown|proven|checked|finished|ok"
    r"|green|evidence|proof|see|commits?|by|with|in|at|on|and|of|tests?|since|exit 0"
    r"|erledigt|fertig|nachweis|beleg|siehe|fait|terminé|preuve|voir|hecho|evidencia|ver|feito)\b"
    r"|\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?|(?:PR|MR)? ?#\d{1,7}\b"
    r"|完成|已完成|完了|済み?|证据|証拠",
    re.IGNORECASE,
)
_PRODUCT = re.compile(
    r"(?:alpine|angular|backbone|chart|d3|discord|ember|express|moment|next|node|nuxt|p5|react"
    r"|solid|svelte|three|vue)\.js",
    re.IGNORECASE,
)
"""Names that only look like files."""
_GONE = r"(?:deleted|dropped|gone|moved|no longer|obsolete|removed|renamed|replaced|retired)"
_GONE_BEFORE = re.compile(
    rf"\b{_GONE}\b:? (?:the )?(?:old |file |script |module )?"
    r"(?:`?[\w.@+/-]+`?(?:,? and |, ))*`?$",
    re.IGNORECASE,
)
_GONE_AFTER = re.compile(
    rf"`?(?:,| (?:is|are|was|were|has been|have been))?(?: now)? {_GONE}\b"
    r"|`? ?(?:→|->|=>) ?`?[\w.@+/-]+\.\w",
    re.IGNORECASE,
)
_OTHER_IDS = re.compile(
    r"\b(?:build|checksum|container|digest|etag|hash|id|image|job|md5|pod|request|run|session"
    r"|task|token|trace|uuid)s?[ :=#]{1,2}`?$",
    re.IGNORECASE,
)
"""Before hexadecimal digits: they name no commit."""
_FOLDER = re.compile(r"`((?:[\w.@+-]{1,80}/){1,12}[\w.@+-]{0,80})`")
_LINK = re.compile(r"https?://[^\s)>\]`]{4,400}", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\b(?:in|on|to|from|against) (?:the )?(?:production|prod|staging|live(?: site| system)?)\b"
    r"|\bproduction (?:traffic|data|logs?|run|users?|metrics?|deploy\w*|environment)\b"
    r"|\b(?:deployed|released|rolled out|shipped) (?:to|on|in)\b"
    r"|\b(?:dashboard|grafana|datadog|sentry|pagerduty|app store|play store)\b"
    r"|\b(?:customers?|users) (?:confirmed|report\w*|see|use)\b",
    re.IGNORECASE,
)


def claims_in(text: str, known: Collection[tuple[str, ...]] = ()) -> tuple[Claim, ...]:
    """Return what `text` claims, in the order of the kinds above; empty when it only talks.

    `known` are commands by agreement: their words in code marks are a command, whatever they are.
    """
    text = text[:LONGEST]
    found: list[Claim] = [*_commands(text, known)]
    rest = _without_commands(text, known)
    found += (
        Claim("tests", match[0], passed=int(next(filter(None, match.groups()))))
        for match in _PASSED.finditer(rest)
    )
    found += (Claim("elsewhere", match[0]) for match in _LINK.finditer(rest))
    rest = _LINK.sub(" ", rest)
    found += (
        Claim("commit", match[0].strip("`"), commit=(match[1] or match[2]).lower())
        for match in _COMMIT.finditer(rest)
        if match[1] or not _OTHER_IDS.search(rest[: match.start()][-20:])
    )
    found += (
        Claim("file", match[0], path=match[1], line=int(match[2]) if match[2] else None)
        for match in _FILE.finditer(rest)
        if not _PRODUCT.fullmatch(match[1]) and not _is_gone(rest, match)
    )
    found += (Claim("file", match[1], path=match[1]) for match in _FOLDER.finditer(rest)
              if not _FILE.search(match[1]))  # fmt: skip
    found += (Claim("elsewhere", match[0]) for match in _ELSEWHERE.finditer(rest))
    return tuple(dict.fromkeys(found))


def _is_gone(text: str, named: re.Match[str]) -> bool:
    """Whether the words around a file say that it is not there any more."""
    before, after = text[: named.start()][-200:], text[named.end() :][:80]
    return bool(_GONE_BEFORE.search(before) or _GONE_AFTER.match(after))


def only_shows(remark: str) -> bool:
    """Whether words after a condition are a state, a date or evidence, and nothing more.

    Whatever else they say could make less of the condition.
    """
    if not remark[:1] or remark[0] not in " \t([{—–:：;,.-→（":
        return False
    rest = _MARKED.sub(lambda found: " " if claims_in(found[0]) else found[0], remark[:LONGEST])
    for pattern in (_PROMPT, _PLAIN, _PASSED, _LINK, _COMMIT, _FILE, _FOLDER):
        rest = pattern.sub(" ", rest)
    return not _SAYS_MORE.sub(" ", rest).strip(" \t()（）[]{}—–:：;,.-→>=#`*_!✅☑✔✓")


def command_of(line: str, known: Collection[tuple[str, ...]] = ()) -> Claim | None:
    """`line` as a command to run without a shell, as one that needs a shell, or None.

    Only a known tool, a script named by its path or a `known` command is one; other words in code
    marks are names, values or code.
    """
    line = line.strip().removeprefix("$ ").strip()
    try:
        words = shlex.split(line)
    except ValueError:
        return None
    if tuple(words) in known:
        return Claim("command", line, argv=tuple(words))
    if not words or not _runs(words):
        return None
    if _SHELL.search(line):
        return Claim("shell", line)
    return Claim("command", line, argv=tuple(words))


def _runs(words: list[str]) -> bool:
    first = next((word for word in words if "=" not in word), "")
    if first.startswith("./") and len(first) > 2:
        return True
    alone = first in ("make", "pytest", "tox", "nox", "just", "ctest", "task", "rspec", "ninja")
    return first in RUNNERS and (len(words) > 1 or alone)


def _commands(text: str, known: Collection[tuple[str, ...]]) -> list[Claim]:
    lines = [match[2] for match in _MARKED.finditer(text)]
    lines += [match[1] for match in _PROMPT.finditer(text)]
    lines += [_plain(match) for match in _PLAIN.finditer(_MARKED.sub(" ", text))]
    return [claim for line in lines if (claim := command_of(line, known)) is not None]


def _plain(match: re.Match[str]) -> str:
    return match["line"].rstrip(":")


def _without_commands(text: str, known: Collection[tuple[str, ...]]) -> str:
    """A file or a number in a command is no claim of its own."""
    text = _PROMPT.sub(" ", text)
    text = _MARKED.sub(lambda match: " " if command_of(match[2], known) else match[0], text)
    return _PLAIN.sub(lambda match: match[0].replace(match["line"], " "), text)
