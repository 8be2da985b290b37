"""Programs as players: the line protocol, what a program is told, and how it loses a game."""

import json
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.protocol import Game
from games.registry import game as find_game
from npc.decision import FaultKind
from npc.follower import Follower
from npc.player import PlayerError
from npc.players import read_player
from npc.program.host import LostError, Running, Used, use_programs
from npc.program.player import SESSIONS
from npc.program.protocol import Json, chosen
from npc.simulation.play import play_game
from server.sandbox.limits import Limits

TEXT = "program:python\npass"
Answer = Callable[[Json], Json | str]


def first(message: Json) -> Json:
    if message["type"] == "game":
        return {"type": "ready", "protocol": 1}
    return {"type": "move", "id": message["id"], "move": message["moves"][0]}


class Pretended:
    """A host whose programs are functions; it writes down what they are told."""

    limits = Limits()

    def __init__(self, answer: Answer = first) -> None:
        self.answer = answer
        self.told: list[Json] = []
        self.ended = 0

    def start(self, language: str, source: str) -> Running:  # noqa: ARG002 - it has one program only
        return self

    def ask(self, question: str, seconds: float) -> str:
        assert "\n" not in question and 0 <= seconds <= self.limits.action_seconds
        self.told.append(json.loads(question))
        answer = self.answer(self.told[-1])
        return answer if isinstance(answer, str) else json.dumps(answer)

    def close(self) -> Used:
        self.ended += 1
        return Used()


@pytest.fixture(autouse=True)
def nobody() -> Iterator[None]:
    yield
    SESSIONS.clear()
    use_programs(None)


def follower(game: Game, host: Pretended, seed: str = "s") -> Follower:
    use_programs(host)
    return Follower(game, read_player(TEXT, game), seed, 0)


def test_its_text_is_read_again() -> None:
    rules = find_game("tic-tac-toe")
    player = read_player("program:cpp\nint main() {}\n", rules)
    assert read_player(player.text, rules) == player
    assert player.name.startswith("cpp program ")
    assert player.heavy and not player.repeatable_in_browsers


@pytest.mark.parametrize(
    "text", ["program:", "program:cobol\nx", "program:python", "program:python\n \n", "program:python\n\0"]
)
def test_what_is_no_program_is_refused(text: str) -> None:
    with pytest.raises(PlayerError):
        read_player(text, find_game("tic-tac-toe"))


@pytest.mark.parametrize("reference", ["tic-tac-toe", "jostle", "ten", "tricks", "tourality", "gdl:dice-race"])
def test_a_program_plays_any_game_to_its_end(reference: str) -> None:
    game = find_game(reference)
    host = Pretended()
    use_programs(host)
    other = read_player("composed:RANDOMIZER" if reference != "jostle" else "composed:PALS", game)
    played = play_game(game, [read_player(TEXT, game), *[other] * (len(game.seats) - 1)], "seed", 0)
    assert played.seats[0].faults == 0
    greeting, *questions = host.told
    assert (greeting["type"], greeting["protocol"], greeting["game"]) == ("game", 1, game.reference)
    assert [each["id"] for each in questions] == list(range(1, len(questions) + 1))
    assert all(len(each["moves"]) > 1 for each in questions)


def test_it_is_told_every_move_once_and_nothing_that_its_seat_may_not_know() -> None:
    game = find_game("tricks")
    host = Pretended()
    use_programs(host)
    random = read_player("composed:RANDOMIZER", game)
    played = play_game(game, [read_player(TEXT, game), *[random] * (len(game.seats) - 1)], "seed", 3)
    position, seen = game.start(), []
    for move in played.moves:
        seen.append(position.seen(move, 0))
        position = position.play(move)
    told = [each["move"] for question in host.told[1:] for each in question["seen"]]
    assert told == seen[: len(told)] and told
    assert any(text != str(move) for text, move in zip(seen, played.moves, strict=True)), "nothing was hidden"


