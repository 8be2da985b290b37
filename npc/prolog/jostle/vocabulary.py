"""What a rule base of Jostle is asked: which piece to move, or whether to roll again."""

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Final, cast

from games.jostle import AGAIN, KEEP, PASS, PIECES_PER_SEAT, JostleGame, JostlePosition, Phase, Piece
from games.jostle.game import KEY
from games.jostle.moves import PIECE_MOVES
from games.protocol import Game, Position, Seat
from npc.composed.composition import Strategy
from npc.composed.jostle.school import no_piece
from npc.composed.jostle.situation import JostleSituation, draw_lots, struck
from npc.decision import Decision, Explanation, Fault, FaultKind
from npc.player import Seed
from npc.prolog.history import History
from npc.prolog.jostle.driver import ANSWERING
from npc.prolog.jostle.generate import script_of
from npc.prolog.jostle.prelude import FACTS, HELPERS, MEANINGS
from npc.prolog.terms import quoted
from npc.prolog.vocabulary import Lost, Vocabulary, engine_seed

_CHOICE: Final = re.compile(r"choice\(\[(-?\d{1,6}),(\d{1,6}),(\d{1,6})\]\)", re.ASCII)


class Question(Enum):
    """Which piece to move, or whether to roll again."""

    MOVE = "move"
    AGAIN = "again"


class JostleVocabulary(Vocabulary):
    """`move(Owner, [Field, Piece, Owner])` and `rollDieAgain(Owner)`."""

    game: Final = KEY
    facts = FACTS
    meanings = MEANINGS
    helpers = HELPERS
    answering = ANSWERING
    of_driver = ("prepareBoard/0",)
    asked = "move/2"
    answer = "[Field, Piece, Owner]"

    def opening(self, game: Game) -> str:
        tiles = cast("JostleGame", game).layout.tiles
        return f"board([{', '.join(map(quoted, tiles.values()))}])."

    def asks(self, position: Position, seat: Seat) -> bool:
        return what_is_asked(cast("JostlePosition", position), seat) is not None

    def question(
        self,
        game: Game,  # noqa: ARG002  # positions know their board
        position: Position,
        seat: Seat,
        news: Sequence[History],
        seed: Seed,
        ply: int,
    ) -> str:
        here = cast("JostlePosition", position)
        asked = what_is_asked(here, seat)
        assert asked is not None, "nobody is asked who has nothing to choose"
        fields = ",".join(map(str, here.pieces))
        lots = ",".join(map(str, draw_lots(seed, ply)))
        history = ",".join(_history(news))
        return f"q({asked.value},{engine_seed(seed, ply)},{seat},{here.points},[{fields}],[{lots}],[{history}])."

    def decision(self, position: Position, seat: Seat, answer: str, name: str) -> Decision:
        here = cast("JostlePosition", position)
        if what_is_asked(here, seat) is Question.AGAIN:
            if answer not in ("yes", "no"):
                raise Lost(self.complaint(answer))
            words = f"The rule base {name} answers {answer} to a second roll."
            return Decision(AGAIN if answer == "yes" else KEEP, _explain=lambda: Explanation(name, words))
        piece = self._piece(here, seat, answer)
        words = f"The rule base {name} answers piece {piece}."
        return Decision(PIECE_MOVES[piece], _explain=lambda: Explanation(name, words))

    def instead(self, position: Position, seat: Seat, fault: Fault, seed: Seed, ply: int) -> Decision:
        """A uniformly random movable piece, or no second roll."""
        here = cast("JostlePosition", position)
        if what_is_asked(here, seat) is Question.AGAIN:
            words = f"Does not roll again, because the rule base lost the decision ({fault})."
            return Decision(KEEP, fault=fault, _explain=lambda: Explanation("fault", words))
        situation = JostleSituation(here, seat, seed, ply)
        move = min(situation.moves, key=situation.lot)
        words = f"The rule base lost the decision ({fault}); piece {move.id} was drawn by lot."
        return Decision(move, fault=fault, _explain=lambda: Explanation("fault", words))

    def unasked(self, position: Position, seat: Seat) -> Decision:  # noqa: ARG002  # only one seat acts
        deciding = cast("JostlePosition", position).phase is Phase.DECIDE
        return Decision(KEEP if deciding else PASS, _explain=no_piece)

    def script_of(self, strategy: Strategy) -> str:
        return script_of(strategy)

    def _piece(self, position: JostlePosition, seat: Seat, answer: str) -> int:
        """The piece that the answer names. Raises Lost if there is no such piece to move."""
        found = _CHOICE.fullmatch(answer.replace(" ", ""))
        if found is None:
            raise Lost(self.complaint(answer))
        field, piece, owner = map(int, found.groups())
        own = range(PIECES_PER_SEAT * seat, PIECES_PER_SEAT * (seat + 1))
        if owner != seat or piece not in own or position.pieces[piece] != field:
            raise Lost(Fault(FaultKind.WRONG_ANSWER, f"[{field},{piece},{owner}] is none of its pieces"))
        if PIECE_MOVES[piece] not in position.moves(seat):
            raise Lost(Fault(FaultKind.WRONG_ANSWER, f"piece {piece} on {field} cannot move by {position.points}"))
        return piece


def what_is_asked(position: JostlePosition, seat: Seat) -> Question | None:
    """What an acting seat is asked; None if it has no choice."""
    reach, first = position.layout.reach, PIECES_PER_SEAT * seat
    if not any(reach[field] >= position.points for field in position.pieces[first : first + PIECES_PER_SEAT]):
        return None
    return {Phase.DECIDE: Question.AGAIN, Phase.MOVE: Question.MOVE}.get(position.phase)


def _history(news: Sequence[History]) -> Iterator[str]:
    for played in news:
        move, before = played.move, cast("JostlePosition", played.before)
        if isinstance(move, Piece):
            hit = ",".join(map(str, struck(before.layout, before.pieces, move.id, before.points)))
            yield f"h({played.ply},{before.seat},{move.id},{before.pieces[move.id] + before.points},[{hit}])"


JOSTLE_VOCABULARY: Final = JostleVocabulary()
