"""The source's evaluation of Tourality again: its tables, the players in them, and what was published.

Its tables tell points only, except against the three reference players. All of them are what two can have who met 500
times; those of the three depths can only be if each pair of them met less often, so that here each plays 500 in all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass
from itertools import combinations, islice
from typing import Final

from lab.tournaments.challenge import Outcome, Pairing, challenge
from lab.tournaments.record import Results
from lab.tournaments.tables import Score, score
from npc.tourality_minimax.kind import KEY, STRONG

CHALLENGES: Final = 500
"""Of each player in a table."""


def minimax(body: str = "") -> str:
    return f"{KEY}:{body}"


GREEDY: Final = "path=1 own=0 surroundings=0 nearest=0"
"""Nothing but what it gathers on its path. The source does not tell the greedy evaluation."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A player in a table, and its published points."""

    label: str
    text: str
    points: int | None


@dataclass(frozen=True, slots=True)
class Table:
    """Players that meet each other, as the source lists them."""

    title: str
    entries: tuple[Entry, ...]

    @property
    def pairs(self) -> tuple[tuple[Entry, Entry], ...]:
        return tuple(combinations(self.entries, 2))

    def each(self, challenges: int) -> int:
        """How often a pair meets, if each player is to play so many challenges."""
        return max(1, challenges // (len(self.entries) - 1))


def _duel(title: str, *entries: tuple[str, str, int | None]) -> Table:
    return Table(title, tuple(Entry(*entry) for entry in entries))


REFERENCE: Final = ("minimax", minimax())
PAPER: Final = (
    _duel("Against breadth-first", (*REFERENCE, 864), ("bfs", "seeker:bfs", 546)),
    _duel("Against best-first", (*REFERENCE, 1055), ("best-first", "seeker:best-first", 386)),
    _duel("Against the heuristic", (*REFERENCE, 1227), ("heuristic", "seeker:heuristic", 228)),
    _duel(
        "Depth",
        ("depth 9", minimax("depth=9"), 599),
        ("depth 11", minimax(), 628),
        ("depth 13", minimax("depth=13"), 702),
    ),
    _duel("Rewards", ("reward 18, decay 3", minimax(), 703), ("reward 6, decay 1", minimax("reward=6 decay=1"), 595)),
    _duel(
        "Bonus and cost",
        ("bonus 1, cost 0", minimax("bonus=1"), 732),
        ("bonus 3, cost 1", minimax("cost=1 bonus=3"), 501),
    ),
    _duel("Evaluation", ("smart", minimax(), 818), ("greedy", minimax(GREEDY), 512)),
    _duel("Plan", ("plan 1", minimax(), 857), ("plan 3", minimax("plan=3"), 539)),
    _duel(
        "Plan and depth",
        ("plan 1, depth 11", minimax(), 780),
        ("plan 3, depth 13", minimax("depth=13 plan=3"), 579),
    ),
    _duel("Range", ("range -1", minimax(), 864), ("range 5", minimax("range=5"), 582)),
)
"""What was published, in its order."""
STRONGER: Final = _duel("Stronger than the reference", ("strong", minimax(STRONG), None), (*REFERENCE, None))
"""Nobody published it: a player of the same kind that looks further and minds the other."""
TABLES: Final = (*PAPER, STRONGER)


def pairings(tables: tuple[Table, ...], challenges: int, seed: str) -> list[Pairing]:
    """All challenges of the tables, each once, world by world: what is stopped early has a bit of each table."""
    wanted = {
        Pairing(first.text, second.text, seed, number): None
        for number in range(challenges)
        for table in tables
        if number < table.each(challenges)
        for first, second in table.pairs
    }
    return list(wanted)


def play(
    pool: Executor,
    wanted: list[Pairing],
    ahead: int = 64,
    work: Callable[[Pairing], Outcome] = challenge,
) -> Iterator[tuple[Pairing, Outcome]]:
    """Plays challenges on all workers and gives each when it is over; never more than `ahead` are under way."""
    waiting = iter(wanted)
    running: dict[Future[Outcome], Pairing] = {pool.submit(work, each): each for each in islice(waiting, ahead)}
    try:
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield running.pop(future), future.result()
            running |= {pool.submit(work, each): each for each in islice(waiting, len(done))}
    finally:
        for future in running:
            future.cancel()


# ----------------------------------------------------------------------------------------------------------- results


@dataclass(frozen=True, slots=True)
class Standing:
    """How the players of a table did, pair by pair and in all."""

    table: Table
    duels: dict[tuple[str, str], Score]

    @property
    def totals(self) -> list[Score]:
        """By entry."""
        return [
            sum(
                (
                    self.duels[pair] if pair[0] == entry.label else self.duels[pair].reversed()
                    for pair in self.duels
                    if entry.label in pair
                ),
                Score(0, 0, 0),
            )
            for entry in self.table.entries
        ]

    @property
    def order(self) -> str:
        """Whether the players come in the order of the source, and whether chance might have made it."""
        published = [entry.points for entry in self.table.entries]
        if None in published:
            return "not published"
        points = [total.points for total in self.totals]
        if len(set(points)) < len(points):
            said = "a tie"
        else:
            said = "the order agrees" if _order(points) == _order(published) else "the order differs"
        certain = all(0 not in duel.margin for duel in self.duels.values())
        return said if certain else f"{said}, but chance might have made it"


def _order(points: Sequence[int | None]) -> list[int]:
    return sorted(range(len(points)), key=lambda place: -(points[place] or 0))


def standing(table: Table, results: Results, challenges: int, seed: str) -> Standing:
    """What the results tell of a table; challenges that are missing are left out."""
    duels = {}
    for first, second in table.pairs:
        named = (Pairing(first.text, second.text, seed, number) for number in range(table.each(challenges)))
        duels[first.label, second.label] = score(results[each] for each in named if each in results)
    return Standing(table, duels)
