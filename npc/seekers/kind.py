"""Seekers as a kind of players: `seeker:bfs`, `seeker:best-first`, `seeker:heuristic`."""

from typing import Final

from games.protocol import Game
from games.tourality.kind import KEY as TOURALITY
from npc.player import Player, PlayerError, PlayerKind
from npc.seekers.players import KEY, LookingAround, Seeker
from npc.seekers.ways import best_first, breadth_first

SEEKERS: Final[dict[str, Player]] = {
    "bfs": Seeker("bfs", breadth_first),
    "best-first": Seeker("best-first", best_first),
    "heuristic": LookingAround(),
}


class SeekerKind(PlayerKind):
    key = KEY

    def read(self, body: str, game: Game) -> Player:
        found = SEEKERS.get(body)
        if game.kind != TOURALITY or found is None:
            written = ", ".join(f"{KEY}:{each}" for each in SEEKERS)
            raise PlayerError(f"a seeker plays {TOURALITY} and is written {written}, not {body[:60]!r} for {game.kind}")
        return found

    def samples(self, game: Game) -> tuple[str, ...]:
        return tuple(player.text for player in SEEKERS.values()) if game.kind == TOURALITY else ()
