"""What each check found, from the facts of the repository and from what its command did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, NamedTuple

from ppgp_tui.audit.asserting import asserting_functions, is_test_file, read_tests
from ppgp_tui.audit.claims import command_of
from ppgp_tui.audit.counting import counted, failed, left
from ppgp_tui.audit.facts import Facts, FileFact
from ppgp_tui.audit.hollow import decided, runs_nothing, unheard
from ppgp_tui.audit.model import Check, Found, Outcome, Quote
from ppgp_tui.session.text import one_line, safe

KEPT: Final = 4_000
"""Characters of a command's output that stay with what was found."""
_QUOTED: Final = 200
_LINE_MOST: Final = 2_000
Ended = Literal[
    "exited", "signal", "time", "output", "memory", "processes", "disk", "cancelled", "unborn"
]

_PROSE: Final = (".adoc", ".html", ".md", ".rst", ".tex", ".txt")
_SCAFFOLD = re.compile(
    r"\b(?:todo|unimplemented)!\(|\b(?:TODO|FIXME)\b[:( ]*(?:implement|write|fill)"
    r"|\b(?:raise|throw|panic|Error)\b.{0,80}\bnot (?:yet )?implemented\b|\blorem ipsum\b"
    r"|^\s*raise NotImplementedError\b",
    re.IGNORECASE,
)
_SCAFFOLD_IN_PROSE = re.compile(r"^\W{0,20}(?:TODO|TBD)(?::|\W*$)|\b(?i:lorem ipsum)\b")
"""PPGP reference section 2.2: a line that begins so, not a sentence that speaks of one."""
_LINE = re.compile(r"\.\w+:(\d{1,7})$")
_ABSTRACT = re.compile(r"\babstractmethod\b|\bABC\b|\bProtocol\b|\babstract class\b")
_SAYS_NOTHING = re.compile(r"#.*|//.*|pass|\.\.\.|<!--.*-->|(?:TODO|TBD)\b.*|[-=*_+|.:]*")
_COUNTS = re.compile(r"\b\d+ (?:passed|passing|failed|tests?\b|examples?\b|errors?\b)")
_FAILED = re.compile(r"\b([1-9]\d*) (?:failed|failures?|errors?|failing)\b", re.IGNORECASE)
_SAID: Final[Mapping[str, str]] = {
    "time": "it did not end within its time",
    "output": "it printed more than any check may",
    "memory": "it took more memory than it may",
    "processes": "it started more processes than it may",
    "disk": "it filled the space that it may use",
    "cancelled": "it was cancelled",
    "unborn": "it could not be started",
}
_NO_PROGRAM: Final = (126, 127)
"""What a shell, and whoever starts programs, ends with where there is none."""


class Ran(NamedTuple):
    """How a command ended."""

    argv: tuple[str, ...]
    ended: Ended
    code: int | None
    """Exit code, or the signal's number where `ended` is `signal`."""
    seconds: float
    output: str
    """Standard output and error together; the end of it where it was long."""
    why: str = ""
    """For `unborn`: why it could not be started."""


def judge(checks: Iterable[Check], facts: Facts, ran: Mapping[str, Ran]) -> Iterator[Found]:
    """Yield what was found for each check that was made; `ran` is by id of check."""
    for check in checks:
        if check.left_out:
            continue
        if check.argv:
            if check.id in ran:
                yield of_command(check, ran[check.id], facts)
        else:
            yield of_claim(check, facts)


def of_claim(check: Check, facts: Facts) -> Found:
    """What the repository says about a check that runs nothing."""
    if check.kind == "file":
        return _file(check, facts.files.get(check.path, FileFact("absent")))
    if check.kind == "commit":
        return _commit(check, facts)
    if check.kind == "clean":
        return _clean(check, facts)
    if check.kind == "evidence_age":
        return _age(check, facts)
    if check.kind == "tests":
        said = f"{check.passed} passed tests are claimed without the command that counts them"
        return Found(check.id, "cannot_check", said)
    shell = command_of(check.says)
    if shell is not None and shell.kind == "shell":
        said = f"only a shell understands it, so it is not run: {one_line(check.says)}"
        return Found(check.id, "cannot_check", said)
    return Found(check.id, "cannot_check", f"nothing here can check it: {one_line(check.says)}")


