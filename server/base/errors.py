"""One base error with a status and a message that a person can act on.

Raise a subclass wherever input is refused; the app turns it into a page or a JSON answer. Messages are English
msgids with ``%(name)s`` places, so that pages can show them translated.
"""

# ruff: noqa: N818 - the names say what happened, as in `raise NotFound`
from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar


def N_(message: str) -> str:  # noqa: N802 - the customary gettext marker for texts translated later
    """Mark a text for translation without translating it here."""
    return message


class GrintuError(Exception):
    """Something a person asked for was refused, and why."""

    status: ClassVar[int] = 400
    message: ClassVar[str] = N_("This request could not be understood.")
    remedy: ClassVar[str | None] = None
    """The page where a person can mend it; pages lead there by themselves and back."""
    suspicious: ClassVar[str | None] = None
    """As what kind of security event it is counted, if at all."""

    def __init__(self, message: str | None = None, *, headers: Mapping[str, str] | None = None, **values: object):
        self.text = message if message is not None else type(self).message
        self.values = values
        self.headers = dict(headers or {})
        super().__init__(self.english())

    @property
    def code(self) -> str:
        """A stable name for programs: the class name."""
        return type(self).__name__

    def english(self) -> str:
        return self.text % self.values if self.values else self.text


class NotSignedIn(GrintuError):
    status = 401
    message = N_("Please log in first.")
    remedy = "/login"


class Forbidden(GrintuError):
    status = 403
    message = N_("Your account may not do this.")
    suspicious = "right.refused"


class NotProved(GrintuError):
    status = 403
    message = N_("Please prove once more that it is you.")
    remedy = "/account/prove"


class SecondFactorMissing(GrintuError):
    status = 403
    message = N_("Your role needs a second factor. Please set it up first.")
    remedy = "/account/second-factor"


class ConsentMissing(GrintuError):
    status = 403
    message = N_("This needs your consent first.")
    remedy = "/consent"


class BadToken(GrintuError):
    status = 403
    message = N_("The page was open for too long or came from elsewhere. Please reload it and try again.")
    suspicious = "token.refused"


class NotFound(GrintuError):
    status = 404
    message = N_("There is nothing at this address.")


class Conflict(GrintuError):
    status = 409
    message = N_("This no longer fits the present state. Please reload the page.")


class InvalidInput(GrintuError):
    status = 422
    message = N_("Please correct the marked fields.")


class TooManyRequests(GrintuError):
    status = 429
    message = N_("Too many attempts. Please wait %(seconds)s seconds and try again.")
    suspicious = "limit.reached"


class Unavailable(GrintuError):
    status = 503
    message = N_("The service is not available just now. Please try again soon.")
