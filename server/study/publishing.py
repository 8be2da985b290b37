"""The admins' pages about consent texts: what people agree to now, how many do, what it said before; a new version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field
from sqlalchemy import select
from sqlalchemy import text as sql
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.audit import audit
from server.accounts.dependencies import Admin
from server.base.errors import N_
from server.study.consent import ConsentKind, current_texts, publish_text
from server.study.models import ConsentText
from server.web.dependencies import Session
from server.web.forms import Filled, Form, describe, empty, filled
from server.web.rendering import redirect, render
from server.web.translations import LANGUAGES

router = APIRouter()

AGREEING = sql("""
SELECT t.kind, t.version, count(*) FROM (
    SELECT DISTINCT ON (c.person_id, k.kind) c.given, c.text_id
    FROM consents c JOIN consent_texts k ON k.id = c.text_id ORDER BY c.person_id, k.kind, c.id DESC
) AS last JOIN consent_texts t ON t.id = last.text_id WHERE last.given GROUP BY t.kind, t.version
""")
"""By kind and version: how many persons whose last word was to agree to it."""


class TextForm(Form):
    """A title and a body in each of our languages, and the version that they were written upon."""

    title_en: str = Field(min_length=1, max_length=200)
    body_en: str = Field(min_length=1, max_length=20_000)
    title_de: str = Field(min_length=1, max_length=200)
    body_de: str = Field(min_length=1, max_length=20_000)
    after: int = Field(ge=1, le=2**31 - 1)

    @property
    def texts(self) -> dict[str, dict[str, str]]:
        return {
            language: {part: _tidy(getattr(self, f"{part}_{language}")) for part in ("title", "body")}
            for language in LANGUAGES
        }


@dataclass(frozen=True)
class Published:
    """A version of a text, and how many agree to it."""

    text: ConsentText
    agreeing: int


@router.get("/admin/consent", response_class=Response)
async def consent_texts_page(request: Request, session: Session, _: Admin) -> Response:
    return render(request, "admin/consent.html", history={kind: await _history(session, kind) for kind in ConsentKind})


@router.get("/admin/consent/{kind}", response_class=Response)
async def new_text_page(request: Request, session: Session, _: Admin, kind: ConsentKind) -> Response:
    """The present version, to be rewritten."""
    newest = (await current_texts(session))[kind]
    words = {
        f"{part}_{language}": newest.texts.get(language, {}).get(part, "")
        for language in LANGUAGES
        for part in ("title", "body")
    }
    return await _form_page(request, session, kind, empty(after=str(newest.version), **words))


@router.post("/admin/consent/{kind}", openapi_extra=describe(TextForm), response_class=Response)
async def publish(
    request: Request,
    session: Session,
    who: Admin,
    kind: ConsentKind,
    form: Annotated[Filled[TextForm], Depends(filled(TextForm))],
) -> Response:
    newest = (await current_texts(session))[kind]
    if form.data is not None and form.data.texts == newest.texts:
        form.refuse(request, form=N_("Nothing has been changed."))
    if form.data is None or form.errors:
        return await _form_page(request, session, kind, form, 422)
    made = await publish_text(session, kind, form.data.texts, after=form.data.after)
    audit(session, who, "consent.publish", kind.value, {"from": newest.version, "to": made.version})
    return redirect("/admin/consent")


async def _form_page(
    request: Request, session: AsyncSession, kind: ConsentKind, form: Filled[TextForm], status: int = 200
) -> Response:
    newest = (await _history(session, kind))[0]
    return render(request, "admin/consent_new.html", status=status, kind=kind, newest=newest, form=form)


async def _history(session: AsyncSession, kind: ConsentKind) -> list[Published]:
    """All versions, the newest first."""
    agreeing = {(of, version): count for of, version, count in await session.execute(AGREEING)}
    query = select(ConsentText).where(ConsentText.kind == kind.value).order_by(ConsentText.version.desc())
    return [Published(text, agreeing.get((text.kind, text.version), 0)) for text in await session.scalars(query)]


def _tidy(written: str) -> str:
    """Browsers send line ends of two characters; paragraphs are told by an empty line."""
    return written.replace("\r\n", "\n").strip()
