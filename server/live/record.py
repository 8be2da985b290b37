"""What a match leaves behind: its book, its replay, its dice, and what a person may see of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import BaseModel, JsonValue
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import selectinload

from games.book import TimedMove, record, standard_headers, write_book
from games.protocol import CHANCE, Game
from games.registry import game as find_game
from server.accounts.models import Person, Role
from server.accounts.owndata import exports
from server.accounts.sessions import Identity
from server.errors import N_, Conflict, NotFound
from server.live.models import Match, MatchSeat
from server.live.referee import replay


class RecordedMove(BaseModel):
    """One move of a replay; `seat` is -1 for chance."""

    ply: int
    seat: int
    move: str
    ms: int


class SeatRecord(BaseModel):
    """Who sat on a seat; only researchers see this."""

    seat: int
    person: bool
    strategy: str | None
    replaced: bool


class Replay(BaseModel):
    """A match from its first die on. `seats` is filled for researchers only."""

    match: str
    game: str
    layout: str
    you: int | None
    started_at: str
    ended: bool
    moves: list[RecordedMove]
    scores: list[int] | None
    winners: list[int] | None
    seats: list[SeatRecord] | None


class DiceRecord(BaseModel):
    """All that is needed to draw every die of a finished match again."""

    match: str
    game: str
    commitment: str
    seed: str
    moves: list[str]


@dataclass(frozen=True, slots=True)
class Viewed:
    """A match and the one who looks at it."""

    match: Match
    identity: Identity
    names: Mapping[int, str]
    """Pseudonyms by person, for researchers alone."""

    @property
    def seat(self) -> MatchSeat | None:
        return next((seat for seat in self.match.seats if seat.person_id == self.identity.person_id), None)

    @property
    def researcher(self) -> bool:
        return self.identity.role.includes(Role.RESEARCHER)

    @property
    def plays(self) -> bool:
        """Whether the viewer is in the middle of it."""
        return self.match.ended_at is None and self.seat is not None and self.seat.replaced_at is None

    @property
    def may_replay(self) -> bool:
        """Participants when it is over; researchers always, unless they play in it themselves."""
        return self.match.ended_at is not None or (self.researcher and not self.plays)


async def look_at(session: AsyncSession, match_id: int, identity: Identity) -> Viewed:
    """The match, if this person may know of it at all. Raises NotFound."""
    query = select(Match).where(Match.id == match_id).options(selectinload(Match.seats), selectinload(Match.moves))
    match = await session.scalar(query) if 0 < match_id < 2**63 else None
    if match is None:
        raise NotFound
    researcher = identity.role.includes(Role.RESEARCHER)
    viewed = Viewed(match, identity, await pseudonyms(session, [match]) if researcher else {})
    if viewed.seat is None and not viewed.researcher:
        raise NotFound
    return viewed


def replay_of(viewed: Viewed) -> Replay:
    """Raises Conflict while the viewer may not see it yet."""
    _require_replayable(viewed)
    match = viewed.match
    return Replay(
        match=str(match.id),
        game=match.game,
        layout=match.layout,
        you=viewed.seat.seat if viewed.seat else None,
        started_at=match.starts_at.isoformat(),
        ended=match.ended_at is not None,
        moves=[RecordedMove(ply=move.ply, seat=move.seat, move=move.move, ms=move.ms) for move in match.moves],
        scores=match.scores,
        winners=match.winners,
        seats=[_seat_record(seat) for seat in match.seats] if viewed.researcher else None,
    )


def dice_of(viewed: Viewed) -> DiceRecord:
    """Raises Conflict before the end: the seed would tell the dice to come."""
    match = viewed.match
    if match.ended_at is None:
        raise Conflict(N_("The dice of a match can be checked when it is over."))
    return DiceRecord(
        match=str(match.id),
        game=match.game,
        commitment=match.commitment,
        seed=match.dice_seed.hex(),
        moves=[move.move for move in match.moves],
    )


def book_of(viewed: Viewed) -> str:
    """The match as a game play book; only researchers read in it who was who."""
    _require_replayable(viewed)
    return match_book(viewed.match, viewed.names if viewed.researcher else None)


async def pseudonyms(session: AsyncSession, matches: Iterable[Match]) -> dict[int, str]:
    """Of everybody who sat in these matches."""
    persons = {seat.person_id for match in matches for seat in match.seats} - {None}
    query = select(Person.id, Person.pseudonym).where(Person.id.in_(persons))
    return dict((await session.execute(query)).all())


def match_book(match: Match, names: Mapping[int, str] | None) -> str:
    """As a game play book. Without names it does not tell who was who."""
    game: Game = find_game(match.game)
    texts = [move.move for move in match.moves]
    seats = ", ".join(game.seats if names is None else [_seat_name(seat, names) for seat in match.seats])
    headers = (
        *standard_headers(game, replay(game, game.start(), texts).position, seats, match.starts_at.isoformat()),
        ("Match", str(match.id)),
        ("Software", match.software),
        ("Commitment", match.commitment),
        *([("DiceSeed", match.dice_seed.hex())] if match.ended_at else []),
    )
    timed = [TimedMove(game.move(m.move), None if m.seat == CHANCE else m.ms) for m in match.moves]
    return write_book(record(game, timed, headers))


def _require_replayable(viewed: Viewed) -> None:
    if not viewed.may_replay:
        raise Conflict(N_("A match can be seen again when it is over."))


def _seat_record(seat: MatchSeat) -> SeatRecord:
    return SeatRecord(
        seat=seat.seat,
        person=seat.person_id is not None,
        strategy=seat.strategy,
        replaced=seat.replaced_at is not None,
    )


def _seat_name(seat: MatchSeat, names: Mapping[int, str]) -> str:
    """A person by pseudonym, a program by its strategy, a stand-in by both."""
    person = names[seat.person_id] if seat.person_id is not None else ""
    return " then ".join(part for part in (person, seat.strategy or "") if part)


@exports("matches")
async def my_matches(session: AsyncSession, person_id: int) -> JsonValue:
    """Every match of a person, as books that name nobody."""
    mine = select(MatchSeat.match_id).where(MatchSeat.person_id == person_id)
    query = (
        select(Match)
        .where(Match.id.in_(mine), Match.ended_at.is_not(None))
        .options(selectinload(Match.seats), selectinload(Match.moves))
        .order_by(Match.id)
    )
    return [
        {
            "match": match.id,
            "seat": next(seat.seat for seat in match.seats if seat.person_id == person_id),
            "book": match_book(match, None),
        }
        for match in await session.scalars(query)
    ]
