"""The page of one's own data: what there is, in words, and files to take away."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import StreamingResponse

from server.accounts import owndata
from server.accounts.dependencies import SignedIn, rationed
from server.accounts.service import about
from server.downloads import service
from server.downloads.building import KINDS
from server.web.dependencies import DatabaseOf, Session
from server.web.rendering import language_of, redirect, render

router = APIRouter(prefix="/account")

Wanted = Annotated[str, Path(max_length=20)]


@router.get("/my-data", response_class=Response, dependencies=[rationed("page-account")])
async def my_data_page(request: Request, session: Session, identity: SignedIn) -> Response:
    """What there is of it, in words and numbers; of what may be much only the newest, so that the page costs the same
    however much there is."""
    _, account = await about(session, identity.account_id)
    return render(
        request,
        "accounts/my_data.html",
        account=account,
        counted=await owndata.counted(session, identity.person_id),
        kinds=list(KINDS),
        downloads=await service.all_of(session, identity.account_id),
        told=await owndata.told(session, identity.person_id, language_of(request)),
    )


@router.post("/downloads/{kind}", response_class=Response, status_code=303, dependencies=[rationed("build-account")])
async def ask(session: Session, identity: SignedIn, kind: Wanted) -> Response:
    """Let a worker build a file of one's own data."""
    await service.ask(session, identity.account_id, kind)
    return redirect("/account/my-data")


@router.get("/downloads/{kind}", dependencies=[rationed("download-account")])
async def download(session: Session, database: DatabaseOf, identity: SignedIn, kind: Wanted) -> Response:
    """The file, once it is built; until then the page that says so."""
    found = await service.ready(session, identity.account_id, kind)
    if found is None:
        return redirect("/account/my-data")
    headers = {
        "Content-Disposition": f'attachment; filename="{KINDS[kind].file}"',
        "Content-Length": str(found.bytes),
        "Cache-Control": "no-store",
    }
    return StreamingResponse(service.stream(database, found.id), media_type=KINDS[kind].media_type, headers=headers)
