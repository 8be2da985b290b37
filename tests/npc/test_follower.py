"""A follower hands a player no more than its seat may know, and asks seats that choose at once as of one moment."""

import pytest

from games.protocol import CHANCE, OVER, Move, Position, Seat
from games.registry import game as find_game
from games.tricks.rules import TRICKS
from npc import Decision, Follower, Player, player, school_of
from npc.follower import mover
from npc.player import Memory, Seed
from tests.games.selection import VARIED
from tests.npc.walks import walk

DEAL = "deal 1,3,5,7,9/2,4,6,8,10"


class Listener(Player):
    """Remembers the texts of everything it was ever shown, and lays its first card."""

    name = "Listener"
    text = "listener:"

    def start_memory(self) -> Memory:
        return ()

    def remember(self, memory: Memory, before: Position, move: Move) -> Memory:
        return (*memory, (before.text(), str(move), mover(before, move)))

    def decide(self, position: Position, seat: Seat, memory: Memory, seed: Seed, ply: int) -> Decision:  # noqa: ARG002  # it draws nothing
        self.asked = (position.text(), memory, ply)
        return Decision(position.moves(seat)[0])


def test_a_seat_with_secrets_is_told_views_and_what_it_saw_of_the_moves() -> None:
    listener = Listener()
    follower = Follower(TRICKS, listener, 0, seat=1)
    follower.catch_up([DEAL, "9", "10", "1"])
    assert follower.memory == (
        ("-/- -", "deal ?/2,4,6,8,10", CHANCE),
        ("?,?,?,?,?/2,4,6,8,10 -", "9", 0),
        ("?,?,?,?,?/2,4,6,8,10 -", "10", 1),
        ("?,?,?,?/2,4,6,8 9-10", "1", 0),
    )
    assert follower.decide().move == TRICKS.move("2")
    assert listener.asked == ("?,?,?,?/2,4,6,8 9-10", follower.memory[:3], 3), "as of when both began to choose"


def test_who_is_asked_after_the_others_have_laid_decides_as_if_asked_before() -> None:
    for seed in range(20):
        early = Follower(TRICKS, player("composed:RANDOMIZER", "tricks"), seed, seat=1)
        late = Follower(TRICKS, player("composed:RANDOMIZER", "tricks"), seed, seat=1)
        early.catch_up([DEAL])
        late.catch_up([DEAL, "3"])
        assert early.decide() == late.decide()


@pytest.mark.parametrize("name", school_of(TRICKS).population(TRICKS))
def test_decisions_do_not_change_when_hidden_cards_are_swapped(name: str) -> None:
    for seed in range(10):
        deal, *moves = [str(move) for _, _, move in walk(seed, TRICKS)][:5]
        left, right = (hand.split(",") for hand in deal.removeprefix("deal ").split("/"))
        unseen = next(card for card in map(str, range(1, 13)) if card not in left + right)
        given_away = next(card for card in right if card not in moves[1::2])
        swapped = sorted([unseen, *(card for card in right if card != given_away)], key=int)
        other = f"deal {','.join(left)}/{','.join(swapped)}"
        for known in (0, 2, 4):
            here, there = (Follower(TRICKS, player(f"composed:{name}", "tricks"), seed, seat=0) for _ in range(2))
            here.catch_up([deal, *moves[:known]])
            there.catch_up([other, *moves[:known]])
            assert here.decide() == there.decide()
            assert here.decide().explanation == there.decide().explanation


def test_a_game_with_secrets_is_followed_from_one_seat_and_asked_for_no_other() -> None:
    with pytest.raises(ValueError, match="follows one seat"):
        Follower(TRICKS, Listener(), 0)
    follower = Follower(TRICKS, Listener(), 0, seat=0)
    follower.catch_up([DEAL])
    with pytest.raises(ValueError, match="does not decide"):
        follower.decide(1)


@pytest.mark.parametrize("reference", VARIED)
def test_following_little_by_little_is_following_at_once(reference: str) -> None:
    game = find_game(reference)
    texts = [str(move) for _, _, move in walk("pieces", game)]
    for name in school_of(game).population(game)[:6]:
        one, other = (Follower(game, player(f"composed:{name}", reference), 7, seat=0) for _ in range(2))
        for ply in range(0, len(texts) + 1, 3):
            one.catch_up(texts[:ply])
        one.catch_up(texts)
        other.catch_up(texts)
        assert (one.position, one.memory, one.ply) == (other.position, other.memory, other.ply)
        assert one.position.to_act == OVER
