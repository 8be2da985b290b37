"""From what a manager tells of turns to the row of moves that our players follow, and back.

A manager tells the moves of all roles at once; our record of a match is one row of moves, chance included. In GDL-II a
role is told only what it did and perceived: then the row is one of those that fit, which is as good as the true one,
because a player is shown nothing but its views of it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from games.gdl.checks import CHANCE_ROLE
from games.gdl.controller.messages import Joint, Perceived
from games.gdl.position import GdlMove, GdlPosition
from games.gdl.terms import Term, text
from games.protocol import CHANCE, OVER, IllegalMoveError, Seat

MOST_POSITIONS: Final = 20_000
"""That are looked at for a course that fits."""


class Played(NamedTuple):
    """A turn that was played."""

    row: tuple[GdlMove, ...]
    joint: tuple[Term, ...]
    """By role, with what chance drew."""
    after: GdlPosition


def legal(position: GdlPosition) -> tuple[tuple[Term, ...], ...]:
    """The moves of every seat at the beginning of a turn, also of those who have no choice."""
    return position.game.table.turn(position.state).legal


def played(position: GdlPosition, chosen: Sequence[Term], draw: Callable[[GdlPosition, int], GdlMove]) -> Played:
    """The turn in which every seat plays what it chose, and `draw` says what chance does after so many moves of the
    turn. Raises IllegalMoveError."""
    table = position.game.table
    turn = table.turn(position.state)
    row: list[GdlMove] = []
    now = position
    chance: Term | None = None
    dice: tuple[Term, ...] = ()
    for seat in turn.active:
        row.append(GdlMove(chosen[seat]))
        now = now.play(row[-1])
    sealed = tuple([chosen[seat] if seat in turn.active else None for seat in range(len(chosen))])
    for _ in range(1 if turn.chance else len(table.draws(sealed))):
        row.append(draw(now, len(row)))
        if turn.chance:
            chance = row[-1].term
        else:
            dice = (*dice, row[-1].term)
        now = now.play(row[-1])
    return Played(tuple(row), table.joint(turn, sealed, dice, chance), now)


def told(position: GdlPosition, joint: Joint) -> Played:
    """The turn of which a manager tells the moves of all roles. Raises IllegalMoveError."""
    table = position.game.table
    roles = table.reasoner.roles
    if position.to_act == OVER:
        raise IllegalMoveError("the match is over, and more moves are told")
    if len(joint.moves) != len(roles):
        raise IllegalMoveError(f"{len(roles)} roles move, and {len(joint.moves)} moves are told")
    by_role = dict(zip(roles, joint.moves, strict=True))
    turn = table.turn(position.state)
    chosen: list[Term] = []
    drawn: list[Term] = []
    for seat, role in enumerate(table.seats):
        found = [(move, events) for move in turn.legal[seat] if (events := _events(move, by_role[role], turn.weights))]
        exact = [each for each in found if each[0] == by_role[role]]
        if not found:
            raise IllegalMoveError(f"{role} cannot play {text(by_role[role])[:80]}")
        move, events = (exact or found)[0]
        chosen.append(move)
        sealed = tuple([move if of == seat else None for of in range(len(table.seats))])
        drawn += [events.names[draw.name] for draw in table.draws(sealed)] if seat in turn.active else []
    outcomes = [by_role.get(CHANCE_ROLE, turn.chance[0])] if turn.chance else drawn
    following = iter(outcomes)
    done = played(position, chosen, lambda _, __: GdlMove(next(following)))
    if done.joint != joint.moves:
        raise IllegalMoveError(f"the moves {' '.join(map(text, joint.moves))[:200]} cannot be played together")
    return done


def perceived(
    start: GdlPosition, seat: Seat, before: Sequence[GdlMove], turns: Sequence[Perceived]
) -> tuple[GdlMove, ...]:
    """A row of moves in which the seat does and perceives what it was told, turn by turn.

    What fitted `before` is continued if that is possible. Raises IllegalMoveError if none was found.
    """
    now = start
    for move in before:
        now = now.play(move)
    for begin, row in ((now, tuple(before)), (start, ())):
        found = _course(begin, row, seat, turns)
        if found is not None:
            return found
    raise IllegalMoveError(f"nothing was found that explains what {start.game.seats[seat]} was told")


# ------------------------------------------------------------------------------------------------------ inside


class _Events(NamedTuple):
    names: dict[str, Term]
    """The event in the place of each chance variable. A tuple around it, because no events are fine as well."""


def _events(move: Term, done: Term, names: Mapping[str, object]) -> _Events | None:
    """What was drawn for the chance variables of a legal move if it became `done`; None if it cannot have."""
    found: dict[str, Term] = {}
    pairs: list[tuple[Term, Term, bool]] = [(move, done, False)]
    while pairs:
        one, other, is_argument = pairs.pop()
        if is_argument and isinstance(one, str) and one in names:
            if found.setdefault(one, other) != other:
                return None
        elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
            pairs += [(a, b, place > 0) for place, (a, b) in enumerate(zip(one, other, strict=True))]
        elif one != other:
            return None
    return _Events(found)


def _course(
    begin: GdlPosition, row: tuple[GdlMove, ...], seat: Seat, turns: Sequence[Perceived]
) -> tuple[GdlMove, ...] | None:
    """Depth first, so that the first course that fits ends the search."""
    waiting = [(begin, row)]
    for _ in range(MOST_POSITIONS):
        if not waiting:
            return None
        now, made = waiting.pop()
        memories = now.memories[seat]
        if memories and not _fits(memories[-1], turns[len(memories) - 1]):
            continue
        if len(memories) == len(turns):
            return made
        acts = now.to_act
        if acts == OVER:
            continue
        moves = [move for move, _ in now.outcomes()] if acts == CHANCE else list(now.moves())
        own = turns[len(memories)].did
        waiting += [(now.play(move), (*made, move)) for move in moves if acts != seat or move.term == own]
    return None


def _fits(memory: tuple[Term, tuple[Term, ...]], turn: Perceived) -> bool:
    did, saw = memory
    return did == turn.did and set(saw) == set(turn.saw)
