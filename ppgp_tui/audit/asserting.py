"""Whether a test file could ever fail: a test that asserts nothing is evidence of nothing.

Python is read as Python; other languages are searched for the words with which their tests assert.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeGuard

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


def read_tests(path: str, text: str) -> Tests:
    """Return what the test file at `path` with this text asserts."""
    if path.endswith(".py"):
        try:
            return _python(ast.parse(text))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
    asserts = _ASSERTS.search(_without_comments(path, text)) is not None
    return Tests(1, int(asserts), 0)


def _python(tree: ast.Module) -> Tests:
    asserting_functions = {
        node.name for node in ast.walk(tree) if _is_function(node) and _asserts(node, frozenset())
    }
    found = [*_tests(tree)]
    idle = [name for name, node in found if not _asserts(node, asserting_functions)]
    skipped = sum(_is_skipped(node) for _, node in found)
    return Tests(
        len(found), len(found) - len(idle), skipped, tuple(name for name, _ in found), tuple(idle)
    )


def _tests(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in tree.body:
        if _is_function(node) and node.name.startswith("test"):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if _is_function(inner) and inner.name.startswith("test"):
                    yield f"{node.name}.{inner.name}", inner


def _is_function(node: ast.AST) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef]:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _asserts(function: ast.AST, others: frozenset[str] | set[str]) -> bool:
    """A statement that can fail on purpose, or a call of something that has one."""
    for node in ast.walk(function):
        if isinstance(node, ast.Assert):
            if not (isinstance(node.test, ast.Constant) and node.test.value):
                return True
        elif isinstance(node, ast.Raise) and node is not function:
            return True
        elif isinstance(node, ast.Call):
            name = _called(node.func)
            if _ASSERTING_CALL.match(name) or name in others:
                return True
    return False


def _called(node: ast.expr) -> str:
    if isinstance(node, ast.Attribute):
        return node.attr.lstrip("_")
    return node.id.lstrip("_") if isinstance(node, ast.Name) else ""


def _is_skipped(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    for decorator in function.decorator_list:
        call = decorator.func if isinstance(decorator, ast.Call) else decorator
        if _called(call) in _SKIPPED:
            return True
    return False


def _without_comments(path: str, text: str) -> str:
    if path.endswith(_HASH):
        return re.sub(r"(?m)^\s*#.*$", " ", text)
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
