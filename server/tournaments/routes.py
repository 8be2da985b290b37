"""Pages of tournaments: everybody reads those that are public, researchers read all, create them and steer them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Query, Request, Response
from fastapi.responses import PlainTextResponse, StreamingResponse
from sqlalchemy.ext.asyncio import AsyncSession

from games import registry
from games.protocol import Game, Position
from lab.tournaments.contest import FEWEST_SEATS, MOST_SEATS
from server.accounts.dependencies import MaybeSignedIn, Researcher, rationed
from server.accounts.sessions import Identity
from server.base.errors import GrintuError, NotFound
from server.rules import repository as rules
from server.rules.service import open_game
from server.study.games import GameOf, titled
from server.tournaments import exporting, repository, service
from server.tournaments.schemas import FORM_TITLES, MatchOfPrograms, ReplayedMove, TournamentForm
from server.web.dependencies import DatabaseOf, Session
from server.web.forms import Filled, describe, empty, filled
from server.web.rendering import gettext, language_of, redirect, render

router = APIRouter(dependencies=[rationed("study-account")])

TournamentId = Annotated[int, Path(ge=1, le=2**63 - 1)]
Number = Annotated[int, Path(ge=1, le=2**63 - 1)]
Entrant = Annotated[int | None, Query(ge=0, le=1000)]
After = Annotated[int, Query(ge=0, le=2**63 - 1)]
MatchOf = Annotated[int, Query(ge=0, lt=MOST_SEATS)]
FormOf = Annotated[Filled[TournamentForm], Depends(filled(TournamentForm))]
ACTIONS: Final[dict[str, Callable[[AsyncSession, Identity, int], Awaitable[None]]]] = {
    "pause": service.pause,
    "resume": service.resume,
    "cancel": service.cancel,
    "publish": service.publish,
    "hide": service.hide,
}


def _render(request: Request, template: str, who: Identity | None, **values: Any) -> Response:
    """Researchers have their navigation above the page."""
    steers = service.may_see_all(who)
    frame = "research/base.html" if steers else "tournaments/public.html"
    return render(request, f"tournaments/{template}", frame=frame, steers=steers, titles=FORM_TITLES, **values)


@router.get("/tournaments", include_in_schema=False)
async def tournaments_page(request: Request, session: Session, who: MaybeSignedIn) -> Response:
    found = await repository.listed(session, public_only=not service.may_see_all(who))
    games = dict(await titled(session, {one.game for one in found}, language_of(request)))
    return _render(request, "tournaments.html", who, tournaments=found, games=games)


@router.get("/tournaments/{tournament_id}", include_in_schema=False)
async def tournament_page(
    request: Request, session: Session, who: MaybeSignedIn, tournament_id: TournamentId
) -> Response:
    standing = await service.standing_of(session, await service.look_at(session, tournament_id, who))
    texts = standing.game.texts(language_of(request))
    return _render(request, "tournament.html", who, standing=standing, tournament=standing.tournament, game=texts)


@router.get("/tournaments/{tournament_id}/challenges", include_in_schema=False)
async def challenges_page(
    request: Request,
    session: Session,
    who: MaybeSignedIn,
    tournament_id: TournamentId,
    one: Entrant = None,
    other: Entrant = None,
    after: After = 0,
) -> Response:
    """Those that were played, of all or of one or two entrants."""
    tournament = await service.look_at(session, tournament_id, who)
    among = [entrant for entrant in (one, other) if entrant is not None]
    if any(entrant >= len(tournament.entrants) for entrant in among):
        raise NotFound
    found = await repository.challenges(session, tournament_id, among=among, after=after)
    return _render(
        request,
        "challenges.html",
        who,
        tournament=tournament,
        challenges=found,
        among=among,
        more=found[-1].number if len(found) == repository.PAGE else None,
    )


@router.get("/tournaments/{tournament_id}/challenges/{number}", include_in_schema=False)
async def challenge_page(
    request: Request,
    session: Session,
    who: MaybeSignedIn,
    tournament_id: TournamentId,
    number: Number,
    match: MatchOf = 0,
) -> Response:
    """One of its matches, in the viewer."""
    tournament = await service.look_at(session, tournament_id, who)
    challenge = await service.find_challenge(session, tournament, number)
    played = _match(challenge.matches, match)
    game = await open_game(session, tournament.game)
    return _render(
        request,
        "challenge.html",
        who,
        tournament=tournament,
        challenge=challenge,
        number=match,
        match=played,
        seats=service.at_seats(challenge, match),
        game=game.texts(language_of(request)),
        replay=await asyncio.to_thread(_replay, game, played["moves"]),
    )


@router.get("/tournaments/{tournament_id}/challenges/{number}/book", response_class=PlainTextResponse)
async def challenge_book(
    session: Session, who: MaybeSignedIn, tournament_id: TournamentId, number: Number, match: MatchOf = 0
) -> PlainTextResponse:
    """A match as a game play book."""
    tournament = await service.look_at(session, tournament_id, who)
    challenge = await service.find_challenge(session, tournament, number)
    _match(challenge.matches, match)
    game = await open_game(session, tournament.game)
    book = await asyncio.to_thread(service.book_of, tournament, game, challenge, match)
    name = f"tournament-{tournament_id}-{number}-{match + 1}.book"
    return PlainTextResponse(book, headers={"Content-Disposition": f'attachment; filename="{name}"'})


@router.get("/tournaments/{tournament_id}/standings.csv", response_class=PlainTextResponse)
async def standings_file(session: Session, who: MaybeSignedIn, tournament_id: TournamentId) -> PlainTextResponse:
    """The table with everything in it."""
    standing = await service.standing_of(session, await service.look_at(session, tournament_id, who))
    headers = {"Content-Disposition": f'attachment; filename="tournament-{tournament_id}.csv"'}
    return PlainTextResponse(exporting.table(standing), media_type="text/csv", headers=headers)


@router.get("/tournaments/{tournament_id}/challenges.jsonl")
async def challenges_file(
    session: Session, database: DatabaseOf, who: MaybeSignedIn, tournament_id: TournamentId
) -> Response:
    """Every challenge with all moves, a JSON object per line; the first line tells what it is about."""
    tournament = await service.look_at(session, tournament_id, who)
    headers = {"Content-Disposition": f'attachment; filename="tournament-{tournament_id}.jsonl"'}
    lines = exporting.lines(database, tournament)
    return StreamingResponse(lines, media_type="application/x-ndjson", headers=headers)


# ------------------------------------------------------------------------------------------------------ researchers


@router.get("/research/tournaments/new", include_in_schema=False)
async def new_page(request: Request, session: Session, who: Researcher, game: GameOf) -> Response:
    return await _form_page(request, session, who, empty(game=game, rounds="10", seed="1", form="round-robin"))


@router.post("/research/tournaments", openapi_extra=describe(TournamentForm), response_class=Response)
async def create(request: Request, session: Session, who: Researcher, form: FormOf) -> Response:
    if form.data is None:
        return await _form_page(request, session, who, form, 422)
    data = form.data
    try:
        made = await service.create(
            session,
            who,
            name=data.name,
            game=data.game,
            entrants=data.lines,
            form=data.form,
            rounds=data.rounds,
            seed=data.seed,
            precision=data.precision,
        )
    except GrintuError as error:
        form.errors["form"] = gettext(request, error.text, **error.values)
        return await _form_page(request, session, who, form, error.status)
    return redirect(f"/tournaments/{made.id}")


@router.post("/research/tournaments/{tournament_id}/{action}", response_class=Response)
async def act(session: Session, who: Researcher, tournament_id: TournamentId, action: str) -> Response:
    """Pause, resume, cancel, publish or hide."""
    if action not in ACTIONS:
        raise NotFound
    await ACTIONS[action](session, who, tournament_id)
    return redirect(f"/tournaments/{tournament_id}")


async def _form_page(
    request: Request, session: AsyncSession, who: Identity, form: Filled[Any], status: int = 200
) -> Response:
    library = await asyncio.to_thread(_library, language_of(request))
    added = [(row.reference, row.title) for row in await rules.all_of_them(session)]
    return _render(request, "new.html", who, status=status, form=form, games=[*library, *added])


def _library(language: str) -> list[tuple[str, str]]:
    """Opening all of them takes a while at first."""
    games = ((reference, registry.game(reference)) for reference in registry.shelf())
    return [
        (reference, f"{game.texts(language).title} ({reference})")
        for reference, game in games
        if FEWEST_SEATS <= len(game.seats) <= MOST_SEATS
    ]


def _match(matches: list[Any] | None, number: int) -> dict[str, Any]:
    if matches is None or number >= len(matches):
        raise NotFound
    found: dict[str, Any] = matches[number]
    return found


def _replay(game: Game, texts: list[str]) -> MatchOfPrograms:
    position: Position = game.start()
    moves = []
    for ply, text in enumerate(texts):
        moves.append(ReplayedMove(ply=ply, seat=position.to_act, move=text))
        position = position.play(game.move(text))
    return MatchOfPrograms(game=game.reference, moves=moves)
