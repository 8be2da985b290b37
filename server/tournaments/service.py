"""What researchers do with tournaments: create, pause, resume, cancel, show to everybody. Each is in the audit log."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from games.book import record, standard_headers, write_book
from games.protocol import Game, Position
from lab.tournaments.running import PlanError, prepared
from lab.tournaments.schedules import most_challenges
from lab.tournaments.standings import Standings, standings
from npc.player import PlayerError
from server.accounts.audit import audit
from server.accounts.models import Role
from server.accounts.sessions import Identity
from server.base.clock import now
from server.base.errors import N_, Conflict, InvalidInput, NotFound
from server.rules.service import open_game
from server.tournaments import repository
from server.tournaments.models import Status, Tournament, TournamentChallenge
from server.tournaments.playing import begin_round, plan_of, queue_turn

_KEPT: Final = 32
_standings: OrderedDict[tuple[int, str, int], Standings] = OrderedDict()
"""Tables that were computed, by tournament and number of challenges: results never change."""

Actor = Identity | str


@dataclass(frozen=True)
class Standing:
    """A tournament as a page shows it."""

    tournament: Tournament
    game: Game
    table: Standings
    played: int
    most: int
    """Challenges that it has if it does not end early."""


async def create(
    session: AsyncSession,
    actor: Actor,
    *,
    name: str,
    game: str,
    entrants: Sequence[str],
    form: str,
    rounds: int,
    seed: str,
    precision: float = 0.0,
) -> Tournament:
    """A new tournament, whose first round workers play from now on. Raises InvalidInput, or NotFound for the game."""
    rules = await open_game(session, game)
    try:
        await asyncio.to_thread(prepared, rules, entrants, form, rounds, seed, precision)
    except (PlanError, PlayerError) as error:
        raise InvalidInput(N_("%(reason)s"), reason=str(error)) from error
    tournament = Tournament(
        name=name,
        game=rules.reference,
        entrants=list(entrants),
        form=form,
        rounds=rounds,
        precision=precision,
        seed=seed,
        created_by=actor if isinstance(actor, str) else actor.pseudonym,
        status=Status.RUNNING,
        public=False,
        round=0,
        turn=0,
    )
    session.add(tournament)
    await session.flush()
    await begin_round(session, tournament, len(rules.seats))
    await session.flush()
    await queue_turn(session, tournament)
    details: dict[str, object] = {"game": tournament.game, "form": form, "entrants": len(entrants), "rounds": rounds}
    audit(session, actor, "tournament.create", _named(tournament), details)
    return tournament


async def pause(session: AsyncSession, actor: Actor, tournament_id: int) -> None:
    """What is being played is not written any more; it is played again later."""
    tournament = await _locked(session, tournament_id, Status.RUNNING)
    tournament.status = Status.PAUSED
    tournament.turn += 1
    audit(session, actor, "tournament.pause", _named(tournament))


async def resume(session: AsyncSession, actor: Actor, tournament_id: int) -> None:
    tournament = await _locked(session, tournament_id, Status.PAUSED)
    tournament.status = Status.RUNNING
    await session.flush()
    await queue_turn(session, tournament)
    audit(session, actor, "tournament.resume", _named(tournament))


async def cancel(session: AsyncSession, actor: Actor, tournament_id: int) -> None:
    """The end; what was played stays."""
    tournament = await _locked(session, tournament_id, Status.RUNNING, Status.PAUSED)
    tournament.status, tournament.ended_at = Status.CANCELLED, now()
    audit(session, actor, "tournament.cancel", _named(tournament))


async def publish(session: AsyncSession, actor: Actor, tournament_id: int) -> None:
    """From now on everybody may see it, while it runs and afterwards."""
    await _show(session, actor, tournament_id, public=True)


async def hide(session: AsyncSession, actor: Actor, tournament_id: int) -> None:
    await _show(session, actor, tournament_id, public=False)


async def _show(session: AsyncSession, actor: Actor, tournament_id: int, *, public: bool) -> None:
    tournament = await _locked(session, tournament_id, *Status)
    tournament.public = public
    audit(session, actor, "tournament.publish" if public else "tournament.hide", _named(tournament))


def may_see_all(who: Identity | None) -> bool:
    return who is not None and who.role.includes(Role.RESEARCHER)


async def look_at(session: AsyncSession, tournament_id: int, who: Identity | None) -> Tournament:
    """The tournament, if this person may know of it. Raises NotFound."""
    tournament = await repository.find(session, tournament_id)
    if tournament is None or not (tournament.public or may_see_all(who)):
        raise NotFound
    return tournament


async def standing_of(session: AsyncSession, tournament: Tournament) -> Standing:
    """How it stands now."""
    game = await open_game(session, tournament.game)
    _, played = await repository.counted(session, tournament.id)
    plan = plan_of(tournament, len(game.seats))
    key = (tournament.id, tournament.seed, played)
    table = _standings.get(key)
    if table is None:
        past = await repository.past(session, tournament.id)
        table = _standings[key] = await asyncio.to_thread(standings, plan, past)
        while len(_standings) > _KEPT:
            _standings.popitem(last=False)
    return Standing(tournament, game, table, played, most_challenges(plan))


async def find_challenge(session: AsyncSession, tournament: Tournament, number: int) -> TournamentChallenge:
    """A challenge that was played. Raises NotFound."""
    found = await repository.challenge(session, tournament.id, number)
    if found is None or found.played_at is None:
        raise NotFound
    return found


def book_of(tournament: Tournament, game: Game, challenge: TournamentChallenge, match: int) -> str:
    """A match of a challenge as a game play book."""
    assert challenge.matches is not None and challenge.played_at is not None, "it was played"
    position: Position = game.start()
    moves = []
    for text in challenge.matches[match]["moves"]:
        moves.append(game.move(text))
        position = position.play(moves[-1])
    seats = ", ".join(tournament.entrants[entrant] for entrant in at_seats(challenge, match))
    headers = standard_headers(game, position, seats, challenge.played_at.isoformat())
    return write_book(record(game, moves, (*headers, ("Tournament", tournament.name))))


def at_seats(challenge: TournamentChallenge, match: int) -> list[int]:
    """Who sat where in one of the matches of a challenge."""
    who: list[int] = challenge.entrants
    return who[match:] + who[:match]


async def _locked(session: AsyncSession, tournament_id: int, *allowed: Status) -> Tournament:
    tournament = await repository.find(session, tournament_id, lock=True)
    if tournament is None:
        raise NotFound
    if tournament.status not in allowed:
        raise Conflict
    return tournament


def _named(tournament: Tournament) -> str:
    return f"{tournament.id} {tournament.name}"
