"""What every game promises, whatever its rules. The games of the library are under test, and one for tests alone."""

import json
import pickle
import random
import re
from collections import Counter
from collections.abc import Hashable, Iterator
from itertools import pairwise, permutations, product
from typing import NamedTuple

import pytest

from games import dice
from games.book import BookError, read_book, record, replay, write_book
from games.protocol import (
    CHANCE,
    LONGEST_MOVE,
    OVER,
    Event,
    Game,
    GameError,
    IllegalMoveError,
    Late,
    Move,
    NotationError,
    Position,
    Seat,
)
from games.registry import KINDS, game, shelf
from games.texts import LANGUAGES
from tests.games.diggers import DIGGERS
from tests.games.elsewhere import following, tell_elsewhere, told
from tests.games.playthrough import draw, golden_file, golden_text, play_out

SEEDS = range(40)
FEWER_SEEDS = {"gdl": range(3), "tourality": range(3), "evolved": range(2)}
"""Rules that are read from a description take their time for a move; races for leaves and invented games are long."""
SOME = 300
FEWER_POSITIONS = {"gdl": 25}
"""What is asked of positions is the same code for all descriptions; their rules have goldens and tests of their own."""
FEW_WAYS = 20_000
"""As many numbers of chance are tried one by one; of more, a sample."""
SAMPLE = 100
TERM = re.compile(r"[a-z][a-z_0-9]*(\((-?\w+|[a-z]\w*\([\w,]+\))(,(-?\w+|[a-z]\w*\([\w,]+\)))*\))?", re.ASCII)

Played = list[tuple[Position, Move]]


@pytest.fixture(params=[*shelf(), DIGGERS.reference], ids=[*shelf(), "diggers"], scope="module")
def rules(request: pytest.FixtureRequest) -> Game:
    return DIGGERS if request.param == DIGGERS.reference else game(request.param)


@pytest.fixture(scope="module")
def library_rules(rules: Game) -> Game:
    return rules if rules.reference in shelf() else pytest.skip("not a game of the library")


@pytest.fixture(scope="module")
def games_played(rules: Game) -> list[Played]:
    return [play_out(rules, f"conformance {seed}") for seed in FEWER_SEEDS.get(rules.kind, SEEDS)]


@pytest.fixture(scope="module")
def positions(rules: Game, games_played: list[Played]) -> set[Position]:
    """Every position that the games met, or enough of them, their beginnings and ends included."""
    met = {position for played in games_played for position, _ in played}
    enough = sample(met, FEWER_POSITIONS.get(rules.kind, len(met)))
    return {*enough, games_played[0][0][0], *[played[-1][0].play(played[-1][1]) for played in games_played]}


@pytest.fixture(scope="module")
def some(positions: set[Position]) -> list[Position]:
    """Fewer positions, always the same ones, for what takes its time."""
    return sample(positions, SOME)


def sample(positions: set[Position], most: int) -> list[Position]:
    ordered = sorted(positions, key=lambda position: position.text())
    return random.Random("some").sample(ordered, min(most, len(ordered)))


@pytest.fixture(scope="module")
def moves(positions: set[Position]) -> set[Move]:
    """Every move that was ever possible, and a sample of what chance may do where that cannot be listed."""
    return {move for position in positions for move in (*position.moves(), *possible_draws(position))}


def numbers(ways: int) -> list[int]:
    """All numbers of chance if they are few, else the ends and a sample."""
    if ways <= FEW_WAYS:
        return list(range(ways))
    rng = random.Random("numbers")
    return [0, 1, ways - 2, ways - 1, *(rng.randrange(ways) for _ in range(SAMPLE))]


def possible_draws(position: Position) -> set[Move]:
    outcomes = position.outcomes()
    if outcomes:
        return {move for move, _ in outcomes}
    found = numbers(position.ways)
    return {position.drawn(number) for number in random.Random("draws").sample(found, min(SAMPLE, len(found)))}


def seats_of(rules: Game) -> range:
    return range(len(rules.seats))


# ------------------------------------------------------------------------------------------------------- who acts


def test_exactly_one_of_seats_chance_and_end_is_at_work(rules: Game, positions: set[Position]) -> None:
    for position in positions:
        acts = position.to_act
        assert acts in (CHANCE, OVER, *seats_of(rules))
        assert bool(position.moves()) == (acts >= 0)
        assert bool(position.acting) == (acts >= 0)
        assert (position.ways > 0) == (acts == CHANCE)
        assert not position.outcomes() or acts == CHANCE


