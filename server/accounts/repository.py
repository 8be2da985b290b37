"""Queries about persons and accounts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, exists, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import contains_eager

from server.accounts.models import Account, Person, Role
from server.accounts.pseudonyms import SIMULATED
from server.web.notices import notice


@notice("simulated")
async def anybody_simulated(session: AsyncSession) -> bool:
    return bool(await session.scalar(select(exists().where(Person.pseudonym.like(f"{SIMULATED}%")))))


async def by_email(session: AsyncSession, email: str, *, lock: bool = False) -> Account | None:
    """The account of a normalised address."""
    query = select(Account).where(Account.email == email)
    return await session.scalar(query.with_for_update() if lock else query)


async def by_id(session: AsyncSession, account_id: int, *, lock: bool = False) -> Account | None:
    """The account with its person."""
    query = select(Account).join(Account.person).options(contains_eager(Account.person)).where(Account.id == account_id)
    return await session.scalar(query.with_for_update(of=Account) if lock else query)


@dataclass(frozen=True, slots=True)
class AccountPage:
    accounts: list[Account]
    total: int


ORDERS: Final[Mapping[str, tuple[ColumnElement[Any], ...]]] = {
    "newest": (Account.id.desc(),),
    "oldest": (Account.id.asc(),),
    "address": (Account.email.asc(),),
    "-address": (Account.email.desc(),),
    "pseudonym": (Person.pseudonym.asc(),),
    "-pseudonym": (Person.pseudonym.desc(),),
    "state": (Account.confirmed_at.asc().nulls_first(), Account.id.asc()),
    "-state": (Account.confirmed_at.desc().nulls_last(), Account.id.asc()),
    "login": (Account.last_login_at.asc().nulls_first(), Account.id.asc()),
    "-login": (Account.last_login_at.desc().nulls_last(), Account.id.asc()),
    "role": (Account.role.asc(), Account.id.desc()),
    "-role": (Account.role.desc(), Account.id.desc()),
}
"""How accounts can be sorted."""


async def search(
    session: AsyncSession,
    text: str = "",
    role: Role | None = None,
    *,
    order: str = "newest",
    offset: int = 0,
    limit: int = 50,
) -> AccountPage:
    """Accounts whose address or pseudonym contains `text`, in one of the ORDERS."""
    conditions: list[ColumnElement[bool]] = []
    if text:
        conditions.append(
            or_(Account.email.icontains(text, autoescape=True), Person.pseudonym.icontains(text, autoescape=True))
        )
    if role is not None:
        conditions.append(Account.role == role.value)
    base = select(Account).join(Account.person).where(*conditions)
    total = await session.scalar(select(func.count()).select_from(base.subquery()))
    query = base.options(contains_eager(Account.person)).order_by(*ORDERS[order]).offset(offset).limit(limit)
    return AccountPage(list(await session.scalars(query)), total or 0)


async def admins_at_work(session: AsyncSession) -> set[int]:
    """Who was invited and has not come yet is none. Locks the rows, so that two cannot step down at the same moment."""
    query = select(Account.id).where(Account.role == Role.ADMIN.value, Account.confirmed_at.is_not(None))
    return set(await session.scalars(query.order_by(Account.id).with_for_update()))
