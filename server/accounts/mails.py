"""The texts of the mails about accounts, in the language of the page that caused them; each goes into the outbox."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from sqlalchemy.ext.asyncio import AsyncSession
from starlette.background import BackgroundTask
from starlette.requests import Request

from server.accounts import repository
from server.accounts.links import confirm_link, invite_link, reset_link
from server.accounts.models import Account
from server.base.clock import now
from server.base.errors import N_
from server.base.settings import Settings
from server.mail.models import Mail
from server.mail.outbox import deliver, post
from server.storage.database import Database
from server.web.rendering import gettext
from server.web.times import moment
from server.web.translations import translations


async def confirm_mail(
    request: Request, session: AsyncSession, settings: Settings, account: Account, next_page: str = ""
) -> Mail:
    body = gettext(
        request,
        "Welcome to GRINTU.\n\nPlease confirm your email address on this page:\n%(link)s\n\n"
        "If you did not register, ignore this mail; without confirmation the account stays unusable.\n",
        link=confirm_link(account, settings, next_page),
    )
    return await post(session, account, "confirm", gettext(request, "Confirm your email address"), body)


async def known_address_mail(request: Request, session: AsyncSession, settings: Settings, account: Account) -> Mail:
    """Somebody registered with an address that has an account: only its owner may learn that."""
    body = gettext(
        request,
        "Somebody, probably you, wanted to register at GRINTU with this address, but it has an account already.\n\n"
        "Log in here:\n%(login)s\n\nIf you have forgotten the password, choose a new one here:\n%(link)s\n\n"
        "If it was not you, ignore this mail; nothing has changed.\n",
        login=f"{settings.base_url}/login",
        link=reset_link(account, settings),
    )
    return await post(session, account, "known address", gettext(request, "You have an account already"), body)


async def reset_mail(request: Request, session: AsyncSession, settings: Settings, account: Account) -> Mail:
    body = gettext(
        request,
        "A new password was asked for at GRINTU. Choose it on this page:\n%(link)s\n\n"
        "If it was not you, ignore this mail; the old password stays valid.\n",
        link=reset_link(account, settings),
    )
    return await post(session, account, "reset", gettext(request, "Choose a new password"), body)


async def invite_mail(request: Request, session: AsyncSession, settings: Settings, account: Account) -> Mail:
    body = gettext(
        request,
        "You are invited to take part in GRINTU. Choose a password on this page, and your account is ready:\n"
        "%(link)s\n\nIf you do not want to take part, ignore this mail; the account is deleted again.\n",
        link=invite_link(account, settings),
    )
    return await post(session, account, "invite", gettext(request, "Your invitation"), body)


PASSWORD_CHANGED = N_("The password of your account was changed")
FACTOR_OFF = N_("The second factor of your account was turned off")
FACTOR_ON = N_("The second factor of your account was turned on")
CHANGED = N_(
    "%(what)s on %(when)s.\n\nIf it was you, there is nothing to do.\n"
    "If it was not you, choose a new password at once, which ends all log-ins:\n%(link)s\n"
)


async def changed_mail(session: AsyncSession, settings: Settings, account: Account, what: str) -> Mail:
    """That something about the account's safety has changed, in the owner's language: whoever did it may be another."""
    say = translations(account.language).ugettext
    body = say(CHANGED) % {
        "what": say(what),
        "when": moment(now(), account.language),
        "link": f"{settings.base_url}/password/forgot",
    }
    return await post(session, account, "changed", say(what), body)


Write = Callable[[Request, AsyncSession, Settings, Account], Awaitable[Mail]]


def unseen(
    request: Request, database: Database, settings: Settings, address: str, write: Write, *, if_confirmed: bool = True
) -> BackgroundTask:
    """Mail the owner of an address, if there is one, after the answer: else its time would tell whether there is."""

    async def look_and_write() -> None:
        async with database.transaction() as session:
            account = await repository.by_email(session, address)
            if account is None or (account.confirmed_at is not None and not if_confirmed):
                return
            mail = await write(request, session, settings, account)
        await deliver(database, settings, mail.id)

    return BackgroundTask(look_and_write)
