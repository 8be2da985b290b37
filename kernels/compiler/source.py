"""A function as it stands in its file: its syntax tree, what its names mean, and the types it is annotated with."""

import ast
import builtins
import inspect
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from textwrap import dedent
from types import FunctionType
from typing import Any, get_type_hints

from kernels.compiler.errors import KernelError
from kernels.compiler.types import BOOL, F64, Array, Record, Scalar, Type

MISSING = object()


class Source:
    """A Python function, read for compiling. `links` are names that mean something else than where it was written."""

    def __init__(self, function: FunctionType, links: Mapping[str, Any]) -> None:
        self.function = function
        self.name = function.__name__
        self._links = links
        self._file = function.__code__.co_filename
        self._first = function.__code__.co_firstlineno
        try:
            lines, self._first = inspect.getsourcelines(function)
        except (OSError, TypeError):
            raise KernelError(self._file, self._first, 1, f"the source of {self.name} cannot be found") from None
        self._indent = len(lines[0]) - len(lines[0].lstrip())
        (node,) = ast.parse(dedent("".join(lines))).body
        if not isinstance(node, ast.FunctionDef):
            raise KernelError(self._file, self._first, 1, "only functions that `def` makes can be compiled")
        self.node = node
        self._nonlocals = inspect.getclosurevars(function).nonlocals

    def refusal(self, node: ast.AST, reason: str) -> KernelError:
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        return KernelError(self._file, self._first + line - 1, self._indent + column + 1, reason)

    def meaning(self, name: str) -> Any:
        """What a name means that is no local one, or MISSING."""
        for names in (self._links, self._nonlocals, self.function.__globals__, vars(builtins)):
            if name in names:
                return names[name]
        return MISSING

    def names(self) -> dict[str, Any]:
        """Everything that names may mean, for running the function as Python."""
        return {**self.function.__globals__, **self._nonlocals, **self._links}

    def signature(self) -> tuple[dict[str, Type], Type | None]:
        """Types of the parameters and of the result; None for no result."""
        arguments = self.node.args
        for extra in (*arguments.posonlyargs, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            if extra is not None:
                raise self.refusal(extra, "parameters are plain: no *, ** or /")
        for default in arguments.defaults:
            raise self.refusal(default, "parameters have no defaults: callers pass everything")
        for decorator in self.node.decorator_list:
            raise self.refusal(decorator, "functions of kernels have no decorators")
        try:
            hints = get_type_hints(self.function, localns=self._nonlocals, include_extras=True)
        except NameError as error:
            raise self.refusal(self.node, f"an annotation cannot be read: {error}") from None
        parameters = {}
        for argument in arguments.args:
            if argument.arg not in hints:
                raise self.refusal(argument, f"the parameter {argument.arg} needs a type: {ALLOWED}")
            parameters[argument.arg] = self.type_of(hints[argument.arg], argument)
        if "return" not in hints:
            raise self.refusal(
                self.node, f"{self.name} needs the type of its result behind `->`; None if it gives nothing"
            )
        if hints["return"] is type(None):
            return parameters, None
        result = self.type_of(hints["return"], self.node.returns or self.node)
        if not isinstance(result, Scalar):
            raise self.refusal(
                self.node.returns or self.node, "functions give numbers or truth values, no arrays or records"
            )
        return parameters, result

    def type_of(self, annotation: Any, node: ast.AST) -> Type:
        """The type that an annotation means."""
        found = type_of(annotation)
        if found is None:
            raise self.refusal(node, f"{_shown(annotation)} is no type of kernels; there are {ALLOWED}")
        return found


ALLOWED = "i32, i64, float, bool, u8s, i32s, i64s, f64s and classes made by @record"


def type_of(annotation: Any) -> Type | None:
    """The type that an annotation means; None for what kernels do not have."""
    for noted in getattr(annotation, "__metadata__", ()):
        if isinstance(noted, Scalar | Array):
            return noted
    if annotation is float:
        return F64
    if annotation is bool:
        return BOOL
    if isinstance(annotation, type) and is_dataclass(annotation):
        return record_of(annotation)
    return None


def record_of(kind: type) -> Record | None:
    hints = get_type_hints(kind, include_extras=True)
    found = [(field.name, type_of(hints[field.name])) for field in fields(kind)]
    known = tuple((name, known) for name, known in found if known is not None)
    return Record(kind.__name__, known) if len(known) == len(found) else None


def _shown(annotation: Any) -> str:
    return annotation.__name__ if isinstance(annotation, type) else str(annotation)
