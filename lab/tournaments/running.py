"""A whole tournament on some processes or a cluster, and its record, so that it can go on later.

Work is handed out in pieces that end by themselves after a second: what a piece did not come to goes back. So fast
challenges cost no more sending than slow ones, and all processors are busy to the end.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from games.protocol import Game
from lab.tournaments.contest import FEWEST_SEATS, MOST_SEATS, Arena, Challenge, Match, Played, play_some
from lab.tournaments.entrants import check_entrant
from lab.tournaments.ratings import Result
from lab.tournaments.record import RecordError, read_lines, write_lines
from lab.tournaments.schedules import FORMS, Plan, most_challenges, next_round

MOST_ENTRANTS: Final = 64
MOST_CHALLENGES: Final = 100_000
MOST_IN_A_PIECE: Final = 256


def next_piece(waiting: deque[Challenge], at_once: int) -> tuple[Challenge, ...]:
    """The next piece of work: a fair share of what is left, so that the last ones end together."""
    size = max(1, min(MOST_IN_A_PIECE, len(waiting) // (2 * at_once)))
    return tuple(waiting.popleft() for _ in range(min(size, len(waiting))))


def put_back(waiting: deque[Challenge], piece: Sequence[Challenge], done: Sequence[Played]) -> None:
    """What a piece of work did not come to."""
    waiting.extendleft(reversed(piece[len(done) :]))


def play_all(
    pool: Executor,
    arena: Arena,
    challenges: Iterable[Challenge],
    at_once: int | None = None,
    work: Callable[[Arena, Sequence[Challenge]], list[Played]] = play_some,
) -> Iterator[Played]:
    """Plays challenges on a pool and gives each when it is over, in any order."""
    waiting, at_once = deque(challenges), at_once or 2 * (os.cpu_count() or 1)
    running: dict[Future[list[Played]], tuple[Challenge, ...]] = {}
    try:
        while waiting or running:
            while waiting and len(running) < at_once:
                piece = next_piece(waiting, at_once)
                running[pool.submit(work, arena, piece)] = piece
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                piece, done = running.pop(future), future.result()
                put_back(waiting, piece, done)
                yield from done
    finally:
        for future in running:
            future.cancel()


@dataclass
class Tournament:
    """A tournament in the memory of one process: what was played, round by round."""

    plan: Plan
    arena: Arena
    played: dict[Challenge, Played] = field(default_factory=dict)

    def rounds(self) -> Iterator[list[Challenge]]:
        """The challenges of each round, as soon as all before it are played."""
        while self.past_is_played and (challenges := next_round(self.plan, self.past)):
            self._rounds.append(challenges)
            yield challenges

    def __post_init__(self) -> None:
        self._rounds: list[list[Challenge]] = []

    @property
    def past_is_played(self) -> bool:
        return all(challenge in self.played for challenges in self._rounds for challenge in challenges)

    @property
    def past(self) -> list[list[Result]]:
        """The results so far, by round."""
        return [
            [(each.entrants, self.played[each].sums) for each in challenges if each in self.played]
            for challenges in self._rounds
        ]


class PlanError(ValueError):
    """A tournament that cannot be. The message says what was expected and what came."""


def prepared(
    game: Game, entrants: Sequence[str], form: str, rounds: int, seed: str, precision: float = 0.0
) -> Tournament:
    """A tournament before its first challenge. Raises PlanError, or PlayerError for a text that is no player."""
    seats, number = len(game.seats), len(entrants)
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise PlanError(f"tournaments are for games of {FEWEST_SEATS} to {MOST_SEATS} seats, not of {seats}")
    if form not in FORMS:
        raise PlanError(f"a tournament is {', '.join(FORMS)}, not {form[:40]!r}")
    if not seats <= number <= MOST_ENTRANTS:
        raise PlanError(f"expected {seats} to {MOST_ENTRANTS} entrants, and {number} came")
    if twice := [text for text, times in Counter(entrants).items() if times > 1]:
        raise PlanError(f"everybody enters once, not twice like {twice[0][:60]!r}")
    if rounds < 1 or precision < 0:
        raise PlanError(f"expected at least one round and no negative precision, not {rounds} and {precision}")
    plan = Plan(form, number, seats, rounds, seed, precision)
    if most_challenges(plan) > MOST_CHALLENGES:
        raise PlanError(f"a tournament has at most {MOST_CHALLENGES} challenges, not {most_challenges(plan)}")
    for text in entrants:
        check_entrant(game, text)
    return Tournament(plan, Arena(game.reference, game.source, tuple(entrants), seed))


def read_tournament(file: Path, arena: Arena) -> dict[Challenge, Played]:
    """What a record has of a tournament; a new record begins with what it is about. Raises RecordError."""
    about = {"game": arena.game, "entrants": list(arena.entrants), "seed": arena.seed}
    lines = read_lines(file, lambda line: line if "game" in line else from_record(line))
    if not lines:
        list(write_lines(file, [about], lambda line: line))
    elif lines[0] != about:
        raise RecordError(f"{file} is the record of another tournament: {str(lines[0])[:200]}")
    return {one.challenge: one for one in lines[1:]}


def to_record(played: Played) -> dict[str, Any]:
    """A challenge for a file or a database."""
    return {
        "entrants": list(played.challenge.entrants),
        "world": played.challenge.world,
        "sums": list(played.sums),
        "matches": [
            {"moves": list(match.moves), "goals": list(match.goals), "ending": match.ending} for match in played.matches
        ],
    }


def from_record(record: Any) -> Played:
    """Raises ValueError, TypeError or KeyError for what is no challenge."""
    challenge = Challenge(tuple(map(int, record["entrants"])), int(record["world"]))
    matches = tuple(
        Match(tuple(map(str, match["moves"])), tuple(map(float, match["goals"])), str(match["ending"]))
        for match in record["matches"]
    )
    if len(matches) != len(challenge.entrants):
        raise ValueError("everybody sits everywhere once")
    return Played(challenge, matches)
