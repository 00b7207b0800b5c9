"""Whether a test file could ever fail: a test that asserts nothing is evidence of nothing.

Python is read as Python; other languages are searched for the words with which their tests assert.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple, TypeGuard
from warnings import catch_warnings, simplefilter

from ppgp_tui.audit.assertions import Function, assertions, called

_TEST_FILE = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__)/.+\.\w+$|(?:^|/)conftest\.py$"
    r"|(?:^|/)test_[^/]+\.py$|_test\.(?:py|go|dart|exs|cc|cpp|rb)$"
    r"|[._](?:test|spec)\.(?:[cm]?[jt]sx?|rb)$|(?:^|/)[^/]*Tests?\.(?:java|kt|cs|php|swift)$"
)
_CODE: Final = (
    ".c", ".cc", ".cpp", ".cs", ".dart", ".ex", ".exs", ".go", ".java", ".js", ".jsx", ".kt",
    ".mjs", ".php", ".py", ".rb", ".rs", ".scala", ".sh", ".bats", ".swift", ".ts", ".tsx",
)  # fmt: skip
_HASH: Final = (".bats", ".ex", ".exs", ".py", ".rb", ".sh")
"""Where a `#` begins a comment."""
_SCRIPT: Final = (".cjs", ".js", ".jsx", ".mjs", ".ts", ".tsx")
_SHELL: Final = (".bats", ".sh")
_ASSERTS = re.compile(
    r"\b\w*(?:assert|refute)\w*\b|\b\w*(?:check|ensure|expect|require|verify)\w*!?\s*[(.<]"
    r"|\b\w*should\w*\b|\bis_expected\b|\.(?:must|wont)_\w+|\bt\.(?:Error|Fatal|Fail)\w*\("
    r"|\bpanic\b|\bfail\w*\s*\(|\bthrow\b|\braise\b|\b(?:abort|exit)\s*\(\s*[^)\s0]"
    r"|\.unwrap\w*\(|\?;|\bcy\.\w",
    re.IGNORECASE,
)
"""Looked for where no strings are: the names of tests are full of such words."""
_ASSERTS_IN_SCRIPT = re.compile(r"\bt\.(?!(?:comment|end|log|pass|plan|skip|test|todo)\b)\w+\s*\(")
_ASSERTS_IN_C = re.compile(r"\breturn\s+(?!0?\s*;)")
_IDLE_IN_SHELL = re.compile(
    r"\s*(?:@test\b.*|run\b.*|skip\b.*|load\b.*|echo\b.*|printf\b.*|set\b.*|export\b.*|cd\b.*|true"
    r"|:|exit(?: 0)?|return(?: 0)?|[A-Za-z_]\w*=\S*|[{}]|\w+ ?\(\) ?\{)?\s*"
)
_STRINGS = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`")
_DOUBLE_ALONE: Final = (".c", ".cc", ".cpp", ".go", ".rs")
"""Where a single `'` begins no string, or one of a single sign."""
_BRINGS_IN = re.compile(
    r"^\s*(?:import|using|use|from|#include|package)\b.*$|\brequire\s*\(\s*(?:\"\"|''|``)\s*\)",
    re.MULTILINE,
)
_EXPECT = re.compile(r"\bexpect(?:\.soft)?\s*\(")
_MATCHER = re.compile(r"\s*(?:[.!?]+\s*\w+\s*)+\(|\s*\.\s*to\b")
_GO_TEST = re.compile(r"^func Test\w*\([^)]*\)\s*\{", re.MULTILINE)
_GO_SKIPPED = re.compile(r"\s*(?:t\.Parallel\(\)\s*)?t\.Skip\w*\(")
_LITERAL: Final = r"""(?:true|false|-?\d[\d.]*|'[^'\n]*'|"[^"\n]*")"""
_OF_LITERALS = re.compile(
    rf"\b(?:\w*assert\w*!?|expect)\s*\(\s*{_LITERAL}(?:\s*,\s*{_LITERAL})*\s*\)"
    rf"(?:(?:\s*\.\s*\w+)+\s*\(\s*{_LITERAL}?\s*\))?",
    re.IGNORECASE,
)
"""An assertion that looks at nothing but what is written out in it."""
_SKIPPED_WORDS = re.compile(
    r"\b(?:it|test|describe|context)\.(?:skip|todo)\b|\bx(?:it|describe|test)\s*\(|\bt\.Skip\w*\("
    r"|#\[ignore\b|@(?:Disabled|Ignore)\b|^\s*skip\b",
    re.MULTILINE,
)
_SKIPPED: Final = ("skip", "skipif", "xfail", "skipIf", "skipUnless", "expectedFailure")
_CALL_MOST: Final = 4_000
_SKIPS_ITSELF: Final = ("skip", "skipTest", "xfail")


