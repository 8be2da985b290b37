"""The consent page and the privacy page."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.dependencies import SignedIn
from server.base.errors import N_
from server.study import consent, publishing
from server.study.consent import ConsentKind
from server.study.settings import read_settings
from server.study.withdrawal import effect_of_withdrawing
from server.web.dependencies import Session
from server.web.forms import Filled, Form, describe, empty, filled
from server.web.notices import notice
from server.web.rendering import language_of, local_path, redirect, render

router = APIRouter(tags=["study"])
router.include_router(publishing.router)
AGREED = "yes"


@notice("maintenance")
async def under_maintenance(session: AsyncSession) -> bool:
    return (await read_settings(session)).maintenance


class ConsentForm(Form):
    """One tick box per kind."""

    play_data: str = Field(default="", max_length=10)
    interaction_log: str = Field(default="", max_length=10)
    next: str = Field(default="", max_length=2000)
    confirmed: str = Field(default="", max_length=10)


@router.get("/consent", response_class=Response)
async def consent_page(
    request: Request, session: Session, identity: SignedIn, next_page: Annotated[str, Query(alias="next")] = ""
) -> Response:
    states = await consent.state_of(session, identity.person_id)
    form = empty(
        next=local_path(next_page, ""), **{state.kind.value: AGREED if state.given else "" for state in states}
    )
    return render(request, "accounts/consent.html", states=states, form=form)


@router.post("/consent", openapi_extra=describe(ConsentForm), response_class=Response)
async def decide(
    request: Request,
    session: Session,
    identity: SignedIn,
    form: Annotated[Filled[ConsentForm], Depends(filled(ConsentForm))],
) -> Response:
    """Keep what was ticked and withdraw what was not."""
    states = await consent.state_of(session, identity.person_id)
    if form.data is not None:
        decisions = {kind: getattr(form.data, kind.value) == AGREED for kind in ConsentKind}
        first_time = not any(state.at for state in states)
        missing = [kind for kind in consent.REQUIRED if first_time and not decisions[kind]]
        form.refuse(request, **{kind.value: N_("Without this consent you cannot play.") for kind in missing})
    if form.data is None or form.errors:
        return render(request, "accounts/consent.html", status=422, states=states, form=form)
    withdrawn = [state for state in states if state.holds and not decisions[state.kind]]
    if withdrawn and form.data.confirmed != AGREED:
        effects = [(state, await effect_of_withdrawing(session, identity.person_id, state.kind)) for state in withdrawn]
        return render(request, "accounts/withdraw.html", effects=effects, form=form)
    await consent.decide(session, identity.person_id, decisions)
    return redirect(local_path(form.data.next, "/account?done=consent"))


@router.get("/privacy", response_class=Response)
async def privacy_page(request: Request, session: Session) -> Response:
    texts = await consent.current_texts(session)
    language = language_of(request)
    words = [text.texts.get(language) or text.texts["en"] for text in texts.values()]
    return render(request, "accounts/privacy.html", texts=words, settings=await read_settings(session))
