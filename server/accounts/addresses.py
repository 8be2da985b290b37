"""Email addresses in one spelling, so that one mailbox is one account."""

from __future__ import annotations

from typing import Annotated

from email_validator import EmailNotValidError, validate_email
from pydantic import AfterValidator, Field

from server.base.errors import N_


def normalise(address: str) -> str:
    """Unicode and case folded to one form. Raises ValueError if it is no address."""
    try:
        checked = validate_email(address.strip(), check_deliverability=False, allow_display_name=False)
    except EmailNotValidError:
        raise ValueError(N_("This is not an email address.")) from None
    return checked.normalized.casefold()


Address = Annotated[str, Field(max_length=254, json_schema_extra={"format": "email"}), AfterValidator(normalise)]
