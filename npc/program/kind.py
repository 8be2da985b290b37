"""Programs as a kind of players: `program:LANGUAGE` on the first line, and the source on those that follow."""

from typing import Final

from games.protocol import Game
from npc.player import PlayerError, PlayerKind
from npc.program.player import KEY, Program

LANGUAGES: Final = ("python", "javascript", "java", "cpp", "script")
"""What a source can be written in; a script says in its first line (#!) what runs it."""
LONGEST: Final = 500_000
"""Characters of a source."""


class ProgramKind(PlayerKind):
    """Sources. Whether one can be translated shows when it is first asked."""

    key = KEY

    def read(self, body: str, game: Game) -> Program:
        language, _, source = body.partition("\n")
        if language not in LANGUAGES:
            expected = ", ".join(LANGUAGES)
            raise PlayerError(f"a program is written {KEY}:LANGUAGE in one of {expected}, not {language[:40]!r}")
        if not source.strip() or "\x00" in source or len(source) > LONGEST:
            raise PlayerError(f"the source of a program is a text of at most {LONGEST} characters, not {len(source)}")
        return Program(language, source, game)
