"""Finished matches of any game, played at random and made straight in the database."""

from __future__ import annotations

import random
from collections.abc import Mapping
from uuid import uuid4

from sqlalchemy.ext.asyncio import AsyncSession

from games import dice
from games.protocol import CHANCE, OVER, Game, Position
from server.accounts.models import Person
from server.base.clock import now
from server.live.models import Match, MatchMove, MatchSeat


def at_random(game: Game, seed: bytes) -> tuple[list[tuple[int, str]], Position]:
    """A whole game, always the same for a seed: who moved what, and how it ended."""
    position, lot, moves = game.start(), random.Random(seed), list[tuple[int, str]]()
    while (seat := position.to_act) != OVER:
        move = dice.draw(seed, len(moves), position) if seat == CHANCE else lot.choice(position.moves())
        moves.append((seat, str(move)))
        position = position.play(move)
    return moves, position


async def finished_match(
    session: AsyncSession, game: Game, programs: Mapping[int, str], replaced: frozenset[int] = frozenset()
) -> tuple[int, list[int]]:
    """A match with programs on some seats, a stand-in where somebody was replaced, and new persons on the others.

    Gives its number and the persons.
    """
    seed = b"a seed of thirty-two bytes of any"[: dice.SEED_BYTES].ljust(dice.SEED_BYTES, b".")
    moves, position = at_random(game, seed)
    people = {
        seat: Person(pseudonym=uuid4().hex[:12], created_at=now())
        for seat in range(len(game.seats))
        if seat not in programs or seat in replaced
    }
    match = Match(
        created_at=now(), software="test", game=game.reference, dice_seed=seed, secret=b"secret",
        commitment=dice.commitment(seed), programs_think="server",
        panel=[{"player": f"composed:{name}", "name": name, "seed": "1"} for name in programs.values()],
        thinking={}, clock_ms=1, ask_ms=1, grace_ms=1, proposal_ms=1, check_share=0, starts_at=now(), ply=len(moves),
        to_act=OVER, position=position.text(), turn_at=now(), ended_at=now(), scores=list(position.scores()),
        winners=list(position.winners()),
    )  # fmt: skip
    session.add_all([match, *people.values()])
    await session.flush()
    members = list(programs)
    session.add_all(
        [
            MatchSeat(
                match_id=match.id,
                seat=seat,
                person_id=people[seat].id if seat in people else None,
                strategy=programs.get(seat),
                member=members.index(seat) if seat in programs else None,
                replaced_at=now() if seat in replaced else None,
            )
            for seat in range(len(game.seats))
        ]
    )
    session.add_all(
        [
            MatchMove(match_id=match.id, ply=ply, seat=seat, move=move, source="person", ms=900, at=now())
            for ply, (seat, move) in enumerate(moves)
        ]
    )
    await session.flush()
    return match.id, [person.id for person in people.values()]
