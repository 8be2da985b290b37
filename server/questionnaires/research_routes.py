"""Pages where researchers make questionnaires and code half-open answers."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, UploadFile
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from server.accounts.dependencies import Researcher, rationed
from server.base.errors import N_, InvalidInput
from server.questionnaires import coding, editing
from server.questionnaires.changes import changes
from server.questionnaires.content import Questionnaire, countries
from server.questionnaires.drafts import Mistake, fingerprint, mistakes_in, shown
from server.questionnaires.forms import fields
from server.questionnaires.models import Code
from server.questionnaires.searching import SHOWN, search
from server.rules.service import open_game
from server.web.dependencies import Session
from server.web.rendering import environment, gettext, language_of, redirect, render
from server.web.translations import LANGUAGES

router = APIRouter(prefix="/research", dependencies=[rationed("study-account")])

MAX_UPLOAD = 512 * 1024
VersionId = Annotated[int, Path(ge=1, le=2**63 - 1)]


class Problem(BaseModel):
    """A mistake in a questionnaire: where, as in `items.2.text.de`, and what it is, in the reader's language."""

    at: str
    says: str


class Checked(BaseModel):
    """Every mistake in a questionnaire, and whether it is kept all the same, as a draft."""

    problems: list[Problem]
    saved: bool = False
    fingerprint: str | None = None
    """Of the draft as it is now."""


def _problems(request: Request, mistakes: Iterable[Mistake]) -> list[Problem]:
    return [Problem(at=each.place, says=gettext(request, each.text, **each.values)) for each in mistakes]


@router.get("/questionnaires", include_in_schema=False)
async def versions_page(request: Request, session: Session, _: Researcher) -> Response:
    return render(request, "research/questionnaires.html", versions=await editing.versions(session), error=None)


@router.get("/questionnaires/schema.json")
async def schema(_: Researcher) -> dict[str, Any]:
    """The JSON schema of a questionnaire, for import and export."""
    return Questionnaire.model_json_schema()


@router.post("/questionnaires/import", include_in_schema=False)
async def import_draft(request: Request, session: Session, who: Researcher, file: UploadFile) -> Response:
    """A new draft from a JSON file. A file that is wrong is refused with every mistake in it."""
    try:
        raw = await file.read(MAX_UPLOAD + 1)
        if len(raw) > MAX_UPLOAD:
            raise InvalidInput(N_("That is too much data."))
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise InvalidInput(N_("This file is not JSON.")) from error
        draft = await editing.create_draft(session, editing.stored(editing.check(data)), who.pseudonym)
    except InvalidInput as error:
        listed = await editing.versions(session)
        return render(
            request,
            "research/questionnaires.html",
            status=422,
            versions=listed,
            error=gettext(request, error.text, **error.values),
        )
    return redirect(f"/research/questionnaires/{draft.id}/edit")


@router.post("/questionnaires/check")
async def check(request: Request, _: Researcher, data: dict[str, Any]) -> Checked:
    """Say what is wrong with a questionnaire without saving it."""
    return Checked(problems=_problems(request, mistakes_in(data)))


@router.get("/questionnaires/{version_id}", include_in_schema=False)
async def version_page(request: Request, session: Session, _: Researcher, version_id: VersionId) -> Response:
    version = await editing.version(session, version_id)
    language = language_of(request)
    return render(request, "research/questionnaire.html", version=version, **_preview(language, version.content))


@router.get("/questionnaires/{version_id}/preview", include_in_schema=False)
async def preview(
    request: Request,
    session: Session,
    _: Researcher,
    version_id: VersionId,
    language: Annotated[str | None, Query(max_length=5)] = None,
) -> Response:
    """What a person would see, as a part of the editor's page, in a language."""
    version = await editing.version(session, version_id)
    chosen = language if language in LANGUAGES else language_of(request)
    page = environment(chosen).get_template("research/_questionnaire_preview.html")
    return HTMLResponse(page.render(**_preview(chosen, version.content)), headers={"Cache-Control": "no-store"})


@router.get("/questionnaires/{version_id}/edit", include_in_schema=False)
async def edit_page(request: Request, session: Session, _: Researcher, version_id: VersionId) -> Response:
    version = await editing.version(session, version_id)
    if version.state != "draft":
        return redirect(f"/research/questionnaires/{version_id}")
    return render(
        request, "research/questionnaire_edit.html", version=version, fingerprint=fingerprint(version.content)
    )


