"""Writes checked functions as WebAssembly.

What Python does is done: whole numbers are divided downwards, what is assigned is computed before the place it goes to,
and what raises in Python stops the kernel. Only results that do not fit, and indices beyond the end of an array, are
not looked for, because that would cost time in every operation: `Kernel.in_python(checked=True)` finds them in tests.
"""

import ast
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, Final

from kernels import wasm
from kernels.compiler.checking import Called, Checked
from kernels.compiler.intrinsics import Making, Plain, Special
from kernels.compiler.memory import FIRST_ADDRESS, Tables, allocation
from kernels.compiler.types import BOOL, F64, HEADER_BYTES, I32, I64, Array, Record, Scalar, Type

_ARITHMETIC: Final = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
}
_COMPARISON: Final = {
    ast.Eq: ("eq", "eq"),
    ast.NotEq: ("ne", "ne"),
    ast.Lt: ("lt_s", "lt"),
    ast.LtE: ("le_s", "le"),
    ast.Gt: ("gt_s", "gt"),
    ast.GtE: ("ge_s", "ge"),
}
"""For whole numbers and for floats."""

Emit = Callable[[], None]


Writer = Callable[[wasm.Module, wasm.Function], None]
"""Writes the body of a function by hand, and into its module whatever else that needs."""