class Tests(NamedTuple):
    """The tests of one file."""

    functions: int
    """Test functions; for other languages than Python 1 where the file asserts or not."""
    asserting: int
    """Those that can fail."""
    skipped: int
    """Those that are never run, or whose failure does not count."""
    names: tuple[str, ...] = ()
    """Of test functions, where they are known."""
    idle: tuple[str, ...] = ()
    """Those that assert nothing."""
    skips: tuple[str, ...] = ()
    """Those that are skipped by themselves or with their class."""


def is_test_file(path: str) -> bool:
    """Whether a file of that name, relative to the root, holds tests."""
    return path.endswith(_CODE) and _TEST_FILE.search(path) is not None


def read_tests(path: str, text: str, helpers: frozenset[str] = frozenset()) -> Tests:
    """Return what the test file at `path` with this text asserts.

    A call of one of `helpers` asserts too: see `asserting_functions`.
    """
    tree = _parsed(path, text)
    if tree is not None:
        return _python(tree, helpers)
    plain = _looked_through(path, text)
    skipped = len(_SKIPPED_WORDS.findall(plain))
    return Tests(1, int(not _is_skipped_whole(path, plain) and _can_assert(path, plain)), skipped)


def asserting_functions(texts: Mapping[str, str]) -> frozenset[str]:
    """Names of the functions in these Python files that can fail, so that a call of them can."""
    trees = (_parsed(path, text) for path, text in texts.items())
    return frozenset(name for tree in trees if tree is not None for name in _asserting(tree))


def asserted(
    path: str, text: str, helpers: frozenset[str] = frozenset()
) -> dict[str, Counter[str]]:
    """What the functions of a test file assert, in one wording for one meaning.

    In other languages than Python these are the lines that assert, under the empty name. A call of
    one of `helpers` counts where the file brings that name in from elsewhere.
    """
    tree = _parsed(path, text)
    if tree is None:
        lines = _looked_through(path, text).splitlines()
        said = (" ".join(line.split()) for line in lines if _can_assert(path, line))
        return {"": Counter(said)}
    known = _asserting(tree) | (helpers & _brought_in(tree))
    with suppress(RecursionError):
        return {
            name: Counter(map(_worded, assertions(function, known)))
            for name, function in _functions(tree.body)
        }
    return {}


def source_of(path: str, text: str, name: str) -> str:
    """The text of the function with that name, its decorators with it; empty without one."""
    tree = _parsed(path, text)
    for known, node in _functions(tree.body) if tree is not None else ():
        if known == name:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            return "\n".join(text.splitlines()[first - 1 : node.end_lineno])
    return ""


def _worded(node: ast.AST) -> str:
    """A message beside what is asserted changes nothing of it."""
    return f"assert {ast.unparse(node.test)}" if isinstance(node, ast.Assert) else ast.unparse(node)


def _parsed(path: str, text: str) -> ast.Module | None:
    if path.endswith(".py"):
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError), catch_warnings():
            simplefilter("ignore")  # of somebody else's code, and this is not the place
            return ast.parse(text)
    return None


def _python(tree: ast.Module, helpers: frozenset[str]) -> Tests:
    known = helpers | frozenset(_asserting(tree))
    found = [*_tests(tree.body)]
    idle = [name for name, node, _ in found if not _asserts(node, known)]
    skipped = len(found) if _skips_all(tree) else sum(skips for _, _, skips in found)
    return Tests(
        len(found),
        len(found) - len(idle),
        skipped,
        tuple(name for name, _, _ in found),
        tuple(idle),
        tuple(name for name, _, skips in found if skips),
    )


def _brought_in(tree: ast.Module) -> set[str]:
    """The names that a file has from other ones."""
    return {
        (one.asname or one.name).lstrip("_")
        for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
        for one in node.names
    }  # fmt: skip


def _asserting(tree: ast.Module) -> set[str]:
    return {
        node.name for node in ast.walk(tree) if _is_function(node) and _asserts(node, frozenset())
    }


def _functions(body: Iterable[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Function]]:
    """Every function of a file and of its classes, by its name there."""
    for node in body:
        if _is_function(node):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.")


