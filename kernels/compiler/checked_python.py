"""A function as Python that reports what WebAssembly would not: results that do not fit, indices that are not there.

The function's own source is taken; around every whole result stands a check of its size, and around every index one
that it is not negative, which Python would count from the end.
"""

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

from kernels.compiler.checking import Checked
from kernels.compiler.types import I32, I64, Scalar

_CHECKS: Final = {I32: "_fits_i32", I64: "_fits_i64"}
_INDEX: Final = "_is_index"


def _fits(kind: Scalar) -> Callable[[int], int]:
    def check(number: int) -> int:
        if not kind.holds(number):
            raise OverflowError(
                f"{number} does not fit into an {kind.name}; if it is meant to, write wrap{kind.bits}(…)"
            )
        return number

    return check


def _is_index(number: int) -> int:
    if number < 0:
        raise IndexError(f"there is no element {number}: indices begin at 0")
    return number


NAMES: Final[dict[str, Any]] = {**{name: _fits(kind) for kind, name in _CHECKS.items()}, _INDEX: _is_index}


def checked_python(checked: Checked, names: dict[str, Any]) -> FunctionType:
    """The function with its checks, in which names mean what `names` says."""
    node = _Checking(checked).visit(checked.source.node)
    module = ast.fix_missing_locations(ast.Module([node], []))
    names |= NAMES
    exec(compile(module, checked.source.function.__code__.co_filename, "exec"), names)  # noqa: S102  # our own source
    made: FunctionType = names[checked.source.name]
    return made


class _Checking(ast.NodeTransformer):
    """Leaves the tree as it is and gives another one."""

    def __init__(self, checked: Checked) -> None:
        self._checked = checked
        self._temporaries = 0

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """A copy with visited parts, so that the tree that the types belong to is not changed."""
        parts: dict[str, Any] = {}
        for name, value in ast.iter_fields(node):
            if isinstance(value, list):
                parts[name] = [made for item in value for made in self._made(item)]
            else:
                parts[name] = self.visit(value) if isinstance(value, ast.AST) else value
        return ast.copy_location(type(node)(**parts), node)

    def _made(self, item: Any) -> list[Any]:
        made = self.visit(item) if isinstance(item, ast.AST) else item
        return made if isinstance(made, list) else [made]

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        return self._with_check(node, self.generic_visit(node))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        return self._with_check(node, self.generic_visit(node))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        return self._with_check(node, self.generic_visit(node))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        made = self.generic_visit(node)
        assert isinstance(made, ast.Subscript)
        made.slice = _called(_INDEX, made.slice)
        return made

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST | list[ast.AST]:
        """Written out, with the place found first."""
        whole = self._checked.sums[node]
        before: list[ast.AST] = []
        if isinstance(node.target, ast.Name):
            place: ast.expr = node.target
        else:
            assert isinstance(node.target, ast.Subscript | ast.Attribute)
            owner = self._kept(node.target.value, before)
            if isinstance(node.target, ast.Attribute):
                place = ast.Attribute(owner, node.target.attr, ast.Store())
            else:
                index = self._kept(_called(_INDEX, node.target.slice), before)
                place = ast.Subscript(owner, index, ast.Store())
        read = ast.parse(ast.unparse(place), mode="eval").body
        sum_ = self._with_check(whole, ast.BinOp(read, node.op, self.visit(node.value)))
        assert isinstance(sum_, ast.expr)
        return [ast.copy_location(made, node) for made in (*before, ast.Assign([place], sum_))]

    def _kept(self, value: ast.expr, before: list[ast.AST]) -> ast.Name:
        self._temporaries += 1
        name = f"_kept_{self._temporaries}"
        before.append(ast.Assign([ast.Name(name, ast.Store())], self.visit(value)))
        return ast.Name(name, ast.Load())

    def _with_check(self, node: ast.expr, made: ast.AST) -> ast.AST:
        kind = self._checked.types.get(node)
        if not isinstance(kind, Scalar) or not kind.is_whole or node in self._checked.wrapped:
            return made
        assert isinstance(made, ast.expr)
        return ast.copy_location(_called(_CHECKS[kind], made), made)


def _called(name: str, argument: ast.expr) -> ast.expr:
    return ast.Call(ast.Name(name, ast.Load()), [argument], [])
