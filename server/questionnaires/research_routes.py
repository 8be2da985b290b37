"""Pages where researchers make questionnaires and code half-open answers."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import APIRouter, Form, Path, Query, UploadFile
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from server.accounts.dependencies import Researcher, rationed
from server.base.errors import N_, InvalidInput
from server.questionnaires import coding, editing
from server.questionnaires.changes import changes
from server.questionnaires.content import Questionnaire, countries
from server.questionnaires.forms import fields
from server.questionnaires.models import Code
from server.questionnaires.searching import SHOWN, search
from server.web.dependencies import Session
from server.web.rendering import gettext, language_of, redirect, render

router = APIRouter(prefix="/research", dependencies=[rationed("study-account")])

MAX_UPLOAD = 512 * 1024
VersionId = Annotated[int, Path(ge=1, le=2**63 - 1)]


class Checked(BaseModel):
    """Whether a questionnaire is sound, and every mistake in it."""

    problems: list[str]


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
        draft = await editing.create_draft(session, editing.check(data), who.pseudonym)
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
async def check(_: Researcher, data: dict[str, Any]) -> Checked:
    """Say what is wrong with a questionnaire without saving it."""
    try:
        editing.check(data)
    except InvalidInput as error:
        return Checked(problems=error.english().split("\n"))
    return Checked(problems=[])


@router.get("/questionnaires/{version_id}", include_in_schema=False)
async def version_page(request: Request, session: Session, _: Researcher, version_id: VersionId) -> Response:
    version = await editing.version(session, version_id)
    return render(request, "research/questionnaire.html", version=version, **_preview(request, version.content))


@router.get("/questionnaires/{version_id}/edit", include_in_schema=False)
async def edit_page(request: Request, session: Session, _: Researcher, version_id: VersionId) -> Response:
    version = await editing.version(session, version_id)
    if version.state != "draft":
        return redirect(f"/research/questionnaires/{version_id}")
    return render(request, "research/questionnaire_edit.html", version=version)


@router.get("/questionnaires/{version_id}/publish", include_in_schema=False)
async def publish_page(request: Request, session: Session, _: Researcher, version_id: VersionId) -> Response:
    """Asks before anything is published: what goes out of use, and what changes for those who are asked next."""
    version = await editing.version(session, version_id)
    if version.state == "published":
        return redirect(f"/research/questionnaires/{version_id}")
    before = await editing.in_use(session, version)
    changed = changes(Questionnaire.model_validate(before.content), Questionnaire.model_validate(version.content))
    return render(request, "research/questionnaire_publish.html", version=version, before=before, changes=changed)


@router.get("/questionnaires/{version_id}/export.json")
async def export(session: Session, _: Researcher, version_id: VersionId) -> Response:
    """The questionnaire as JSON, as `import` takes it."""
    version = await editing.version(session, version_id)
    name = f"questionnaire-{version.purpose}-{version.number}.json"
    text = json.dumps(version.content, ensure_ascii=False, indent=2) + "\n"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type="application/json", headers=headers)


@router.put("/questionnaires/{version_id}")
async def save_draft(session: Session, who: Researcher, version_id: VersionId, data: dict[str, Any]) -> Response:
    """Replace a draft's content. Mistakes are listed and nothing is saved."""
    try:
        content = editing.check(data)
    except InvalidInput as error:
        return JSONResponse({"problems": error.english().split("\n")}, 422)
    await editing.change_draft(session, version_id, content, who.pseudonym)
    return JSONResponse({"problems": []})


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
        draft = await editing.create_draft(session, Questionnaire.model_validate(version.content), who.pseudonym)
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
    return render(request, "research/answers.html", answers=found, words=asked, before=before, older=older)


def _preview(request: Request, content: dict[str, Any]) -> dict[str, Any]:
    """What a person would see, with nothing answered."""
    questionnaire = Questionnaire.model_validate(content)
    return {
        "content": questionnaire,
        "parts": [
            (scope, fields(questionnaire, {}, 1 if scope == "seat" else None, scope))
            for scope in ("seat", "match", "person")
            if any(item.scope == scope for item in questionnaire.items)
        ],
        "countries": countries(language_of(request)),
    }
