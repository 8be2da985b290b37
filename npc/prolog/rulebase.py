"""A Prolog script as a player. Whatever the script does, its seat gets a legal move."""

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Final

from games.protocol import Game, Move, Position, Seat
from npc.decision import Decision, Fault, FaultKind
from npc.follower import mover
from npc.player import Player, Seed
from npc.prolog.history import History
from npc.prolog.host import EngineMissingError, current_host
from npc.prolog.memory import SESSIONS, Chair
from npc.prolog.vocabulary import Lost, Vocabulary

KEY: Final = "prolog"
_TITLE: Final = re.compile(r"^%+ *(\S.*)$", re.MULTILINE)


@dataclass(frozen=True)
class RuleBase(Player):
    """A rule base; its name is the first line of its first comment."""

    script: str
    game: Game = field(repr=False)
    vocabulary: Vocabulary = field(repr=False, compare=False)

    heavy = True
    repeatable_in_browsers: ClassVar[bool] = False

    @cached_property
    def name(self) -> str:
        title = _TITLE.search(self.script)
        # Names stand in books and logs, where nothing may stand that cannot be printed.
        printable = "".join(filter(str.isprintable, title[1])).strip()[:80] if title else ""
        return printable or "Prolog rule base"

    @property
    def text(self) -> str:
        return f"{KEY}:{self.script}"

    def remember(self, memory: History | None, before: Position, move: Move) -> History:
        return History(memory, before, move, mover(before, move))

    def decide(self, position: Position, seat: Seat, memory: History | None, seed: Seed, ply: int) -> Decision:
        """What the script answers; a move drawn by lot, as the vocabulary has it, if it loses the decision."""
        vocabulary = self.vocabulary
        if not vocabulary.asks(position, seat):
            return vocabulary.unasked(position, seat)
        chair = Chair(self.script, self.game, vocabulary, seat, seed)
        try:
            host = current_host()
            answer = SESSIONS.answer(host, chair, position, memory, ply)
            return vocabulary.decision(position, seat, answer, self.name)
        except EngineMissingError as missing:
            return vocabulary.instead(position, seat, Fault(FaultKind.NO_ENGINE, str(missing)), seed, ply)
        except Lost as lost:
            return vocabulary.instead(position, seat, lost.fault, seed, ply)
