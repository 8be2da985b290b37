"""What can be done with accounts. Nothing here commits: the request, or the command, is the unit of work."""

from __future__ import annotations

import secrets

from pydantic import JsonValue
from sqlalchemy import text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts import owndata, passwords, repository
from server.accounts.audit import audit
from server.accounts.models import Account, Person, Role
from server.accounts.pseudonyms import new_pseudonym
from server.accounts.sessions import Identity, end_all_sessions
from server.base.clock import now
from server.base.errors import N_, Conflict, NotFound


async def create_person(session: AsyncSession) -> Person:
    """A new pseudonym with nobody behind it yet."""
    while True:
        query = insert(Person).values(pseudonym=new_pseudonym(), created_at=now()).on_conflict_do_nothing()
        person: Person | None = await session.scalar(query.returning(Person))
        if person is not None:
            return person


async def create_account(
    session: AsyncSession,
    email: str,
    password: str,
    *,
    role: Role = Role.PROBAND,
    language: str = "en",
    confirmed: bool = False,
) -> Account | None:
    """A new account with a new pseudonym, or None if the address is taken. `email` must be normalised."""
    hashed = await passwords.hash_password(password)
    person = await create_person(session)
    query = (
        insert(Account)
        .values(
            person_id=person.id,
            email=email,
            password_hash=hashed,
            role=role.value,
            language=language,
            created_at=now(),
            confirmed_at=now() if confirmed else None,
        )
        .on_conflict_do_nothing(index_elements=[Account.email])
        .returning(Account)
    )
    account = await session.scalar(query)
    if account is None:
        await session.delete(person)
        await session.flush()
    return account


# One registration of an address at a time, and the same statements whether it is known or not: what an answer waits for
# must not tell.
ONE_AT_A_TIME = text("SELECT pg_advisory_xact_lock(hashtextextended(:email, 0))")
ENROL = text("""
WITH person AS (
    INSERT INTO persons (pseudonym, created_at)
    SELECT :pseudonym, :now WHERE NOT EXISTS (SELECT FROM accounts WHERE email = :email)
    ON CONFLICT DO NOTHING RETURNING id
)
INSERT INTO accounts (person_id, email, password_hash, role, language, created_at)
SELECT id, :email, :hashed, :role, :language, :now FROM person
ON CONFLICT (email) DO NOTHING RETURNING id
""")


async def enrol(session: AsyncSession, email: str, password: str, language: str) -> tuple[Account, bool]:
    """The account of an address that somebody registers, and whether it is a new one. `email` must be normalised."""
    hashed = await passwords.hash_password(password)
    await session.execute(ONE_AT_A_TIME, {"email": email})
    values = {"email": email, "hashed": hashed, "role": Role.PROBAND.value, "language": language, "now": now()}
    while True:
        made = await session.scalar(ENROL, values | {"pseudonym": new_pseudonym()})
        account = await repository.by_email(session, email)
        if account is not None:  # else the pseudonym is somebody's already
            return account, made is not None


async def invite(session: AsyncSession, actor: Identity, email: str, role: Role, language: str) -> Account | None:
    """An account whose owner still has to choose a password, or None if the address is taken."""
    account = await create_account(session, email, secrets.token_urlsafe(32), role=role, language=language)
    if account is not None:
        person = await session.get_one(Person, account.person_id)
        audit(session, actor, "account.invite", person.pseudonym, {"role": role.value})
    return account


async def check_password(session: AsyncSession, email: str, password: str) -> Account | None:
    """The account if address and password fit; takes equally long if they do not."""
    stored = await _stored_hash(session, email)
    if not await passwords.verify(password, stored) or stored is None:
        return None
    renewed = await passwords.hash_password(password) if passwords.outdated(stored) else None
    account = await repository.by_email(session, email)
    if account is None or account.password_hash != stored:
        return None  # deleted or changed at this very moment
    if renewed is not None:
        account.password_hash = renewed
    return account


async def _stored_hash(session: AsyncSession, email: str) -> str | None:
    """Read in a session of its own that ends at once: who waits for a hash must not hold a connection meanwhile, or a
    class that logs in takes all of them and stops those who play."""
    async with AsyncSession(session.bind) as reading:
        account = await repository.by_email(reading, email)
        return account.password_hash if account else None


async def confirm(session: AsyncSession, account_id: int, email: str, password: str) -> Account | None:
    """Mark the address as confirmed; again changes nothing. None if the password is wrong, or the account gone."""
    account = await check_password(session, email, password)
    if account is None or account.id != account_id:
        return None
    account.confirmed_at = account.confirmed_at or now()
    return account


async def change_password(session: AsyncSession, account: Account, password: str, *, keep: int | None = None) -> None:
    """Set a new password and end every log-in except the session `keep`."""
    account.password_hash = await passwords.hash_password(password)
    await end_all_sessions(session, account.id, but=keep)


async def change_role(session: AsyncSession, actor: Identity | str, account_id: int, role: Role) -> Account:
    """Give an account another role. The last admin cannot step down."""
    admins = await repository.admins_at_work(session)
    account = await repository.by_id(session, account_id, lock=True)
    if account is None:
        raise NotFound(N_("There is no such account."))
    if role is not Role.ADMIN and admins == {account.id}:
        raise Conflict(N_("The last admin cannot be changed. Make somebody else an admin first."))
    details: dict[str, object] = {"from": account.role, "to": role.value}
    audit(session, actor, "account.role", account.person.pseudonym, details)
    account.role = role.value
    return account


async def delete_account(session: AsyncSession, account_id: int, *, actor: Identity | str | None = None) -> None:
    """Delete everything that tells who the person is. Games, answers and ratings stay under the pseudonym.

    `actor` is given when somebody else than the person does it; that goes into the audit log.
    """
    admins = await repository.admins_at_work(session)
    account = await repository.by_id(session, account_id, lock=True)
    if account is None:
        raise NotFound(N_("There is no such account."))
    if admins == {account.id}:
        raise Conflict(N_("The last admin cannot be deleted. Make somebody else an admin first."))
    if actor is not None:
        audit(session, actor, "account.delete", account.person.pseudonym)
    await owndata.erase(session, account.person_id, "account")
    await session.delete(account)
    await session.flush()


async def about(session: AsyncSession, account_id: int) -> tuple[int, dict[str, JsonValue]]:
    """The person behind an account, and what the account itself holds."""
    account = await repository.by_id(session, account_id)
    if account is None:
        raise NotFound(N_("There is no such account."))
    return account.person_id, {
        "email": account.email,
        "pseudonym": account.person.pseudonym,
        "role": account.role,
        "language": account.language,
        "created_at": account.created_at.isoformat(),
        "confirmed_at": account.confirmed_at.isoformat() if account.confirmed_at else None,
        "last_login_at": account.last_login_at.isoformat() if account.last_login_at else None,
        "second_factor": account.second_factor is not None,
    }
