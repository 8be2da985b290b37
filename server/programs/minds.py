"""Players following matches, inside of a process that computes. Functions here take and give what JSON can carry.

Whoever asks sends all moves of the match. A player that followed it before only looks at those that are new; one that
was forgotten, or that followed something else, starts again at the first move and comes to the same decision.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from games.protocol import Position, Seat
from npc.decision import Decision, Explanation, Fault, FaultKind
from npc.follower import Follower
from npc.player import Memory, Player, Seed, decision_random
from npc.players import player as find_player
from npc.rules import opened

FOLLOWERS_KEPT: Final = 2000
BETWEEN: Final = "\n"
"""Stands between the moves of a match, because it cannot stand in one."""

Json = dict[str, Any]


class Following(NamedTuple):
    """A player in a match, and what it has followed: the texts of the moves, each with its end."""

    follower: Follower
    history: str


_kept: Final[OrderedDict[tuple[Any, ...], Following]] = OrderedDict()


def decide(
    source: str, player: str, match: int, game: str, seed: str, seat: Seat | None, asked: Seat, moves: str
) -> Json:
    """What the player decides for the seat that is asked. Raises GameError, PlayerError, ValueError."""
    rules = opened(game, source)
    key = (match, game, player, seed, seat)
    # Taken out while it is used: a follower that broke in the middle of something is not asked again.
    following = _kept.pop(key, None)
    if following is None or not moves.startswith(following.history):
        following = Following(Follower(rules, find_player(player, game), seed, seat), "")
    follower = following.follower
    follower.follow([rules.move(text) for text in parted(moves[len(following.history) :])])
    decided = follower.decide(asked).as_json()
    _kept[key] = Following(follower, moves)
    while len(_kept) > FOLLOWERS_KEPT:
        _kept.popitem(last=False)
    return decided


def decide_along(
    source: str,
    player: str,
    game: str,
    seed: str,
    seat: Seat | None,
    moments: Sequence[tuple[int, Seat]],
    moves: Sequence[str],
) -> list[Json]:
    """What the player decides at each of several moments. Raises GameError, PlayerError, ValueError."""
    rules = opened(game, source)
    follower = Follower(rules, find_player(player, game), seed, seat)
    decided = []
    for ply, asked in moments:
        follower.catch_up(moves[:ply])
        decided.append(follower.decide(asked).as_json())
    return decided


def draw_lots(
    source: str, reason: str, game: str, kind: str, seed: str, seat: Seat | None, asked: Seat, moves: str
) -> Json:
    """What is played instead for a player that cannot be asked, for the reason that is given."""
    rules = opened(game, source)
    follower = Follower(rules, ByLot(Fault(FaultKind(kind), reason)), seed, seat)
    follower.follow([rules.move(text) for text in parted(moves)])
    return follower.decide(asked).as_json()


class ByLot(Player):
    """Takes any legal move, because the player in its place has lost the decision."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    @property
    def name(self) -> str:
        return "by lot"

    @property
    def text(self) -> str:
        raise NotImplementedError("it stands in for others, and nobody can ask for it by a text")

    def decide(self, position: Position, seat: Seat, memory: Memory, seed: Seed, ply: int) -> Decision:  # noqa: ARG002  # needs none
        move = decision_random(seed, ply).choice(position.moves(seat))
        words = f"The program lost the decision ({self._fault}); {move} was drawn by lot."
        return Decision(move, fault=self._fault, _explain=lambda: Explanation("fault", words))


def joined(moves: Sequence[str]) -> str:
    """A history as one text: the longer of two histories of a match begins with the shorter one."""
    return BETWEEN.join((*moves, ""))


def parted(history: str) -> list[str]:
    return history.split(BETWEEN)[:-1]
