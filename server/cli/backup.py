"""grintu backup and grintu restore."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from server.backup.archive import Manifest
from server.backup.programs import Programs, Report
from server.backup.sealing import new_key, read_key
from server.backup.service import back_up, look_over, note
from server.backup.service import restore as put_back
from server.backup.signing import new_signer, read_private, read_public, sign, verify
from server.cli.shell import read_settings
from server.storage.database import hosted
from server.storage.postgres import BINARIES

app = typer.Typer(no_args_is_help=True)

Folder = Annotated[
    Path, typer.Option("--programs", help="Folder of pg_dump, pg_restore and psql.", show_default="the embedded ones")
]
Key = Annotated[
    Path | None,
    typer.Option(
        "--key", help="File with the key that seals the backup; `grintu backup-key` makes one.", show_default=False
    ),
]
Signer = Annotated[
    Path | None,
    typer.Option(
        "--sign", help="File with the private key that signs; `grintu backup-signer` makes one.", show_default=False
    ),
]
Signed = Annotated[
    Path | None,
    typer.Option("--signed-by", help="File with the public key of who must have signed it.", show_default=False),
]
Quiet = Annotated[bool, typer.Option("--quiet", help="Do not tell the progress.")]


@app.command()
def backup(
    out: Annotated[Path, typer.Option("--out", help="File to write; must not exist.", show_default=False)],
    programs: Folder = BINARIES,
    key: Key = None,
    signer: Signer = None,
    quiet: Quiet = False,
) -> None:
    """Write everything in the database to one file, as it is at this moment; servers may go on running."""
    _end_in_order()
    secret = read_key(key) if key else None
    private = read_private(signer) if signer else None
    with hosted(read_settings()) as url:
        manifest = asyncio.run(back_up(Programs(url, programs), out, _reporter(quiet), secret))
        if private:
            sign(out, private)
        asyncio.run(note(url, "backup.write", out))
    typer.echo(f"Wrote {out}: {_told(manifest)}, {manifest.bytes / 1e6:.1f} MB.")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file that `grintu backup` wrote.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Replace the data that are there.")] = False,
    programs: Folder = BINARIES,
    key: Key = None,
    signed: Signed = None,
    quiet: Quiet = False,
) -> None:
    """Put a backup into the database, all or nothing, and bring it to the newest schema; servers must be stopped."""
    _end_in_order()
    secret = read_key(key) if key else None
    if signed:
        verify(file, read_public(signed))
    with hosted(read_settings()) as url:
        manifest = asyncio.run(put_back(Programs(url, programs), file, _reporter(quiet), force=force, key=secret))
        asyncio.run(look_over(url))
        asyncio.run(note(url, "backup.restore", file))
    typer.echo(f"Restored {file}: {_told(manifest)}. All log-ins have ended.")
    typer.echo(
        "Accounts that were here keep their passwords and second factors of now; those of all others are the backup's: "
        "whoever has changed one since then must do so again."
    )


@app.command("backup-key")
def backup_key(
    out: Annotated[Path, typer.Option("--out", help="File to write; must not exist.", show_default=False)],
) -> None:
    """Make a key for sealed backups. Without it they cannot be restored: keep it elsewhere."""
    new_key(out)
    typer.echo(f"Wrote {out}. Keep a copy where neither the server nor the backups are.")


@app.command("backup-signer")
def backup_signer(
    out: Annotated[Path, typer.Option("--out", help="File to write; must not exist.", show_default=False)],
) -> None:
    """Make a pair of keys for signed backups: the private one signs, whoever has the public one can check."""
    public = new_signer(out)
    typer.echo(f"Wrote {out} and {public}. Give the second to whoever shall check your backups.")


@app.command("backup-verify")
def backup_verify(
    file: Annotated[Path, typer.Argument(help="A backup with its signature beside it.", show_default=False)],
    signed: Annotated[Path, typer.Option("--signed-by", help="File with the signer's public key.", show_default=False)],
) -> None:
    """Tell whether a backup was signed by this key and not changed since; it need not be opened for that."""
    verify(file, read_public(signed))
    typer.echo(f"{file} was signed by {signed} and has not been changed since.")


def _told(manifest: Manifest) -> str:
    rows = manifest.contents.rows
    return (
        f"{sum(rows.values())} rows in {len(rows)} tables of {manifest.when:%Y-%m-%d %H:%M %Z}, "
        f"schema {manifest.contents.revision}"
    )


def _reporter(quiet: bool) -> Report:
    def tell(table: str) -> None:
        if not quiet:
            typer.echo(f"  {table}", err=True)

    return tell


def _end_in_order() -> None:
    """A stopped command cleans up: no half file stays, and the embedded Postgres is left in order."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
