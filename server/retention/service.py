"""What happens to accounts that nobody uses: inactive, then a mail, then deletion. A plan says it, then it is done.

Nobody is deleted without having been told: a notice counts from the moment its mail was delivered, and the deletion
waits until it is old enough, even after a long pause of the server. Admins are kept, and so are simulated persons:
nobody stands behind them to be told or forgotten.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, exists, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts.models import Account, AccountSession, Person, RateLimit, Role
from server.accounts.pseudonyms import SIMULATED
from server.accounts.service import delete_account
from server.base.clock import now
from server.base.errors import N_
from server.base.settings import Settings
from server.mail.models import Mail
from server.mail.outbox import after_delivery, post
from server.retention.models import RetentionNotice
from server.study.settings import read_settings
from server.web import times
from server.web.translations import translations

NOTICE: Final = timedelta(days=14)
OCCASION: Final = "retention"
SUBJECT: Final = N_("Your GRINTU account will be deleted")
BODY: Final = N_(
    "You have not logged in at GRINTU since %(last)s.\n\n"
    "On %(day)s your account and everything that tells who you are will be deleted."
    " Your games and answers stay without any link to you.\n\n"
    "To keep the account, log in once:\n%(link)s\n"
)


@dataclass(frozen=True)
class Affected:
    """An account and since when it was not used."""

    account_id: int
    pseudonym: str
    last_used: datetime


@dataclass(frozen=True)
class Plan:
    """What retention would do now."""

    at: datetime
    inactive: list[Affected] = field(default_factory=list)
    notify: list[Affected] = field(default_factory=list)
    delete: list[Affected] = field(default_factory=list)
    unconfirmed: list[Affected] = field(default_factory=list)


async def plan(session: AsyncSession, settings: Settings) -> Plan:
    """Look at every account; change nothing."""
    study = await read_settings(session)
    at = now()
    made = Plan(at)
    last_used = func.coalesce(Account.last_login_at, Account.created_at)
    query = (
        select(Account, Person.pseudonym, last_used, RetentionNotice.sent_at)
        .join(Person, Person.id == Account.person_id)
        .outerjoin(RetentionNotice, RetentionNotice.account_id == Account.id)
        .add_columns(exists().where(Mail.account_id == Account.id, Mail.occasion == OCCASION))
        .where(last_used < at - min(study.inactive_after, 2 * settings.confirm_lifetime))
        .where(Account.role != Role.ADMIN.value, Person.pseudonym.not_like(f"{SIMULATED}%"))
        .order_by(Account.id)
    )
    for account, pseudonym, last, told, on_its_way in await session.execute(query):
        affected = Affected(account.id, pseudonym, last)
        valid_notice = told is not None and told > last
        if account.confirmed_at is None:
            if last < at - 2 * settings.confirm_lifetime:
                made.unconfirmed.append(affected)
        elif valid_notice and last < at - study.erase_after and told <= at - NOTICE:
            made.delete.append(affected)
        elif not valid_notice and not on_its_way and last < at - study.erase_after + NOTICE:
            made.notify.append(affected)
        elif last < at - study.inactive_after:
            made.inactive.append(affected)
    return made


async def carry_out(session: AsyncSession, settings: Settings) -> Plan:
    """Do what the plan says. Doing it again changes nothing more."""
    made = await plan(session, settings)
    study = await read_settings(session)
    for affected in made.delete + made.unconfirmed:
        await delete_account(session, affected.account_id, actor="retention")
    for affected in made.notify:
        account = await session.get_one(Account, affected.account_id)
        words = translations(account.language)
        day = max(affected.last_used + study.erase_after, made.at + NOTICE)
        body = words.ugettext(BODY) % {
            "last": times.day(affected.last_used, account.language),
            "day": times.day(day, account.language),
            "link": f"{settings.base_url}/login",
        }
        await post(session, account, OCCASION, words.ugettext(SUBJECT), body)
    await session.execute(delete(AccountSession).where(AccountSession.expires_at < made.at))
    await session.execute(delete(RateLimit).where(RateLimit.updated_at < made.at - study.inactive_after))
    return made


@after_delivery(OCCASION)
async def note(session: AsyncSession, mail: Mail) -> None:
    """The person has been told now; not if the mail was late and the person has logged in since it was written."""
    account = await session.get_one(Account, mail.account_id)
    if account.last_login_at is None or account.last_login_at <= mail.created_at:
        told = insert(RetentionNotice).values(account_id=account.id, sent_at=now())
        again = told.on_conflict_do_update(index_elements=[RetentionNotice.account_id], set_={"sent_at": now()})
        await session.execute(again)
