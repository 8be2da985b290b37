"""Networks: nothing twice, constants folded, circles solved; and the same meaning as planes of WebAssembly."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernels.host import current_host
from kernels.network import FALSE, TRUE, Network, NetworkError, Wire, untied
from kernels.planes import LANES, PLANE, Place, Planes
from kernels.wasm import Module
from tests.kernels.networks import evaluated

Recipe = list[tuple[str, int, int, int]]
RECIPES = st.lists(
    st.tuples(st.sampled_from(["all", "any", "differ", "select"]), *[st.integers(0, 200)] * 3), min_size=1, max_size=60
)


def made(recipe: Recipe, inputs: int) -> tuple[Network, list[Wire], list[Wire]]:
    """A network after a recipe: its inputs, and the wire that each step gave."""
    network = Network()
    given_wires = [network.input() for _ in range(inputs)]
    wires = [FALSE, *given_wires]
    for name, *numbers in recipe:
        one, other, third = [wires[number // 2 % len(wires)] ^ number & 1 for number in numbers]
        wires.append(
            {
                "all": lambda a, b, c: network.all_of([a, b, c]),
                "any": lambda a, b, c: network.any_of([a, b, c]),
                "differ": lambda a, b, _: network.differ(a, b),
                "select": network.select,
            }[name](one, other, third)
        )
    return network, given_wires, wires[inputs + 1 :]


def meant(recipe: Recipe, bits: Sequence[bool]) -> list[bool]:
    """The same recipe with truth values instead of wires."""
    values = [False, *bits]
    for name, *numbers in recipe:
        one, other, third = [values[number // 2 % len(values)] != bool(number & 1) for number in numbers]
        values.append(
            {
                "all": one and other and third,
                "any": one or other or third,
                "differ": one != other,
                "select": other if one else third,
            }[name]
        )
    return values[len(bits) + 1 :]


@given(RECIPES, st.lists(st.booleans(), min_size=4, max_size=4))
def test_folding_changes_no_meaning(recipe: Recipe, bits: list[bool]) -> None:
    network, inputs, wires = made(recipe, len(bits))
    assert evaluated(network, dict(zip(inputs, bits, strict=True)), wires) == meant(recipe, bits)


@given(RECIPES, st.lists(st.integers(0, (1 << LANES) - 1), min_size=4, max_size=4))
@settings(max_examples=60, deadline=None)
def test_planes_compute_128_positions_at_once(recipe: Recipe, planes: list[int]) -> None:
    network, inputs, wires = made(recipe, len(planes))
    places = {wire: Place(0, PLANE * number) for number, wire in enumerate(inputs)}
    results = [(wire, Place(0, PLANE * (8 + number))) for number, wire in enumerate(wires)]
    module = Module()
    written = Planes(network, places, results)
    functions = written.functions(module, 1, Place(0, PLANE * (8 + len(wires))))
    whole = module.function("run")
    for function in functions:
        whole.emit("i32.const", 0)
        whole.emit("call", function)
    module.memory(pages=1)
    with current_host().load(module.binary()) as instance:
        instance.write(0, b"".join([plane.to_bytes(PLANE, "little") for plane in planes]))
        instance.call("run")
        found = instance.read(PLANE * 8, PLANE * len(wires))
    numbers = [int.from_bytes(found[PLANE * place : PLANE * (place + 1)], "little") for place in range(len(wires))]
    for lane in (0, 1, 63, 64, 127):
        expected = meant(recipe, [bool(plane >> lane & 1) for plane in planes])
        assert [bool(number >> lane & 1) for number in numbers] == expected


def test_long_networks_are_cut_into_functions_that_leave_planes_to_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.planes.LONGEST_FUNCTION", 3)
    test_planes_compute_128_positions_at_once()


def test_what_was_asked_before_is_not_asked_again() -> None:
    network = Network()
    a, b, c = [network.input() for _ in range(3)]
    assert network.all_of([a, b, c]) == network.all_of([c, b, a, a, TRUE])
    assert network.any_of([a, b]) == network.all_of([b ^ 1, a ^ 1]) ^ 1
    assert network.differ(a, b ^ 1) == network.differ(b, a) ^ 1
    assert network.select(a ^ 1, b, c) == network.select(a, c, b)
    assert (network.both(a, a ^ 1), network.either(a, TRUE), network.select(a, TRUE, FALSE)) == (FALSE, TRUE, a)


def test_of_a_group_exactly_one_holds() -> None:
    network = Network()
    group = [network.input() for _ in range(5)]
    other = network.input()
    network.exactly_one(group)
    assert network.all_of(group[:2]) == FALSE
    assert network.all_of([group[0], group[1] ^ 1, other]) == network.both(group[0], other)
    assert network.any_of(group) == TRUE
    assert network.any_of(group[:4]) == group[4] ^ 1
    halves = [network.any_of(group[:2]), network.any_of(group[2:4])]
    assert network.any_of(halves) == group[4] ^ 1


def test_a_circle_has_its_least_solution() -> None:
    """Which of three places can be reached, if news goes round between all of them."""
    network = Network()
    start = [network.input() for _ in range(3)]
    way = [network.input() for _ in range(3)]
    knots = [network.knot() for _ in range(3)]
    for place, knot in enumerate(knots):
        network.tie(knot, network.either(start[place], network.both(knots[place - 1], way[place])))
    result = untied(network, knots)
    assert result.circles == 1
    for number in range(64):
        bits = [bool(number >> bit & 1) for bit in range(6)]
        reached = {place for place in range(3) if bits[place]}
        for _ in range(3):
            reached |= {place for place in range(3) if (place - 1) % 3 in reached and bits[3 + place]}
        inputs = {result.inputs[wire]: bit for wire, bit in zip([*start, *way], bits, strict=True)}
        assert evaluated(result.network, inputs, result.roots) == [place in reached for place in range(3)]


def test_gates_inside_of_a_circle_mean_the_same_to_those_outside() -> None:
    """Whoever asks for a gate that a circle passes through gets what it means in the end, not on the way there."""
    network = Network()
    start, way = network.input(), network.input()
    knot = network.knot()
    inside = network.both(knot, way)
    network.tie(knot, network.either(start, inside))
    result = untied(network, [knot, inside])
    for number in range(4):
        bits = bool(number & 1), bool(number & 2)
        inputs = {
            result.inputs[wire]: bit for wire, bit in zip((start, way), bits, strict=True) if wire in result.inputs
        }
        assert evaluated(result.network, inputs, result.roots) == [bits[0], bits[0] and bits[1]]


def test_knots_without_a_circle_leave_no_trace() -> None:
    network = Network()
    a, b = network.input(), network.input()
    knot = network.knot()
    both = network.both(knot, a)
    network.tie(knot, b)
    result = untied(network, [both])
    assert (result.circles, len(result.network)) == (0, 4)


def test_what_depends_on_its_own_opposite_is_refused() -> None:
    network = Network()
    a = network.input()
    knot = network.knot()
    network.tie(knot, network.both(a, knot ^ 1))
    with pytest.raises(NetworkError, match="own opposite"):
        untied(network, [knot])


def test_a_network_does_not_grow_beyond_its_limit() -> None:
    network = Network(most_gates=10)
    with pytest.raises(NetworkError, match="more than 10 gates"):
        [network.input() for _ in range(20)]