def test_the_seats_that_choose_at_once_are_in_order_and_the_first_one_is_played_first(
    rules: Game, positions: set[Position]
) -> None:
    for position in positions:
        acting = position.acting
        assert all(seat in seats_of(rules) for seat in acting)
        assert all(first < second for first, second in pairwise(acting))
        assert position.to_act < 0 or acting[0] == position.to_act


def test_only_seats_that_act_have_moves(rules: Game, positions: set[Position]) -> None:
    for position in positions:
        for seat in (CHANCE, OVER, *seats_of(rules), len(rules.seats)):
            assert bool(position.moves(seat)) == (seat in position.acting)
        if position.to_act >= 0:
            assert position.moves() == position.moves(position.to_act)


def test_what_a_table_asks_of_a_seat_is_legal_and_sensible(rules: Game, positions: set[Position]) -> None:
    for position in positions:
        for seat in position.acting:
            legal = position.moves(seat)
            assert re.fullmatch(r"[a-z]+", position.question(seat))
            assert position.default(seat) in legal
            forced = position.forced(seat)
            assert forced is None or legal == (forced,), "only what leaves no choice is forced"


# ------------------------------------------------------------------------------------------------------- playing


def test_every_move_that_is_offered_can_be_played(positions: set[Position]) -> None:
    for position in positions:
        offered = [*position.moves(), *(move for move, _ in position.outcomes())]
        assert len(set(offered)) == len(offered)
        for move in offered:
            assert position.play(move).to_act is not None


def test_every_other_move_is_refused(some: list[Position], moves: set[Move]) -> None:
    of_seats = {move for position in some for move in position.moves()}
    for position in some:
        offered = {*position.moves(), *(move for move, _ in position.outcomes())}
        others = moves - offered if offered or not position.ways else of_seats
        for move in others:
            with pytest.raises(IllegalMoveError):
                position.play(move)


def test_playing_changes_nothing_but_gives_something_new(positions: set[Position]) -> None:
    for position in positions:
        before = position.text()
        for move in position.moves():
            assert position.play(move) == position.play(move)
            assert position.play(move) != position
        assert position.text() == before


def test_positions_cannot_be_changed(rules: Game, some: list[Position]) -> None:
    for position in [*some[:20], *(each.view(seat) for each in some[:20] for seat in seats_of(rules))]:
        assert not hasattr(position, "__dict__")
        for name in (*dir(position), "anything"):
            with pytest.raises((AttributeError, TypeError)):
                setattr(position, name, 0)


def test_there_are_as_many_scores_as_seats_and_winners_only_at_the_end(rules: Game, positions: set[Position]) -> None:
    for position in positions:
        assert len(position.scores()) == len(rules.seats)
        if position.to_act != OVER:
            assert position.winners() == ()
        else:
            assert all(0 <= seat < len(rules.seats) for seat in position.winners())
            best = [seat for seat, score in enumerate(position.scores()) if score == max(position.scores())]
            assert set(position.winners()) <= set(best)


def test_playthroughs_are_as_they_always_were(library_rules: Game) -> None:
    """If this fails, the rules have changed. If that was meant: `python -m tests.games.playthrough`."""
    assert golden_text(library_rules) == golden_file(library_rules).read_text(encoding="utf-8")


# -------------------------------------------------------------------------------------------------------- chance


def test_chance_has_positive_whole_weights_and_as_many_numbers(positions: set[Position]) -> None:
    for position in positions:
        outcomes = position.outcomes()
        for _, weight in outcomes:
            assert isinstance(weight, int)
            assert weight > 0
        if outcomes:
            drawn = Counter(position.drawn(number) for number in range(position.ways))
            assert drawn == dict(outcomes), "each outcome for as many numbers as its weight"


def test_chance_that_cannot_be_listed_can_be_drawn(rules: Game, positions: set[Position]) -> None:
    for position in positions:
        if position.to_act != CHANCE or position.outcomes():
            continue
        drawn = [position.drawn(number) for number in numbers(position.ways)]
        counts = Counter(drawn)
        assert len(set(counts.values())) == 1, "all outcomes are equally likely"
        for move in counts:
            assert rules.move(str(move)) == move
            assert position.play(move) != position


def test_numbers_that_mean_nothing_are_refused(positions: set[Position]) -> None:
    for position in positions:
        for number in (-1, position.ways, position.ways + 1):
            with pytest.raises(GameError, match="chance has"):
                position.drawn(number)


