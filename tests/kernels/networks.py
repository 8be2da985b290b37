"""What a network means, gate by gate: the plain way that the fast ones are held to."""

from collections.abc import Mapping, Sequence

from kernels.network import Network, Op, Wire


def evaluated(network: Network, inputs: Mapping[Wire, bool], roots: Sequence[Wire]) -> list[bool]:
    values: list[bool] = []
    for number, gate in enumerate(network.gates):
        wires = [values[wire >> 1] != bool(wire & 1) for wire in gate.wires]
        match gate.op:
            case Op.INPUT:
                values.append(inputs.get(number << 1, False))
            case Op.AND:
                values.append(all(wires))
            case Op.XOR:
                values.append(wires[0] != wires[1])
            case Op.SELECT:
                values.append(wires[1] if wires[0] else wires[2])
            case _:
                values.append(False)
    return [values[wire >> 1] != bool(wire & 1) for wire in roots]
