"""Findings: read by everybody, written by researchers."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from server.accounts.audit import audit
from server.accounts.dependencies import Researcher
from server.base.errors import InvalidInput
from server.findings import service
from server.web.dependencies import Session
from server.web.rendering import gettext, redirect, render

router = APIRouter()

FindingId = Annotated[int, Path(ge=1, le=2**63 - 1)]
Words = Annotated[str, Form()]


@router.get("/findings", include_in_schema=False)
async def findings_page(request: Request, session: Session) -> Response:
    return render(request, "findings/findings.html", findings=await service.published(session))


@router.get("/research/findings", include_in_schema=False)
async def write_page(
    request: Request,
    session: Session,
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
    return render(request, "research/findings.html", findings=findings, form=form, error=None)


@router.post("/research/findings", include_in_schema=False)
async def write(
    request: Request,
    session: Session,
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
        return render(request, "research/findings.html", status=422, findings=findings, form=form, error=said)
    audit(session, who, "finding.write", title_en)
    return redirect("/research/findings")


@router.post("/research/findings/{finding_id}/publish", include_in_schema=False)
async def publish(
    session: Session, who: Researcher, finding_id: FindingId, public: Annotated[bool, Form()]
) -> Response:
    await service.set_published(session, finding_id, public)
    audit(session, who, "finding.publish" if public else "finding.hide", str(finding_id))
    return redirect("/research/findings")
