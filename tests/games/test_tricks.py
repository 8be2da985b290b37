"""Five tricks: every rule by an example, what always holds by properties, and that hands stay hidden."""

import re
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.protocol import CHANCE, OVER, Event, IllegalMoveError, NotationError
from games.tricks import TRICKS
from games.tricks.rules import Deal, TricksPosition

DEALS = 16_632
DEALT = "1,5,9,11,12/2,3,4,6,10 -"
BETWEEN = "1,5,9,11/2,3,4,10 12-6 9~"
HIDDEN = re.compile(r"\d+", re.ASCII)

deals = st.integers(0, DEALS - 1).map(TRICKS.start().drawn)
choices = st.lists(st.integers(0, 4), min_size=10, max_size=10)


def at(text: str) -> TricksPosition:
    return TRICKS.position(text)


def play(position: TricksPosition, *texts: str) -> TricksPosition:
    for text in texts:
        position = position.play(TRICKS.move(text))
    return position


def game_of(deal: Deal, chosen: list[int]) -> list[TricksPosition]:
    """All positions of a game in which each seat lays the card at a chosen place of its hand."""
    played = [TRICKS.start().play(deal)]
    for choice in chosen:
        moves = played[-1].moves()
        played.append(played[-1].play(moves[choice % len(moves)]))
    return played


# The deal


def test_there_are_as_many_deals_as_ways_to_give_five_of_twelve_cards_to_each() -> None:
    start = TRICKS.start()
    assert start.ways == comb(12, 5) * comb(7, 5) == DEALS
    assert len({start.drawn(number) for number in range(DEALS)}) == DEALS


def test_the_first_and_the_last_deal() -> None:
    start = TRICKS.start()
    assert str(start.drawn(0)) == "deal 1,2,3,4,5/6,7,8,9,10"
    assert str(start.drawn(DEALS - 1)) == "deal 8,9,10,11,12/3,4,5,6,7"


@given(deals)
def test_a_deal_gives_five_different_cards_to_each(deal: Deal) -> None:
    left, right = deal.hands
    assert len({*left, *right}) == 10
    assert {*left, *right} <= set(range(1, 13))
    assert TRICKS.start().play(deal).hands == deal.hands


@pytest.mark.parametrize(
    "text",
    [
        "deal 1,2,3,4/6,7,8,9,10",
        "deal 1,2,3,4,5/5,7,8,9,10",
        "deal 1,2,3,5,4/6,7,8,9,10",
        "deal 1,2,3,4,13/6,7,8,9,10",
        "deal ?,?,?,?,?/6,7,8,9,10",
        "deal 1,2,3,4,5/?",
        "deal -/-",
        "deal",
        "0",
        "13",
        "01",
        "?",
    ],
)
def test_what_is_no_card_and_no_deal_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        TRICKS.move(text)


def test_cards_are_dealt_once() -> None:
    with pytest.raises(IllegalMoveError):
        play(at(DEALT), "deal 1,2,3,4,5/6,7,8,9,10")
    with pytest.raises(IllegalMoveError):
        play(TRICKS.start(), "1")


# Tricks


def test_both_choose_at_once_and_only_among_their_own_cards() -> None:
    position = at(DEALT)
    assert position.acting == (0, 1)
    assert [str(move) for move in position.moves(0)] == ["1", "5", "9", "11", "12"]
    assert [str(move) for move in position.moves(1)] == ["2", "3", "4", "6", "10"]
    for card in ("2", "7"):
        with pytest.raises(IllegalMoveError):
            play(position, card)


def test_the_last_card_is_laid_by_the_referee() -> None:
    position = at("8/11 3-12,7-6,1-9,2-5")
    assert [str(position.forced(seat)) for seat in (0, 1)] == ["8", "11"]
    assert at(DEALT).forced(0) is None


@pytest.mark.parametrize(
    ("left", "right", "scores"),
    [("12", "10", (1, 0)), ("1", "2", (0, 1)), ("5", "4", (1, 0)), ("9", "10", (0, 1))],
)
def test_the_higher_card_takes_the_trick(left: str, right: str, scores: tuple[int, int]) -> None:
    assert play(at(DEALT), left, right).scores() == scores


