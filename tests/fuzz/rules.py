"""Targets in games/ and npc/: books, positions, moves, layouts, names of strategies, what Prolog scripts say."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any, Final

from games.jostle import JOSTLE, JostleGame, Piece
from games.jostle.layout_files import LAYOUTS, read_layout, write_layout
from games.protocol import CHANCE, OVER, Game, GameError, Position
from games.registry import KINDS, game, shelf
from npc import practice, replays
from npc.composed import StrategyError, strategy
from npc.decision import Fault
from npc.players import player
from npc.prolog import rule_base, vocabulary_of
from npc.prolog.host import EngineError
from npc.prolog.memory import SESSIONS
from npc.prolog.session import ScriptError, Session
from npc.prolog.vocabulary import Lost
from server.prolog import Limits, WasmtimeHost, start_engine
from tests.fuzz.target import Target
from tests.games import test_book_fuzz as books
from tests.games.playthrough import play_out

PLIES: Final = 60
GAMES: Final = tuple(game(reference) for reference in shelf())
DESCRIBING: Final = (
    "(",
    ")",
    "?x",
    ";",
    "(<= ",
    " not ",
    " or ",
    " distinct ",
    " true ",
    " does ",
    " next ",
    " random ",
)
VOCABULARY: Final = vocabulary_of(JOSTLE)


def walk(game: Game, seed: str, plies: int = PLIES) -> list[Position]:
    """Positions of a random game."""
    position: Position = game.start()
    found, rng = [position], Random(seed)
    while position.to_act != OVER and len(found) < plies:
        if position.to_act == CHANCE:
            position = position.play(position.drawn(rng.randrange(position.ways)))
        else:
            position = position.play(rng.choice(position.moves()))
        found.append(position)
    return found


# ------------------------------------------------------------------------------------------------------------ positions


def check_position(text: str) -> bool:
    """Accepted by a game, a position is written as it was read, and everything that it offers can be played."""
    accepted = False
    for rules in GAMES:
        try:
            position = rules.position(text)
        except GameError as error:
            assert str(error).isprintable()
            continue
        accepted = True
        assert rules.position(position.text()) == position
        choices = [*position.moves(), *(move for move, _ in position.outcomes())]
        assert rules.secrets or bool(choices or position.ways) == (position.to_act != OVER)
        for move in choices:
            try:
                after = position.play(move)
            except GameError:
                assert rules.secrets, "only a view, in which something is hidden, cannot be played on"
                continue
            assert rules.position(after.text()) == after
            after.scores()
            after.winners()
    return accepted


def position_seeds() -> list[str]:
    return [position.text() for rules in GAMES for position in walk(rules, "seeds")[::6]]


def check_move(text: str) -> bool:
    accepted = False
    for rules in GAMES:
        try:
            move = rules.move(text)
        except GameError as error:
            assert str(error).isprintable()
            continue
        accepted = True
        assert rules.move(str(move)) == move
        for position in walk(rules, "moves", 12):
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
    rules = JostleGame(layout)
    for position in walk(rules, text, 40):
        assert rules.position(position.text()) == position
    return True


# --------------------------------------------------------------------------------------------------------- descriptions


def check_description(text: str) -> bool:
    """A description that is accepted can be played until its rules turn out to be too much, and its positions read."""
    try:
        rules = KINDS["gdl"].open(text)
    except GameError as error:
        assert str(error).isprintable()
        return False
    position, rng = rules.start(), Random(text)
    try:
        for _ in range(PLIES // 3):
            if position.to_act == OVER:
                break
            assert rules.position(position.text()) == position
            choices = position.moves() or [move for move, _ in position.outcomes()]
            position = position.play(rng.choice(choices))
        assert len(position.scores()) == len(rules.seats)
    except GameError as error:
        assert str(error).isprintable()
    return True


# ----------------------------------------------------------------------------------------------------------- strategies


def check_strategy(text: str) -> bool:
    try:
        found = strategy(text, JOSTLE)
    except StrategyError as error:
        assert len(str(error)) < 100_000
        return False
    assert strategy(found.name, JOSTLE) == found
    assert player(found.text, JOSTLE.reference) == found
    return True


def strategy_seeds() -> list[str]:
    return ["Observing PALS", "ADVANCER", "Aggressive,Observing,EQUALIZER", "Lingering Revenging Observing ADVANCER"]


# -------------------------------------------------------------------------------------------------------------- replays


def check_practice(text: str) -> bool:
    """The practice game's and the replay's address: a game, a line break, moves separated by commas."""
    address, _, moves = text.encode(errors="replace").decode().partition("\n")
    played = moves.split(",")[:2000] if moves else []
    accepted = False
    for act in (
        lambda: practice.advance(address[:64], "7", played),
        lambda: replays.of_moves(address[:64], played),
    ):
        try:
            act()
            accepted = True
        except GameError as error:
            assert str(error)
    return accepted


def practice_seeds() -> list[str]:
    played = [str(move) for _, move in play_out(JOSTLE, "replay")]
    begun = practice.advance("jostle", "7", [])
    first = [move for update in begun["updates"] for move in update["moves"]]
    return [
        f"jostle\n{','.join(played[:40])}",
        "jostle:standard\n" + ",".join([*first, begun["legal"][0]]),
        "jostle:sixth-goal\n5",
        "tic-tac-toe\na1",
        "tricks\n",
    ]


# --------------------------------------------------------------------------------------------------------------- prolog


@cache
def moments() -> tuple[Any, ...]:
    """Positions of Jostle in which a seat moves or decides about a second roll, more than enough of both."""
    return tuple(p for seed in range(4) for p in walk(JOSTLE, f"{seed}") if p.to_act not in (CHANCE, OVER))[:60]


def check_answer(text: str) -> bool:
    """Whatever a script answers: a move that is legal, or the decision is lost with a reason."""
    accepted = False
    for position in moments()[::4]:
        try:
            decision = VOCABULARY.decision(position, position.to_act, text, "fuzz")
        except Lost as lost:
            assert str(lost.fault)
        else:
            assert decision.move in position.moves()
            accepted = True
        assert isinstance(VOCABULARY.complaint(text), Fault)
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
    base = rule_base(text, JOSTLE)
    assert len(base.name) <= 80
    try:
        Session(engine, text, JOSTLE, VOCABULARY).close()
        loadable = True
    except (ScriptError, EngineError) as error:
        assert str(error)
        loadable = False
    for position in moments()[:3]:
        decision = base.decide(position, position.to_act, None, "seed", 1)
        assert decision.move in position.moves()
        assert loadable or decision.fault or not VOCABULARY.asks(position, position.to_act)
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
GENERATED: Final = str(VOCABULARY.script_of(strategy("PALS", JOSTLE)))
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
    Target("descriptions", check_description, lambda: [*KINDS["gdl"].library.values()], DESCRIBING, 1.5, suffix=".kif"),
    Target("strategies", check_strategy, strategy_seeds, ("PALS", "ADVANCER", "Observing", ",", " ", "LINGERING")),
    Target("practice", check_practice, practice_seeds, (",", "p0", "6", "again", "keep", "pass", "\n", "jostle")),
    Target("prolog-answers", check_answer, answer_seeds, (*tuple("[],()0123456789-"), "choice(")),
    Target(
        "prolog-scripts",
        check_script,
        lambda: [*SCRIPTS, GENERATED],
        PROLOG,
        share=2,
        suffix=".pl",
    ),
)
