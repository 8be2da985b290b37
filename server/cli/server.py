"""grintu serve, worker and migrate."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer
import uvicorn
from fastapi import FastAPI

from server.app import create_app
from server.base import logs, metrics
from server.base.errors import GrintuError
from server.base.settings import Settings
from server.cli.demo_study import create_demo
from server.cli.shell import read_settings
from server.live.wire.messages import MAX_FRAME
from server.storage.database import hosted
from server.storage.migrate import migrate as run_migrations
from server.storage.runas import Runner, die_with_parent
from server.storage.scratch import scratch_folder

app = typer.Typer(no_args_is_help=True)

# A collection stops the process for about a millisecond per ten thousand objects that it looks at. So it looks often at
# what is new, and seldom at all: thousands of matches are millions of objects.
GC_THRESHOLDS = (10_000, 10, 10)
# Programs' moves and explanations are computed in threads: so long they may keep the event loop waiting. With the
# default of 5 ms a hundredth of all answers took 12 ms instead of 3 while a thread computed, which was done no sooner.
SWITCH_SECONDS = 0.001
PATIENCE = 30.0


class CannotListen(GrintuError):  # noqa: N818 - the name says what happened
    message = "Cannot listen on port %(port)s of %(host)s: %(reason)s."


def application() -> FastAPI:
    """What every server process runs. If there are several, a killed parent leaves none behind on the port."""
    if multiprocessing.parent_process() is not None:
        die_with_parent()
    settings = Settings()
    logs.configure(settings)
    made = create_app(settings)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_SECONDS)
    return made


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8000,
    workers: Annotated[int, typer.Option(min=1, help="Server processes.")] = 1,
    demo: Annotated[bool, typer.Option("--demo", help="Create a demo study; never for real data.")] = False,
) -> None:
    """Serve the platform; migrates the database first. In demo mode a background worker runs beside it."""
    if demo:
        os.environ["GRINTU_DEMO"] = "true"
        os.environ.setdefault("GRINTU_BASE_URL", f"http://127.0.0.1:{port}")
    settings = read_settings()
    _require_address(host, port)
    # Uvicorn raises the signal that ended it once more; then we still want to stop Postgres in order.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with hosted(settings) as url, _shared_metrics(settings, workers), _background_worker(settings):
        settings.mark_demo()
        run_migrations(url)
        for caution in settings.cautions:
            typer.echo(f"Settings: {caution}", err=True)
        if settings.demo:
            _announce(settings, asyncio.run(create_demo(url)))
        uvicorn.run(
            "server.cli.server:application",
            factory=True,
            host=host,
            port=port,
            workers=workers,
            loop="uvloop",
            http="server.web.heads:BoundedHeads",
            ws="server.live.wire.frames:ShortProtocol",
            ws_per_message_deflate=False,
            ws_max_size=MAX_FRAME,
            forwarded_allow_ips=settings.trusted_proxies,
            timeout_graceful_shutdown=10,
            server_header=False,
            access_log=False,
            log_config=None,
        )


@app.command()
def worker(
    processes: Annotated[int, typer.Option(min=1, help="Processes for computations.")] = max(
        1, (os.cpu_count() or 2) - 1
    ),
) -> None:
    """Work off background jobs until stopped."""
    from server.jobs.worker import work  # the queue is needed by this command alone

    settings = read_settings()
    with hosted(settings) as url:
        run_migrations(url)
        asyncio.run(work(settings, processes=processes))


@app.command()
def migrate() -> None:
    """Bring the database to the newest schema."""
    settings = read_settings()
    with hosted(settings) as url:
        run_migrations(url)
    typer.echo("The database has the newest schema.")


def _require_address(host: str, port: int) -> None:
    """Say at once that nobody can listen there, not after Postgres was started and migrated."""
    try:
        kind, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.create_server(address[:2], family=kind):
            pass
    except socket.gaierror as error:
        raise CannotListen(host=host, port=port, reason=error.strerror) from None
    except OSError as error:
        raise CannotListen(host=host, port=port, reason=os.strerror(error.errno or 0)) from None


@contextmanager
def _shared_metrics(settings: Settings, workers: int) -> Iterator[None]:
    """Several processes count into one folder, so that any of them can tell the sum."""
    if workers == 1:
        yield
        return
    with scratch_folder(settings.data_dir / "metrics") as folder:
        os.environ[metrics.FOLDER_VARIABLE] = str(folder)
        yield


@contextmanager
def _background_worker(settings: Settings) -> Iterator[None]:
    """In demo mode one worker process that lives as long as the server."""
    if not settings.demo:
        yield
        return
    command = [sys.executable, "-m", "server.cli", "worker", "--processes", "1"]
    if shutil.which("setpriv"):
        command = Runner().command(command, die_with_parent="SIGTERM")
    process = subprocess.Popen(command, start_new_session=True)  # Ctrl-C is for the server, which then stops the worker
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _announce(settings: Settings, passwords: dict[str, str]) -> None:
    """Tell a newcomer how to log in; only at the first start, because only then the passwords are known."""
    if not passwords:
        typer.echo(
            f"Demo study at {settings.base_url}: the passwords were printed at the first start; "
            "`.venv/bin/grintu user password ADDRESS` gives an account a new one."
        )
        return
    typer.echo(f"\nDemo study created. Log in at {settings.base_url}/login with:")
    for address, password in passwords.items():
        typer.echo(f"  {address:<24} {password}")
    typer.echo(f"Mails are written to {settings.outbox}\n")