def _tests(
    body: Iterable[ast.stmt], prefix: str = "", skips: bool = False
) -> Iterator[tuple[str, Function, bool]]:
    """Name, function, and whether it is skipped, with its class or by itself."""
    for node in body:
        if _is_function(node) and node.name.startswith("test"):
            yield prefix + node.name, node, skips or _is_skipped(node)
        elif isinstance(node, ast.ClassDef):
            yield from _tests(node.body, f"{prefix}{node.name}.", skips or _is_skipped(node))


def _skips_all(tree: ast.Module) -> bool:
    """`pytestmark = pytest.mark.skip` or a call of `pytest.skip` for the whole file."""
    for node in tree.body:
        if isinstance(node, ast.Assign):
            names = [name.id for name in node.targets if isinstance(name, ast.Name)]
            words = [called(one) for one in ast.walk(node.value) if isinstance(one, ast.expr)]
            if "pytestmark" in names and any(word in _SKIPPED for word in words):
                return True
        elif isinstance(node, ast.Expr) and called(node.value) == "skip":
            return True
    return False


def _is_function(node: ast.AST) -> TypeGuard[Function]:
    return isinstance(node, Function)


def _asserts(function: Function, others: frozenset[str] | set[str]) -> bool:
    return next(assertions(function, others), None) is not None


def _is_skipped(decorated: Function | ast.ClassDef) -> bool:
    if any(called(one) in _SKIPPED for one in decorated.decorator_list):
        return True
    calls = [node.value for node in decorated.body if isinstance(node, ast.Expr)]
    return any(called(one) in _SKIPS_ITSELF for one in calls if isinstance(one, ast.Call))


def _can_assert(path: str, plain: str) -> bool:
    """Whether something in `plain`, a text without comments, could fail."""
    if path.endswith(_SHELL):
        return not all(map(_IDLE_IN_SHELL.fullmatch, plain.splitlines()))
    bare = _BRINGS_IN.sub(" ", _without_strings(path, plain))
    if path.endswith(_SCRIPT):
        bare = _without_bare_expects(bare)
        if _ASSERTS_IN_SCRIPT.search(bare):
            return True
    if path.endswith((".c", ".cc", ".cpp")) and _ASSERTS_IN_C.search(bare):
        return True
    return _ASSERTS.search(bare) is not None


def _is_skipped_whole(path: str, plain: str) -> bool:
    """Whether every test of a Go file begins by skipping itself: `go test` says nothing of it."""
    tests = [*_GO_TEST.finditer(plain)] if path.endswith(".go") else []
    return bool(tests) and all(_GO_SKIPPED.match(plain, one.end()) for one in tests)


def _without_strings(path: str, text: str) -> str:
    def empty(found: re.Match[str]) -> str:
        said = found[0]
        if said[0] == "'" and path.endswith(_DOUBLE_ALONE):
            return said
        return said[0] + "\n" * said.count("\n") + said[0]

    return _STRINGS.sub(empty, text)


def _without_bare_expects(text: str) -> str:
    """`expect(value)` without a word behind it compares nothing."""
    kept, at = [], 0
    for found in _EXPECT.finditer(text):
        if found.start() < at:
            continue
        end = _closing(text, found.end())
        if end and not _MATCHER.match(text, end):
            kept.append(text[at : found.start()])
            at = end
    return "".join(kept) + text[at:]


def _closing(text: str, at: int) -> int:
    """Where the bracket closes that opened just before `at`; 0 where it does not soon."""
    depth = 1
    for place in range(at, min(len(text), at + _CALL_MOST)):
        depth += (text[place] in "([{") - (text[place] in ")]}")
        if not depth:
            return place + 1
    return 0


def _looked_through(path: str, text: str) -> str:
    """What of a file can assert: no comments, and nothing that always holds."""
    return _OF_LITERALS.sub(_unless_it_fails, _without_comments(path, text))


def _unless_it_fails(match: re.Match[str]) -> str:
    """`assert!(false)` says that a line must not be reached; `expect(1).toBe(1)` says nothing."""
    said = re.findall(_LITERAL, match[0], re.IGNORECASE)
    always = len(set(said)) == 1 and (len(said) > 1 or said[0].casefold() not in ("false", "0"))
    return " " if always else match[0]


def _without_comments(path: str, text: str) -> str:
    if path.endswith(_HASH):
        return re.sub(r"(?m)^\s*#.*$", " ", text)
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
