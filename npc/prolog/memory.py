"""Restores the memory of a rule base: one for each script, seat, seed and match.

A script may remember what it likes by assert and retract. That memory is a function of the public history, because it
is made by asking the script the same questions again along the book. Live sessions are kept as a cache; whoever lost
one, after a reload or a crash, asks again. A question that kills the engine leaves no trace: the memory is what the
other questions made.
"""

import hashlib
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from games.jostle import JostlePosition, Layout
from npc.decision import Fault, FaultKind
from npc.prolog.history import START, History, digest_of, question, question_kind, since
from npc.prolog.host import EngineError, EngineMissingError, Host
from npc.prolog.session import ScriptError, Session
from npc.situation import Seed

DEATHS_ALLOWED: Final = 3
"""A script that has killed the engine this often in a match is not asked any more."""
SESSIONS_KEPT: Final = 24


class Lost(Exception):  # noqa: N818  # not an error of ours: the script lost its decision
    """The rule base lost the decision."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


@dataclass
class Seated:
    """A script in a seat: its session, and what it was asked last."""

    session: Session | None = None
    asked_at: bytes = START
    asked_in: JostlePosition | None = None
    answered: bool = False
    answer: str = ""
    deadly: dict[bytes, Fault] = field(default_factory=dict)


class Sessions:
    """The live sessions of a process, the least recently used one is forgotten first."""

    def __init__(self, kept: int = SESSIONS_KEPT) -> None:
        self._kept = kept
        self._seats: OrderedDict[tuple[str, Layout, int, Seed], Seated] = OrderedDict()
        self._unloadable: OrderedDict[str, Fault] = OrderedDict()
        self._lock = threading.Lock()

    def answer(
        self, host: Host, script: str, position: JostlePosition, history: History | None, seed: Seed, ply: int
    ) -> str:
        """The script's answer to the question that the position asks. Raises Lost."""
        with self._lock:
            if fault := self._unloadable.get(script):
                raise Lost(fault)
            seated = self._seated(script, position, seed)
            if seated.answered and (seated.asked_at, seated.asked_in) == (digest_of(history), position):
                return seated.answer
            return self._ask(host, script, seated, position, history, seed, ply)

    def forget(self, script: str, seed: Seed) -> None:
        """Ends what a script has remembered with this seed, because nobody will ask it again: an engine is large."""
        with self._lock:
            for key in [key for key in self._seats if (key[0], key[3]) == (script, seed)]:
                _end(self._seats.pop(key))

    def clear(self) -> None:
        """Forgets everything; nothing but time is lost."""
        with self._lock:
            for seated in self._seats.values():
                _end(seated)
            self._seats.clear()
            self._unloadable.clear()

    def _seated(self, script: str, position: JostlePosition, seed: Seed) -> Seated:
        key = (script, position.layout, position.seat, seed)
        seated = self._seats.setdefault(key, Seated())
        self._seats.move_to_end(key)
        while len(self._seats) > self._kept:
            _end(self._seats.popitem(last=False)[1])
        return seated

    def _ask(
        self,
        host: Host,
        script: str,
        seated: Seated,
        position: JostlePosition,
        history: History | None,
        seed: Seed,
        ply: int,
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
                news = self._catch_up(host, script, seated, position, history, seed)
                return self._put(script, seated, now, position, news, seed, ply)
            except EngineError as death:
                seated.deadly[seated.asked_at] = Fault(FaultKind.LIMIT, str(death))
                _end(seated)

    def _catch_up(
        self, host: Host, script: str, seated: Seated, position: JostlePosition, history: History | None, seed: Seed
    ) -> list[History]:
        """Asks what was to be asked since the last question; gives the moves that the script has not been told yet."""
        moves = since(history, seated.asked_at) if seated.session and seated.answered else None
        if moves is None:
            _end(seated)
            moves = since(history, START)
            assert moves is not None
            seated.session = self._load(host, script, position.layout)
        elif moves:
            # The first of them answers the last question; it need not be asked again.
            told, moves = moves[:1], moves[1:]
            return self._replay(script, seated, position.seat, told, moves, seed)
        return self._replay(script, seated, position.seat, [], moves, seed)

    def _replay(
        self, script: str, seated: Seated, seat: int, news: list[History], moves: list[History], seed: Seed
    ) -> list[History]:
        for played in moves:
            moment = digest_of(played.earlier)
            if played.before.seat == seat and moment not in seated.deadly and question_kind(played.before):
                self._put(script, seated, moment, played.before, news, seed, played.ply)
                news = []
            news = [*news, played]
        return news

    def _put(
        self,
        script: str,
        seated: Seated,
        moment: bytes,
        position: JostlePosition,
        news: list[History],
        seed: Seed,
        ply: int,
    ) -> str:
        kind = question_kind(position)
        assert kind is not None
        assert seated.session is not None
        seated.asked_at, seated.asked_in, seated.answered = moment, position, False
        key = hashlib.blake2b(f"{script}\0{seed}\0{position.seat}\0".encode() + moment, digest_size=16).hexdigest()
        seated.answer = seated.session.ask(key, question(kind, position, news, seed, ply))
        seated.answered = True
        return seated.answer

    def _load(self, host: Host, script: str, layout: Layout) -> Session:
        try:
            return Session(host, script, layout)
        except ScriptError as error:
            fault = Fault(FaultKind.SYNTAX, str(error))
        except EngineError as death:
            fault = Fault(FaultKind.LIMIT, f"while it was loaded: {death}")
        except EngineMissingError as missing:
            raise Lost(Fault(FaultKind.NO_ENGINE, str(missing))) from None
        self._unloadable[script] = fault
        while len(self._unloadable) > self._kept:
            self._unloadable.popitem(last=False)
        raise Lost(fault)


def _end(seated: Seated) -> None:
    if seated.session:
        seated.session.close()
    seated.session, seated.asked_at, seated.answered = None, START, False


SESSIONS: Final = Sessions()
"""The sessions of this process."""
