"""The researchers' pages of rule bases."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from npc.prolog import vocabulary_of
from server.accounts.dependencies import Researcher, rationed
from server.accounts.limits import holding, take
from server.base.errors import N_, InvalidInput
from server.programs.dependencies import ProgramsOf
from server.rule_bases import service
from server.rule_bases.hints import hint_for
from server.rule_bases.repository import plays_by_lot
from server.rules.service import open_game
from server.study.games import GameChoice, GameChoiceOf
from server.web.dependencies import DatabaseOf, Session, SettingsOf
from server.web.rendering import gettext, language_of, redirect, render

router = APIRouter(prefix="/research/rule-bases", dependencies=[rationed("study-account")])

BUSY = N_("Another trial of yours is still running. Please wait for it.")
RuleBaseId = Annotated[int, Path(ge=1, le=2**63 - 1)]


@router.get("", response_class=Response)
async def rule_bases_page(
    request: Request,
    session: Session,
    _: Researcher,
    games: GameChoiceOf,
    like: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
) -> Response:
    """Those of one game. With `like`, a new one starts from the script of that one."""
    if like is None:
        script = service.start_script(await open_game(session, games.chosen))
    else:
        script = (await service.get(session, like)).script
    return await _page(request, session, games, script)


async def _page(request: Request, session: Session, games: GameChoice, script: str, error: str = "") -> Response:
    vocabulary = vocabulary_of(await open_game(session, games.chosen))
    return render(
        request,
        "research/rule_bases.html",
        status=422 if error else 200,
        games=games,
        rule_bases=await service.all_of_them(session, games.chosen),
        script=script,
        error=gettext(request, error) if error else "",
        hint=hint_for(error, script, vocabulary),
        vocabulary=vocabulary,
    )


@router.post("", response_class=Response)
async def upload(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    programs: ProgramsOf,
    games: GameChoiceOf,
    who: Researcher,
    script: Annotated[str, Form()] = "",
) -> Response:
    """Check, try out and keep a script for the game of the address; it does not play before it is told to."""
    await take(database, settings, "trial-account", str(who.account_id))
    try:
        async with holding(database, settings, "trial-running", str(who.account_id), BUSY):
            row = await service.upload(session, programs, games.chosen, script, who)
    except InvalidInput as error:
        return await _page(request, session, games, script, error.text)
    return redirect(f"/research/rule-bases/{row.id}")


@router.get("/{rule_base_id}", response_class=Response)
async def rule_base_page(request: Request, session: Session, _: Researcher, rule_base_id: RuleBaseId) -> Response:
    row = await service.get(session, rule_base_id)
    faults = await service.live_faults(session, row.name)
    rules = await open_game(session, row.game)
    return render(
        request,
        "research/rule_base.html",
        rule_base=row,
        title=rules.texts(language_of(request)).title,
        faults=faults,
        by_lot=plays_by_lot(row),
        has_played=await service.has_played(session, row.name),
        hint_for=lambda fault: hint_for(fault, row.script, vocabulary_of(rules)),
    )


@router.post("/{rule_base_id}", response_class=Response)
async def set_playing(
    session: Session, who: Researcher, rule_base_id: RuleBaseId, playing: Annotated[bool, Form()]
) -> Response:
    await service.set_playing(session, rule_base_id, playing, who)
    return redirect(f"/research/rule-bases/{rule_base_id}")


@router.post("/{rule_base_id}/discard", response_class=Response)
async def discard(session: Session, who: Researcher, rule_base_id: RuleBaseId) -> Response:
    await service.discard(session, rule_base_id, who)
    return redirect("/research/rule-bases")