def of_command(check: Check, ran: Ran, facts: Facts) -> Found:
    """What a command showed; that it passed shows nothing where its tests could not fail."""
    outcome, why = _ended(check, ran, facts)
    return Found(
        check.id, outcome, why, tuple(_telling_line(check, ran)),
        exit_code=ran.code if ran.ended == "exited" else None, seconds=ran.seconds,
        output=safe(ran.output[-KEPT:]),
    )  # fmt: skip


def how_it_ended(ran: Ran) -> str:
    """Why an auditor that ended so has answered nothing."""
    said = _SAID.get(ran.ended) or f"exit {ran.code}" if ran.ended != "signal" else "it was killed"
    return said + (f": {one_line(ran.why)}" if ran.why else "")


def _ended(check: Check, ran: Ran, facts: Facts) -> tuple[Outcome, str]:
    if ran.ended == "exited" and ran.code == 0:
        return _passed(check, ran, facts)
    if ran.ended == "exited" and ran.code in _NO_PROGRAM:
        return "cannot_check", f"exit {ran.code}: a program it needs is not to be had where it ran"
    if ran.ended == "exited":
        count = _FAILED.search(ran.output)
        return "fail", f"exit {ran.code}" + (f", {count[0]}" if count else "")
    if ran.ended == "signal":
        return "fail", f"ended by signal {ran.code}"
    outcome: Outcome = "cannot_check" if ran.ended in ("cancelled", "unborn") else "fail"
    return outcome, _SAID[ran.ended] + (f": {one_line(ran.why)}" if ran.why else "")


def _passed(check: Check, ran: Ran, facts: Facts) -> tuple[Outcome, str]:
    count, none_ran = counted(ran.output)
    if none_ran:
        return "fail", "it passed without running a test"
    if said := failed(ran.output):
        return "fail", f"exit 0, and yet it says: {one_line(said)[:_QUOTED]}"
    if idle := _idle(check, facts.tests):
        return "fail", f"its tests assert nothing: {idle}"
    if why := _shows_nothing(check, facts):
        return "cannot_check", f"exit 0 shows nothing: {why}"
    if check.passed is not None and count is None:
        return "cannot_check", f"exit 0, and its output does not say that {check.passed} passed"
    if check.passed is not None and count is not None and count < check.passed:
        return "fail", f"{count} passed, {check.passed} are claimed"
    said = "exit 0" + (f", {count} passed" if count is not None else "")
    return "pass", said + (f", {aside}" if (aside := left(ran.output)) else "")


def _shows_nothing(check: Check, facts: Facts) -> str:
    """Why this command would have ended well without the work, too."""
    why = runs_nothing(check.argv) or unheard(check.argv, facts.scripts)
    if why or not (_runs_tests(check) or any(_names(check.argv, path) for path in facts.tests)):
        return why
    return decided(facts.harness, facts.tests)


def _idle(check: Check, tests: Mapping[str, str]) -> str:
    """The test files that a command names, or a sample, if none of them could ever fail."""
    named = [path for path in tests if _names(check.argv, path)]
    looked = named or ([*tests] if _runs_tests(check) else [])
    read = [read_tests(path, tests[path]) for path in looked]
    if not any(one.functions for one in read) or any(one.asserting for one in read):
        return ""
    helpers = asserting_functions(tests)
    if any(read_tests(path, tests[path], helpers).asserting for path in looked):
        return ""
    return looked[0] + (f" and {len(looked) - 1} more" if len(looked) > 1 else "")


def _names(argv: Iterable[str], path: str) -> bool:
    """By its path, its folder's, or as a module: `tests/test_a.py::test_b`, `tests.test_a`."""
    stem = path.rpartition(".")[0]
    for word in argv:
        named = word.partition("::")[0].removeprefix("./").rstrip("/")
        module = named.replace(".", "/")
        if not named or not is_test_file(path):
            continue
        if path == named or path.startswith(f"{named}/"):
            return True
        if stem == module or stem.startswith(f"{module}/") or module.startswith(f"{stem}/"):
            return True
    return False


def _runs_tests(check: Check) -> bool:
    return check.kind == "tests" or any("test" in word.casefold() for word in check.argv[:4])


