"""Reads a function and finds the type of every expression, or says what is not in the language.

Types are never guessed: a local has the type of the first value it is given, or the one it is annotated with. An i32
becomes an i64 by itself where one is needed, and a float where it meets one in arithmetic or a comparison, as in
Python; everything else is written down. Constants are computed here.
"""

import ast
import operator
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Final

from kernels.compiler.errors import KernelError
from kernels.compiler.intrinsics import Intrinsic, Making, Plain, Special, intrinsic_of
from kernels.compiler.source import MISSING, Source
from kernels.compiler.types import BOOL, F64, I32, I64, TABLES, Array, Record, Scalar, Type
from kernels.language import wrap32, wrap64

RING: Final = (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.USub, ast.Invert)
"""Operations whose last bits depend on nothing but the last bits of what they are applied to."""
BITWISE: Final = (ast.BitAnd, ast.BitOr, ast.BitXor)
SHIFTS: Final = (ast.LShift, ast.RShift)
COMPUTED: Final[dict[type[ast.AST], Callable[..., Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.USub: operator.neg,
    ast.Invert: operator.invert,
}
COMPARED: Final = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
STATEMENTS: Final = "assignments, if, while, for … in range(…), break, continue, return, assert, pass and calls"
EXPRESSIONS: Final = (
    "numbers, names, array[index], record.field, arithmetic, comparisons, and/or/not, a if c else b, calls"
)
LONGEST_SHIFT: Final = 64


@dataclass(frozen=True, slots=True)
class Table:
    """A tuple of constants, which becomes an array that is never changed."""

    values: tuple[int | float, ...]
    kind: Array


@dataclass(frozen=True, slots=True)
class Called:
    """Another function of the kernel."""

    function: FunctionType
    parameters: tuple[Type, ...]
    result: Type | None


@dataclass(slots=True)
class Checked:
    """A function that can be emitted."""

    source: Source
    parameters: dict[str, Type]
    result: Type | None
    variables: dict[str, Type] = field(default_factory=dict)
    """Parameters and locals."""
    types: dict[ast.expr, Type] = field(default_factory=dict)
    values: dict[ast.expr, int | float] = field(default_factory=dict)
    """Expressions that are constant."""
    tables: dict[ast.expr, Table] = field(default_factory=dict)
    calls: dict[ast.Call, Called | Intrinsic] = field(default_factory=dict)
    sums: dict[ast.AugAssign, ast.BinOp] = field(default_factory=dict)
    """What assignments like `x += 1` assign."""
    wrapped: set[ast.expr] = field(default_factory=set)
    """Whole results that may be too large, because they are cut to size afterwards."""
    makes_arrays: bool = False


class Checker:
    """Goes through one function. `signature` tells the types of other functions."""

    def __init__(
        self, source: Source, signature: Callable[[FunctionType], tuple[dict[str, Type], Type | None]]
    ) -> None:
        self._source = source
        self._signature = signature
        parameters, result = source.signature()
        self._checked = Checked(source, parameters, result, dict(parameters))
        self._sure = set(parameters)
        """Names that have a value for certain at this point."""
        self._loops: list[bool] = []
        """For every loop around this point: whether a break leaves it."""
        self._wrapping: Scalar | None = None
        self._own = {
            name.id for name in ast.walk(source.node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
        }

    def check(self) -> Checked:
        node = self._source.node
        goes_on = self._block(node.body)
        if goes_on and self._checked.result is not None:
            raise self._refusal(node, f"{node.name} may come to its end without a `return`")
        return self._checked

    def _refusal(self, node: ast.AST, reason: str) -> KernelError:
        return self._source.refusal(node, reason)

    # Statements: each tells whether the one behind it can be reached.

    def _block(self, statements: list[ast.stmt]) -> bool:
        goes_on = True
        for statement in statements:
            check = _STATEMENTS.get(type(statement))
            if check is None:
                word = type(statement).__name__.lower()
                raise self._refusal(statement, f"`{word}` is not in the language of kernels; there are {STATEMENTS}")
            goes_on = check(self, statement) and goes_on
        return goes_on

    def _branch(self, statements: list[ast.stmt], sure: set[str]) -> tuple[bool, set[str]]:
        self._sure = set(sure)
        goes_on = self._block(statements)
        return goes_on, self._sure

    def _assign(self, node: ast.Assign) -> bool:
        if len(node.targets) != 1:
            raise self._refusal(node, "one name is assigned at a time")
        self._store(node.targets[0], node.value, None)
        return True

    def _annotated(self, node: ast.AnnAssign) -> bool:
        if not isinstance(node.target, ast.Name) or node.value is None:
            raise self._refusal(node, "an annotation stands behind a name that gets a value: `x: i64 = 0`")
        self._store(node.target, node.value, self._annotation(node.annotation))
        return True

    def _annotation(self, node: ast.expr) -> Type:
        if isinstance(node, ast.Name):
            return self._source.type_of(self._source.meaning(node.id), node)
        raise self._refusal(node, "an annotation of a local is a single name, as `i64`")

    def _store(self, target: ast.expr, value: ast.expr, annotated: Type | None) -> None:
        if isinstance(target, ast.Name):
            known = self._checked.variables.get(target.id)
            if known is not None and annotated not in (None, known):
                raise self._refusal(target, f"{target.id} is {known.name} already")
            given = self._expression(value)
            wanted = annotated or known or given
            self._fit(value, wanted, f"{target.id} is {wanted.name}" if known or annotated else None)
            self._checked.variables[target.id] = wanted
            self._sure.add(target.id)
        elif isinstance(target, ast.Subscript | ast.Attribute):
            wanted = self._expression(target)
            if target.value in self._checked.tables:
                raise self._refusal(target, "a tuple of constants cannot be changed; use an array")
            self._expression(value)
            self._fit(value, wanted)
        else:
            raise self._refusal(
                target, "a name, an element of an array or a field of a record is assigned, one at a time"
            )

    def _augmented(self, node: ast.AugAssign) -> bool:
        if isinstance(node.target, ast.Name) and node.target.id not in self._checked.variables:
            raise self._refusal(node.target, f"{node.target.id} has no value yet")
        whole = ast.copy_location(ast.BinOp(_loaded(node.target), node.op, node.value), node)
        self._checked.sums[node] = whole
        self._store(node.target, whole, None)
        return True

    def _if(self, node: ast.If) -> bool:
        self._condition(node.test)
        before = self._sure
        yes, sure_if_yes = self._branch(node.body, before)
        no, sure_if_no = self._branch(node.orelse, before)
        ends = [sure for goes_on, sure in ((yes, sure_if_yes), (no, sure_if_no)) if goes_on]
        self._sure = set.intersection(*ends) if ends else before
        return yes or no

    def _while(self, node: ast.While) -> bool:
        self._no_else(node)
        for_ever = isinstance(node.test, ast.Constant) and node.test.value is True
        if for_ever:
            self._checked.types[node.test] = BOOL
            self._checked.values[node.test] = 1
        else:
            self._condition(node.test)
        left = self._loop(node.body)
        return left or not for_ever

    def _for(self, node: ast.For) -> bool:
        self._no_else(node)
        if not isinstance(node.target, ast.Name):
            raise self._refusal(node.target, "a loop runs over one name")
        bounds = self._range(node.iter)
        wide = any(self._checked.types[bound] is I64 for bound in bounds)
        counted = I64 if wide else I32
        for bound in bounds:
            self._fit(bound, counted)
        step = self._step(node.iter)
        if wide and abs(step) != 1:
            raise self._refusal(node.iter, "a range of i64 goes by steps of 1 or -1")
        name = node.target.id
        known = self._checked.variables.setdefault(name, counted)
        if known is not counted and not (known is I64 and counted is I32):
            raise self._refusal(node.target, f"{name} is {known.name}; this range has {counted.name}")
        self._checked.types[node.target] = known
        before = set(self._sure)
        self._sure.add(name)
        self._loop(node.body)
        self._sure = before
        return True

    def _range(self, node: ast.expr) -> list[ast.expr]:
        """Start and end of a range, or its end alone."""
        if (
            not isinstance(node, ast.Call)
            or not isinstance(node.func, ast.Name)
            or self._source.meaning(node.func.id) is not range
        ):
            raise self._refusal(node, "a loop runs over range(…)")
        if node.keywords or not 1 <= len(node.args) <= 3:
            raise self._refusal(node, "range has one to three numbers")
        bounds = node.args[:2]
        for bound in bounds:
            self._whole(bound)
        return bounds

    def _step(self, node: ast.expr) -> int:
        assert isinstance(node, ast.Call)
        if len(node.args) < 3:
            return 1
        self._expression(node.args[2])
        step = self._checked.values.get(node.args[2])
        if not isinstance(step, int) or not step or not I32.holds(step):
            raise self._refusal(node.args[2], "the step of a range is a constant that is not 0")
        return step

    def _loop(self, body: list[ast.stmt]) -> bool:
        """Whether a break leaves it."""
        before = set(self._sure)
        self._loops.append(False)
        self._block(body)
        self._sure = before
        return self._loops.pop()

    def _no_else(self, node: ast.For | ast.While) -> None:
        if node.orelse:
            raise self._refusal(node.orelse[0], "loops have no `else`")

    def _break(self, _: ast.Break) -> bool:
        self._loops[-1] = True
        return False

    def _continue(self, _: ast.Continue) -> bool:
        return False

    def _return(self, node: ast.Return) -> bool:
        result = self._checked.result
        if result is None:
            if node.value is not None:
                raise self._refusal(node, f"{self._source.name} gives nothing, as its `-> None` says")
        elif node.value is None:
            raise self._refusal(node, f"{self._source.name} gives {result.name}; write which one behind `return`")
        else:
            self._expression(node.value)
            self._fit(node.value, result, f"{self._source.name} gives {result.name}")
        return False

    def _assert(self, node: ast.Assert) -> bool:
        self._condition(node.test)
        return True

    def _alone(self, node: ast.Expr) -> bool:
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        if isinstance(node.value, ast.Call):
            self._call(node.value, alone=True)
        elif not is_text:
            raise self._refusal(node, "only calls stand alone")
        return True

    def _pass(self, _: ast.Pass) -> bool:
        return True

    # Expressions: each tells its type.

    def _expression(self, node: ast.expr) -> Type:
        check = _EXPRESSIONS.get(type(node))
        if check is None:
            raise self._refusal(
                node, f"`{ast.unparse(node)}` is not in the language of kernels; there are {EXPRESSIONS}"
            )
        value = self._evaluated(node)
        kind = check(self, node) if value is None else self._known(node, value)
        self._checked.types[node] = kind
        return kind

    def _evaluated(self, node: ast.expr) -> int | float | None:
        """The number that an expression of constants has; on the way to it, numbers may be of any size."""
        if isinstance(node, ast.Constant | ast.Name):
            value: Any = node.value if isinstance(node, ast.Constant) else self._constant_named(node.id)
            return value if type(value) in (int, float) else None
        parts: list[ast.expr] = []
        if isinstance(node, ast.UnaryOp):
            parts = [node.operand]
        elif isinstance(node, ast.BinOp):
            parts = [node.left, node.right]
        compute = COMPUTED.get(type(node.op)) if isinstance(node, ast.UnaryOp | ast.BinOp) else None
        values = [self._evaluated(part) for part in parts]
        if compute is None or None in values or (compute in (operator.lshift, operator.rshift) and _is_far(values[1])):
            return None
        with suppress(
            ArithmeticError, TypeError
        ):  # what cannot be computed is judged, or stops the kernel, where it stands
            found: int | float = compute(*values)
            return found
        return None

    def _constant_named(self, name: str) -> Any:
        return None if name in self._own or name in self._checked.parameters else self._source.meaning(name)

    @contextmanager
    def _within(self, wrapping: Scalar | None) -> Iterator[None]:
        """What is checked inside is cut to that size afterwards, or not."""
        before, self._wrapping = self._wrapping, wrapping
        yield
        self._wrapping = before

    def _exactly(self, node: ast.expr) -> Type:
        """The type of an expression whose whole value counts, not only its last bits."""
        with self._within(None):
            return self._expression(node)

    def _condition(self, node: ast.expr) -> None:
        if self._exactly(node) is not BOOL:
            raise self._refusal(node, "a condition is a truth value; compare, as in `x != 0`")

    def _whole(self, node: ast.expr) -> Scalar:
        kind = self._exactly(node)
        if not isinstance(kind, Scalar) or not kind.is_whole:
            raise self._refusal(node, f"a whole number is needed here, not {kind.name}")
        return kind

    def _known(self, node: ast.expr, value: Any) -> Type:
        """A constant."""
        if isinstance(value, bool):
            self._checked.values[node] = int(value)
            return BOOL
        if isinstance(value, float):
            self._checked.values[node] = value
            return F64
        assert isinstance(value, int)
        self._checked.values[node] = value
        for kind in (I32, I64):
            if kind.holds(value):
                return kind
        if self._wrapping is not None:
            return I64
        raise self._refusal(node, f"{value} does not fit into an i64")

    def _constant(self, node: ast.Constant) -> Type:
        if isinstance(node.value, bool):
            return self._known(node, node.value)
        raise self._refusal(node, f"there are numbers, True and False, but no {type(node.value).__name__}")

    def _name(self, node: ast.Name) -> Type:
        name = node.id
        kind = self._checked.variables.get(name)
        if name in self._own or name in self._checked.parameters:
            if kind is None or name not in self._sure:
                raise self._refusal(node, f"{name} may have no value here; give it one before")
            return kind
        return self._outer(node, name, self._source.meaning(name))

    def _outer(self, node: ast.expr, name: str, meaning: Any) -> Type:
        if isinstance(meaning, bool):
            return self._known(node, meaning)
        if isinstance(meaning, tuple) and meaning:
            return self._table(node, name, meaning)
        said = "is not known here" if meaning is MISSING else f"is a {type(meaning).__name__}"
        raise self._refusal(node, f"{name} {said}; from outside come numbers, tuples of numbers and functions")

    def _table(self, node: ast.expr, name: str, values: tuple[Any, ...]) -> Type:
        element: Scalar | None = None
        if all(type(value) is int and I64.holds(value) for value in values):
            element = I32 if all(I32.holds(value) for value in values) else I64
        elif all(type(value) in (int, float) for value in values):
            values, element = tuple(map(float, values)), F64
        if element is None:
            raise self._refusal(node, f"{name} is a tuple, but not one of whole numbers or of floats")
        self._checked.tables[node] = Table(values, TABLES[element])
        return TABLES[element]

    def _attribute(self, node: ast.Attribute) -> Type:
        owner = self._exactly(node.value)
        found = owner.field(node.attr) if isinstance(owner, Record) else None
        if found is None:
            has = ", ".join(name for name, _ in owner.fields) if isinstance(owner, Record) else "no fields"
            raise self._refusal(node, f"there is no {node.attr}: {owner.name} has {has}")
        return found[1]

    def _subscript(self, node: ast.Subscript) -> Type:
        owner = self._exactly(node.value)
        if not isinstance(owner, Array):
            raise self._refusal(node, f"only arrays have elements, and this is {owner.name}")
        if self._whole(node.slice) is not I32:
            raise self._refusal(node.slice, "an index is an i32; write to_i32(…)")
        known = self._checked.values.get(node.slice)
        if known is not None and known < 0:
            raise self._refusal(node.slice, "indices are counted from the beginning, from 0 on")
        return owner.element

    def _unary(self, node: ast.UnaryOp) -> Type:
        if isinstance(node.op, ast.Not):
            self._condition(node.operand)
            return BOOL
        kind = self._expression(node.operand) if isinstance(node.op, RING) else self._exactly(node.operand)
        if isinstance(node.op, ast.UAdd):
            raise self._refusal(node, "a plus sign before a number says nothing")
        if not isinstance(kind, Scalar) or kind is BOOL or (kind is F64 and isinstance(node.op, ast.Invert)):
            raise self._refusal(node, f"this cannot be done with {kind.name}")
        return self._cut(node, kind)

    def _binary(self, node: ast.BinOp) -> Type:
        operation = type(node.op)
        if operation not in COMPUTED:
            raise self._refusal(node, f"kernels have no `{ast.unparse(node)}`; powers are products, matrices are loops")
        ring = isinstance(node.op, RING)
        with self._within(self._wrapping if ring else None):
            left = self._expression(node.left)
        if operation in SHIFTS:
            return self._shift(node, left)
        with self._within(self._wrapping if ring else None):
            right = self._expression(node.right)
        if left is BOOL and right is BOOL and operation in BITWISE:
            return BOOL
        kind = self._common(node, left, right)
        if kind.is_whole and operation is ast.Div:
            raise self._refusal(node, "whole numbers are divided by `//`, or as float(a) / float(b)")
        if kind is F64 and operation in (*BITWISE, ast.FloorDiv, ast.Mod):
            raise self._refusal(node, f"this cannot be done with floats: `{ast.unparse(node)}`")
        result = self._cut(node, kind) if ring else kind
        for side in (node.left, node.right):
            self._meet(side, result)
        return result

    def _cut(self, node: ast.expr, kind: Scalar) -> Scalar:
        """The type of a whole result of which the last bits are kept: at least as wide as they are."""
        if self._wrapping is None or not kind.is_whole:
            return kind
        self._checked.wrapped.add(node)
        return I64 if self._wrapping is I64 else kind

    def _shift(self, node: ast.BinOp, left: Type) -> Type:
        if not isinstance(left, Scalar) or not left.is_whole:
            raise self._refusal(node.left, f"only whole numbers are shifted, not {left.name}")
        if isinstance(node.op, ast.LShift):
            left = self._cut(node, left)
        places = self._whole(node.right)
        known = self._checked.values.get(node.right)
        if known is not None and not 0 <= known < LONGEST_SHIFT:
            raise self._refusal(node.right, "a number is shifted by 0 to 63 places")
        if places is I64 and left is I32:
            raise self._refusal(node.right, "an i32 is shifted by an i32; write to_i32(…)")
        self._fit(node.left, left)
        return left

    def _common(self, node: ast.expr, left: Type, right: Type) -> Scalar:
        """The type in which two numbers meet."""
        if isinstance(left, Scalar) and isinstance(right, Scalar) and BOOL not in (left, right):
            if left == right:
                return left
            if I32 in (left, right):
                return right if left == I32 else left
            raise self._refusal(node, "an i64 beside a float may lose digits; write float(…)")
        raise self._refusal(node, f"{left.name} and {right.name} do not go together")

    def _meet(self, node: ast.expr, wanted: Scalar) -> None:
        """Makes one side of an operation or a comparison what both are: here an i32 beside a float becomes one."""
        if wanted is not F64 or self._checked.types[node] is not I32:
            self._fit(node, wanted)
        elif node in self._checked.values:
            self._checked.values[node] = float(self._checked.values[node])
            self._checked.types[node] = F64

    def _fit(self, node: ast.expr, wanted: Type, why: str | None = None) -> None:
        """Makes an expression one of the wanted type, if nothing can be lost."""
        given = self._checked.types[node]
        if given == wanted:
            return
        if wanted is I64 and given is I32:
            self._widen(node)
            return
        said = f"this is {given.name}, but {why or f'{wanted.name} is needed'}"
        raise self._refusal(
            node, f"{said}; {_ADVICE.get((given.name, wanted.name), 'there is no way from one to the other')}"
        )

    def _widen(self, node: ast.expr) -> None:
        """Lets what is made of constants and shifts of constants be i64 from the beginning; all else is widened."""
        if not self._is_free(node):
            return
        self._checked.types[node] = I64
        if isinstance(node, ast.BinOp):
            self._widen(node.left)
            if not isinstance(node.op, ast.LShift):
                self._widen(node.right)
        elif isinstance(node, ast.UnaryOp):
            self._widen(node.operand)

    def _is_free(self, node: ast.expr) -> bool:
        if node in self._checked.values:
            return True
        if isinstance(node, ast.BinOp) and isinstance(node.op, RING):
            return self._is_free(node.left) and (isinstance(node.op, ast.LShift) or self._is_free(node.right))
        return isinstance(node, ast.UnaryOp) and isinstance(node.op, RING) and self._is_free(node.operand)

    def _comparison(self, node: ast.Compare) -> Type:
        if len(node.ops) != 1:
            raise self._refusal(node, "two things are compared at a time; write `a < b and b < c`")
        if not isinstance(node.ops[0], COMPARED):
            raise self._refusal(node, "there is no `in` and no `is`; there are == != < <= > >=")
        other = node.comparators[0]
        left, right = self._exactly(node.left), self._exactly(other)
        if left is BOOL and right is BOOL and isinstance(node.ops[0], ast.Eq | ast.NotEq):
            return BOOL
        kind = self._common(node, left, right)
        self._meet(node.left, kind)
        self._meet(other, kind)
        return BOOL

    def _boolean(self, node: ast.BoolOp) -> Type:
        for value in node.values:
            self._condition(value)
        return BOOL

    def _choice(self, node: ast.IfExp) -> Type:
        self._condition(node.test)
        yes, no = self._expression(node.body), self._expression(node.orelse)
        kind = yes if yes == no else self._common(node, yes, no)
        self._fit(node.body, kind)
        self._fit(node.orelse, kind)
        return kind

    def _value_of_call(self, node: ast.Call) -> Type:
        return self._call(node, alone=False)

    def _call(self, node: ast.Call, *, alone: bool) -> Type:
        if not isinstance(node.func, ast.Name):
            raise self._refusal(node.func, "a function is called by its name alone; import it by name")
        if node.keywords or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise self._refusal(node, "arguments are passed one after another, without names or stars")
        name = node.func.id
        if name in self._own or name in self._checked.parameters:
            raise self._refusal(node.func, f"{name} is a local, not a function")
        meaning = self._source.meaning(name)
        known = intrinsic_of(meaning)
        if known is not None:
            self._checked.calls[node] = known
            return self._intrinsic(node, known)
        if not isinstance(meaning, FunctionType):
            raise self._refusal(
                node.func,
                f"{name} cannot be called from a kernel; there are functions written for kernels, "
                "those of kernels.language, and float, abs, min, max, len",
            )
        parameters, result = self._signature(meaning)
        self._checked.calls[node] = Called(meaning, tuple(parameters.values()), result)
        self._count(node, len(parameters))
        for argument, (parameter, wanted) in zip(node.args, parameters.items(), strict=True):
            self._exactly(argument)
            self._fit(argument, wanted, f"{parameter} of {name} is {wanted.name}")
        if result is None and not alone:
            raise self._refusal(node, f"{name} gives nothing")
        return result or BOOL

    def _count(self, node: ast.Call, wanted: int) -> None:
        if len(node.args) != wanted:
            raise self._refusal(node, f"{ast.unparse(node.func)} takes {wanted} arguments, not {len(node.args)}")

    def _intrinsic(self, node: ast.Call, known: Intrinsic) -> Type:
        if isinstance(known, Special):
            self._count(node, known.arguments)
            return _SPECIALS[known.name](self, node)
        if isinstance(known, Making):
            if self._loops:
                raise self._refusal(node, "arrays are made before loops, because they last until the function returns")
            self._checked.makes_arrays = True
            self._count(node, 1)
            if self._whole(node.args[0]) is not I32:
                raise self._refusal(node.args[0], "the size of an array is an i32")
            return known.kind
        assert isinstance(known, Plain)
        self._count(node, len(known.parameters))
        for argument, wanted in zip(node.args, known.parameters, strict=True):
            self._exactly(argument)
            self._fit(argument, wanted)
        return known.result

    def _wrapped_to(self, node: ast.Call, kind: Scalar) -> Type:
        (argument,) = node.args
        with self._within(kind):
            given = self._expression(argument)
        if not isinstance(given, Scalar) or not given.is_whole:
            raise self._refusal(argument, f"only whole numbers wrap around, not {given.name}")
        value = self._checked.values.get(argument)
        if isinstance(value, int):
            self._checked.values[node] = (wrap32 if kind is I32 else wrap64)(value)
        elif kind is I64:
            self._fit(argument, I64)
        return kind

    def _number(self, node: ast.expr) -> Scalar:
        kind = self._exactly(node)
        if not isinstance(kind, Scalar):
            raise self._refusal(node, f"a number is needed here, not {kind.name}")
        return kind

    def _wrap32(self, node: ast.Call) -> Type:
        return self._wrapped_to(node, I32)

    def _wrap64(self, node: ast.Call) -> Type:
        return self._wrapped_to(node, I64)

    def _to_i32(self, node: ast.Call) -> Type:
        self._number(node.args[0])
        return I32

    def _to_i64(self, node: ast.Call) -> Type:
        self._number(node.args[0])
        return I64

    def _float(self, node: ast.Call) -> Type:
        if self._number(node.args[0]) is BOOL:
            raise self._refusal(node.args[0], "a truth value becomes a number by to_i32(…)")
        value = self._checked.values.get(node.args[0])
        if value is not None:
            self._checked.values[node] = float(value)
        return F64

    def _sqrt(self, node: ast.Call) -> Type:
        self._exactly(node.args[0])
        self._fit(node.args[0], F64)
        return F64

    def _abs(self, node: ast.Call) -> Type:
        kind = self._number(node.args[0])
        if kind is BOOL:
            raise self._refusal(node.args[0], "a truth value has no sign")
        return kind

    def _len(self, node: ast.Call) -> Type:
        kind = self._exactly(node.args[0])
        if not isinstance(kind, Array):
            raise self._refusal(node.args[0], f"only arrays have a length, not {kind.name}")
        return I32

    def _extreme(self, node: ast.Call) -> Type:
        left, right = (self._number(argument) for argument in node.args)
        kind = self._common(node, left, right)
        for argument in node.args:
            self._fit(argument, kind)
        return kind


_ADVICE: Final = {
    (
        "i64",
        "i32",
    ): "write to_i32(…), or wrap32(…) if it is meant to wrap around; or annotate the name, as in `x: i64 = 0`",
    ("float", "i32"): "write to_i32(…); or begin with a float, as in `x = 0.0`",
    ("float", "i64"): "write to_i64(…)",
    ("i32", "float"): "write float(…), or 1.0 instead of 1",
    ("i64", "float"): "write float(…)",
    ("bool", "i32"): "write to_i32(…)",
    ("bool", "i64"): "write to_i64(…)",
    ("i32", "bool"): "compare, as in `x != 0`",
    ("i64", "bool"): "compare, as in `x != 0`",
}

_STATEMENTS: Final[dict[type[ast.stmt], Callable[[Checker, Any], bool]]] = {
    ast.Assign: Checker._assign,
    ast.AnnAssign: Checker._annotated,
    ast.AugAssign: Checker._augmented,
    ast.If: Checker._if,
    ast.While: Checker._while,
    ast.For: Checker._for,
    ast.Break: Checker._break,
    ast.Continue: Checker._continue,
    ast.Return: Checker._return,
    ast.Assert: Checker._assert,
    ast.Expr: Checker._alone,
    ast.Pass: Checker._pass,
}
_EXPRESSIONS: Final[dict[type[ast.expr], Callable[[Checker, Any], Type]]] = {
    ast.Constant: Checker._constant,
    ast.Name: Checker._name,
    ast.Attribute: Checker._attribute,
    ast.Subscript: Checker._subscript,
    ast.UnaryOp: Checker._unary,
    ast.BinOp: Checker._binary,
    ast.Compare: Checker._comparison,
    ast.BoolOp: Checker._boolean,
    ast.IfExp: Checker._choice,
    ast.Call: Checker._value_of_call,
}
_SPECIALS: Final[dict[str, Callable[[Checker, ast.Call], Type]]] = {
    "wrap32": Checker._wrap32,
    "wrap64": Checker._wrap64,
    "to_i32": Checker._to_i32,
    "to_i64": Checker._to_i64,
    "sqrt": Checker._sqrt,
    "float": Checker._float,
    "abs": Checker._abs,
    "len": Checker._len,
    "min": Checker._extreme,
    "max": Checker._extreme,
}


def _is_far(places: int | float | None) -> bool:
    return not isinstance(places, int) or not 0 <= places < LONGEST_SHIFT


def _loaded(target: ast.expr) -> ast.expr:
    """The place that is assigned to, as something that is read."""
    copy: ast.expr = ast.parse(ast.unparse(target), mode="eval").body
    for part in ast.walk(copy):
        ast.copy_location(part, target)
    return copy
