"""Names of rules: `kind:name` for what comes with the platform, `kind:hash` for any other source, by its content.

A reference never changes its meaning: a book, a match, a rating and an export that carry it say exactly which rules
were played. Sources are data; whoever holds one can check that it is the one the reference names.
"""

import hashlib
import re
from typing import Final

from games.protocol import GameError

HASH_DIGITS: Final = 32
_HASH: Final = re.compile(rf"[0-9a-f]{{{HASH_DIGITS}}}")
LONGEST_SOURCE: Final = 2_000_000


class MissingSourceError(GameError):
    """A reference by content whose source is not known here. `reference` says which one to fetch."""

    def __init__(self, reference: str) -> None:
        super().__init__(f"the rules {reference} are not known here")
        self.reference = reference


def source_hash(source: str) -> str:
    """What names a source."""
    return hashlib.sha256(source.encode()).hexdigest()[:HASH_DIGITS]


def is_hash(name: str) -> bool:
    """Whether a name can be that of a source, and not one of a library."""
    return _HASH.fullmatch(name) is not None


def by_content(kind: str, source: str) -> str:
    """The reference of a source that no library holds."""
    return f"{kind}:{source_hash(source)}"
