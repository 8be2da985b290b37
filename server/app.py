"""The application: middleware, error answers, and the routers of all domains."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware

from server.accounts.dependencies import identify, notice
from server.base import metrics
from server.base.domains import domain_modules
from server.base.logs import LogRequests
from server.base.settings import Settings
from server.programs.service import Programs
from server.storage.database import LONGEST_ANSWER, address, connect
from server.web import csrf, notices, refusals
from server.web.assets import Assets
from server.web.bodies import LimitBodies
from server.web.forwarded import NoticeProxies
from server.web.head_requests import AnswerHeads
from server.web.headers import SecurityHeaders

TITLE = "GRINTU"


def create_app(settings: Settings | None = None) -> FastAPI:
    """The app for `settings`, by default those of the environment.

    A domain's router may bring its own lifespan; by then `app.state.settings`, `database` and `programs` are there.
    """
    chosen = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with (
            address(chosen) as url,
            connect(
                url,
                size=chosen.database_pool,
                raw_size=chosen.database_raw_pool,
                longest=LONGEST_ANSWER,
                patience=chosen.database_patience,
            ) as database,
            Programs(chosen.programs_light, chosen.programs_heavy) as programs,
        ):
            app.state.database = database
            app.state.programs = programs
            watching = [asyncio.create_task(metrics.watch(app)), asyncio.create_task(metrics.feel_lag())]
            try:
                yield
            finally:
                for task in watching:
                    task.cancel()

    app = FastAPI(
        title=TITLE,
        lifespan=lifespan,
        dependencies=[Depends(csrf.check), Depends(identify), Depends(notices.know)],
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = chosen
    app.add_middleware(AnswerHeads)
    app.add_middleware(LimitBodies)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=chosen.allowed_hosts)
    app.add_middleware(SecurityHeaders, https=chosen.secure_cookies)
    app.add_middleware(NoticeProxies, notice=lambda _: app.state.events.notice("proxy.untrusted"))
    app.add_middleware(metrics.CountRequests)
    app.add_middleware(LogRequests)
    refusals.install(app, identify, notice)
    for domain in domain_modules("routes"):
        app.include_router(domain.router)
    app.mount("/assets", Assets(), name="assets")
    return app
