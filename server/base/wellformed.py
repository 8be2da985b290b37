"""What settings must look like, and what to say if they do not."""

from __future__ import annotations

import ipaddress
import json
from datetime import timedelta
from urllib.parse import urlsplit

from pydantic import SecretStr
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError


def duration(value: object) -> object:
    """Seconds, or what ISO 8601 writes as P14D."""
    if not isinstance(value, str):
        return value
    text = value.strip().upper()
    if text.isdecimal():
        return int(text)
    if not text.startswith("P"):
        raise ValueError(f"expected seconds, or a duration such as P14D or PT30S, got {value!r}")
    return text


def lasting(value: timedelta) -> timedelta:
    if value <= timedelta(0):
        raise ValueError("expected a time of more than 0 seconds")
    return value


def names(value: object) -> object:
    """A list as JSON."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise ValueError(f'expected a list as JSON, such as ["example.org"], got {value!r}') from None


def base_url(value: str) -> str:
    """Without the slash at the end: paths are put behind it."""
    parts = urlsplit(value)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ValueError(f"expected the site's address without a path, such as https://example.org, got {value!r}")
    return value.rstrip("/")


def database_url(value: SecretStr) -> SecretStr:
    """Never told again: it holds a password."""
    try:
        parsed = make_url(value.get_secret_value())
    except (ArgumentError, ValueError):
        raise ValueError("expected an address such as postgresql://user:password@host/name") from None
    if parsed.get_backend_name() not in ("postgresql", "postgres"):
        raise ValueError(f"expected a postgresql:// address, got {parsed.get_backend_name()}://")
    if parsed.port is not None and parsed.port not in range(1, 65536):
        raise ValueError(f"a port is 1 to 65535, not {parsed.port}")
    return value


def proxies(value: str) -> str:
    """Names would never be found: who calls is known by address. Ranges with bits of a host would be overlooked too."""
    for part in value.split(","):
        if part.strip() not in ("", "*"):
            try:
                ipaddress.ip_network(part.strip())
            except ValueError as error:
                raise ValueError(f"expected addresses or ranges such as 172.16.0.0/12: {error}") from None
    return value


def mail_address(value: str) -> str:
    if "@" not in value:
        raise ValueError(f"expected an email address, got {value!r}")
    return value
