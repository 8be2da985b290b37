"""A kernel: functions in the typed subset of Python, as WebAssembly and as the Python that they are.

    kernel = Kernel(count_primes)
    with kernel.start() as run:
        flags = run.array("u8s", 1000)
        print(run.call("count_primes", flags), flags.read())

`start` runs the compiled kernel on the host of this process, `in_python` the same source as Python; both are used in
the same way and give the same, which is what tests hold them to.
"""

import struct
from array import array
from collections.abc import Iterable, Mapping
from types import FunctionType, TracebackType
from typing import Any, Final, Protocol, TypeVar

from kernels.compiler.checked_python import checked_python
from kernels.compiler.checking import Called, Checked, Checker
from kernels.compiler.emission import Writer, module_of
from kernels.compiler.memory import ALLOCATE
from kernels.compiler.source import Source, record_of
from kernels.compiler.types import ARRAYS, BOOL, F64, Array, Record, Scalar, Type
from kernels.host import LIMITS, Host, Instance, Limits, Number, current_host

Self = TypeVar("Self", bound="Running")


class Numbers(Protocol):
    """An array of a kernel that runs."""

    def read(self) -> "array[Any]":
        """A copy of its numbers."""
        ...

    def write(self, numbers: Iterable[Number]) -> None:
        """Replaces its first numbers."""
        ...


class Fields(Protocol):
    """A record of a kernel that runs."""

    def get(self, field: str) -> Number:
        """A number or truth value of the record."""
        ...

    def set(self, field: str, value: Number) -> None: ...


Argument = Number | Numbers | Fields


