"""Which strategies play alike: lists of elements by what they do, not by their names.

A list may carry an element that never decides anything, because the elements before it leave nothing tied or because it
says what another says already. For a judge such lists are one strategy; evidence about one is evidence about the other,
and an answer that contains an idle element explains nothing by it. Two lists play alike if they decide alike on a
reference set: every decision of some matches among the game's own strategies, each list remembering what it would have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random

from games.protocol import CHANCE, OVER, Game, Move, Position, Seat
from games.registry import game as find_game
from lab.refinement.pool import Elements, pool_of, population_of, text
from npc import Follower, strategy

MATCHES = 6
SEED = "reference"


@dataclass(frozen=True)
class Reference:
    """The moves of one match, and where somebody decided: how many moves had been made, and who was to move."""

    moves: tuple[Move, ...]
    decisions: tuple[tuple[int, Seat], ...]


def reference_matches(game: Game, matches: int = MATCHES) -> tuple[Reference, ...]:
    """Matches among strategies of the game's start population, the same for ever."""
    lists = population_of(game)
    return tuple(_played(game, lists, Random(f"{SEED}:{number}"), number) for number in range(matches))


def _played(game: Game, lists: Sequence[Elements], rng: Random, number: int) -> Reference:
    followers = [
        Follower(game, strategy(text(rng.choice(lists)), game), f"{SEED}:{number}:{seat}", seat)
        for seat in range(len(game.seats))
    ]
    position: Position = game.start()
    moves: list[Move] = []
    decisions: list[tuple[int, Seat]] = []
    while (seat := position.to_act) != OVER:
        if seat == CHANCE:
            move = position.drawn(rng.randrange(position.ways))
        else:
            if len(position.moves(seat)) > 1:
                decisions.append((len(moves), seat))
            move = followers[seat].decide(seat).move
        position = position.play(move)
        for follower in followers:
            follower.see(move, position)
        moves.append(move)
    return Reference(tuple(moves), tuple(decisions))


@dataclass
class Behaviour:
    """What lists of one game's elements do on its reference set; what was computed once is kept."""

    game: Game
    matches: int = MATCHES
    _reference: tuple[Reference, ...] = ()
    _known: dict[Elements, tuple[list[str], Iterator[str]]] = field(default_factory=dict)
    _stands: dict[Elements, Elements] = field(default_factory=dict)

    def decisions(self, elements: Elements) -> tuple[str, ...]:
        """Every decision of the reference set."""
        known, following = self._of(elements)
        known.extend(following)
        return tuple(known)

    def disagreement(self, first: Elements, second: Elements) -> float:
        """The share of decisions in which two lists differ."""
        ones, others = self.decisions(first), self.decisions(second)
        return sum(a != b for a, b in zip(ones, others, strict=True)) / len(ones)

    def play_alike(self, first: Elements, second: Elements) -> bool:
        """Whether all decisions are the same; it stops at the first that is not, which mostly comes soon."""
        place = 0
        while True:
            one, other = self._at(first, place), self._at(second, place)
            if one != other:
                return False
            if one is None:
                return True
            place += 1

    def alike(self, elements: Elements) -> Elements:
        """The list without its idle elements, and in the order of the alphabet as far as order changes nothing.

        What is no list of the game's elements, such as a rule base, stands for itself.
        """
        if elements not in self._stands:
            playable = pool_of(self.game).is_playable(elements)
            self._stands[elements] = self._sorted(self._without_idle(elements)) if playable else elements
        return self._stands[elements]

    def forget(self) -> None:
        """Drop the decisions, which are long; what stands for what is kept."""
        self._known.clear()

    def idle(self, elements: Elements) -> Elements:
        """Elements without any one of which the list plays alike."""
        return tuple(one for one in elements if self._dispensable(elements, one))

    def _without_idle(self, elements: Elements) -> Elements:
        for element in reversed(elements):
            if self._dispensable(elements, element):
                return self._without_idle(_less(elements, element))
        return elements

    def _dispensable(self, elements: Elements, element: str) -> bool:
        left = _less(elements, element)
        school = strategy(text(elements), self.game).school.elements
        return any(school[one].is_basic for one in left) and self.play_alike(elements, left)

    def _sorted(self, elements: Elements) -> Elements:
        for place in range(len(elements) - 1):
            if elements[place] > elements[place + 1]:
                swapped = (*elements[:place], elements[place + 1], elements[place], *elements[place + 2 :])
                if self.play_alike(elements, swapped):
                    return self._sorted(swapped)
        return elements

    def _at(self, elements: Elements, place: int) -> str | None:
        known, following = self._of(elements)
        while len(known) <= place:
            decision = next(following, None)
            if decision is None:
                return None
            known.append(decision)
        return known[place]

    def _of(self, elements: Elements) -> tuple[list[str], Iterator[str]]:
        if elements not in self._known:
            self._known[elements] = ([], self._decide(elements))
        return self._known[elements]

    def _decide(self, elements: Elements) -> Iterator[str]:
        self._reference = self._reference or reference_matches(self.game, self.matches)
        player = strategy(text(elements), self.game)
        for number, match in enumerate(self._reference):
            followers = {
                seat: Follower(self.game, player, f"{SEED}:{number}", seat) for seat in range(len(self.game.seats))
            }
            ply = 0
            for until, seat in match.decisions:
                for follower in followers.values():
                    follower.follow(match.moves[ply:until])
                ply = until
                yield str(followers[seat].decide(seat).move)


@cache
def behaviour_of(reference: str) -> Behaviour:
    """The one of a game, kept for the life of the process."""
    return Behaviour(find_game(reference))


def _less(elements: Elements, element: str) -> Elements:
    return tuple(one for one in elements if one != element)
