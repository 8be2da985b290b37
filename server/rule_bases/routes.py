"""The researchers' pages of rule bases."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from npc import strategy
from npc.prolog.generate import rule_base as generated
from npc.prolog.prelude import FACTS, MEANINGS
from server.accounts.dependencies import DatabaseOf, Researcher, Session, SettingsOf
from server.accounts.limits import take
from server.errors import InvalidInput
from server.rule_bases import service
from server.rule_bases.hints import hint_for
from server.web import gettext, redirect, render

router = APIRouter(prefix="/research/rule-bases")

RuleBaseId = Annotated[int, Path(ge=1, le=2**63 - 1)]
START = "Observing PALS"


@router.get("", response_class=Response)
async def rule_bases_page(
    request: Request, session: Session, _: Researcher, like: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None
) -> Response:
    """With `like`, a new one starts from the script of that one."""
    script = generated(strategy(START)) if like is None else (await service.get(session, like)).script
    return await _page(request, session, script)


async def _page(request: Request, session: Session, script: str, error: str = "") -> Response:
    return render(
        request,
        "research/rule_bases.html",
        status=422 if error else 200,
        rule_bases=await service.all_of_them(session),
        script=script,
        error=gettext(request, error) if error else "",
        hint=hint_for(error, script),
        helpers=MEANINGS,
        facts=FACTS,
    )


@router.post("", response_class=Response)
async def upload(
    request: Request,
    session: Session,
    database: DatabaseOf,
    settings: SettingsOf,
    who: Researcher,
    script: Annotated[str, Form()] = "",
) -> Response:
    """Check, try out and keep a script; it does not play before it is told to."""
    await take(database, settings, "trial-account", str(who.account_id))
    try:
        row = await service.upload(session, script, who)
    except InvalidInput as error:
        return await _page(request, session, script, error.text)
    return redirect(f"/research/rule-bases/{row.id}")


@router.get("/{rule_base_id}", response_class=Response)
async def rule_base_page(request: Request, session: Session, _: Researcher, rule_base_id: RuleBaseId) -> Response:
    row = await service.get(session, rule_base_id)
    faults = await service.live_faults(session, row.name)
    return render(
        request,
        "research/rule_base.html",
        rule_base=row,
        faults=faults,
        has_played=await service.has_played(session, row.name),
        hint_for=lambda fault: hint_for(fault, row.script),
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
