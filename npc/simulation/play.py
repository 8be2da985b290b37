"""One seeded game, and what is measured in it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from games.jostle import PIECES_PER_SEAT, SEATS, JostleGame, JostleMove, JostlePosition, Piece
from games.jostle.jostling import resolve
from games.jostle.moves import ROLLS
from games.protocol import CHANCE, OVER
from npc.endings import check_ending
from npc.player import Player
from npc.situation import owner, struck

MOST_PLIES = 100_000
"""Far beyond any game; a game that gets here is a fault of ours, not a long game."""


@dataclass(slots=True)
class SeatRecord:
    """What one seat did in one game. Sums over its own turns unless it says otherwise."""

    win: float = 0.0
    """1, or its share of a shared win."""
    score: int = 0
    turns: int = 0
    moves: int = 0
    displaced: int = 0
    """Opponents' pieces that its own landings and being carried displaced."""
    taken: int = 0
    """Fields that opponents' pieces lost through its moves."""
    special: int = 0
    """Special fields that its moved pieces used."""
    gained: int = 0
    """Fields that its moved pieces gained, being carried included."""
    span: int = 0
    """Distance between its first and last piece after its turns."""
    in_order: int = 0
    """Moves that went on in the fixed cycle of EQUALIZER."""
    first_goal: int = 0
    """Own turns until its first piece stood on a goal; all its turns if none ever did."""
    panic_turns: int = 0
    """Turns in which an opponent stood on a goal, and more than one of its pieces could move."""
    panic_ahead: int = 0
    """Of these, those in which it moved its most advanced movable piece."""
    panic_in_order: int = 0
    panic_span: int = 0
    plain_turns: int = 0
    """Turns in which none of its movable pieces, and there were several, would have landed on a special field."""
    closer: int = 0
    """In these, the fields by which its pieces ended closer together than if it had moved the last one."""
    faults: int = 0


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game."""

    number: int
    seats: tuple[SeatRecord, ...]
    rounds: int
    moves: tuple[JostleMove, ...]


def play_game(game: JostleGame, players: Sequence[Player], seed: str, number: int) -> GameRecord:
    """Plays game `number` of a series. Dice and players draw from their own sources, so that games can be paired.

    Raises LayoutError for a board on which games among strategies do not end.
    """
    check_ending(game.layout)
    dice = random.Random(f"{seed}:{number}:dice")
    seeds = [f"{seed}:{number}:{seat}" for seat in SEATS]
    memories = [player.start_memory() for player in players]
    records = tuple(SeatRecord() for _ in SEATS)
    last_moved: list[int | None] = [None] * len(SEATS)
    position, played, turns = game.start(), [], 0
    move: JostleMove
    for ply in range(MOST_PLIES):
        to_act = position.to_act
        if to_act == OVER:
            break
        if to_act == CHANCE:
            move = ROLLS[int(dice.random() * len(ROLLS))]
        else:
            decision = players[to_act].decide(position, memories[to_act], seeds[to_act], ply)
            move = decision.move
            records[to_act].faults += decision.fault is not None
        after = position.play(move)
        if to_act != CHANCE and decision.roll_again is None:
            turns += 1
            _measure(records[to_act], position, move, after, last_moved)
        for seat, player in enumerate(players):
            memories[seat] = player.remember(memories[seat], position, move)
        played.append(move)
        position = after
    assert position.to_act == OVER, f"game {number} of seed {seed} does not end"
    _finish(records, position)
    return GameRecord(number, records, -(-turns // len(SEATS)), tuple(played))


def _measure(
    record: SeatRecord, before: JostlePosition, move: JostleMove, after: JostlePosition, last_moved: list[int | None]
) -> None:
    seat, layout, first = before.seat, before.layout, PIECES_PER_SEAT * before.seat
    own = after.pieces[first : first + PIECES_PER_SEAT]
    record.turns += 1
    span = max(own) - min(own)
    record.span += span
    if isinstance(move, Piece):
        piece, target = move.id, before.pieces[move.id] + before.points
        movable = [choice.id for choice in before.moves() if isinstance(choice, Piece)]
        due = min(movable, key=lambda other: _cycle(other, last_moved[seat]))
        record.moves += 1
        record.displaced += sum(owner(hit) != seat for hit in struck(layout, before.pieces, piece, before.points))
        record.special += target in layout.special
        record.gained += layout.carry[target] - before.pieces[piece]
        record.in_order += piece == due
        record.taken += sum(
            max(0, was - now)
            for other, (was, now) in enumerate(zip(before.pieces, after.pieces, strict=True))
            if owner(other) != seat
        )
        panic = any(f >= layout.first_goal for other, f in enumerate(before.pieces) if owner(other) != seat)
        if panic and len(movable) > 1:
            record.panic_turns += 1
            record.panic_ahead += before.pieces[piece] == max(before.pieces[other] for other in movable)
            record.panic_in_order += piece == due
            record.panic_span += span
        if len(movable) > 1 and not any(before.pieces[other] + before.points in layout.special for other in movable):
            record.plain_turns += 1
            record.closer += _span_if_last_moves(before, movable) - span
        last_moved[seat] = piece
    if not record.first_goal and max(own) >= layout.first_goal:
        record.first_goal = record.turns


def _span_if_last_moves(before: JostlePosition, movable: list[int]) -> int:
    last = min(movable, key=lambda piece: before.pieces[piece])
    first = PIECES_PER_SEAT * before.seat
    own = resolve(before.layout, before.pieces, last, before.points)[first : first + PIECES_PER_SEAT]
    return max(own) - min(own)


def _cycle(piece: int, last: int | None) -> int:
    return (piece if last is None else piece - last - 1) % PIECES_PER_SEAT


def _finish(records: Sequence[SeatRecord], position: JostlePosition) -> None:
    winners = position.winners()
    for seat, (record, score) in enumerate(zip(records, position.scores(), strict=True)):
        record.score = score
        record.win = 1 / len(winners) if seat in winners else 0.0
        record.first_goal = record.first_goal or record.turns