def test_the_same_match_asked_again_is_told_from_its_beginning() -> None:
    game = find_game("tic-tac-toe")
    host = Pretended()
    following = follower(game, host)
    following.catch_up(["a1", "b2"])
    following.decide(0)
    SESSIONS.clear()
    following.catch_up(["a1", "b2", "c1", "b3"])
    following.decide(0)
    assert [each["move"] for each in host.told[-1]["seen"]] == ["a1", "b2", "c1", "b3"]


WRONG: dict[str, tuple[Answer, FaultKind]] = {
    "no JSON": (lambda message: first(message) if message["type"] == "game" else "a1", FaultKind.WRONG_ANSWER),
    "no object": (lambda message: first(message) if message["type"] == "game" else "[1]", FaultKind.WRONG_ANSWER),
    "deep": (lambda message: first(message) if message["type"] == "game" else "[" * 60000, FaultKind.WRONG_ANSWER),
    "illegal": (lambda message: first(message) | {"move": "z9"}, FaultKind.WRONG_ANSWER),
    "a list as move": (lambda message: first(message) | {"move": ["a1"]}, FaultKind.WRONG_ANSWER),
    "an old answer": (lambda message: first(message) | {"id": 0}, FaultKind.WRONG_ANSWER),
    "another version": (lambda message: first(message) | {"protocol": 2, "type": "ready"}, FaultKind.WRONG_ANSWER),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_loses_the_whole_game_but_never_a_legal_move(name: str) -> None:
    answer, kind = WRONG[name]
    game = find_game("tic-tac-toe")
    host = Pretended(answer)
    following = follower(game, host)
    decision = following.decide(0)
    assert decision.fault is not None and decision.fault.kind == kind
    assert host.ended == 1
    asked = len(host.told)
    following.follow([decision.move, following.position.play(decision.move).moves()[0]])
    again = following.decide(0)
    assert again.fault is not None and again.move in following.position.moves(0)
    assert len(host.told) == asked, "a program that has lost is not asked any more"


def test_without_anybody_who_runs_programs_the_lot_decides_and_says_so() -> None:
    use_programs(None)
    game = find_game("tic-tac-toe")
    decision = Follower(game, read_player(TEXT, game), "s", 0).decide(0)
    assert decision.fault is not None and decision.fault.kind == FaultKind.NO_ENGINE


def test_time_of_a_sweep_runs_out() -> None:
    host = Pretended()
    host.limits = Limits(sweep_seconds=0.0)

    def late(message: Json) -> Json:
        if message["type"] == "choose":
            raise LostError(FaultKind.LIMIT, "no answer within 0 s")
        return first(message)

    host.answer = late
    following = follower(find_game("tic-tac-toe"), host)
    decision = following.decide(0)
    assert host.told[-1]["left_ms"] == 0
    assert decision.fault is not None and decision.fault.kind == FaultKind.LIMIT


def test_only_a_few_run_at_once() -> None:
    game = find_game("tic-tac-toe")
    host = Pretended()
    for number in range(6):
        follower(game, host, f"seed {number}").decide(0)
    assert host.ended == 2
    assert len(SESSIONS.forget("seed 5")) == 1
    assert host.ended == 3


VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "id", "move", "note"]), inner),
    max_leaves=6,
)
NEARLY = st.fixed_dictionaries(
    {"type": st.just("move"), "id": st.just(1), "move": st.just("a1") | VALUES, "note": VALUES}
)


@given(st.text() | (VALUES | NEARLY).map(json.dumps))
def test_whatever_is_answered_is_a_move_or_lost(answer: str) -> None:
    try:
        place, _ = chosen(answer, 1, ["a1", "b2"])
    except LostError as lost:
        assert lost.fault.kind == FaultKind.WRONG_ANSWER and len(lost.fault.message) < 1000
    else:
        assert place in (0, 1)
