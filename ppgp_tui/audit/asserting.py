"""Whether a test file could ever fail: a test that asserts nothing is evidence of nothing.

Python is read as Python; other languages are searched for the words with which their tests assert.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple, TypeGuard
from warnings import catch_warnings, simplefilter

_TEST_FILE = re.compile(
    r"(?:^|/)(?:tests?|specs?|__tests__)/.+\.\w+$"
    r"|(?:^|/)test_[^/]+\.py$|_test\.(?:py|go|dart|exs|cc|cpp|rb)$"
    r"|[._](?:test|spec)\.(?:[cm]?[jt]sx?|rb)$|(?:^|/)[^/]*Tests?\.(?:java|kt|cs|php|swift)$"
)
_CODE: Final = (
    ".c", ".cc", ".cpp", ".cs", ".dart", ".ex", ".exs", ".go", ".java", ".js", ".jsx", ".kt",
    ".mjs", ".php", ".py", ".rb", ".rs", ".scala", ".sh", ".bats", ".swift", ".ts", ".tsx",
)  # fmt: skip
_HASH: Final = (".bats", ".ex", ".exs", ".py", ".rb", ".sh")
"""Where a `#` begins a comment."""
_ASSERTS = re.compile(
    r"\bassert\w*\b|\bexpect\s*\(|\bshould\b|\brequire\.|\brefute\b|\bt\.(?:Error|Fatal|Fail)\w*\("
    r"|\bdebug_assert|\bcheck\w*\s*\(|\bverify\s*\(|\bXCTAssert|\bpanic\b|\[\[|\btest \S"
    r"|\bfail\s*\(",
    re.IGNORECASE,
)
_ASSERTING_CALL = re.compile(r"^(?:assert|expect|check|verify|fail|raises|warns|should)", re.I)
_SKIPPED_WORDS = re.compile(
    r"\b(?:it|test|describe|context)\.(?:skip|todo)\b|\bx(?:it|describe|test)\s*\(|\bt\.Skip\w*\("
    r"|#\[ignore\b|@(?:Disabled|Ignore)\b|^\s*skip\b",
    re.MULTILINE,
)
_SKIPPED: Final = ("skip", "skipif", "xfail", "skipIf", "skipUnless", "expectedFailure")


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
    plain = _without_comments(path, text)
    skipped = len(_SKIPPED_WORDS.findall(plain))
    return Tests(1, int(_ASSERTS.search(plain) is not None), skipped)


def asserting_functions(texts: Mapping[str, str]) -> frozenset[str]:
    """Names of the functions in these Python files that can fail, so that a call of them can."""
    trees = (_parsed(path, text) for path, text in texts.items())
    return frozenset(name for tree in trees if tree is not None for name in _asserting(tree))


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
    )


def _asserting(tree: ast.Module) -> set[str]:
    return {
        node.name for node in ast.walk(tree) if _is_function(node) and _asserts(node, frozenset())
    }


def _tests(
    body: Iterable[ast.stmt], prefix: str = "", skips: bool = False
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef, bool]]:
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
            words = [_called(one) for one in ast.walk(node.value) if isinstance(one, ast.expr)]
            if "pytestmark" in names and any(word in _SKIPPED for word in words):
                return True
        elif isinstance(node, ast.Expr) and _called(node.value) == "skip":
            return True
    return False


def _is_function(node: ast.AST) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _asserts(function: ast.AST, others: frozenset[str] | set[str]) -> bool:
    """A statement that can fail on purpose, or a call of something that has one."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            if not _is_constant(node.test):
                return True
        elif isinstance(node, ast.Raise) and node is not function:
            return True
        elif isinstance(node, ast.Call):
            name = _called(node)
            if _ASSERTING_CALL.match(name) or name in others:
                return True
    return False


def _is_constant(test: ast.expr) -> bool:
    """Nothing the program does can change it: `assert True`, `assert 1 == 1`."""
    return not any(
        isinstance(node, ast.Name | ast.Call | ast.Await | ast.NamedExpr) for node in ast.walk(test)
    ) and not (isinstance(test, ast.Constant) and not test.value)


def _called(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    if isinstance(node, ast.Attribute):
        return node.attr.lstrip("_")
    return node.id.lstrip("_") if isinstance(node, ast.Name) else ""


def _is_skipped(decorated: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    return any(_called(one) in _SKIPPED for one in decorated.decorator_list)


def _without_comments(path: str, text: str) -> str:
    if path.endswith(_HASH):
        return re.sub(r"(?m)^\s*#.*$", " ", text)
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
