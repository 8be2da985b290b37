"""Every setting of an installation in one class, read from GRINTU_* variables or a .env file.

What a study may change while it runs (waiting times, panel size, ...) is not here but in server/study/settings.py.
"""

from __future__ import annotations

import os
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from dotenv import dotenv_values
from pydantic import AfterValidator, BeforeValidator, Field, PositiveInt, SecretStr, model_validator
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

from server.base import wellformed

ROOT = Path(__file__).resolve().parents[2]
SHORTEST_SECRET = 32
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
ENV_FILE = ".env"
OTHERS = ("GRINTU_LIVE_", "GRINTU_NEW_PASSWORD")
"""How the names begin that others read: server/live/config.py, and the commands for accounts."""
PLACEHOLDERS = ("change-me", "changeme", "change_me", "secret-key", "password")
FEWEST_CHARACTERS = 10
"""Different ones in a secret; a random text of 32 practically always has more."""
DATA = ROOT / "data"
DEMO_MARKER = "demo"
"""The file in the data folder that says that its embedded database is a demo's, and at which address it is served."""


Duration = Annotated[timedelta, BeforeValidator(wellformed.duration), AfterValidator(wellformed.lasting)]


class DemoFolder(PydanticBaseSettingsSource):
    """What a demo has left in its data folder, so that commands find it without being told of the demo.

    It counts for nothing where a secret or a database is named: then the folder belongs to something else.
    """

    def get_field_value(self, field: object, field_name: str) -> tuple[Any, str, bool]:
        raise NotImplementedError("all values are found at once")

    def __call__(self) -> dict[str, Any]:
        marker = Path(self.current_state.get("data_dir", DATA)) / DEMO_MARKER
        if {"secret_key", "database_url"} & set(self.current_state) or not marker.is_file():
            return {}
        served_at = marker.read_text().strip()
        return {"demo": True} | ({"base_url": served_at} if served_at else {})


