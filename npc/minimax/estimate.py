"""How well a seat stands, 0 to 100: what an end is worth, else what the game tells, else what lies on the board."""

from games.protocol import OVER, Position, Seat


def standing(position: Position, seat: Seat) -> float:
    """50 is even. Seats are compared with the best of the others, so what is good for one is bad for another."""
    if position.to_act == OVER:
        return _even(position.goals(), seat)
    told = position.evaluation()
    if told is not None:
        return _even(told, seat)
    return _share(position.material() or position.scores(), seat)


def _even(goals: tuple[float, ...], seat: Seat) -> float:
    others = [goal for other, goal in enumerate(goals) if other != seat]
    return 50 + (goals[seat] - max(others)) / 2 if others else goals[seat]


def _share(owned: tuple[int, ...], seat: Seat) -> float:
    """By how much of all there is a seat leads; never as much as an end is worth."""
    others = [have for other, have in enumerate(owned) if other != seat]
    if not others:
        return min(max(float(owned[seat]), 0.0), 100.0)
    return 50 + 50 * (owned[seat] - max(others)) / (sum(map(abs, owned)) + 1)
