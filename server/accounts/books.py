"""A person's own books as an archive for download."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from pydantic import JsonValue


def books_archive(own_data: Mapping[str, JsonValue]) -> bytes:
    """Every book in the person's data as a file of its own."""
    target = io.BytesIO()
    matches = own_data.get("matches")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for match in matches if isinstance(matches, list) else []:
            assert isinstance(match, dict), "a match is described by an object"
            archive.writestr(f"match-{match['match']}.book", str(match["book"]))
    return target.getvalue()
