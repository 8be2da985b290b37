"""A Prolog script as a player. Whatever the script does, its seat gets a legal move."""

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from games.jostle import AGAIN, KEEP, JostleMove, JostlePosition
from npc.decision import Decision, Explanation, Fault, FaultKind
from npc.player import Choice, is_roll_question, move_with
from npc.prolog.history import History
from npc.prolog.host import EngineMissingError, current_host
from npc.prolog.memory import SESSIONS, Lost
from npc.situation import Seed, Situation

_CHOICE: Final = re.compile(r"choice\(\[(-?\d{1,6}),(\d{1,6}),(\d{1,6})\]\)", re.ASCII)
_TITLE: Final = re.compile(r"^%+ *(\S.*)$", re.MULTILINE)
LONGEST_COMPLAINT: Final = 300


@dataclass(frozen=True)
class RuleBase:
    """A rule base; its name is the first line of its first comment."""

    script: str

    @cached_property
    def name(self) -> str:
        title = _TITLE.search(self.script)
        # Names stand in books and logs, where nothing may stand that cannot be printed.
        printable = "".join(filter(str.isprintable, title[1])).strip()[:80] if title else ""
        return printable or "Prolog rule base"

    def start_memory(self) -> History | None:
        return None

    def remember(self, memory: History | None, before: JostlePosition, move: JostleMove) -> History:
        """The memory after `move`, of any seat or of chance, was played in the position `before`."""
        return History(memory, before, move)

    def decide(self, position: JostlePosition, memory: History | None, seed: Seed, ply: int) -> Decision:
        """What the script answers; a uniformly random movable piece, or no second roll, if it loses the decision."""
        situation = Situation(position, seed, ply)
        if is_roll_question(position):
            return self._again(situation, position, memory, seed, ply)

        def choose(situation: Situation) -> Choice:
            try:
                piece = _piece(situation, self._answer(position, memory, seed, ply))
            except Lost as lost:
                return _by_lot(situation, lost.fault)
            return Choice(piece, lambda: Explanation(self.name, f"The rule base {self.name} answers piece {piece}."))

        return move_with(situation, choose)

    def _again(
        self, situation: Situation, position: JostlePosition, memory: History | None, seed: Seed, ply: int
    ) -> Decision:
        if not situation.movable:
            return Decision(KEEP, None, roll_again=False)
        try:
            answer = self._answer(position, memory, seed, ply)
            if answer not in ("yes", "no"):
                raise Lost(_complaint(answer))
            again, fault = answer == "yes", None
        except Lost as lost:
            again, fault = False, lost.fault

        def explained() -> Explanation:
            if fault:
                return Explanation("fault", f"Does not roll again, because the rule base lost the decision ({fault}).")
            return Explanation(
                self.name, f"The rule base {self.name} answers {'yes' if again else 'no'} to a second roll."
            )

        return Decision(AGAIN if again else KEEP, None, roll_again=again, fault=fault, _explain=explained)

    def _answer(self, position: JostlePosition, memory: History | None, seed: Seed, ply: int) -> str:
        try:
            host = current_host()
        except EngineMissingError as missing:
            raise Lost(Fault(FaultKind.NO_ENGINE, str(missing))) from None
        return SESSIONS.answer(host, self.script, position, memory, seed, ply)


def _piece(situation: Situation, answer: str) -> int:
    """The piece that the answer names. Raises Lost if there is no such piece to move."""
    found = _CHOICE.fullmatch(answer.replace(" ", ""))
    if found is None:
        raise Lost(_complaint(answer))
    field, piece, seat = map(int, found.groups())
    if seat != situation.seat or piece not in situation.own() or situation.pieces[piece] != field:
        raise Lost(Fault(FaultKind.WRONG_ANSWER, f"[{field},{piece},{seat}] is none of its pieces"))
    if piece not in situation.movable:
        raise Lost(Fault(FaultKind.WRONG_ANSWER, f"piece {piece} on {field} cannot move by {situation.points}"))
    return piece


def _complaint(answer: str) -> Fault:
    if answer == "failed":
        return Fault(FaultKind.FAILED, "move/2 has no solution")
    if answer.startswith("threw("):
        return Fault(FaultKind.THREW, answer.removeprefix("threw(").removesuffix(")")[:LONGEST_COMPLAINT])
    return Fault(FaultKind.WRONG_ANSWER, f"expected [Field, Piece, Owner], not {answer[:LONGEST_COMPLAINT]}")


def _by_lot(situation: Situation, fault: Fault) -> Choice:
    piece = min(situation.movable, key=situation.lot)
    words = f"The rule base lost the decision ({fault}); piece {piece} was drawn by lot."
    return Choice(piece, lambda: Explanation("fault", words), fault)
