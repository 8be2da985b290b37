"""What the frames that a client received say about a seat, apart from the moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from games.protocol import Seat
from server.live.wire import messages as wire
from tests.server.live.clients import Received, SeatClient

AT_ONCE_SECONDS: Final = 0.03
"""The own choice was the last one if the moves come so soon after it."""


class Turn(NamedTuple):
    """A turn of a seat as a client saw it; `ply` is where it began."""

    seat: Seat
    ply: int
    seconds: float | None
    """Since the frame before; None if it is not known, because the own choice took longer."""
    frame: Received


def turns_of(client: SeatClient) -> list[Turn]:
    """All turns of all seats."""
    turns = []
    before: Received | None = None
    sealed_at: float | None = None
    for one in client.received:
        message = one.message
        if isinstance(message, wire.Sealed):
            sealed_at = one.at
        if not isinstance(message, wire.Moves | wire.State):
            continue
        if isinstance(message, wire.Moves) and before is not None:
            asked = before.message
            assert isinstance(asked, wire.Moves | wire.State)
            own_was_last = len(asked.acting) > 1 and sealed_at is not None and one.at - sealed_at < AT_ONCE_SECONDS
            seconds = None if own_was_last else one.at - before.at
            turns += [Turn(seat, message.ply, seconds, one) for seat in asked.acting]
        before, sealed_at = one, None
    return turns


def evidence_of_frames(client: SeatClient, seat: Seat, turns: Sequence[Turn]) -> dict[str, float]:
    """`turns` are those of the seat."""
    others = [one for one in client.received if not isinstance(one.message, wire.Moves | wire.State | wire.Ended)]
    numbers: dict[str, float] = {"turns": len(turns), "seat": seat, "other frames": len(others)}
    told = [turn.frame for turn in turns]
    sizes = np.array([len(one.text) - content_of(one) for one in told], np.float64)
    clocks = np.array([one.message.clock_ms for one in told], np.float64)  # type: ignore[union-attr]  # only Moves are kept
    numbers |= {"size": float(sizes.mean()), "sizes": float(sizes.std())}
    numbers |= {"clock": float(clocks.mean()), "clocks": float(clocks.std())}
    shapes = [shape_of(one.message) for one in told]
    for shape in set(shapes):
        numbers[f"shape {shape}"] = shapes.count(shape) / len(shapes)
    known = np.array([turn.seconds for turn in turns if turn.seconds is not None]) * 1000
    if len(known):
        numbers["on a grid of 10 ms"] = float(np.abs(np.exp(2j * np.pi * known / 10).mean()))
    return numbers


def content_of(frame: Received) -> int:
    """The characters that say how the match stands, which differ from position to position."""
    message = frame.message
    assert isinstance(message, wire.Moves)
    lists = (message.moves, message.legal, message.shown, message.events, message.acting)
    written = sum(len(str(one)) for one in lists)
    return len(message.position) + written


def shape_of(message: wire.Message) -> str:
    """The fields and types of a message, without the values: what its skeleton would give away."""
    return " ".join(f"{name}:{type(value).__name__}" for name, value in message)
