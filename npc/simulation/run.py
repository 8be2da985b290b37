"""Many games on many cores.

Every game has its own seed, so the numbers are the same however the games are shared out.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Final, TypeVar

from games.protocol import Game
from games.registry import game as find_game
from npc.player import Player, PlayerError
from npc.players import player
from npc.rules import opened
from npc.simulation.measured import measured
from npc.simulation.play import GameRecord, play_game

T = TypeVar("T")

CHUNK: Final = 50
"""Games per task: some tenths of a second, so that sharing them out costs little."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What is played, who plays in which seat, how often, and from which seed."""

    game: str
    seats: tuple[str, ...]
    """The texts of the players."""
    games: int
    seed: str = "0"
    rotate: bool = False
    """Whether the players change seats from game to game, so that nobody profits from going first."""

    def check(self) -> None:
        """Raises GameError or PlayerError if this cannot be played."""
        count = len(find_game(self.game).seats)
        if len(self.seats) != count:
            raise PlayerError(f"{self.game} has {count} seats, so name {count} players, not {len(self.seats)}")
        if self.games < 1:
            raise PlayerError(f"at least one game must be played, not {self.games}")
        for text in self.seats:
            player(text, self.game)


def simulate(
    setup: Setup,
    workers: int | None = None,
    executor: Executor | None = None,
    prepare: Callable[[], object] | None = None,
) -> Iterator[GameRecord]:
    """The games in their order. `prepare` runs first in every process: it may start the engine of rule bases."""
    setup.check()
    source = find_game(setup.game).source
    yield from shared_out(partial(_play, setup, source), setup.games, workers, executor, prepare)


def shared_out(
    play: Callable[[range], list[T]],
    games: int,
    workers: int | None = None,
    executor: Executor | None = None,
    prepare: Callable[[], object] | None = None,
) -> Iterator[T]:
    """What `play` gives for the games' numbers, in their order, from all cores.

    `executor` replaces the process pool (a cluster, for example); with one worker everything happens here.
    """
    tasks = [range(first, min(first + CHUNK, games)) for first in range(0, games, CHUNK)]
    chosen = workers or os.cpu_count() or 1
    if executor is not None:
        yield from chain.from_iterable(executor.map(play, tasks))
    elif chosen == 1 or len(tasks) == 1:
        if prepare:
            prepare()
        yield from chain.from_iterable(map(play, tasks))
    else:
        with ProcessPoolExecutor(min(chosen, len(tasks)), initializer=prepare) as pool:
            yield from chain.from_iterable(pool.map(play, tasks))


def play_rotated(game: Game, players: Sequence[Player], seed: str, number: int) -> GameRecord:
    """Plays game `number` with the players moved on by as many seats; the records come in the players' order."""
    shift = number % len(players)
    seated = [*players[-shift:], *players[:-shift]] if shift else players
    record = play_game(game, seated, seed, number, measured(game).scribe)
    seats = (*record.seats[shift:], *record.seats[:shift])
    return GameRecord(number, seats, record.rounds, record.moves)


def play_seated(game: Game, players: Sequence[Player], seed: str, number: int) -> GameRecord:
    """Plays game `number` with the players in their seats."""
    return play_game(game, players, seed, number, measured(game).scribe)


def _play(setup: Setup, source: str, numbers: range) -> list[GameRecord]:
    game = opened(setup.game, source)
    players = [player(text, setup.game) for text in setup.seats]
    play = play_rotated if setup.rotate else play_seated
    return [play(game, players, setup.seed, number) for number in numbers]
