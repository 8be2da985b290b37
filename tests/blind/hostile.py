"""Somebody with our source in hand, who computes what programs would do, and when, with all that a client knows.

Where browsers think, the panel and its seeds are known: whoever does always what one of its members would do is that
member. Where the server thinks, there is nothing to know but the match's number, its commitment, and the strategies
that the source names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from games.protocol import CHANCE, Game, Seat
from npc.composed import school_of
from npc.follower import Follower
from npc.players import player
from server.live.thinking.situations import Situation
from server.live.thinking.times import uniform
from tests.server.live.clients import SeatClient

MOST_COMPARED: Final = 20
"""Decisions of a seat, the first ones."""
LABELS: Final = ("decision{seat}:{number}", "lasting{seat}:{number}", "ply{number}:{seat}", "pass{number}")
"""Whatever numbers the source derives for a decision."""


def evidence_of_computing(
    game: Game, client: SeatClient, seat: Seat, times: Sequence[tuple[Situation, float]]
) -> dict[str, float]:
    known = [client.match, commitment_of(client), *(member.seed for member in client.panel)]
    numbers = {"times follow": max(times_follow(text, seat, times) for text in known)}
    if game.secrets:  # nobody can follow what nobody has seen
        return numbers
    if client.panel:
        members = [(member.player, member.seed) for member in client.panel]
    else:
        names = school_of(game).population(game)
        members = [(f"composed:{name}", text) for name in names for text in known]
    shares = sorted(agreement(game, client, seat, members), reverse=True)
    best = [shares[place] if place < len(shares) else 0.0 for place in range(3)]
    return numbers | {"best": best[0], "second": best[1], "third": best[2], "all": float(np.mean(shares))}


def commitment_of(client: SeatClient) -> str:
    return next((one.message.commitment for one in client.received if one.message.type == "state"), "")


def agreement(game: Game, client: SeatClient, seat: Seat, members: Sequence[tuple[str, str]]) -> list[float]:
    """The share of a seat's decisions that each player with its seed would have made, too."""
    followers = [Follower(game, player(text, game.reference), seed) for text, seed in members]
    agreed, compared = np.zeros(len(followers)), 0
    position = game.start()
    for text in client.moves:
        move = game.move(text)
        if position.to_act != CHANCE and position.to_act == seat and position.forced(seat) is None:
            agreed += [one.decide(seat).move == move for one in followers]
            compared += 1
            if compared == MOST_COMPARED:
                break
        for one in followers:
            one.follow([move])
        position = position.play(move)
    return [float(share) for share in agreed / max(compared, 1)]


def times_follow(known: str, seat: Seat, times: Sequence[tuple[Situation, float]]) -> float:
    """How well numbers that the source derives from something known foretell the order of the waiting times."""
    if len(times) < 4:
        return 0.0
    ranks = np.argsort(np.argsort([ms for _, ms in times]))
    found = []
    for label in LABELS:
        drawn = [uniform(known.encode(), label.format(seat=seat, number=one.number)) for one, _ in times]
        found.append(float(np.corrcoef(ranks, drawn)[0, 1]))
    return max(found)