@pytest.mark.parametrize(
    ("text", "scores", "winner"),
    [
        ("-/- 3-12,7-6,1-9,2-5,8-11", (2, 13), 1),
        ("-/- 3-2,7-6,10-9,8-5,1-11", (10, 5), 0),
        ("-/- 1-2,3-4,5-6,8-7,11-10", (9, 6), 0),
        ("-/- 1-2,3-4,6-5,7-8,11-10", (8, 7), 0),
    ],
)
def test_the_tricks_are_worth_one_to_five(text: str, scores: tuple[int, int], winner: int) -> None:
    assert (at(text).scores(), at(text).winners(), at(text).to_act) == (scores, (winner,), OVER)


@given(deals, choices)
def test_hands_shrink_and_fifteen_points_are_always_shared_out(deal: Deal, chosen: list[int]) -> None:
    played = game_of(deal, chosen)
    for number, position in enumerate(played):
        tricks = number // 2
        assert len(position.tricks) == tricks
        assert [len(hand) for hand in position.hands] == [5 - tricks] * 2
        assert sum(position.scores()) == tricks * (tricks + 1) // 2
        assert (position.laid is None) == (number % 2 == 0)
        laid = {card for trick in position.tricks for card in trick}
        assert {*position.hands[0], *position.hands[1], *laid} == {*deal.hands[0], *deal.hands[1]}
    assert played[-1].to_act == OVER
    assert sum(played[-1].scores()) == 15
    assert len(played[-1].winners()) == 1


# Secrets


def test_a_seat_sees_its_own_cards_and_how_many_the_other_has() -> None:
    assert at(BETWEEN).view(0).text() == "1,5,9,11/?,?,?,? 12-6 9~"
    assert at(BETWEEN).view(1).text() == "?,?,?,?/2,3,4,10 12-6"
    end = at("-/- 3-12,7-6,1-9,2-5,8-11")
    assert end.view(0) == end.view(1) == end


def test_a_seat_reads_its_own_half_of_the_deal() -> None:
    deal = TRICKS.move("deal 1,5,9,11,12/2,3,4,6,10")
    assert TRICKS.start().seen(deal, 0) == "deal 1,5,9,11,12/?"
    assert TRICKS.start().seen(deal, 1) == "deal ?/2,3,4,6,10"
    assert TRICKS.start().events(deal, 1) == tuple(
        Event("deal", card, "", "right") for card in ("2", "3", "4", "6", "10")
    )


@given(deals, choices)
def test_nothing_that_a_seat_is_told_contains_a_card_that_it_may_not_know(deal: Deal, chosen: list[int]) -> None:
    start, played = TRICKS.start(), game_of(deal, chosen)
    for seat in (0, 1):
        secret = {str(card) for card in deal.hands[1 - seat]}
        assert secret.isdisjoint(HIDDEN.findall(start.seen(deal, seat)))
        assert secret.isdisjoint(event.piece for event in start.events(deal, seat))
        for position in played:
            shown = {str(trick[1 - seat]) for trick in position.tricks}
            view = position.view(seat)
            # The worth of a trick and the number of cards are small numbers, too, so only ranks are looked for.
            held = {fact for fact in view.facts() if fact.startswith(("holds", "laid"))}
            assert (secret - shown).isdisjoint(HIDDEN.findall(view.text()))
            assert (secret - shown).isdisjoint(HIDDEN.findall(" ".join(held)))
            assert [str(move) for move in view.moves(1 - seat)] == []


@given(deals, choices)
def test_a_view_cannot_be_played_for_the_other_seat(deal: Deal, chosen: list[int]) -> None:
    for position in game_of(deal, chosen)[:-1]:
        view = position.view(1 - position.to_act)
        for move in position.moves():
            with pytest.raises(IllegalMoveError):
                view.play(move)


# Texts


@pytest.mark.parametrize(
    "text",
    [
        "1,2,3,4,5/6,7,8,9 -",
        "1,2,3,4/6,7,8,9 -",
        "1,2,3,4,5/5,7,8,9,10 -",
        "1,2,3,4/6,7,8,9 1-10",
        "1,2,3,5,4/6,7,8,9,10 -",
        "1,2,3,4,5/6,7,8,9,10 - 6~",
        "1,2,3,4,?/6,7,8,9,10 -",
        "?,?,?,?,?/6,7,8,9,10 - ?~",
        "?,?,?,?/6,7,8,9 ?-10",
        "-/- - 1~",
        "-/-",
    ],
)
def test_positions_that_no_game_reaches_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        at(text)


def test_before_the_deal_nobody_holds_anything() -> None:
    assert at("-/- -") == TRICKS.start()
    assert TRICKS.start().to_act == CHANCE
