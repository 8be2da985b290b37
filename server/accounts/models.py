"""Persons and accounts.

A person is a pseudonym that research data point to. An account is everything that tells who the person is. Deleting an
account therefore leaves books, answers and ratings in place, with nobody behind the pseudonym.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, LargeBinary, Text
from sqlalchemy.orm import Mapped, mapped_column, relationship

from server.database import Base, CreatedAt, Key


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
