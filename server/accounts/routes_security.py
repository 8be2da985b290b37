"""What outsiders and browsers report, and the admins' page of security events."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse

from server.accounts.dependencies import Admin, notice, rationed
from server.accounts.events import KINDS, recent
from server.base.clock import now
from server.web.csrf import REPORTS
from server.web.dependencies import Session, SettingsOf
from server.web.headers import POLICY
from server.web.rendering import render

router = APIRouter()
LONGEST_REPORT = 16 * 1024
CONTACT_HOLDS = timedelta(days=180)


@router.get("/.well-known/security.txt", response_class=PlainTextResponse)
async def security_txt(settings: SettingsOf) -> PlainTextResponse:
    """Where to report a hole (RFC 9116)."""
    lines = (
        f"Contact: {settings.security_contact or f'{settings.base_url}/privacy'}",
        f"Expires: {now() + CONTACT_HOLDS:%Y-%m-%dT00:00:00Z}",
        "Preferred-Languages: en, de",
        f"Canonical: {settings.base_url}/.well-known/security.txt",
    )
    return PlainTextResponse("\n".join(lines) + "\n")


@router.post(REPORTS, status_code=204, include_in_schema=False)
async def policy_report(request: Request) -> Response:
    """A browser tells that it refused something our policy forbids. It is counted, nothing of it is kept: anybody can
    send anything here."""
    try:
        report = json.loads((await request.body())[:LONGEST_REPORT])["csp-report"]
        directive = str(report.get("effective-directive") or report["violated-directive"]).split()[0]
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return Response(status_code=400)
    if any(directive.startswith(name.removesuffix("-src")) for name in POLICY):
        notice(request, "policy.violated")
    return Response(status_code=204)


@router.get("/admin/security", dependencies=[rationed("study-account")], response_class=Response)
async def events_page(
    request: Request, session: Session, _: Admin, kind: Annotated[str, Query(max_length=40)] = ""
) -> Response:
    await request.app.state.events.write()
    chosen = kind if kind in KINDS else ""
    events = await recent(session, chosen)
    return render(request, "admin/security.html", events=events, kinds=KINDS, chosen=chosen)
