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

from games.jostle import SEATS, JostleGame
from games.protocol import GameError
from games.registry import game as game_named
from npc.composition import StrategyError
from npc.player import Player
from npc.players import player
from npc.simulation.play import GameRecord, play_game

T = TypeVar("T")

CHUNK: Final = 50
"""Games per task: some tenths of a second, so that sharing them out costs little."""


@dataclass(frozen=True, slots=True)
class Setup:
    """Who plays what in which seat, how often, and from which seed."""

    seats: tuple[str, ...]
    games: int
    seed: str = "0"
    game: str = "jostle"
    rotate: bool = False
    """Whether the players change seats from game to game, so that nobody profits from going first."""

    def check(self) -> None:
        """Raises GameError or StrategyError if this cannot be played."""
        if not isinstance(game_named(self.game), JostleGame):
            raise GameError(f"strategies play jostle, not {self.game}")
        if len(self.seats) != len(SEATS):
            raise StrategyError(
                f"jostle has {len(SEATS)} seats, so name {len(SEATS)} strategies, not {len(self.seats)}"
            )
        if self.games < 1:
            raise StrategyError(f"at least one game must be played, not {self.games}")
        for text in self.seats:
            player(text)


def simulate(
    setup: Setup,
    workers: int | None = None,
    executor: Executor | None = None,
    prepare: Callable[[], object] | None = None,
) -> Iterator[GameRecord]:
    """The games in their order. `prepare` runs first in every process: it may start the engine of rule bases."""
    setup.check()
    yield from shared_out(partial(_play, setup), setup.games, workers, executor, prepare)


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


def play_rotated(game: JostleGame, players: Sequence[Player], seed: str, number: int) -> GameRecord:
    """Plays game `number` with the players moved on by as many seats; the records come in the players' order."""
    shift = number % len(players)
    record = play_game(game, [*players[-shift:], *players[:-shift]] if shift else players, seed, number)
    seats = (*record.seats[shift:], *record.seats[:shift])
    return GameRecord(number, seats, record.rounds, record.moves)


def _play(setup: Setup, numbers: range) -> list[GameRecord]:
    game = game_named(setup.game)
    assert isinstance(game, JostleGame)
    players = [player(text) for text in setup.seats]
    play = play_rotated if setup.rotate else play_game
    return [play(game, players, setup.seed, number) for number in numbers]