def test_whole_matches_are_drawn_and_checked(rules: Game) -> None:
    seed, rng = bytes(range(32)), random.Random("match")
    position = rules.start()
    texts: list[str] = []
    while position.to_act != OVER:
        move = dice.draw(seed, len(texts), position) if position.to_act == CHANCE else rng.choice(position.moves())
        texts.append(str(move))
        position = position.play(move)
    checked = dice.verify(rules, seed.hex(), dice.commitment(seed), texts)
    assert (checked.fair, checked.reason) == (True, "")
    other = bytes(32)
    if checked.dice:
        assert not dice.verify(rules, other.hex(), dice.commitment(other), texts).fair


# --------------------------------------------------------------------------------------------------------- texts


def test_texts_of_positions_read_back_and_tell_positions_apart(rules: Game, positions: set[Position]) -> None:
    texts = {position.text(): position for position in positions}
    assert len(texts) == len(positions)
    for text, position in texts.items():
        again = rules.position(text)
        assert again == position
        assert hash(again) == hash(position)
        assert again.text() == text


def test_texts_of_moves_read_back_and_fit_on_a_line(rules: Game, moves: set[Move]) -> None:
    assert len({str(move) for move in moves}) == len(moves)
    for move in moves:
        text = str(move)
        assert isinstance(move, Hashable)
        assert rules.move(text) == move
        assert 0 < len(text) <= LONGEST_MOVE
        assert text.isprintable()
        assert text == text.strip()
        assert text[0] != "["
        assert not set(text) & set("{}")


@pytest.mark.parametrize("text", ["", " ", "nonsense", "-", "\x00", "9" * 5000, "٣", "[" * 5000, "?"])
def test_texts_that_mean_nothing_are_refused(rules: Game, text: str) -> None:
    with pytest.raises(NotationError):
        rules.move(text)
    with pytest.raises(NotationError):
        rules.position(text)


@pytest.mark.parametrize("spoilt", [" {}", "{} ", "{}\n", "{0}{0}", "{}\x00", "{}٣"])
def test_texts_with_something_added_are_refused(
    rules: Game, some: list[Position], moves: set[Move], spoilt: str
) -> None:
    for text in {spoilt.format(move) for move in moves} - {str(move) for move in moves}:
        with pytest.raises(NotationError):
            rules.move(text)
    for position in some[:100]:
        with pytest.raises(NotationError):
            rules.position(spoilt.format(position.text()))


def test_positions_and_views_survive_the_way_to_another_process(rules: Game, some: list[Position]) -> None:
    sent = [*some[:200], *(position.view(seat) for position in some[:100] for seat in seats_of(rules))]
    for position, (unpickled, read, after) in zip(sent, tell_elsewhere(rules, sent), strict=True):
        assert unpickled == read == told(rules, position)
        assert after == following(position)


def test_moves_and_games_can_be_pickled(rules: Game, moves: set[Move]) -> None:
    assert pickle.loads(pickle.dumps(rules)) == rules  # noqa: S301  # our own bytes
    for move in moves:
        assert pickle.loads(pickle.dumps(move)) == move  # noqa: S301  # as above


def test_facts_are_terms_and_tell_positions_apart(positions: set[Position]) -> None:
    facts = {position.facts(): position for position in positions}
    assert len(facts) == len(positions)
    for each in facts:
        assert len(set(each)) == len(each)
        for fact in each:
            assert TERM.fullmatch(fact), fact


# ----------------------------------------------------------------------------------------------- who may know what


class Twin(NamedTuple):
    """Two positions with the moves that follow in them, which a seat cannot tell apart by what it has seen."""

    seat: Seat
    one: Position
    other: Position
    move: Move


def twins(rules: Game, games_played: list[Played]) -> Iterator[Twin]:
    """Games in which something happened differently that looked the same to a seat, as long as they can go on alike."""
    for played, seat in product(games_played[:20], seats_of(rules)):
        for ply, (before, move) in enumerate(played):
            if before.to_act == seat:
                continue
            same = before.seen(move, seat)
            others = {*before.moves(), *possible_draws(before)} - {move}
            for other in sorted((each for each in others if before.seen(each, seat) == same), key=str)[:5]:
                yield from go_on_alike(seat, before.play(other), played[ply + 1 :])


def go_on_alike(seat: Seat, other: Position, rest: Played) -> Iterator[Twin]:
    for one, move in rest:
        yield Twin(seat, one, other, move)
        if move not in other.moves():
            return
        other = other.play(move)


