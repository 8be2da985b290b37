"""Targets in games/ and npc/: books, positions, moves, layouts, names of strategies, what Prolog scripts say."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Final

from games.jostle import JOSTLE, STANDARD, JostleGame, JostlePosition, Piece
from games.jostle.layout_files import LAYOUTS, read_layout, write_layout
from games.protocol import CHANCE, OVER, Game, GameError, NotationError, Position
from games.registry import GAMES
from npc import practice, replays
from npc.composition import StrategyError, strategy
from npc.decision import Fault
from npc.player import is_roll_question
from npc.players import player
from npc.prolog.generate import rule_base as generated
from npc.prolog.host import EngineError
from npc.prolog.memory import SESSIONS, Lost
from npc.prolog.rulebase import RuleBase, _complaint, _piece
from npc.prolog.session import ScriptError, Session
from npc.situation import Situation
from server.prolog import Limits, WasmtimeHost, start_engine
from tests.fuzz.target import Target
from tests.games import test_book_fuzz as books
from tests.games.playthrough import play_out

PLIES: Final = 60


def walk(game: Game, seed: str, plies: int = PLIES) -> list[Position]:
    """Positions of a random game."""
    position: Position = game.start()
    found, rng = [position], Random(seed)
    while position.to_act != OVER and len(found) < plies:
        choices = [move for move, _ in position.outcomes()] or list(position.moves())
        position = position.play(rng.choice(choices))
        found.append(position)
    return found


# ------------------------------------------------------------------------------------------------------------ positions


def check_position(text: str) -> bool:
    """Accepted by a game, a position is written as it was read, and everything that it offers can be played."""
    accepted = False
    for game in GAMES.values():
        try:
            position = game.position(text)
        except NotationError as error:
            assert str(error).isprintable()
            continue
        accepted = True
        assert game.position(position.text()) == position
        choices = [*position.moves(), *(move for move, _ in position.outcomes())]
        assert bool(choices) == (position.to_act != OVER)
        for move in choices:
            after = position.play(move)
            assert game.position(after.text()) == after
            after.scores()
            after.winners()
    return accepted


def position_seeds() -> list[str]:
    return [position.text() for game in GAMES.values() for position in walk(game, "seeds")[::6]]


def check_move(text: str) -> bool:
    accepted = False
    for game in GAMES.values():
        try:
            move = game.move(text)
        except NotationError as error:
            assert str(error).isprintable()
            continue
        accepted = True
        assert game.move(str(move)) == move
        for position in walk(game, "moves", 12):
            try:
                position.play(move)
            except GameError:
                continue
    return accepted


# -------------------------------------------------------------------------------------------------------------- layouts


def check_layout(text: str) -> bool:
    """A layout that is accepted can be played on, drawn, and written again."""
    try:
        layout = read_layout(text)
    except GameError as error:
        assert str(error)
        return False
    again = read_layout(write_layout(layout))
    assert again == layout
    assert len(layout.tiles) == layout.fields + 1
    game = JostleGame(layout)
    for position in walk(game, text, 40):
        assert game.position(position.text()) == position
    return True


# ----------------------------------------------------------------------------------------------------------- strategies


def check_strategy(text: str) -> bool:
    try:
        found = strategy(text)
    except StrategyError as error:
        assert len(str(error)) < 100_000
        return False
    assert strategy(found.name) == found
    assert player(found.name) == found
    return True


def strategy_seeds() -> list[str]:
    return ["Observing PALS", "ADVANCER", "Aggressive,Observing,EQUALIZER", "Lingering Revenging Observing ADVANCER"]


# -------------------------------------------------------------------------------------------------------------- replays


def check_practice(text: str) -> bool:
    """The practice game's and the replay's address: a game or seed, a line break, moves separated by commas."""
    seed, _, moves = text.encode(errors="replace").decode().partition("\n")
    accepted = False
    for act in (practice.advance, replays.of_moves):
        try:
            act(seed[:64] or "0", moves.split(",")[:2000] if moves else [])
            accepted = True
        except GameError as error:
            assert str(error)
    return accepted


def practice_seeds() -> list[str]:
    played = [str(move) for _, move in play_out(JOSTLE, "replay")]
    begun = practice.advance("7", [])
    first = [move for update in begun["updates"] for move in update["moves"]]
    return [
        f"jostle\n{','.join(played[:40])}",
        "7\n" + ",".join([*first, begun["legal"][0]]),
        "jostle:sixth-goal\n5",
        "tic-tac-toe\na1",
    ]


# --------------------------------------------------------------------------------------------------------------- prolog


@cache
def moments() -> tuple[JostlePosition, ...]:
    """Positions in which a seat moves or decides about a second roll, more than enough of both."""
    found = [p for seed in range(4) for p in walk(JOSTLE, f"{seed}") if p.to_act not in (CHANCE, OVER)]
    return tuple(p for p in found if isinstance(p, JostlePosition))[:60]


def check_answer(text: str) -> bool:
    """Whatever a script answers: a piece that can be moved, or the decision is lost with a reason."""
    accepted = False
    for position in [moment for moment in moments() if not is_roll_question(moment)][::4]:
        situation = Situation(position, "seed", 1)
        try:
            piece = _piece(situation, text)
        except Lost as lost:
            assert str(lost.fault)
        else:
            assert Piece(piece) in position.moves()
            accepted = True
        assert isinstance(_complaint(text), Fault)
    return accepted


def answer_seeds() -> list[str]:
    """Right answers to each of the questions, and the words for having none."""
    right = [
        f"choice([{position.pieces[move.id]},{move.id},{position.seat}])"
        for position in moments()
        for move in position.moves()
        if isinstance(move, Piece)
    ]
    return [*sorted(set(right)), "failed", "threw(x)", "yes", "no"]


@cache
def small_engine() -> WasmtimeHost:
    """An engine whose scripts are stopped early, so that endless ones do not eat the time."""
    return start_engine(limits=Limits(fuel=60_000_000, load_fuel=600_000_000, seconds=2.0))


def check_script(text: str) -> bool:
    """Whatever the script: it is refused with a reason, or its seat gets a legal move in every position."""
    engine = small_engine()
    base = RuleBase(text)
    assert len(base.name) <= 80
    try:
        Session(engine, text, STANDARD).close()
        loadable = True
    except (ScriptError, EngineError) as error:
        assert str(error)
        loadable = False
    for position in moments()[:3]:
        decision = base.decide(position, None, "seed", 1)
        assert decision.move in position.moves()
        assert loadable or decision.fault or not is_roll_question(position)
    SESSIONS.clear()
    return loadable


SCRIPTS: Final = (
    "% Simple\nmove(Owner, [F, P, Owner]) :- die(D), isMovePossible(Owner, F, P, D).\nrollDieAgain(_).\n",
    "% Files\n:- initialization((open('/etc/passwd', read, S), read(S, _))).\nmove(_, x).\n",
    "% Shell\nmove(O, X) :- shell('id'), X = [0, 0, O].\nrollDieAgain(_) :- halt.\n",
    "% Loop\nmove(O, X) :- move(O, X).\nrollDieAgain(X) :- rollDieAgain(X).\n",
    "% Memory\nmove(_, X) :- length(X, N), N > 100000000.\n",
    "% Host\nmove(O, X) :- '$host_call'(\"?\", Y), assertz(seen(Y)), X = Y.\n",
    "% Consult\n:- consult('/etc/passwd').\n:- use_module(library(http)).\nmove(_, _) :- js_eval(\"1\", _).\n",
)
PROLOG: Final = (
    *(":- ", " :- ", ".\n", "move(", "rollDieAgain(", "assertz(", "retractall(", "user:", "grintu_driver:step", "_"),
    *("'$host_call'(", "findall(", "halt", "throw(", "catch(", "atom_length(", "consult(", "open(", "repeat, fail"),
    *("set_prolog_flag(", "op(1200, xfx, ", "% ", "/*", "*/", "0'", '"', "\\x41\\", "[", "|", "]", "!", "\\+ "),
)

TARGETS: Final = (
    Target("books", books.check, books.seeds, tuple(books.ALPHABET), 3, books.CORPUS[0].parent),
    Target("positions", check_position, position_seeds, tuple("0123456789,/-rgb!? +"), 1.5),
    Target("moves", check_move, lambda: ["p0", "p8", "1", "6", "again", "keep", "pass", "a1"], tuple("p0123456789ak")),
    Target("layouts", check_layout, lambda: [write_layout(layout) for layout in LAYOUTS.values()], share=1.5),
    Target("strategies", check_strategy, strategy_seeds, ("PALS", "ADVANCER", "Observing", ",", " ", "LINGERING")),
    Target("practice", check_practice, practice_seeds, (",", "p0", "6", "again", "keep", "pass", "\n", "jostle")),
    Target("prolog-answers", check_answer, answer_seeds, (*tuple("[],()0123456789-"), "choice(")),
    Target(
        "prolog-scripts", check_script, lambda: [*SCRIPTS, generated(strategy("PALS"))], PROLOG, share=2, suffix=".pl"
    ),
)
