"""The kinds of players, and the players that texts describe: `kind:body`, for one game."""

from functools import lru_cache
from typing import Final

from games.protocol import Game
from games.registry import game as find_game
from npc.composed.composition import KEY as COMPOSED
from npc.composed.kind import ComposedKind
from npc.mcts.kind import MctsKind
from npc.minimax.kind import MinimaxKind
from npc.player import Player, PlayerError, PlayerKind
from npc.program.kind import ProgramKind
from npc.prolog.kind import PrologKind
from npc.seekers.kind import SeekerKind
from npc.tourality_minimax.kind import TouralityMinimaxKind

KINDS: Final[dict[str, PlayerKind]] = {
    kind.key: kind
    for kind in (
        ComposedKind(),
        PrologKind(),
        MctsKind(),
        MinimaxKind(),
        SeekerKind(),
        TouralityMinimaxKind(),
        ProgramKind(),
    )
}


@lru_cache(maxsize=1024)
def player(text: str, reference: str) -> Player:
    """The player that a text describes for the game of a reference. Raises PlayerError, GameError."""
    return read_player(text, find_game(reference))


def read_player(text: str, game: Game) -> Player:
    """The same for a game that is at hand."""
    key, colon, body = text.partition(":")
    kind = KINDS.get(key)
    if kind is None or not colon:
        kinds = ", ".join(f"{each}:…" for each in KINDS)
        raise PlayerError(f"a player is written {kinds}, not {text[:60]!r}")
    return kind.read(body, game)


def can_play(text: str, game: Game) -> bool:
    """Whether a text describes a player of this game."""
    try:
        read_player(text, game)
    except PlayerError:
        return False
    return True


def text_of(name: str) -> str:
    """The text of the player that a name means: players of most kinds are called by their text, lists of elements
    by the list.
    """
    return name if name.partition(":")[0] in KINDS else f"{COMPOSED}:{name}"
