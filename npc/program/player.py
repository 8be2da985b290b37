"""A program as a player. Whatever it does, its seat gets a legal move; what it loses is lost for the whole game."""

import hashlib
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import RLock
from time import monotonic
from typing import ClassVar, Final, NamedTuple

from games.protocol import Game, Move, Position, Seat
from npc.decision import Decision, Explanation, Fault, FaultKind
from npc.follower import mover
from npc.player import Player, Seed, decision_random
from npc.program.host import Host, LostError, Running, Used, current_programs
from npc.program.protocol import check_ready, chosen, greeting, line, question

KEY: Final = "program"
KEPT: Final = 4
"""Programs that run at once in a process; the longest unused one is ended, and would be started again."""


class Seen(NamedTuple):
    """The moves that a seat saw, the latest first; the same object for everybody who shares a beginning."""

    earlier: "Seen | None"
    mover: Seat
    move: str
    number: int


def _since(memory: Seen | None, told: int) -> Iterator[tuple[Seat, str]]:
    """Latest first, what was seen after the first `told` moves."""
    while memory is not None and memory.number > told:
        yield memory.mover, memory.move
        memory = memory.earlier


@dataclass(frozen=True)
class Program(Player):
    """A source in a language. Faults forfeit the game: whoever counts results asks `Decision.fault`."""

    language: str
    source: str
    game: Game = field(repr=False)

    heavy = True
    repeatable_in_browsers: ClassVar[bool] = False
    faults_forfeit: ClassVar[bool] = True

    @property
    def name(self) -> str:
        digest = hashlib.sha256(f"{self.language}\n{self.source}".encode()).hexdigest()
        return f"{self.language} program {digest[:8]}"

    @property
    def text(self) -> str:
        return f"{KEY}:{self.language}\n{self.source}"

    def remember(self, memory: Seen | None, before: Position, move: Move) -> Seen:
        return Seen(memory, mover(before, move), str(move), memory.number + 1 if memory else 1)

    def decide(self, position: Position, seat: Seat, memory: Seen | None, seed: Seed, ply: int) -> Decision:
        """What the program answers, or a move by lot with the fault that has lost it the game."""
        moves = position.moves(seat)
        if len(moves) == 1:
            return Decision(moves[0])
        try:
            place, note = SESSIONS.session(self, seat, seed).choose(position, seat, memory, ply)
        except LostError as lost:
            move = decision_random(seed, ply).choice(moves)
            words = f"The program lost the game ({lost.fault}); {move} was drawn by lot."
            return Decision(move, fault=lost.fault, _explain=lambda: Explanation("fault", words))
        words = f"The program chose {moves[place]}." + (f" It says: {note}" if note else "")
        return Decision(moves[place], _explain=lambda: Explanation(self.name, words))

    def leave(self, seed: Seed) -> None:
        SESSIONS.forget(seed)


class Session:
    """A program in a seat of one game: running, or lost."""

    def __init__(self, program: Program, seat: Seat, seed: Seed, host: Host) -> None:
        self._limits = host.limits
        self._running: Running | None = None
        self._told = 0
        self._asked = 0
        self._spent = 0.0
        self.slowest = 0.0
        """Seconds of its longest answer."""
        self.used = Used()
        self.lost: Fault | None = None
        try:
            self._running = host.start(program.language, program.source)
            told = line(greeting(program.game, seat, seed, self._limits))
            check_ready(self._running.ask(told, self._limits.action_seconds))
        except LostError as error:
            self._lose(error.fault)

    def choose(self, view: Position, seat: Seat, memory: Seen | None, ply: int) -> tuple[int, str]:
        """The place of the move that it takes, and its note. Raises LostError."""
        if self.lost is not None:
            raise LostError(FaultKind.OUT, f"not asked any more: {self.lost}") if self._asked else _again(self.lost)
        if self._running is None:
            raise LostError(FaultKind.OUT, "it has been ended")
        self._asked += 1
        left = self._limits.sweep_seconds - self._spent
        seen = list(_since(memory, self._told))[::-1]
        asked = question(self._asked, view, seat, seen, ply, max(0, round(left * 1000)))
        began = monotonic()
        try:
            answer = self._running.ask(line(asked), max(0.0, min(left, self._limits.action_seconds)))
            place, note = chosen(answer, self._asked, asked["moves"])
        except LostError as error:
            self._lose(error.fault)
            raise
        finally:
            taken = monotonic() - began
            self._spent += taken
            self.slowest = max(self.slowest, taken)
        self._told = memory.number if memory else 0
        return place, note

    def close(self) -> None:
        if self._running is not None:
            self.used, self._running = self._running.close(), None

    def _lose(self, fault: Fault) -> None:
        self.lost = fault
        self.close()


def _again(fault: Fault) -> LostError:
    """For a program that never began: the reason itself, however often it is asked."""
    return LostError(fault.kind, fault.message)


class Sessions:
    """The programs that run for this process."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._open: OrderedDict[tuple[str, str, Seat, Seed], Session] = OrderedDict()
        self._lock = RLock()

    def session(self, program: Program, seat: Seat, seed: Seed) -> Session:
        """The one that plays this seat with this seed. Raises LostError if nobody runs programs here."""
        key = (program.text, program.game.reference, seat, seed)
        with self._lock:
            found = self._open.pop(key, None)
            if found is None:
                host = current_programs()
                while len(self._open) >= self._kept:
                    self._open.popitem(last=False)[1].close()
                found = Session(program, seat, seed, host)
            self._open[key] = found
            return found

    def forget(self, seed: Seed) -> list[Session]:
        """End those of a game that is over; what they used stands in them."""
        with self._lock:
            gone = [self._open.pop(key) for key in list(self._open) if key[3] == seed]
        for session in gone:
            session.close()
        return gone

    def clear(self) -> None:
        with self._lock:
            gone = list(self._open.values())
            self._open.clear()
        for session in gone:
            session.close()


SESSIONS: Final = Sessions()
