"""The self-check of kernels sees what it is there to see, and what a module offers is read from its bytes."""

import pytest

from kernels.chance import Chance, draw_fraction, seeded
from kernels.kernel import Kernel
from kernels.selfcheck import NUMBERS, compute, kernel_check
from kernels.signatures import Signature, signatures
from kernels.wasm import F64, I32, I64, Module
from tests.kernels import programs


def test_a_seed_gives_the_same_digest_and_another_one_another() -> None:
    assert kernel_check("a") == kernel_check("a")
    assert kernel_check("a") != kernel_check("b")


def test_what_is_digested_is_what_python_computes() -> None:
    found = []
    kernel = Kernel(compute)
    for running in (kernel.start(), kernel.in_python()):
        with running:
            chance, numbers = running.record(Chance, state=seeded("x").state), running.array("f64s", NUMBERS)
            running.call("compute", chance, numbers)
            found.append(numbers.read().tobytes())
    assert found[0] == found[1]


def test_the_signatures_of_a_kernel_are_read_from_its_bytes() -> None:
    kernel = Kernel(programs.extremes, programs.nothing, draw_fraction)
    assert signatures(kernel.binary) == {
        "new": Signature((I32, I32), (I32,)),
        "extremes": Signature((I32, I64, F64), (F64,)),
        "nothing": Signature((I32,), ()),
        "draw_fraction": Signature((I32,), (F64,)),
    }


def test_a_module_that_imports_something_is_no_kernel() -> None:
    module = Module()
    module.imported("host", "tell", (), ())
    with pytest.raises(ValueError, match="imports"):
        signatures(module.binary())