def test_what_looks_the_same_to_a_seat_is_the_same_to_it_in_everything(rules: Game, games_played: list[Played]) -> None:
    found = 0
    for seat, one, other, move in twins(rules, games_played):
        found += one != other
        assert one.view(seat) == other.view(seat)
        assert one.view(seat).text() == other.view(seat).text()
        assert one.moves(seat) == other.moves(seat)
        if move in other.moves():
            assert one.seen(move, seat) == other.seen(move, seat)
            assert one.events(move, seat) == other.events(move, seat)
    assert bool(found) == hides_more_than_sealed_moves(rules, games_played), "these games met what is hidden"


def hides_more_than_sealed_moves(rules: Game, games_played: list[Played]) -> bool:
    """Whether a seat may not know something even when nobody has chosen yet while others still choose."""
    hidden = {"sealed": False, "otherwise": False}
    for played in games_played:
        sealed = False
        for position, _ in played:
            if any(position.view(seat) != position for seat in seats_of(rules)):
                hidden["sealed" if sealed else "otherwise"] = True
            sealed = len(position.acting) > 1
    assert rules.secrets == any(hidden.values()), "a game says whether it has secrets, and these games met them"
    return hidden["otherwise"]


def test_a_seat_learns_of_a_draw_what_its_view_shows_and_nothing_else(rules: Game, positions: set[Position]) -> None:
    found = 0
    for position, seat in product(positions, seats_of(rules)):
        told_of: dict[Position, set[tuple[str, tuple[Event, ...]]]] = {}
        for move in possible_draws(position):
            after = position.play(move)
            if after.view(seat) != after:
                told_of.setdefault(after.view(seat), set()).add(
                    (position.seen(move, seat), position.events(move, seat))
                )
                found += 1
        assert all(len(each) == 1 for each in told_of.values())
    assert bool(found) == (rules.secrets and any(position.to_act == CHANCE for position in positions))


def test_a_view_is_a_position_in_which_its_seat_can_be_asked(rules: Game, positions: set[Position]) -> None:
    for position, seat in product(positions, seats_of(rules)):
        view = position.view(seat)
        assert type(view) is type(position)
        assert view.view(seat) == view
        assert rules.position(view.text()) == view
        assert view.to_act == position.to_act if position.to_act < 0 else view.to_act >= 0
        assert (seat in view.acting) == (seat in position.acting)
        assert view.moves(seat) == position.moves(seat)
        if seat in position.acting:
            assert view.question(seat) == position.question(seat)
            assert view.forced(seat) == position.forced(seat)
            assert view.default(seat) == position.default(seat)
        if not rules.secrets:
            assert view == position


def test_what_a_seat_reads_of_a_move_is_printable_and_true_where_nothing_is_hidden(
    rules: Game, games_played: list[Played]
) -> None:
    for position, move in (each for played in games_played for each in played):
        for seat in seats_of(rules):
            seen = position.seen(move, seat)
            assert 0 < len(seen) <= LONGEST_MOVE
            assert seen.isprintable()
            assert not set(seen) & set("{}")
            if not rules.secrets or seat == position.to_act:
                assert seen == str(move)


def sampled_worlds(view: Position, seat: Seat) -> list[Position]:
    worlds = view.worlds(seat)
    found = range(worlds) if worlds <= FEW_WAYS else numbers(worlds)
    return [view.world(seat, number) for number in random.Random("worlds").sample(found, min(10, len(found)))]


def test_the_worlds_of_a_view_look_like_it_and_can_be_played_on(rules: Game, some: list[Position]) -> None:
    found = 0
    for position, seat in product(some, seats_of(rules)):
        if seat not in position.acting:
            continue
        view = position.view(seat)
        imagined = sampled_worlds(view, seat)
        found += len(imagined) > 1
        assert imagined or rules.secrets, "only a game with secrets may not tell"
        assert len(set(imagined)) == len(imagined)
        if not rules.secrets:
            assert imagined == [position]
        for world in imagined[:3]:
            assert world.view(seat) == view
            assert world.moves(seat) == view.moves(seat)
            assert world.acting == view.acting
            assert rules.position(world.text()) == world
            assert draw_to_the_end(world).to_act == OVER
    assert not found or rules.secrets


