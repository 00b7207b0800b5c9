"""Which parts of a Python test can fail.

What always holds, what is never reached and what fails without anybody hearing of it asserts
nothing, however much it looks like a test.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Set
from typing import Final

Function = ast.FunctionDef | ast.AsyncFunctionDef

_CALL = re.compile(r"^(?:assert|expect|check|verify|fail|raises|warns|should)", re.IGNORECASE)
_COMPARES = re.compile(
    r"^assert_?(?:true|false|(?:\w*_?not_?)?(?:\w*equals?|is(?:_?none)?|in)|(?:greater|less)\w*)$",
    re.IGNORECASE,
)
"""Those of these that look at what they are given and nothing else."""
_CAUGHT: Final = ("AssertionError", "BaseException", "Exception")
_ENDS: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_SAME: Final = (ast.Eq, ast.Is, ast.LtE, ast.GtE)


def assertions(function: Function, others: Set[str] = frozenset()) -> Iterator[ast.AST]:
    """What in `function` can fail on purpose; a call of one of `others` can too."""
    for decorator in function.decorator_list:
        yield from (node for node in ast.walk(decorator) if _can_fail(node, others))
    yield from (node for node in _reached(function.body) if _can_fail(node, others))


def called(node: ast.expr) -> str:
    """The last name of what is called, or of a name itself, without leading underscores."""
    node = node.func if isinstance(node, ast.Call) else node
    if isinstance(node, ast.Attribute):
        return node.attr.lstrip("_")
    return node.id.lstrip("_") if isinstance(node, ast.Name) else ""


def _can_fail(node: ast.AST, others: Set[str]) -> bool:
    if isinstance(node, ast.Assert):
        return not _holds(node.test)
    if isinstance(node, ast.Call):
        name = called(node)
        compares = _COMPARES.match(name) and node.args and all(map(_is_constant, node.args))
        return name in others or (_CALL.match(name) is not None and not compares)
    return isinstance(node, ast.Raise)


def _holds(test: ast.expr) -> bool:
    """Nothing the program does can make it false: `True`, `1 == 1`, `x == x`, `f() or True`."""
    if isinstance(test, ast.Constant):
        return bool(test.value)
    if isinstance(test, ast.Tuple | ast.List | ast.Set):
        return bool(test.elts)
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or):
        return any(map(_holds, test.values))
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], _SAME):
        one, other = test.left, test.comparators[0]
        if isinstance(one, ast.Name) and isinstance(other, ast.Name) and one.id == other.id:
            return True
    return _is_constant(test)


def _is_constant(test: ast.expr) -> bool:
    return not any(
        isinstance(node, ast.Name | ast.Call | ast.Await | ast.NamedExpr) for node in ast.walk(test)
    )


# --- what is reached ----------------------------------------------------------------------------


def _reached(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """Every part of these statements that can be reached and whose failure is heard of."""
    left: list[ast.AST] = [*_until_it_ends(body)]
    while left:
        node = left.pop()
        yield node
        for part in _parts(node):
            if isinstance(part, ast.expr):
                yield from ast.walk(part)
            else:
                left.append(part)


def _until_it_ends(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        if isinstance(node, _ENDS):
            return


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    never = isinstance(node, ast.If | ast.While) and isinstance(node.test, ast.Constant)
    if never and not node.test.value:  # type: ignore[attr-defined]
        yield from _until_it_ends(node.orelse)  # type: ignore[attr-defined]
        return
    if isinstance(node, ast.With) and any(_suppresses(item.context_expr) for item in node.items):
        return
    silent = isinstance(node, ast.Try) and any(map(_swallows, node.handlers))
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield value
        elif isinstance(value, list) and not (silent and name == "body"):
            parts = [one for one in value if isinstance(one, ast.AST)]
            statements = [one for one in parts if isinstance(one, ast.stmt)]
            yield from _until_it_ends(statements) if statements else parts


def _suppresses(manager: ast.expr) -> bool:
    """`with suppress(Exception):` hears of no assertion."""
    called_it = isinstance(manager, ast.Call) and called(manager) == "suppress"
    return called_it and _catches(manager.args)  # type: ignore[attr-defined]


def _swallows(handler: ast.ExceptHandler) -> bool:
    """An `except` that catches a failed assertion and makes nothing of it."""
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    if handler.type is not None and not _catches(kinds):
        return False
    return not any(
        isinstance(node, ast.Raise | ast.Assert)
        or (isinstance(node, ast.Call) and _CALL.match(called(node)) is not None)
        for node in ast.walk(handler)
    )


def _catches(kinds: Iterable[ast.expr | None]) -> bool:
    return any(kind is not None and called(kind) in _CAUGHT for kind in kinds)