class Running(Protocol):
    """A kernel that can be called. What it was given stays until it is closed."""

    def call(self, name: str, *arguments: Argument) -> Number | None:
        """What a function of the kernel gives."""
        ...

    def array(self, kind: str, size: int) -> Numbers:
        """An array of `size` zeros, for calls to come. Its kind is u8s, i32s, i64s or f64s."""
        ...

    def record(self, kind: type, **fields: Argument) -> Fields:
        """A record of that class with all its fields."""
        ...

    def close(self) -> None: ...

    def __enter__(self: Self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None: ...


class Kernel:
    """Functions that were compiled together. Raises KernelError for what is not in the language.

    `links` give names inside the functions another meaning: other functions, numbers or tables. So one algorithm is
    compiled for many games. `by_hand` tells for some functions, whose own bodies count only as Python, how their
    WebAssembly is written.
    """

    def __init__(
        self,
        *functions: Any,
        links: Mapping[str, Any] | None = None,
        by_hand: Mapping[Any, Writer] | None = None,
    ) -> None:
        self._links = dict(links or {})
        self._signatures: dict[FunctionType, tuple[dict[str, Type], Type | None]] = {}
        self._sources: dict[FunctionType, Source] = {}
        self._checked: dict[FunctionType, Checked] = {}
        self._exported: dict[str, FunctionType] = {function.__name__: function for function in functions}
        waiting: list[FunctionType] = list(functions)
        while waiting:
            function = waiting.pop(0)
            if function in self._checked:
                continue
            checked = Checker(self._source(function), self._signature).check()
            self._checked[function] = checked
            waiting += [called.function for called in checked.calls.values() if isinstance(called, Called)]
        self.binary: Final = module_of(self._checked, self._exported, by_hand or {})

    def start(self, limits: Limits = LIMITS, host: Host | None = None) -> Running:
        """The compiled kernel, ready to be called."""
        signatures = {name: self._signature(function) for name, function in self._exported.items()}
        return _Compiled((host or current_host()).load(self.binary, limits), signatures)

    def in_python(self, *, checked: bool = False) -> Running:
        """The same as Python. If it is checked, it is slower and raises where WebAssembly would go on with nonsense."""
        made: dict[FunctionType, FunctionType] = {}
        for function, known in self._checked.items():
            names = known.source.names()
            if checked:
                made[function] = checked_python(known, names)
            else:
                made[function] = FunctionType(
                    function.__code__, names, function.__name__, function.__defaults__, function.__closure__
                )
        for function, known in self._checked.items():
            calls = {call.func.id: called for call, called in known.calls.items()}  # type: ignore[attr-defined]  # names
            made[function].__globals__.update(
                {name: made[called.function] for name, called in calls.items() if isinstance(called, Called)}
            )
        return _Plain({name: made[function] for name, function in self._exported.items()})

    def _source(self, function: FunctionType) -> Source:
        if function not in self._sources:
            self._sources[function] = Source(function, self._links)
        return self._sources[function]

    def _signature(self, function: FunctionType) -> tuple[dict[str, Type], Type | None]:
        if function not in self._signatures:
            self._signatures[function] = self._source(function).signature()
        return self._signatures[function]


class _Base:
    def close(self) -> None:
        """Nothing is left to be given back."""

    def __enter__(self) -> Any:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()


def _array_kind(name: str) -> Array:
    if name not in ARRAYS:
        raise ValueError(f"there are arrays of the kinds {', '.join(ARRAYS)}, not {name!r}")
    return ARRAYS[name]


def _record_kind(kind: type) -> Record:
    found = record_of(kind)
    if found is None:
        raise TypeError(f"{kind.__name__} has fields that kernels do not know")
    return found


# As WebAssembly


class _Stretch:
    """An array in the memory of an instance."""

    def __init__(self, instance: Instance, kind: Array, address: int, size: int) -> None:
        self.address = address
        self.kind: Type = kind
        self._instance = instance
        self._array = kind
        self._size = size

    def read(self) -> "array[Any]":
        return array(self._array.code, self._instance.read(self.address, self._size * self._array.size))

    def write(self, numbers: Iterable[Number]) -> None:
        content = array(self._array.code, numbers)
        if len(content) > self._size:
            raise IndexError(f"the array has {self._size} elements; {len(content)} do not fit")
        self._instance.write(self.address, content.tobytes())


class _Fields:
    """A record in the memory of an instance."""

    def __init__(self, instance: Instance, kind: Record, address: int) -> None:
        self.address = address
        self.kind: Type = kind
        self._record = kind
        self._instance = instance

    def get(self, field: str) -> Number:
        offset, kind = self._field(field)
        content = self._instance.read(self.address + offset, Record.FIELD_BYTES)
        value: Number = struct.unpack_from(_packing(kind), content)[0]
        return bool(value) if kind is BOOL else value

    def set(self, field: str, value: Argument) -> None:
        offset, kind = self._field(field)
        content = struct.pack(_packing(kind), _passed(kind, value, field))
        self._instance.write(self.address + offset, content)

    def _field(self, name: str) -> tuple[int, Type]:
        found = self._record.field(name)
        if found is None:
            raise AttributeError(f"{self._record.name} has no field {name}")
        return found


def _packing(kind: Type) -> str:
    return {8: "<q", 4: "<i"}[8 if kind.kind.name == "I64" else 4] if kind is not F64 else "<d"


def _passed(kind: Type, value: Argument, name: str) -> Number:
    """An argument as WebAssembly takes it. Raises TypeError and OverflowError."""
    if isinstance(value, _Stretch | _Fields):
        if value.kind != kind:
            raise TypeError(f"{name} is {kind.name}, not {value.kind.name}")
        return value.address
    if isinstance(kind, Scalar) and kind is F64 and isinstance(value, int | float):
        return float(value)
    if isinstance(kind, Scalar) and kind is BOOL and isinstance(value, bool):
        return int(value)
    if isinstance(kind, Scalar) and kind.is_whole and isinstance(value, int):
        if not kind.holds(value):
            raise OverflowError(f"{name} is {kind.name}; {value} does not fit")
        return int(value)
    raise TypeError(f"{name} is {kind.name}, not {value!r}")


class _Compiled(_Base):
    """Running as WebAssembly."""

    def __init__(self, instance: Instance, signatures: Mapping[str, tuple[dict[str, Type], Type | None]]) -> None:
        self._instance = instance
        self._signatures = signatures

    def call(self, name: str, *arguments: Argument) -> Number | None:
        parameters, result = self._signatures[name]
        if len(arguments) != len(parameters):
            raise TypeError(f"{name} takes {len(parameters)} arguments, not {len(arguments)}")
        passed = [
            _passed(kind, argument, parameter)
            for (parameter, kind), argument in zip(parameters.items(), arguments, strict=True)
        ]
        value = self._instance.call(name, *passed)
        return bool(value) if result is BOOL else value

    def array(self, kind: str, size: int) -> _Stretch:
        found = _array_kind(kind)
        return _Stretch(self._instance, found, self._new(size, found.shift), size)

    def record(self, kind: type, **fields: Argument) -> _Fields:
        found = _record_kind(kind)
        made = _Fields(self._instance, found, self._new(len(found.fields), Record.FIELD_BYTES.bit_length() - 1))
        if missing := {name for name, _ in found.fields} - fields.keys():
            raise TypeError(f"{found.name} needs {', '.join(sorted(missing))}")
        for name, value in fields.items():
            made.set(name, value)
        return made

    def close(self) -> None:
        self._instance.close()

    def _new(self, count: int, shift: int) -> int:
        return int(self._instance.call(ALLOCATE, count, shift) or 0)


# As Python


class _List:
    """An array of Python."""

    def __init__(self, kind: Array, size: int) -> None:
        self.value: array[Any] = array(kind.code, bytes(size * kind.size))

    def read(self) -> "array[Any]":
        return self.value[:]

    def write(self, numbers: Iterable[Number]) -> None:
        content: array[Any] = array(self.value.typecode, numbers)
        if len(content) > len(self.value):
            raise IndexError(f"the array has {len(self.value)} elements; {len(content)} do not fit")
        self.value[: len(content)] = content


class _Object:
    """A record of Python."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def get(self, field: str) -> Number:
        value: Number = getattr(self.value, field)
        return value

    def set(self, field: str, value: Argument) -> None:
        setattr(self.value, field, _plain(value))


def _plain(value: Argument) -> Any:
    return value.value if isinstance(value, _List | _Object) else value


class _Plain(_Base):
    """Running as Python."""

    def __init__(self, functions: Mapping[str, FunctionType]) -> None:
        self._functions = functions

    def call(self, name: str, *arguments: Argument) -> Number | None:
        result: Number | None = self._functions[name](*map(_plain, arguments))
        return result

    def array(self, kind: str, size: int) -> _List:
        return _List(_array_kind(kind), size)

    def record(self, kind: type, **fields: Argument) -> _Object:
        _record_kind(kind)
        return _Object(kind(**{name: _plain(value) for name, value in fields.items()}))
