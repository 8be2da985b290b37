"""All routes about accounts, by what people do."""

from __future__ import annotations

from fastapi import APIRouter

from server.accounts import routes_admin, routes_entry, routes_own, routes_recovery

router = APIRouter(tags=["accounts"])
for part in (routes_entry, routes_recovery, routes_own, routes_admin):
    router.include_router(part.router)
