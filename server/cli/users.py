"""grintu user: create, list, change and delete accounts. What changes something is in the audit log."""

from __future__ import annotations

import secrets
from typing import Annotated

import typer
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts import repository, second_factor, service
from server.accounts.addresses import normalise
from server.accounts.audit import COMMAND_LINE, audit
from server.accounts.mails import FACTOR_OFF, PASSWORD_CHANGED, changed_mail
from server.accounts.models import Account, Role
from server.accounts.passwords import SHORTEST
from server.base.errors import Conflict, NotFound
from server.cli.shell import in_transaction, read_settings

app = typer.Typer(no_args_is_help=True)
user = typer.Typer(no_args_is_help=True, help="Create and change accounts.")
app.add_typer(user, name="user")


@app.callback()
def group() -> None:
    """Accounts."""


def address(text: str) -> str:
    try:
        return normalise(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None


Email = Annotated[str, typer.Argument(callback=address, help="Email address.")]
NewPassword = Annotated[
    str | None,
    typer.Option(envvar="GRINTU_NEW_PASSWORD", help="Without it one is generated and printed.", show_default=False),
]


@user.command()
def create(
    email: Email,
    role: Annotated[Role, typer.Option(help="What the account may do.")] = Role.PROBAND,
    password: NewPassword = None,
) -> None:
    """Create a confirmed account, for example the first admin."""
    chosen = _acceptable(password)

    async def work(session: AsyncSession) -> None:
        account = await service.create_account(session, email, chosen, role=role, confirmed=True)
        if account is None:
            raise Conflict("There is an account with this address already.")
        made = await repository.by_id(session, account.id)
        assert made is not None
        audit(session, COMMAND_LINE, "account.create", made.person.pseudonym, {"role": role.value})

    in_transaction(work)
    typer.echo(f"Created the {role.value} {email}.")
    if password is None:
        typer.echo(f"Password: {chosen}")


@user.command("password")
def change_password(
    email: Email,
    password: NewPassword = None,
) -> None:
    """Give an account a new password and end all its sessions, for somebody who cannot get mail."""
    chosen = _acceptable(password)

    async def work(session: AsyncSession) -> None:
        account = await repository.by_id(session, (await _found(session, email)).id)
        assert account is not None
        await service.change_password(session, account, chosen)
        await changed_mail(session, read_settings(), account, PASSWORD_CHANGED)
        audit(session, COMMAND_LINE, "account.password", account.person.pseudonym)

    in_transaction(work)
    typer.echo(f"{email} has a new password.")
    if password is None:
        typer.echo(f"Password: {chosen}")


@user.command("second-factor-off")
def second_factor_off(email: Email) -> None:
    """Turn the second factor of an account off, for somebody who has lost phone and recovery codes."""

    async def work(session: AsyncSession) -> None:
        account = await repository.by_id(session, (await _found(session, email)).id, lock=True)
        assert account is not None
        second_factor.turn_off(account)
        await changed_mail(session, read_settings(), account, FACTOR_OFF)
        audit(session, COMMAND_LINE, "account.factor_off", account.person.pseudonym)

    in_transaction(work)
    typer.echo(f"{email} logs in with the password alone now.")


@user.command("list")
def list_accounts(
    search: Annotated[str, typer.Argument(help="Part of an address or pseudonym.")] = "",
    role: Annotated[Role | None, typer.Option()] = None,
) -> None:
    """List accounts, newest first."""

    async def work(session: AsyncSession) -> list[Account]:
        return (await repository.search(session, search, role, limit=1_000)).accounts

    for account in in_transaction(work):
        state = "confirmed" if account.confirmed_at else "unconfirmed"
        typer.echo(f"{account.email}\t{account.role}\t{account.person.pseudonym}\t{state}")


@user.command("role")
def change_role(email: Email, role: Role) -> None:
    """Give an account another role."""

    async def work(session: AsyncSession) -> None:
        await service.change_role(session, COMMAND_LINE, (await _found(session, email)).id, role)

    in_transaction(work)
    typer.echo(f"{email} is a {role.value} now.")


@user.command()
def delete(email: Email, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False) -> None:
    """Delete an account and everything that tells who the person is."""
    if not yes:
        typer.confirm(f"Delete {email} for good?", abort=True)

    async def work(session: AsyncSession) -> None:
        await service.delete_account(session, (await _found(session, email)).id, actor=COMMAND_LINE)

    in_transaction(work)
    typer.echo(f"Deleted {email}.")


def _acceptable(password: str | None) -> str:
    chosen = password or secrets.token_urlsafe(12)
    if len(chosen) < SHORTEST:
        raise typer.BadParameter(f"a password needs at least {SHORTEST} characters")
    return chosen


async def _found(session: AsyncSession, email: str) -> Account:
    account = await repository.by_email(session, email)
    if account is None:
        raise NotFound("There is no account with this address.")
    return account