class Settings(BaseSettings):
    model_config = SettingsConfigDict(
        env_prefix="GRINTU_",
        env_file=ENV_FILE,
        env_file_encoding="utf-8",
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
    )

    demo: bool = Field(default=False, description="Demo study, generated secret, printed demo passwords.")
    secret_key: SecretStr = Field(
        default=SecretStr(""),
        description="Signs cookies and links; at least 32 characters; required outside of demo mode.",
    )
    database_url: Annotated[SecretStr, AfterValidator(wellformed.database_url)] | None = Field(
        default=None, description="postgresql://user:password@host/name. Without it an embedded Postgres is started."
    )
    data_dir: Path = Field(default=DATA, description="Embedded database, outbox and generated secrets.")
    base_url: Annotated[str, AfterValidator(wellformed.base_url)] = Field(
        default="http://127.0.0.1:8000", description="The platform's address; used in mails."
    )
    allowed_hosts: Annotated[list[str], NoDecode, BeforeValidator(wellformed.names)] = Field(
        default=["*"], description='Host names to answer, as JSON: ["example.org"].'
    )

    database_pool: PositiveInt = Field(default=10, description="Connections per process for the ORM.")
    database_raw_pool: PositiveInt = Field(default=10, description="Connections per process for hand-written SQL.")

    database_patience: Duration = Field(
        default=timedelta(seconds=10), description="So long a connection may take, or the wait for a free one."
    )

    programs_light: PositiveInt = Field(
        default=1, description="Processes of each server process in which cheap programs think."
    )
    programs_heavy: PositiveInt = Field(
        default=2, description="The same for programs that may think long; they start when they are needed."
    )

    smtp_host: str | None = Field(default=None, description="Mail server. Without it mails go to the outbox folder.")
    smtp_port: PositiveInt = Field(default=587, le=65535)
    smtp_user: str | None = Field(default=None)
    smtp_password: SecretStr | None = Field(default=None)
    smtp_security: Literal["starttls", "tls", "none"] = Field(default="starttls")
    mail_from: Annotated[str, AfterValidator(wellformed.mail_address)] = Field(
        default="grintu@localhost", description="Sender of every mail."
    )

    session_lifetime: Duration = Field(default=timedelta(days=14), description="A log-in ends after this time.")
    session_idle: Duration = Field(
        default=timedelta(days=7), description="It ends sooner if it was not used for so long."
    )
    staff_idle: Duration = Field(default=timedelta(hours=12), description="The same for researchers and admins.")
    proof_lifetime: Duration = Field(
        default=timedelta(hours=1),
        description="Role changes and exports ask for the code, or the password, if that was longer ago.",
    )
    require_second_factor: bool = Field(
        default=False, description="Researchers and admins can do nothing before they have set up a second factor."
    )
    confirm_lifetime: Duration = Field(default=timedelta(days=7), description="How long a confirmation link works.")
    reset_lifetime: Duration = Field(default=timedelta(hours=1), description="How long a password link works.")
    trusted_proxies: Annotated[str, AfterValidator(wellformed.proxies)] = Field(
        default="127.0.0.1", description="Addresses whose X-Forwarded-* headers are believed, comma separated."
    )

    worker_dead_after: Duration = Field(
        default=timedelta(seconds=30),
        description="A job whose worker gave no sign of life for so long is given to another one.",
    )

    security_contact: str | None = Field(
        default=None, description="Where to report a hole, as mailto: or https: address; stands in security.txt."
    )

    log_format: Literal["console", "json"] = Field(default="console")
    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info")
    metrics_token: SecretStr | None = Field(
        default=None,
        description="When set, /metrics wants it as a bearer token; without it /metrics answers loopback only.",
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings, dotenv_settings, file_secret_settings, DemoFolder(settings_cls)

    @model_validator(mode="after")
    def refuse_weak_secrets(self) -> Self:
        if self.demo:
            return self
        if not _looks_random(self.secret_key.get_secret_value()):
            raise ValueError(
                f"GRINTU_SECRET_KEY must be a random text of at least {SHORTEST_SECRET} characters outside demo mode; "
                'make one with: python -c "import secrets; print(secrets.token_urlsafe(48))"'
            )
        return self

    @property
    def secret(self) -> str:
        """The signing secret; in demo mode generated once and kept in the data folder."""
        configured = self.secret_key.get_secret_value()
        return configured if len(configured) >= SHORTEST_SECRET else _kept_secret(self.data_dir / "secret_key")

    @property
    def cautions(self) -> list[str]:
        """What is allowed, and wrong for a study with real people."""
        host = urlsplit(self.base_url).hostname
        found = {
            f"GRINTU_BASE_URL is {self.base_url}: without TLS everybody on the way reads passwords and answers.": (
                not self.secure_cookies and host not in LOOPBACK
            ),
            f"GRINTU_SMTP_HOST is missing: mails only go to {self.outbox}, and nobody can confirm an address.": (
                self.smtp_host is None
            ),
            "GRINTU_SMTP_SECURITY is none: mails with links to accounts travel unencrypted.": (
                self.smtp_host not in (None, *LOOPBACK) and self.smtp_security == "none"
            ),
            "GRINTU_TRUSTED_PROXIES is *: anybody can make up an address and passes the limits per network.": (
                "*" in self.trusted_proxies
            ),
        }
        return [] if self.demo else [text for text, holds in found.items() if holds]

    @property
    def outbox(self) -> Path:
        return self.data_dir / "outbox"

    def mark_demo(self) -> None:
        """Let commands in this data folder know that it is a demo's; where the database is its own."""
        if self.demo and self.database_url is None:
            self.data_dir.mkdir(parents=True, exist_ok=True)
            (self.data_dir / DEMO_MARKER).write_text(f"{self.base_url}\n")

    @property
    def secure_cookies(self) -> bool:
        return self.base_url.startswith("https://")


def _looks_random(secret: str) -> bool:
    """Long, of many different characters, no repeated piece, and nobody's example."""
    repeats = bool(secret) and secret in (secret + secret)[1:-1]
    example = any(placeholder in secret.casefold() for placeholder in PLACEHOLDERS)
    return len(secret) >= SHORTEST_SECRET and len(set(secret)) >= FEWEST_CHARACTERS and not repeats and not example


def unknown_names() -> list[str]:
    """What looks like a setting but is none: a slip of the pen would otherwise be taken for a default."""
    known = {f"GRINTU_{name.upper()}" for name in Settings.model_fields}
    given = {name.upper() for name in (*os.environ, *dotenv_values(ENV_FILE)) if name.upper().startswith("GRINTU_")}
    return sorted(name for name in given - known if not name.startswith(OTHERS))


def _kept_secret(path: Path) -> str:
    """Read the secret, or create it so that two processes starting at once agree on one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        draft = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass  # another process was first; its secret counts
        finally:
            draft.unlink()
    return path.read_text().strip()
