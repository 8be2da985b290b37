"""Texts that the database cannot keep: Postgres refuses the character NUL, and JSON may write halves of characters."""

from __future__ import annotations

import re
from typing import Final

UNSTORABLE: Final = re.compile("[\x00\ud800-\udfff]")


def is_storable(text: str) -> bool:
    return UNSTORABLE.search(text) is None


def storable(text: str) -> str:
    """The text itself. Raises ValueError; for Pydantic's validators."""
    if not is_storable(text):
        raise ValueError("this text has characters that cannot be stored")
    return text
