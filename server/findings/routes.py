"""Findings: read by everybody, written by researchers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Query
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.audit import audit
from server.accounts.dependencies import Researcher
from server.base.errors import InvalidInput
from server.findings import service
from server.findings.figures import STRATEGIES, Figure, shares_judged_human
from server.findings.markdown import blocks, figures
from server.findings.models import Finding
from server.storage.database import Database
from server.web.dependencies import DatabaseOf, Session
from server.web.rendering import gettext, redirect, render

router = APIRouter()

FindingId = Annotated[int, Path(ge=1, le=2**63 - 1)]
Words = Annotated[str, Form()]


@router.get("/findings", include_in_schema=False)
async def findings_page(request: Request, session: Session, database: DatabaseOf) -> Response:
    findings = await service.published(session)
    judged = await _figure(session, database, findings)
    return render(request, "findings/findings.html", findings=findings, blocks=blocks, judged=judged)


@router.get("/research/findings", include_in_schema=False)
async def write_page(
    request: Request,
    session: Session,
    database: DatabaseOf,
    _: Researcher,
    edit: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
) -> Response:
    chosen = await service.get(session, edit) if edit is not None else None
    form = {"id": "", "title_en": "", "title_de": "", "body_en": "", "body_de": ""}
    if chosen is not None:
        form = {"id": str(chosen.id)} | {
            f"{name}_{language}": text
            for name, texts in (("title", chosen.title), ("body", chosen.body))
            for language, text in texts.items()
        }
    findings = await service.all_findings(session)
    judged = await _figure(session, database, findings)
    return render(
        request, "research/findings.html", findings=findings, form=form, error=None, blocks=blocks, judged=judged
    )


@router.post("/research/findings", include_in_schema=False)
async def write(
    request: Request,
    session: Session,
    database: DatabaseOf,
    who: Researcher,
    title_en: Words = "",
    title_de: Words = "",
    body_en: Words = "",
    body_de: Words = "",
    finding_id: Annotated[str, Form(alias="id")] = "",
) -> Response:
    chosen = int(finding_id) if finding_id.isdecimal() and len(finding_id) < 19 else None
    title, body = {"en": title_en, "de": title_de}, {"en": body_en, "de": body_de}
    try:
        await service.write(session, chosen, title, body, who.pseudonym)
    except InvalidInput as error:
        form = {"id": finding_id, "title_en": title_en, "title_de": title_de, "body_en": body_en, "body_de": body_de}
        findings = await service.all_findings(session)
        said = gettext(request, error.text)
        judged = await _figure(session, database, findings)
        return render(
            request,
            "research/findings.html",
            status=422,
            findings=findings,
            form=form,
            error=said,
            blocks=blocks,
            judged=judged,
        )
    audit(session, who, "finding.write", title_en)
    return redirect("/research/findings")


@router.post("/research/findings/{finding_id}/publish", include_in_schema=False)
async def publish(
    session: Session, who: Researcher, finding_id: FindingId, public: Annotated[bool, Form()]
) -> Response:
    await service.set_published(session, finding_id, public)
    audit(session, who, "finding.publish" if public else "finding.hide", str(finding_id))
    return redirect("/research/findings")


async def _figure(session: AsyncSession, database: Database, findings: list[Finding]) -> Figure | None:
    """The figure of the strategies, if any of the findings shows it."""
    texts = (text for finding in findings for text in finding.body.values())
    shown = any(STRATEGIES in figures(text) for text in texts)
    return await shares_judged_human(session, database) if shown else None