def _telling_line(check: Check, ran: Ran) -> Iterator[Quote]:
    """The last line that counts something, else the last of all."""
    lines = [line for line in safe(ran.output[-KEPT:]).splitlines() if line.strip()]
    counting = [line for line in lines if _COUNTS.search(line[:_LINE_MOST])]
    for line in (counting or lines)[-1:]:
        yield Quote(f"output:{check.id}", one_line(line)[:_QUOTED])


def _file(check: Check, fact: FileFact) -> Found:
    path = one_line(check.path)
    if fact.kind == "absent":
        return Found(check.id, "fail", f"{path} is not there")
    if fact.kind == "unread":
        return Found(check.id, "cannot_check", one_line(fact.why))
    if fact.kind == "folder":
        return Found(check.id, "pass", f"the folder {path} is there")
    if fact.text is None:
        return Found(check.id, "pass", f"{path} is there, {fact.size} bytes that are no text")
    lines = fact.text.splitlines()
    first = next((line for line in lines if not _SAYS_NOTHING.fullmatch(line.strip())), None)
    if first is None:
        return Found(check.id, "fail", f"{path} says nothing")
    if at := _scaffold(check.path, lines, fact.text):
        quote = Quote(check.path, one_line(lines[at - 1])[:_QUOTED], at)
        return Found(check.id, "fail", f"{path} line {at} is scaffolding", (quote,))
    if (named := _LINE.search(check.says)) and int(named[1]) > len(lines):
        return Found(check.id, "fail", f"{path} has no line {named[1]}, it ends at {len(lines)}")
    quote = Quote(check.path, one_line(first)[:_QUOTED], lines.index(first) + 1)
    return Found(check.id, "pass", f"{path} is there", (quote,))


def _scaffold(path: str, lines: list[str], text: str) -> int:
    """The line of what was only begun, from 1; 0 where there is none."""
    prose = path.casefold().endswith(_PROSE)
    pattern = _SCAFFOLD_IN_PROSE if prose else _SCAFFOLD
    abstract = not prose and bool(_ABSTRACT.search(text))
    for number, line in enumerate(lines, 1):
        if pattern.search(line[:_LINE_MOST]) and not (abstract and "NotImplementedError" in line):
            return number
    return 0


def _commit(check: Check, facts: Facts) -> Found:
    if not facts.git:
        return Found(check.id, "cannot_check", one_line(facts.why))
    fact = facts.commits.get(check.commit)
    known = fact is not None and fact.hash is not None and fact.reachable
    if facts.shallow and not known:
        said = f"Git has only the newest commits here, and {check.commit} is none of them"
        return Found(check.id, "cannot_check", said)
    if fact is None or fact.hash is None:
        said = f"there is no commit {check.commit}, or more than one begins so"
        return Found(check.id, "fail", said)
    if not fact.reachable:
        return Found(check.id, "fail", f"commit {check.commit} is not in the history of HEAD")
    if fact.empty:
        return Found(check.id, "fail", f"commit {fact.hash[:10]} changes nothing")
    if fact.reverted:
        said = f"commit {fact.hash[:10]} was taken back by {fact.reverted[:10]}"
        return Found(check.id, "fail", said)
    return Found(check.id, "pass", f"commit {fact.hash[:10]} is in the history of HEAD")


def _clean(check: Check, facts: Facts) -> Found:
    if not facts.git:
        return Found(check.id, "cannot_check", one_line(facts.why))
    if not facts.dirty:
        return Found(check.id, "pass", "everything is committed")
    count, first = len(facts.dirty), one_line(facts.dirty[0])
    noun = "path is" if count == 1 else "paths are"
    return Found(check.id, "fail", f"{count} {noun} not committed, first {first}")


def _age(check: Check, facts: Facts) -> Found:
    fact = facts.ages.get(check.path)
    path = one_line(check.path)
    if fact is None or fact.changed_s is None:
        return Found(check.id, "cannot_check", f"nobody knows when {path} was made")
    if fact.future:
        return Found(check.id, "fail", f"{path} says that it was made at a time yet to come")
    if fact.newer_code:
        return Found(check.id, "fail", f"{path} is older than {one_line(fact.newer_code)}")
    return Found(check.id, "pass", f"{path} is newer than the code")
