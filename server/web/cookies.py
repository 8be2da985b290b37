"""Names of cookies. Over TLS they begin with ``__Host-``: browsers then refuse one that a neighbouring host sets for
us, or that came without TLS."""

from __future__ import annotations

from server.base.settings import Settings

SESSION = "session"
"""Of a log-in; what is in it only the accounts know."""


def cookie_name(name: str, settings: Settings) -> str:
    return f"__Host-{name}" if settings.secure_cookies else name
