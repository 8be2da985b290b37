"""What is measured in games of Jostle besides wins and points: how the strategies go about it."""

from dataclasses import dataclass
from typing import Final, cast

from games.jostle import PIECES_PER_SEAT, SEATS, JostleGame, JostlePosition, Phase, Piece
from games.jostle.jostling import resolve
from games.protocol import Game, Move, Position, Seat
from npc.composed.jostle.measuring.endings import check_ending
from npc.composed.jostle.situation import owner, struck
from npc.decision import Decision
from npc.simulation.measures import MEASURES as GENERAL
from npc.simulation.measures import Measure, Value
from npc.simulation.play import Scribe, SeatRecord


@dataclass(slots=True)
class JostleRecord(SeatRecord):
    """Sums over the seat's own turns unless it says otherwise."""

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


class JostleScribe(Scribe):
    """A turn is a piece's move or a pass, not the question about a second roll."""

    records: list[JostleRecord]

    def __init__(self, game: Game) -> None:
        check_ending(cast("JostleGame", game).layout)
        self.records = [JostleRecord() for _ in SEATS]
        self._last_moved: list[int | None] = [None] * len(SEATS)

    def note(self, seat: Seat, before: Position, decision: Decision, after: Position) -> None:
        here, there = cast("JostlePosition", before), cast("JostlePosition", after)
        record = self.records[seat]
        record.faults += decision.fault is not None
        if here.phase is Phase.MOVE:
            _measure(record, here, decision.move, there, self._last_moved)

    def finish(self, position: Position) -> None:
        super().finish(position)
        for record in self.records:
            record.first_goal = record.first_goal or record.turns


def _measure(
    record: JostleRecord, before: JostlePosition, move: Move, after: JostlePosition, last_moved: list[int | None]
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


def _count(of: str) -> Value:
    def counted(record: JostleRecord) -> float:
        number: float = getattr(record, of)
        return number

    return counted


def _per(count: str, of: str) -> Value:
    def ratio(record: JostleRecord) -> float | None:
        whole = getattr(record, of)
        return getattr(record, count) / whole if whole else None

    return ratio


_OWN: Final = {
    measure.name: measure
    for measure in (
        Measure("displaced", "opponents' pieces displaced per game", _count("displaced")),
        Measure("distance", "fields between first and last piece after own turns", _per("span", "turns")),
        Measure("special", "special fields used per game", _count("special")),
        Measure("gained", "fields gained per move, being carried included", _per("gained", "moves")),
        Measure("taken", "fields that opponents lost per own move", _per("taken", "moves")),
        Measure("first goal", "own turns until the first piece stands on a goal", _count("first_goal")),
        Measure("in order", "share of moves that keep the fixed cycle", _per("in_order", "moves")),
        Measure(
            "panic ahead",
            "share of moves with the first piece while an opponent is on a goal",
            _per("panic_ahead", "panic_turns"),
        ),
        Measure("panic in order", "the same for moves that keep the cycle", _per("panic_in_order", "panic_turns")),
        Measure("panic distance", "distance while an opponent is on a goal", _per("panic_span", "panic_turns")),
        Measure(
            "closer",
            "fields that its moves leave the pieces closer together than moving the last one, special fields apart",
            _per("closer", "plain_turns"),
        ),
    )
}

MEASURES: Final[dict[str, Measure]] = {
    **{name: GENERAL[name] for name in ("wins", "score", "turns")},
    **_OWN,
    "faults": GENERAL["faults"],
}