def module_of(
    functions: Mapping[FunctionType, Checked],
    exported: Mapping[str, FunctionType],
    by_hand: Mapping[FunctionType, Writer],
) -> bytes:
    """The module of all functions; those that are exported under their names. Some are written by hand."""
    module = wasm.Module()
    tables = Tables()
    names = {function: name for name, function in exported.items()}
    for checked in functions.values():
        for table in checked.tables.values():
            tables.place(table)
    module.memory(-(-tables.size // wasm.PAGE))
    module.data(FIRST_ADDRESS, bytes(tables.content))
    top = module.variable(wasm.I32, tables.size)
    allocate = allocation(module, top)
    written = {
        function: module.function(
            names.get(function),
            [kind.kind for kind in checked.parameters.values()],
            [] if checked.result is None else [checked.result.kind],
        )
        for function, checked in functions.items()
    }
    for function, checked in functions.items():
        if function in by_hand:
            by_hand[function](module, written[function])
        else:
            _Emitter(checked, written[function], written, tables, top, allocate).emit()
    return module.binary()


class _Emitter:
    """Writes one function."""

    def __init__(
        self,
        checked: Checked,
        function: wasm.Function,
        functions: Mapping[FunctionType, wasm.Function],
        tables: Tables,
        top: wasm.Global,
        allocate: wasm.Function,
    ) -> None:
        self._checked = checked
        self._to = function.emit
        self._function = function
        self._functions = functions
        self._tables = tables
        self._top = top
        self._allocate = allocate
        names = list(checked.parameters)
        self._places = {name: number for number, name in enumerate(names)}
        self._places |= {
            name: function.local(kind.kind) for name, kind in checked.variables.items() if name not in self._places
        }
        self._depth = 0
        self._breaks: list[int] = []
        self._continues: list[int] = []
        """How deep the blocks are that a `break` and a `continue` leave."""
        self._bottom = function.local(wasm.I32) if checked.makes_arrays else None

    def emit(self) -> None:
        if self._bottom is not None:
            self._to("global.get", self._top)
            self._to("local.set", self._bottom)
        self._block(self._checked.source.node.body)
        if self._checked.result is not None:
            self._to("unreachable")
        else:
            self._give_arrays_back()

    def _give_arrays_back(self) -> None:
        if self._bottom is not None:
            self._to("local.get", self._bottom)
            self._to("global.set", self._top)

    def _open(self, name: str, kind: wasm.ValueType | None = None) -> None:
        self._to(name, kind)
        self._depth += 1

    def _close(self) -> None:
        self._to("end")
        self._depth -= 1

    def _stop_if(self) -> None:
        """Stops the kernel if what was emitted is true."""
        self._to("if")
        self._to("unreachable")
        self._to("end")

    def _kept(self, kind: Type) -> int:
        """Takes what was emitted into a new local."""
        place = self._function.local(kind.kind)
        self._to("local.set", place)
        return place

    # Statements

    def _block(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            _STATEMENTS[type(statement)](self, statement)

    def _assign(self, node: ast.Assign) -> None:
        self._store(node.targets[0], node.value)

    def _annotated(self, node: ast.AnnAssign) -> None:
        assert node.value is not None
        self._store(node.target, node.value)

    def _store(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._expression(value, self._checked.variables[target.id])
            self._to("local.set", self._places[target.id])
            return
        kind = self._checked.types[target]
        self._expression(value, kind)
        kept = self._kept(kind)
        offset = self._address(target)
        self._to("local.get", kept)
        self._to(_store_of(self._owner(target), kind), offset)

    def _augmented(self, node: ast.AugAssign) -> None:
        whole = self._checked.sums[node]
        if isinstance(node.target, ast.Name):
            self._store(node.target, whole)
            return
        kind, owner = self._checked.types[node.target], self._owner(node.target)
        offset = self._address(node.target)
        address = self._kept(I32)

        def before() -> None:
            self._to("local.get", address)
            self._to(_load_of(owner, kind), offset)

        self._to("local.get", address)
        result = self._checked.types[whole]
        assert isinstance(result, Scalar)
        self._computed(whole, result, lambda: self._converted(kind, result, before))
        self._convert(result, kind)
        self._to(_store_of(owner, kind), offset)

    def _owner(self, target: ast.expr) -> Type:
        assert isinstance(target, ast.Subscript | ast.Attribute)
        return self._checked.types[target.value]

    def _address(self, target: ast.expr) -> int:
        """Emits where a place in memory is; gives what is to be added to it."""
        assert isinstance(target, ast.Subscript | ast.Attribute)
        owner = self._checked.types[target.value]
        if isinstance(target, ast.Attribute):
            assert isinstance(owner, Record)
            found = owner.field(target.attr)
            assert found is not None
            self._expression(target.value, owner)
            return found[0]
        assert isinstance(owner, Array)
        table = self._checked.tables.get(target.value)
        offset = 0 if table is None else self._tables.place(table)
        known = self._checked.values.get(target.slice)
        if table is None:
            self._expression(target.value, owner)
        elif known is not None:
            self._to("i32.const", 0)
        if known is not None:
            return offset + int(known) * owner.size
        self._expression(target.slice, I32)
        if owner.shift:
            self._to("i32.const", owner.shift)
            self._to("i32.shl")
        if table is None:
            self._to("i32.add")
        return offset

    def _if(self, node: ast.If) -> None:
        self._expression(node.test, BOOL)
        self._open("if")
        self._block(node.body)
        if node.orelse:
            self._to("else")
            self._block(node.orelse)
        self._close()

    def _while(self, node: ast.While) -> None:
        self._open("block")
        self._breaks.append(self._depth)
        self._open("loop")
        self._continues.append(self._depth)
        if node.test not in self._checked.values:
            self._expression(node.test, BOOL)
            self._to("i32.eqz")
            self._to("br_if", 1)
        self._block(node.body)
        self._to("br", 0)
        self._end_loop()

    def _end_loop(self) -> None:
        self._close()
        self._close()
        self._breaks.pop()
        self._continues.pop()

    def _for(self, node: ast.For) -> None:
        assert isinstance(node.iter, ast.Call)
        assert isinstance(node.target, ast.Name)
        bounds = node.iter.args[:2]
        step = int(self._checked.values[node.iter.args[2]]) if len(node.iter.args) > 2 else 1
        given = (
            self._checked.types[bounds[0]]
            if len(bounds) == 1
            else max((self._checked.types[bound] for bound in bounds), key=lambda kind: kind is I64)
        )
        assert isinstance(given, Scalar)
        counted = given if abs(step) == 1 else I64  # longer steps might run beyond the end of 32 bits
        if len(bounds) == 1:
            self._to(f"{counted.wasm}.const", 0)
            counter = self._kept(counted)
        else:
            self._expression(bounds[0], counted)
            counter = self._kept(counted)
        self._expression(bounds[-1], counted)
        limit = self._kept(counted)
        self._open("block")
        self._breaks.append(self._depth)
        self._open("loop")
        self._to("local.get", counter)
        self._to("local.get", limit)
        self._to(f"{counted.wasm}.{'ge_s' if step > 0 else 'le_s'}")
        self._to("br_if", 1)
        self._to("local.get", counter)
        variable = self._checked.variables[node.target.id]
        if counted is I64 and variable is I32:
            self._to("i32.wrap_i64")
        else:
            self._convert(counted, variable)
        self._to("local.set", self._places[node.target.id])
        self._open("block")
        self._continues.append(self._depth)
        self._block(node.body)
        self._close()
        self._to("local.get", counter)
        self._to(f"{counted.wasm}.const", step)
        self._to(f"{counted.wasm}.add")
        self._to("local.set", counter)
        self._to("br", 0)
        self._end_loop()

    def _break(self, _: ast.Break) -> None:
        self._to("br", self._depth - self._breaks[-1])

    def _continue(self, _: ast.Continue) -> None:
        self._to("br", self._depth - self._continues[-1])

    def _return(self, node: ast.Return) -> None:
        if node.value is not None:
            assert self._checked.result is not None
            self._expression(node.value, self._checked.result)
        self._give_arrays_back()
        self._to("return")

    def _assert(self, node: ast.Assert) -> None:
        self._expression(node.test, BOOL)
        self._to("i32.eqz")
        self._stop_if()

    def _alone(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            called = self._checked.calls[node.value]
            self._call(node.value)
            if not isinstance(called, Called) or called.result is not None:
                self._to("drop")

    def _pass(self, _: ast.Pass) -> None:
        """Nothing."""

    # Expressions

    def _expression(self, node: ast.expr, wanted: Type) -> None:
        """Emits a value of the wanted type."""
        value = self._checked.values.get(node)
        if value is not None:
            assert isinstance(wanted, Scalar)
            self._constant(value, wanted)
            return
        given = self._checked.types[node]
        _EXPRESSIONS[type(node)](self, node)
        self._convert(given, wanted)

    def _constant(self, value: int | float, wanted: Scalar) -> None:
        if wanted is F64:
            self._to("f64.const", float(value))
        else:
            self._to(f"{wanted.wasm}.const", int(value) & (1 << (wanted.bits or 32)) - 1)

    def _convert(self, given: Type, wanted: Type) -> None:
        if given is I32 and wanted is I64:
            self._to("i64.extend_i32_s")
        elif given is I32 and wanted is F64:
            self._to("f64.convert_i32_s")

    def _converted(self, given: Type, wanted: Type, emit: Emit) -> None:
        emit()
        self._convert(given, wanted)

    def _name(self, node: ast.Name) -> None:
        table = self._checked.tables.get(node)
        if table is not None:
            self._to("i32.const", self._tables.place(table))
        else:
            self._to("local.get", self._places[node.id])

    def _read(self, node: ast.Attribute | ast.Subscript) -> None:
        offset = self._address(node)
        self._to(_load_of(self._owner(node), self._checked.types[node]), offset)

    def _unary(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._expression(node.operand, BOOL)
            self._to("i32.eqz")
            return
        kind = self._checked.types[node]
        assert isinstance(kind, Scalar)
        if kind is F64:
            self._expression(node.operand, F64)
            self._to("f64.neg")
        elif isinstance(node.op, ast.USub):
            self._to(f"{kind.wasm}.const", 0)
            self._expression(node.operand, kind)
            self._to(f"{kind.wasm}.sub")
        else:
            self._expression(node.operand, kind)
            self._to(f"{kind.wasm}.const", -1)
            self._to(f"{kind.wasm}.xor")

    def _binary(self, node: ast.BinOp) -> None:
        kind = self._checked.types[node]
        assert isinstance(kind, Scalar)
        self._computed(node, kind, lambda: self._expression(node.left, kind))

    def _computed(self, node: ast.BinOp, kind: Scalar, left: Emit) -> None:
        """Emits an operation whose left side is emitted by `left`, in the type of the result."""
        operation = type(node.op)
        if operation in (ast.LShift, ast.RShift):
            left()
            self._shift(node, kind)
        elif operation in (ast.FloorDiv, ast.Mod):
            left()
            self._divide(node, kind)
        else:
            left()
            self._expression(node.right, kind)
            if operation is ast.Div and not self._checked.values.get(node.right):
                divisor = self._kept(F64)
                self._to("local.get", divisor)
                self._to("f64.const", 0.0)
                self._to("f64.eq")
                self._stop_if()
                self._to("local.get", divisor)
            self._to(f"{kind.wasm}.{_ARITHMETIC[operation]}")

    def _shift(self, node: ast.BinOp, kind: Scalar) -> None:
        """Python knows shifts by any number of places; WebAssembly looks at the last bits of the number alone."""
        to_left = isinstance(node.op, ast.LShift)
        instruction = f"{kind.wasm}.{'shl' if to_left else 'shr_s'}"
        known = self._checked.values.get(node.right)
        if known is not None and known < kind.bits:
            self._to(f"{kind.wasm}.const", int(known))
            self._to(instruction)
            return
        self._expression(node.right, kind)
        places = self._kept(kind)
        if to_left:
            self._to("local.get", places)
            self._to(instruction)
            self._to(f"{kind.wasm}.const", 0)
        else:
            self._to("local.get", places)
            self._to(f"{kind.wasm}.const", kind.bits - 1)
        self._to("local.get", places)
        self._to(f"{kind.wasm}.const", kind.bits)
        self._to(f"{kind.wasm}.lt_u")
        self._to("select")
        if not to_left:
            self._to(instruction)

    def _divide(self, node: ast.BinOp, kind: Scalar) -> None:
        """Python divides downwards, WebAssembly towards zero."""
        word, is_quotient = kind.wasm, isinstance(node.op, ast.FloorDiv)
        known = self._checked.values.get(node.right)
        if known is not None and known > 0 and not int(known) & int(known) - 1:
            self._to(f"{word}.const", int(known).bit_length() - 1 if is_quotient else int(known) - 1)
            self._to(f"{word}.{'shr_s' if is_quotient else 'and'}")
            return
        number = self._kept(kind)
        self._expression(node.right, kind)
        divisor = self._kept(kind)
        if is_quotient:
            self._to("local.get", number)
            self._to("local.get", divisor)
            self._to(f"{word}.div_s")
        self._to("local.get", number)
        self._to("local.get", divisor)
        self._to(f"{word}.rem_s")
        rest = self._kept(kind)
        # Where the rest and the divisor have different signs, the quotient is one less and the rest a divisor more.
        if is_quotient:
            self._differ(rest, divisor, kind)
            self._convert(I32, kind)
            self._to(f"{word}.sub")
        else:
            self._to("local.get", rest)
            self._to("local.get", divisor)
            self._to(f"{word}.const", 0)
            self._differ(rest, divisor, kind)
            self._to("select")
            self._to(f"{word}.add")

    def _differ(self, rest: int, divisor: int, kind: Scalar) -> None:
        word = kind.wasm
        self._to("local.get", rest)
        self._to(f"{word}.const", 0)
        self._to(f"{word}.ne")
        self._to("local.get", rest)
        self._to("local.get", divisor)
        self._to(f"{word}.xor")
        self._to(f"{word}.const", 0)
        self._to(f"{word}.lt_s")
        self._to("i32.and")

    def _comparison(self, node: ast.Compare) -> None:
        other = node.comparators[0]
        kinds = {self._checked.types[node.left], self._checked.types[other]}
        kind = next(wide for wide in (F64, I64, I32, BOOL) if wide in kinds)
        self._expression(node.left, kind)
        self._expression(other, kind)
        self._to(f"{kind.wasm}.{_COMPARISON[type(node.ops[0])][kind is F64]}")

    def _boolean(self, node: ast.BoolOp) -> None:
        self._connected(node.op, node.values)

    def _connected(self, op: ast.boolop, values: list[ast.expr]) -> None:
        self._expression(values[0], BOOL)
        if len(values) == 1:
            return
        self._open("if", wasm.I32)
        if isinstance(op, ast.Or):
            self._to("i32.const", 1)
            self._to("else")
            self._connected(op, values[1:])
        else:
            self._connected(op, values[1:])
            self._to("else")
            self._to("i32.const", 0)
        self._close()

    def _choice(self, node: ast.IfExp) -> None:
        kind = self._checked.types[node]
        self._expression(node.test, BOOL)
        self._open("if", kind.kind)
        self._expression(node.body, kind)
        self._to("else")
        self._expression(node.orelse, kind)
        self._close()

    def _call(self, node: ast.Call) -> None:
        called = self._checked.calls[node]
        if isinstance(called, Called):
            for argument, wanted in zip(node.args, called.parameters, strict=True):
                self._expression(argument, wanted)
            self._to("call", self._functions[called.function])
        elif isinstance(called, Plain):
            for argument, kind in zip(node.args, called.parameters, strict=True):
                self._expression(argument, kind)
            for instruction in called.code:
                self._to(instruction)
        elif isinstance(called, Making):
            self._expression(node.args[0], I32)
            self._to("i32.const", called.kind.shift)
            self._to("call", self._allocate)
        else:
            assert isinstance(called, Special)
            _SPECIALS[called.name](self, node)

    def _wrap32(self, node: ast.Call) -> None:
        given = self._checked.types[node.args[0]]
        self._expression(node.args[0], given)
        if given is I64:
            self._to("i32.wrap_i64")

    def _wrap64(self, node: ast.Call) -> None:
        self._expression(node.args[0], I64)

    def _to_i32(self, node: ast.Call) -> None:
        given = self._checked.types[node.args[0]]
        self._expression(node.args[0], given)
        if given is F64:
            self._to("i32.trunc_f64_s")
        elif given is I64:
            number = self._kept(I64)
            self._to("local.get", number)
            self._to("i64.extend32_s")
            self._to("local.get", number)
            self._to("i64.ne")
            self._stop_if()
            self._to("local.get", number)
            self._to("i32.wrap_i64")

    def _to_i64(self, node: ast.Call) -> None:
        given = self._checked.types[node.args[0]]
        self._expression(node.args[0], given)
        if given is F64:
            self._to("i64.trunc_f64_s")
        elif given is not I64:
            self._to("i64.extend_i32_s")

    def _float(self, node: ast.Call) -> None:
        given = self._checked.types[node.args[0]]
        self._expression(node.args[0], given)
        if given is not F64:
            assert isinstance(given, Scalar)
            self._to(f"f64.convert_{given.wasm}_s")

    def _sqrt(self, node: ast.Call) -> None:
        self._expression(node.args[0], F64)
        number = self._kept(F64)
        self._to("local.get", number)
        self._to("f64.const", 0.0)
        self._to("f64.lt")
        self._stop_if()
        self._to("local.get", number)
        self._to("f64.sqrt")

    def _abs(self, node: ast.Call) -> None:
        kind = self._checked.types[node]
        assert isinstance(kind, Scalar)
        self._expression(node.args[0], kind)
        if kind is F64:
            self._to("f64.abs")
            return
        number = self._kept(kind)
        self._to(f"{kind.wasm}.const", 0)
        self._to("local.get", number)
        self._to(f"{kind.wasm}.sub")
        self._to("local.get", number)
        self._to("local.get", number)
        self._to(f"{kind.wasm}.const", 0)
        self._to(f"{kind.wasm}.lt_s")
        self._to("select")

    def _len(self, node: ast.Call) -> None:
        table = self._checked.tables.get(node.args[0])
        if table is not None:
            self._to("i32.const", len(table.values))
            return
        self._expression(node.args[0], self._checked.types[node.args[0]])
        self._to("i32.const", HEADER_BYTES)
        self._to("i32.sub")
        self._to("i32.load")

    def _min(self, node: ast.Call) -> None:
        self._extreme(node, "lt")

    def _max(self, node: ast.Call) -> None:
        self._extreme(node, "gt")

    def _extreme(self, node: ast.Call, comparison: str) -> None:
        """The second if it is better, otherwise the first, as Python decides between equals and what is no number."""
        kind = self._checked.types[node]
        assert isinstance(kind, Scalar)
        self._expression(node.args[0], kind)
        first = self._kept(kind)
        self._expression(node.args[1], kind)
        second = self._kept(kind)
        for place in (second, first, second, first):
            self._to("local.get", place)
        self._to(f"{kind.wasm}.{comparison}{'' if kind is F64 else '_s'}")
        self._to("select")


def _load_of(owner: Type, kind: Type) -> str:
    return owner.load if isinstance(owner, Array) else f"{kind.kind.name.lower()}.load"


def _store_of(owner: Type, kind: Type) -> str:
    return owner.store if isinstance(owner, Array) else f"{kind.kind.name.lower()}.store"


_STATEMENTS: Final[dict[type[ast.stmt], Callable[[_Emitter, Any], None]]] = {
    ast.Assign: _Emitter._assign,
    ast.AnnAssign: _Emitter._annotated,
    ast.AugAssign: _Emitter._augmented,
    ast.If: _Emitter._if,
    ast.While: _Emitter._while,
    ast.For: _Emitter._for,
    ast.Break: _Emitter._break,
    ast.Continue: _Emitter._continue,
    ast.Return: _Emitter._return,
    ast.Assert: _Emitter._assert,
    ast.Expr: _Emitter._alone,
    ast.Pass: _Emitter._pass,
}
_EXPRESSIONS: Final[dict[type[ast.expr], Callable[[_Emitter, Any], None]]] = {
    ast.Name: _Emitter._name,
    ast.Attribute: _Emitter._read,
    ast.Subscript: _Emitter._read,
    ast.UnaryOp: _Emitter._unary,
    ast.BinOp: _Emitter._binary,
    ast.Compare: _Emitter._comparison,
    ast.BoolOp: _Emitter._boolean,
    ast.IfExp: _Emitter._choice,
    ast.Call: _Emitter._call,
}
_SPECIALS: Final[dict[str, Callable[[_Emitter, ast.Call], None]]] = {
    "wrap32": _Emitter._wrap32,
    "wrap64": _Emitter._wrap64,
    "to_i32": _Emitter._to_i32,
    "to_i64": _Emitter._to_i64,
    "sqrt": _Emitter._sqrt,
    "float": _Emitter._float,
    "abs": _Emitter._abs,
    "len": _Emitter._len,
    "min": _Emitter._min,
    "max": _Emitter._max,
}