@router.get("/questionnaires/{version_id}/publish", include_in_schema=False)
async def publish_page(request: Request, session: Session, _: Researcher, version_id: VersionId) -> Response:
    """Asks before anything is published: what goes out of use, and what changes for those who are asked next."""
    version = await editing.version(session, version_id)
    if version.state == "published":
        return redirect(f"/research/questionnaires/{version_id}")
    before = await editing.in_use(session, version)
    problems = _problems(request, mistakes_in(version.content))
    return render(
        request,
        "research/questionnaire_publish.html",
        version=version,
        before=before,
        problems=problems,
        # A draft with mistakes cannot be published, so nobody needs to know what that would change.
        changes=[] if problems else changes(*map(Questionnaire.model_validate, (before.content, version.content))),
    )


@router.get("/questionnaires/{version_id}/export.json")
async def export(session: Session, _: Researcher, version_id: VersionId) -> Response:
    """The questionnaire as JSON, as `import` takes it."""
    version = await editing.version(session, version_id)
    name = f"questionnaire-{version.purpose}-{version.number}.json"
    text = json.dumps(version.content, ensure_ascii=False, indent=2) + "\n"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/json", headers=headers)


@router.put("/questionnaires/{version_id}")
async def save_draft(
    request: Request,
    session: Session,
    who: Researcher,
    version_id: VersionId,
    data: dict[str, Any],
    base: Annotated[str | None, Query(max_length=64)] = None,
) -> Checked:
    """Replace a draft's content, mistakes included, and list them. What is no questionnaire at all is not saved."""
    draft, found = await editing.change_draft(session, version_id, data, who.pseudonym, base)
    return Checked(
        problems=_problems(request, found),
        saved=all(mistake.may_be_kept for mistake in found),
        fingerprint=fingerprint(draft.content),
    )


@router.post("/questionnaires/{version_id}", include_in_schema=False)
async def act(
    session: Session,
    who: Researcher,
    version_id: VersionId,
    then: Annotated[str, Form()],
    instead_of: Annotated[int | None, Form(ge=1, le=2**63 - 1)] = None,
) -> Response:
    """Publish instead of the version in use, retire, copy into a new draft, or delete a draft."""
    if then == "copy":
        version = await editing.version(session, version_id)
        draft = await editing.create_draft(session, version.content, who.pseudonym)
        return redirect(f"/research/questionnaires/{draft.id}/edit")
    if then == "publish":
        if instead_of is None:
            return redirect(f"/research/questionnaires/{version_id}/publish")
        await editing.publish(session, version_id, instead_of, who.pseudonym)
    elif then == "retire":
        await editing.retire(session, version_id, who.pseudonym)
    elif then == "delete":
        await editing.delete_draft(session, version_id, who.pseudonym)
    else:
        raise InvalidInput
    return redirect("/research/questionnaires")


@router.get("/coding", include_in_schema=False)
async def coding_page(
    request: Request, session: Session, who: Researcher, coded: Annotated[bool, Query()] = False
) -> Response:
    return render(
        request,
        "research/coding.html",
        answers=await coding.to_code(session, who.pseudonym, only_open=not coded),
        pairs=await coding.agreements(session),
        codes=list(Code),
        coded=coded,
    )


@router.post("/coding/{answer_id}", include_in_schema=False)
async def code_answer(
    session: Session, who: Researcher, answer_id: VersionId, code: Annotated[str, Form()]
) -> Response:
    await coding.code(session, answer_id, who.pseudonym, code)
    return redirect("/research/coding")


@router.get("/answers", response_class=Response)
async def answers_page(
    request: Request,
    session: Session,
    _: Researcher,
    words: Annotated[str, Query(max_length=200)] = "",
    before: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
) -> Response:
    """Free answers, searched by words."""
    asked = words.replace("\x00", "")
    found = await search(session, asked, before)
    older = found[-1].id if len(found) == SHOWN else None
    language = language_of(request)
    seats = {
        game: (await open_game(session, game)).texts(language).seats for game in {one.game for one in found} if game
    }
    return render(request, "research/answers.html", answers=found, seats=seats, words=asked, before=before, older=older)


def _preview(language: str, content: dict[str, Any]) -> dict[str, Any]:
    """What a person would see, with nothing answered."""
    questionnaire, hidden = shown(content)
    return {
        "content": questionnaire,
        "hidden": hidden,
        "parts": [
            (scope, fields(questionnaire, {}, 1 if scope == "seat" else None, scope))
            for scope in ("seat", "match", "person")
            if any(item.scope == scope for item in questionnaire.items)
        ],
        "countries": countries(language),
    }
