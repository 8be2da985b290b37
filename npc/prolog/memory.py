"""Restores the memory of a rule base: one for each script, seat, seed and match.

A script may remember what it likes by assert and retract. That memory is a function of what its seat saw of the match,
because it is made by asking the script the same questions again along the book. Live sessions are kept as a cache;
whoever lost one, after a reload or a crash, asks again. A question that kills the engine leaves no trace: the memory is
what the other questions made.

Each session has a lock of its own, so that a script that thinks long delays nobody but those who wait for its answer.
"""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from games.protocol import Game, Position, Seat
from npc.decision import Fault, FaultKind
from npc.player import Seed
from npc.prolog.history import START, History, digest_of, since
from npc.prolog.host import EngineError, EngineMissingError, Host
from npc.prolog.session import ScriptError, Session
from npc.prolog.vocabulary import Lost, Vocabulary

DEATHS_ALLOWED: Final = 3
"""A script that has killed the engine this often in a match is not asked any more."""
SESSIONS_KEPT: Final = 64
BYTES_KEPT: Final = 320 * 1024 * 1024
"""Of all sessions of a process together: fifteen that remember little, or five that hoard all they are allowed."""


class Chair(NamedTuple):
    """Where a script sits: a seat in the match that its seed stands for."""

    script: str
    game: Game
    vocabulary: Vocabulary
    seat: Seat
    seed: Seed

    @property
    def key(self) -> tuple[str, str, Seat, Seed]:
        return (self.script, self.game.reference, self.seat, self.seed)

    def question_key(self, moment: bytes) -> str:
        """Names the question of a moment for a watchdog."""
        place = f"{self.script}\0{self.seed}\0{self.seat}\0".encode()
        return hashlib.blake2b(place + moment, digest_size=16).hexdigest()


@dataclass
class Seated:
    """A script in a seat: its session, and what it was asked last. Whoever changes it holds its lock."""

    session: Session | None = None
    asked_at: bytes = START
    asked_in: Position | None = None
    answered: bool = False
    answer: str = ""
    deadly: dict[bytes, Fault] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    size: int = 0
    """Bytes that its session has taken."""
    forgotten: bool = False
    """Set when it is no longer kept: its session ends as soon as nobody waits for an answer."""


