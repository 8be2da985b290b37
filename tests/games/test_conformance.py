"""What every registered game must hold, whatever its rules."""

import pickle
from collections.abc import Hashable

import pytest

from games.book import BookError, read_book, record, replay, write_book
from games.protocol import CHANCE, OVER, Game, GameError, IllegalMoveError, Move, NotationError, Position
from games.registry import GAMES, game
from tests.games.playthrough import golden_file, golden_text, play_out

SEEDS = range(40)


@pytest.fixture(params=GAMES, scope="module")
def rules(request: pytest.FixtureRequest) -> Game:
    return game(request.param)


@pytest.fixture(scope="module")
def games_played(rules: Game) -> list[list[tuple[Position, Move]]]:
    return [play_out(rules, f"conformance {seed}") for seed in SEEDS]


@pytest.fixture(scope="module")
def positions(games_played: list[list[tuple[Position, Move]]]) -> set[Position]:
    """Every position that the games met, their ends included."""
    met = {position for played in games_played for position, _ in played}
    return met | {played[-1][0].play(played[-1][1]) for played in games_played}


def test_exactly_one_of_seat_chance_and_end_is_at_work(rules: Game, positions: set[Position]) -> None:
    for position in positions:
        acts = position.to_act
        assert acts in (CHANCE, OVER, *range(len(rules.seats)))
        assert bool(position.moves()) == (acts >= 0)
        assert bool(position.outcomes()) == (acts == CHANCE)


def test_every_move_that_is_offered_can_be_played(positions: set[Position]) -> None:
    for position in positions:
        offered = [*position.moves(), *(move for move, _ in position.outcomes())]
        assert len(set(offered)) == len(offered)
        for move in offered:
            assert position.play(move).to_act is not None


def test_every_other_move_is_refused(rules: Game, positions: set[Position]) -> None:
    known = {move for p in positions for move in (*p.moves(), *(m for m, _ in p.outcomes()))}
    for position in sorted(positions, key=lambda p: p.text())[:300]:
        offered = {*position.moves(), *(move for move, _ in position.outcomes())}
        for move in known - offered:
            with pytest.raises(IllegalMoveError):
                position.play(move)


def test_playing_changes_nothing_but_gives_something_new(positions: set[Position]) -> None:
    for position in positions:
        before = position.text()
        for move in position.moves():
            assert position.play(move) == position.play(move)
            assert position.play(move) != position
        assert position.text() == before


def test_positions_cannot_be_changed(rules: Game) -> None:
    position = rules.start()
    for name in ("seat", "pieces", "squares", "deck", "anything"):
        with pytest.raises((AttributeError, TypeError)):
            setattr(position, name, 0)


def test_chance_has_positive_whole_weights(positions: set[Position]) -> None:
    for position in positions:
        for _, weight in position.outcomes():
            assert isinstance(weight, int)
            assert weight > 0


def test_texts_of_positions_read_back_and_tell_positions_apart(rules: Game, positions: set[Position]) -> None:
    texts = {position.text(): position for position in positions}
    assert len(texts) == len(positions)
    for text, position in texts.items():
        again = rules.position(text)
        assert again == position
        assert hash(again) == hash(position)
        assert again.text() == text


def test_texts_of_moves_read_back(rules: Game, positions: set[Position]) -> None:
    moves = {move for p in positions for move in (*p.moves(), *(m for m, _ in p.outcomes()))}
    assert len({str(move) for move in moves}) == len(moves)
    for move in moves:
        assert isinstance(move, Hashable)
        assert rules.move(str(move)) == move


@pytest.mark.parametrize("text", ["", " ", "nonsense", "-", "\x00", "9" * 5000, "٣"])
def test_texts_that_mean_nothing_are_refused(rules: Game, text: str) -> None:
    with pytest.raises(NotationError):
        rules.move(text)
    with pytest.raises(NotationError):
        rules.position(text)


@pytest.mark.parametrize("spoilt", [" {}", "{} ", "{}\n", "{0}{0}", "{}\x00", "{}٣"])
def test_texts_with_something_added_are_refused(rules: Game, positions: set[Position], spoilt: str) -> None:
    moves = {move for p in positions for move in (*p.moves(), *(m for m, _ in p.outcomes()))}
    for move in moves:
        with pytest.raises(NotationError):
            rules.move(spoilt.format(move))
    for position in sorted(positions, key=lambda p: p.text())[:100]:
        with pytest.raises(NotationError):
            rules.position(spoilt.format(position.text()))


def test_positions_travel_between_processes(positions: set[Position]) -> None:
    for position in sorted(positions, key=lambda p: p.text())[:200]:
        again = pickle.loads(pickle.dumps(position))  # noqa: S301  # our own bytes
        assert again == position
        assert again.moves() == position.moves()
        for move in position.moves():
            assert again.play(pickle.loads(pickle.dumps(move))) == position.play(move)  # noqa: S301  # as above


def test_there_are_as_many_scores_as_seats_and_winners_only_at_the_end(rules: Game, positions: set[Position]) -> None:
    for position in positions:
        assert len(position.scores()) == len(rules.seats)
        if position.to_act != OVER:
            assert position.winners() == ()
        else:
            assert all(0 <= seat < len(rules.seats) for seat in position.winners())
            best = [seat for seat, score in enumerate(position.scores()) if score == max(position.scores())]
            assert set(position.winners()) <= set(best)


def test_every_seat_may_see_a_position_of_the_game(rules: Game, positions: set[Position]) -> None:
    for position in positions:
        for seat in range(len(rules.seats)):
            assert position.view(seat).to_act == position.to_act


def test_playthroughs_are_as_they_always_were(rules: Game) -> None:
    """If this fails, the rules have changed. If that was meant: `python -m tests.games.playthrough`."""
    assert golden_text(rules) == golden_file(rules).read_text(encoding="utf-8")


def test_books_replay_to_the_same_end(rules: Game, games_played: list[list[tuple[Position, Move]]]) -> None:
    for played in games_played:
        end = played[-1][0].play(played[-1][1])
        name, _, layout = rules.name.partition(":")
        headers = (("Game", name), *((("Layout", layout),) if layout else ()))
        book = record(rules, (move for _, move in played), headers)
        assert read_book(write_book(book)) == book
        done = replay(read_book(write_book(book)))
        assert done.game == rules
        assert done.position == end
        assert done.over
        position = rules.start()
        for move in done.moves:
            position = position.play(move)
        assert position == end


def test_a_book_cannot_go_on_after_the_end(rules: Game, games_played: list[list[tuple[Position, Move]]]) -> None:
    name, _, layout = rules.name.partition(":")
    headers = (("Game", name), *((("Layout", layout),) if layout else ()))
    book = record(rules, (move for _, move in games_played[0]), headers)
    move = next(line.text for line in book.lines)
    with pytest.raises(BookError, match=r"line \d+: .*the game is over"):
        replay(read_book(write_book(book) + f"{move}\n"))


def test_an_unknown_game_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(GameError, match=r"chess.*jostle.*tic-tac-toe"):
        game("chess")
