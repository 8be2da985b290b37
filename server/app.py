"""The application: middleware, error answers, and the routers of all domains."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI
from starlette.middleware.trustedhost import TrustedHostMiddleware

from server import csrf, metrics, refusals
from server.accounts.dependencies import identify
from server.assets import Assets
from server.bodies import LimitBodies
from server.database import address, connect
from server.domains import domain_modules
from server.headers import SecurityHeaders
from server.logs import LogRequests
from server.settings import Settings

TITLE = "GRINTU"


def create_app(settings: Settings | None = None) -> FastAPI:
    """The app for `settings`, by default those of the environment.

    A domain's router may bring its own lifespan; by then `app.state.settings` and `app.state.database` are there.
    """
    chosen = settings or Settings()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with (
            address(chosen) as url,
            connect(url, size=chosen.database_pool, raw_size=chosen.database_raw_pool) as database,
        ):
            app.state.database = database
            watching = asyncio.create_task(metrics.watch(app))
            try:
                yield
            finally:
                watching.cancel()

    app = FastAPI(
        title=TITLE,
        lifespan=lifespan,
        dependencies=[Depends(csrf.check), Depends(identify)],
        docs_url=None,
        redoc_url=None,
    )
    app.state.settings = chosen
    app.add_middleware(LimitBodies)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=chosen.allowed_hosts)
    app.add_middleware(SecurityHeaders, https=chosen.secure_cookies)
    app.add_middleware(metrics.CountRequests)
    app.add_middleware(LogRequests)
    refusals.install(app)
    for domain in domain_modules("routes"):
        app.include_router(domain.router)
    app.mount("/assets", Assets(), name="assets")
    return app