class Sessions:
    """The live sessions of a process, the least recently used one is forgotten first."""

    def __init__(self, kept: int = SESSIONS_KEPT, most_bytes: int = BYTES_KEPT) -> None:
        self._kept = kept
        self._most_bytes = most_bytes
        self._seats: OrderedDict[tuple[str, str, Seat, Seed], Seated] = OrderedDict()
        self._unloadable: OrderedDict[tuple[str, str], Fault] = OrderedDict()
        self._lock = threading.Lock()

    def answer(self, host: Host, chair: Chair, position: Position, history: History | None, ply: int) -> str:
        """The script's answer to the question that the position asks. Raises Lost."""
        with self._seated(chair) as seated:
            if seated.answered and (seated.asked_at, seated.asked_in) == (digest_of(history), position):
                return seated.answer
            return self._ask(host, chair, seated, position, history, ply)

    def forget(self, script: str, seed: Seed) -> None:
        """Ends what a script has remembered with this seed, because nobody will ask it again: an engine is large."""
        with self._lock:
            gone = [self._seats.pop(key) for key in list(self._seats) if (key[0], key[3]) == (script, seed)]
        _let_go(gone)

    def clear(self) -> None:
        """Forgets everything; nothing but time is lost."""
        with self._lock:
            gone = list(self._seats.values())
            self._seats.clear()
            self._unloadable.clear()
        _let_go(gone)

    @contextmanager
    def _seated(self, chair: Chair) -> Iterator[Seated]:
        """Where the script sits, for one who asks at a time."""
        with self._lock:
            if fault := self._unloadable.get((chair.script, chair.game.reference)):
                raise Lost(fault)
            seated = self._seats.setdefault(chair.key, Seated())
            self._seats.move_to_end(chair.key)
            too_many = len(self._seats) - self._kept
            gone = [self._seats.popitem(last=False)[1] for _ in range(too_many)]
        _let_go(gone)
        try:
            with seated.lock:
                yield seated
        finally:
            if seated.forgotten:
                _let_go([seated])
            else:
                self._make_room(seated)

    def _make_room(self, asked: Seated) -> None:
        """Forget who was not asked for longest as long as all of them together are too large."""
        asked.size = asked.session.size if asked.session else 0
        gone = []
        with self._lock:
            taken = sum(seated.size for seated in self._seats.values())
            while taken > self._most_bytes and len(self._seats) > 1:
                gone.append(self._seats.popitem(last=False)[1])
                taken -= gone[-1].size
        _let_go(gone)

    def _ask(
        self, host: Host, chair: Chair, seated: Seated, position: Position, history: History | None, ply: int
    ) -> str:
        now = digest_of(history)
        while True:
            if now in seated.deadly:
                raise Lost(seated.deadly[now])
            if len(seated.deadly) >= DEATHS_ALLOWED:
                raise Lost(
                    Fault(FaultKind.OUT, f"not asked any more in this match after {DEATHS_ALLOWED} broken limits")
                )
            try:
                news = self._catch_up(host, chair, seated, history)
                return _put(chair, seated, now, position, news, ply)
            except EngineError as death:
                seated.deadly[seated.asked_at] = Fault(FaultKind.LIMIT, str(death))
                _end(seated)

    def _catch_up(self, host: Host, chair: Chair, seated: Seated, history: History | None) -> list[History]:
        """Asks what was to be asked since the last question; gives the moves that the script has not been told yet."""
        moves = since(history, seated.asked_at) if seated.session and seated.answered else None
        if moves is None:
            _end(seated)
            moves = since(history, START)
            assert moves is not None
            seated.session = self._load(host, chair)
        elif moves:
            # The first of them comes after the last question, which need not be asked again.
            return _replay(chair, seated, moves[:1], moves[1:])
        return _replay(chair, seated, [], moves)

    def _load(self, host: Host, chair: Chair) -> Session:
        try:
            return Session(host, chair.script, chair.game, chair.vocabulary)
        except ScriptError as error:
            fault = Fault(FaultKind.SYNTAX, str(error))
        except EngineError as death:
            fault = Fault(FaultKind.LIMIT, f"while it was loaded: {death}")
        except EngineMissingError as missing:
            raise Lost(Fault(FaultKind.NO_ENGINE, str(missing))) from None
        with self._lock:
            self._unloadable[chair.script, chair.game.reference] = fault
            while len(self._unloadable) > self._kept:
                self._unloadable.popitem(last=False)
        raise Lost(fault)


def _replay(chair: Chair, seated: Seated, news: list[History], moves: list[History]) -> list[History]:
    for played in moves:
        moment = digest_of(played.earlier)
        asked = played.asks(chair.seat) and chair.vocabulary.asks(played.before, chair.seat)
        if asked and moment not in seated.deadly:
            _put(chair, seated, moment, played.before, news, played.ply)
            news = []
        news = [*news, played]
    return news


def _put(chair: Chair, seated: Seated, moment: bytes, position: Position, news: list[History], ply: int) -> str:
    assert seated.session is not None
    seated.asked_at, seated.asked_in, seated.answered = moment, position, False
    question = chair.vocabulary.question(chair.game, position, chair.seat, news, chair.seed, ply)
    seated.answer = seated.session.ask(chair.question_key(moment), question)
    seated.answered = True
    return seated.answer


def _let_go(gone: list[Seated]) -> None:
    """Ends sessions that are no longer kept; one that is being asked is ended by whoever asks."""
    for seated in gone:
        seated.forgotten = True
        if seated.lock.acquire(blocking=False):
            try:
                _end(seated)
            finally:
                seated.lock.release()


def _end(seated: Seated) -> None:
    if seated.session:
        seated.session.close()
    seated.session, seated.asked_at, seated.answered = None, START, False


SESSIONS: Final = Sessions()
"""The sessions of this process."""