def test_worlds_that_a_seat_need_not_reckon_with_are_refused(rules: Game, some: list[Position]) -> None:
    for position, seat in product(some[:50], seats_of(rules)):
        view = position.view(seat)
        for number in (-1, view.worlds(seat)):
            with pytest.raises(GameError, match="worlds to reckon with"):
                view.world(seat, number)


def test_the_worlds_of_a_view_are_those_that_may_be_true(rules: Game, games_played: list[Played]) -> None:
    """Among few worlds there is the true one, as long as nobody has sealed a move that would show in it."""
    met = [position for played in games_played[:10] for position, _ in played]
    for position, seat in product(met, seats_of(rules)):
        view = position.view(seat)
        if seat in position.acting and view.acting == position.acting and 0 < view.worlds(seat) <= SAMPLE:
            assert position in {view.world(seat, number) for number in range(view.worlds(seat))}


def draw_to_the_end(position: Position) -> Position:
    rng = random.Random("on")
    while position.to_act != OVER:
        position = position.play(draw(position, rng))
    return position


def test_ends_are_worth_something_between_nothing_and_a_hundred(rules: Game, positions: set[Position]) -> None:
    for position in positions:
        if position.to_act == OVER:
            goals = position.goals()
            assert len(goals) == len(rules.seats)
            assert all(0 <= goal <= 100 for goal in goals)
            assert all(goals[seat] == max(goals) for seat in position.winners())
        elif (promise := position.evaluation()) is not None:
            assert len(promise) == len(rules.seats)
            assert all(0 <= each <= 100 for each in promise)


# -------------------------------------------------------------------------------------------- seats that act at once


def test_nobody_notices_a_sealed_move_before_all_have_chosen(rules: Game, positions: set[Position]) -> None:
    for position in positions:
        mover, *others = position.acting or (None,)
        if not others:
            continue
        for move in position.moves(mover):
            after = position.play(move)
            assert after.acting == tuple(others)
            for seat in set(seats_of(rules)) - {mover}:
                assert after.view(seat) == position.view(seat)
                assert after.moves(seat) == position.moves(seat)


def test_sealed_moves_lead_to_the_same_position_in_whatever_order_they_arrive(some: list[Position]) -> None:
    rng = random.Random("sealed")
    for position in some:
        chosen = {seat: rng.choice(position.moves(seat)) for seat in position.acting}
        ends = set()
        for arrival in permutations(chosen):
            sealed: dict[Seat, Move] = {}
            for seat in arrival:
                assert chosen[seat] in position.moves(seat)
                sealed[seat] = chosen[seat]
            after = position
            while sealed:
                after = after.play(sealed.pop(after.to_act))
            ends.add(after)
        assert len(ends) == 1


# ------------------------------------------------------------------------------------------ what boards are told


def test_events_are_four_texts_each_and_the_same_to_all_where_nothing_is_hidden(
    rules: Game, games_played: list[Played]
) -> None:
    for position, move in (each for played in games_played for each in played):
        told_to_all = position.events(move)
        for seat in (None, *seats_of(rules)):
            events = position.events(move, seat)
            assert isinstance(events, tuple)
            for event in events:
                assert isinstance(event, Event)
                assert all(isinstance(each, str) for each in event)
                assert event.how
            assert set(events) <= set(told_to_all)
            if not rules.secrets:
                assert events == told_to_all


def test_events_on_a_grid_lead_from_one_grid_to_the_next(rules: Game, games_played: list[Played]) -> None:
    if rules.board != "grid":
        pytest.skip("not shown on a grid")
    for position, move in (each for played in games_played for each in played):
        grid, after = position.grid(), position.play(move).grid()
        assert grid is not None
        assert after is not None
        signs = {piece.cell: piece.sign for piece in grid.pieces}
        for event in position.events(move):
            assert {event.source, event.target} - {""} <= cells(grid.columns, grid.rows)
            if event.source:
                assert signs.pop(event.source) == event.piece
            if event.target:
                signs[event.target] = event.piece
        assert signs == {piece.cell: piece.sign for piece in after.pieces}


