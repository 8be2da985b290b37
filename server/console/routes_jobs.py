"""The admins' page about background jobs."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from server.accounts.audit import audit
from server.accounts.dependencies import Admin, rationed
from server.jobs import queue
from server.web.dependencies import Session
from server.web.rendering import redirect, render

router = APIRouter(dependencies=[rationed("study-account")])
JobId = Annotated[int, Path(ge=1, le=2**63 - 1)]


@router.get("/admin/jobs", include_in_schema=False)
async def jobs_page(request: Request, session: Session, _: Admin) -> Response:
    return render(request, "admin/jobs.html", overview=await queue.overview(session))


@router.post("/admin/jobs/{job_id}/retry", response_class=Response)
async def retry(session: Session, who: Admin, job_id: JobId) -> Response:
    name = await queue.try_again(session, job_id)
    audit(session, who, "job.retry", f"{job_id} {name}")
    return redirect("/admin/jobs")


@router.post("/admin/jobs/{job_id}/discard", response_class=Response)
async def discard(session: Session, who: Admin, job_id: JobId) -> Response:
    name = await queue.discard(session, job_id)
    audit(session, who, "job.discard", f"{job_id} {name}")
    return redirect("/admin/jobs")
