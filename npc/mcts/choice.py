"""From what a search found to a move: the best one, or what a personality makes of it, and why, in words."""

from collections.abc import Sequence
from typing import Any, Final

from npc.mcts.chance import Generator
from npc.mcts.parameters import Parameters
from npc.mcts.search import Tried

MIXED: Final = 5
"""Where seats choose at once, a move is drawn among those that were tried at least one in so many times as often as the
most tried one: what was tried only to make sure is left out."""


def choose(tried: Sequence[Tried], parameters: Parameters, chance: Generator, *, at_once: bool) -> tuple[Any, str]:
    """The move, and why. The most tried move is the best one; where several seats choose at once, nobody should be
    predictable, so it is drawn by lots that weigh how often each was tried.
    """
    ranked = sorted(tried, key=lambda each: (-each.visits, -each.value))  # stable: then the order of the rules
    best, second = ranked[0], ranked[1]
    found = f"Saw {parameters.simulations} games; {best.move} won {best.value:.0f} %, the next best, {second.move}, "
    found += f"{second.value:.0f} %."
    if chance.fraction() < parameters.random_error:
        move = tried[chance.below(len(tried))].move
        return move, f"{found} By mistake it took any move: {move}."
    if at_once:
        move = _drawn(ranked, chance)
        return move, f"{found} Since others choose at the same time it drew lots: {move}."
    if best.value - second.value < parameters.nice_threshold:
        return second.move, f"{found} That is so close that it was nice and took {second.move}."
    return best.move, found


def _drawn(ranked: Sequence[Tried], chance: Generator) -> Any:
    serious = [each for each in ranked if each.visits * MIXED >= ranked[0].visits]
    lot = chance.below(sum([each.visits for each in serious]))
    for each in serious:
        lot -= each.visits
        if lot < 0:
            return each.move
    raise AssertionError("a lot is below the sum of all weights")