def test_grids_show_pieces_and_moves_on_cells_that_exist(rules: Game, positions: set[Position]) -> None:
    for position, seat in product(positions, (None, *seats_of(rules))):
        grid = position.grid(seat)
        assert (grid is not None) or rules.board != "grid"
        if grid is None:
            continue
        there = cells(grid.columns, grid.rows)
        assert len({piece.cell for piece in grid.pieces}) == len(grid.pieces)
        for piece in grid.pieces:
            assert piece.cell in there
            assert piece.sign
            assert piece.seat in (-1, *seats_of(rules))
        legal = [] if seat is None else [str(move) for move in position.moves(seat)]
        on_board = [move.move for move in grid.moves]
        assert len(set(on_board)) == len(on_board)
        assert set(on_board) <= set(legal), "what touches no square, such as a pass, is offered beside the board"
        assert on_board or not legal or legal == [str(position.forced(seat or 0))]
        for _, source, target in grid.moves:
            assert source in {*there, ""}
            assert target in there


def cells(columns: int, rows: int) -> set[str]:
    return {f"{chr(ord('a') + column)}{row + 1}" for column in range(columns) for row in range(rows)}


def test_captures_and_material_are_numbers_or_not_told_at_all(rules: Game, games_played: list[Played]) -> None:
    captures, materials = set(), set()
    for position, move in (each for played in games_played for each in played):
        if position.to_act >= 0:
            captured = position.captured(move)
            assert captured is None or captured >= 0
            captures.add(captured is None)
        material = position.material()
        assert material is None or (len(material) == len(rules.seats) and min(material) >= 0)
        materials.add(material is None)
    assert len(captures) == len(materials) == 1, "a game tells it always or never"


def test_a_board_can_be_shown(rules: Game, positions: set[Position]) -> None:
    assert re.fullmatch(r"[a-z][a-z_-]*", rules.board)
    assert json.loads(json.dumps(rules.setup())) == rules.setup()
    if rules.board == "facts":
        assert all(position.facts() for position in positions)


# ---------------------------------------------------------------------------------------------- what people read


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_can_read_about_it(rules: Game, language: str) -> None:
    texts = rules.texts(language)
    assert all(text == text.strip() != "" for text in (texts.title, texts.summary, texts.goal))
    assert len(set(texts.seats)) == len(texts.seats) == len(rules.seats)
    assert all(texts.seats)
    assert texts.rules
    for section in texts.rules:
        assert section.heading
        assert section.texts
        assert all(section.texts)
    assert all(keys and meaning for keys, meaning in texts.keys)


def test_both_languages_tell_the_same(library_rules: Game) -> None:
    english, german = (library_rules.texts(language) for language in LANGUAGES)
    assert [len(section.texts) for section in english.rules] == [len(section.texts) for section in german.rules]
    assert [keys for keys, _ in english.keys] == [keys for keys, _ in german.keys]
    assert english.goal != german.goal
    assert library_rules.texts("fr") == english


def test_its_tempo_makes_sense(rules: Game) -> None:
    tempo = rules.tempo
    assert tempo.clock_ms is None or tempo.clock_ms > 0
    assert isinstance(tempo.late, Late)
    assert tempo.late is not Late.DEFAULT or tempo.clock_ms, "a beat needs a clock"


def test_its_reference_names_it(library_rules: Game) -> None:
    kind = KINDS[library_rules.kind]
    assert library_rules.reference.startswith(f"{kind.key}:")
    assert game(library_rules.reference) == library_rules
    assert kind.open(library_rules.source) == library_rules
    assert len(set(library_rules.seats)) == len(library_rules.seats) >= 2


# --------------------------------------------------------------------------------------------------------- books


def test_books_replay_to_the_same_end(rules: Game, games_played: list[Played]) -> None:
    for played in games_played:
        end = played[-1][0].play(played[-1][1])
        book = record(rules, (move for _, move in played), [("Rules", rules.reference)])
        assert read_book(write_book(book), rules) == book
        done = replay(read_book(write_book(book), rules), rules)
        assert done.position == end
        assert done.over
        position = rules.start()
        for move in done.moves:
            position = position.play(move)
        assert position == end


def test_books_name_the_rules(library_rules: Game, games_played: list[Played]) -> None:
    book = record(library_rules, (move for _, move in games_played[0]), [("Rules", library_rules.reference)])
    assert replay(read_book(write_book(book))).game == library_rules


def test_a_book_cannot_go_on_after_the_end(rules: Game, games_played: list[Played]) -> None:
    book = record(rules, (move for _, move in games_played[0]), [("Rules", rules.reference)])
    move = next(line.text for line in book.lines)
    with pytest.raises(BookError, match=r"line \d+: .*the game is over"):
        replay(read_book(write_book(book) + f"{move}\n", rules), rules)


def test_an_unknown_game_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(GameError, match=r"chess.*jostle.*tic-tac-toe"):
        game("chess")
