"""Persons and accounts.

A person is a pseudonym that research data point to. An account is everything that tells who the person is. Deleting an
account therefore leaves books, answers and ratings in place, with nobody behind the pseudonym.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, Text
from sqlalchemy import text as sql
from sqlalchemy.orm import Mapped, mapped_column, relationship

from server.storage.database import Base, CreatedAt, Key


class Role(StrEnum):
    PROBAND = "proband"
    RESEARCHER = "researcher"
    ADMIN = "admin"

    def includes(self, other: Role) -> bool:
        """An admin may do what a researcher may do, and a researcher what a proband may do."""
        order = list(Role)
        return order.index(self) >= order.index(other)

    @property
    def start(self) -> str:
        """The page where the role's work is; who logs in without wanting another one comes here."""
        return {Role.PROBAND: "/", Role.RESEARCHER: "/research", Role.ADMIN: "/admin"}[self]


ROLE_CHECK = f"role IN ({', '.join(repr(role.value) for role in Role)})"


class Person(Base):
    __tablename__ = "persons"

    id: Mapped[Key]
    pseudonym: Mapped[str] = mapped_column(Text, unique=True)
    created_at: Mapped[CreatedAt]


class Account(Base):
    __tablename__ = "accounts"
    __table_args__ = (CheckConstraint(ROLE_CHECK, name="role_known"),)

    id: Mapped[Key]
    person_id: Mapped[int] = mapped_column(ForeignKey("persons.id"), unique=True)
    email: Mapped[str] = mapped_column(Text, unique=True)
    password_hash: Mapped[str] = mapped_column(Text)
    role: Mapped[str] = mapped_column(Text, default=Role.PROBAND.value)
    language: Mapped[str] = mapped_column(Text, default="en")
    created_at: Mapped[CreatedAt]
    confirmed_at: Mapped[datetime | None]
    last_login_at: Mapped[datetime | None]
    second_factor: Mapped[str | None] = mapped_column(Text)
    """The shared secret, sealed; without one the password is enough."""
    second_factor_step: Mapped[int | None]
    """The half minute whose code was used last."""
    recovery_codes: Mapped[list[Any]] = mapped_column(default=list, server_default=sql("'[]'"))
    """Hashes of those that are left."""

    person: Mapped[Person] = relationship(lazy="raise")


class AccountSession(Base):
    """One log-in. The cookie carries a random token; here is only its hash, so a stolen table opens nothing."""

    __tablename__ = "account_sessions"
    __table_args__ = (Index("ix_account_sessions_account_id", "account_id"),)

    id: Mapped[Key]
    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"))
    token_hash: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    created_at: Mapped[CreatedAt]
    expires_at: Mapped[datetime]
    """Moves on with use, as far as the longest life of a log-in."""
    seen_at: Mapped[datetime | None]
    proved_at: Mapped[datetime | None]
    """When password or code were asked for last; some things want that to be recent."""
    device: Mapped[str | None] = mapped_column(Text)


class AuditEntry(Base):
    """What an admin did. The actor's pseudonym stays when the account goes."""

    __tablename__ = "audit_log"
    __table_args__ = (Index("ix_audit_log_at", "at"),)

    id: Mapped[Key]
    at: Mapped[CreatedAt]
    actor: Mapped[str] = mapped_column(Text)
    action: Mapped[str] = mapped_column(Text)
    target: Mapped[str] = mapped_column(Text)
    details: Mapped[dict[str, Any]]


class RateLimit(Base):
    """A bucket of permits that refills with time; one row per kind and subject."""

    __tablename__ = "rate_limits"

    bucket: Mapped[str] = mapped_column(Text, primary_key=True)
    permits: Mapped[float]
    updated_at: Mapped[CreatedAt]


class SecurityEvent(Base):
    """How often something suspicious happened in an hour, to whom; counted, so that nobody can fill the table."""

    __tablename__ = "security_events"

    hour: Mapped[datetime] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(Text, primary_key=True)
    subject: Mapped[str] = mapped_column(Text, primary_key=True)
    """A pseudonym, or nothing where nobody is known."""
    times: Mapped[int]
    last_at: Mapped[datetime]


class LoginMark(Base):
    """A salted trace of a browser or of a network with a kind of browser from which an account logged in.

    Two accounts with the same one may be one person's. It goes with the account.
    """

    __tablename__ = "login_marks"
    __table_args__ = (Index("ix_login_marks_mark", "mark"),)

    account_id: Mapped[int] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), primary_key=True)
    mark: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    kind: Mapped[str] = mapped_column(Text)
    last_at: Mapped[datetime]
