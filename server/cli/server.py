"""grintu serve, worker and migrate."""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import Annotated

import structlog
import typer
import uvicorn
from fastapi import FastAPI

from server import logs
from server.app import create_app
from server.database import hosted
from server.migrate import migrate as run_migrations
from server.settings import Settings

app = typer.Typer(no_args_is_help=True)
log = structlog.get_logger()

# Thousands of connections mean many long-lived objects: with the default thresholds collecting them pauses the process
# for most of a second.
GC_THRESHOLDS = (100_000, 20, 1000)


def application() -> FastAPI:
    """What every server process runs."""
    settings = Settings()
    logs.configure(settings)
    made = create_app(settings)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    return made


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, help="Server processes.")] = 1,
    demo: Annotated[bool, typer.Option("--demo", help="Create a demo study; never for real data.")] = False,
) -> None:
    """Serve the platform; migrates the database first."""
    if demo:
        os.environ["GRINTU_DEMO"] = "true"
    settings = Settings()
    logs.configure(settings)
    # Uvicorn raises the signal that ended it once more; then we still want to stop Postgres in order.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with hosted(settings) as url:
        run_migrations(url)
        uvicorn.run(
            "server.cli.server:application",
            factory=True,
            host=host,
            port=port,
            workers=workers,
            loop="uvloop",
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            ws_max_size=1024 * 1024,
            forwarded_allow_ips=settings.trusted_proxies,
            timeout_graceful_shutdown=10,
            server_header=False,
            access_log=False,
            log_config=None,
        )


@app.command()
def migrate() -> None:
    """Bring the database to the newest schema."""
    settings = Settings()
    logs.configure(settings)
    with hosted(settings) as url:
        run_migrations(url)
    typer.echo("The database has the newest schema.")
