"""Challenges in every sort of game: everybody sits everywhere, dice are shared, and whoever forfeits loses."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from games.protocol import CHANCE, OVER, Game, Move, Position
from games.registry import game
from lab.tournaments import contest
from lab.tournaments.contest import Arena, Challenge, Match, Played, play, play_some
from lab.tournaments.entrants import ENTRANTS, Forfeit, check_entrant
from npc.player import PlayerError
from npc.program.host import use_programs

BY_LOT = "composed:RANDOMIZER"


def arena_of(reference: str, *entrants: str) -> Arena:
    rules = game(reference)
    return Arena(rules.reference, rules.source, entrants or (BY_LOT,) * len(rules.seats), "seed")


def ended(rules: Game, match: Match) -> Position:
    position: Position = rules.start()
    for text in match.moves:
        position = position.play(rules.move(text))
    return position


def chance_of(rules: Game, match: Match) -> list[str]:
    found, position = [], rules.start()
    for text in match.moves:
        if position.to_act == CHANCE:
            found.append(text)
        position = position.play(rules.move(text))
    return found


SORTS = ["tic-tac-toe:standard", "jostle:standard", "tricks:standard", "ten:standard", "gdl:bids", "gdl:one-card"]


@pytest.mark.parametrize("reference", SORTS)
def test_a_challenge_is_played_by_the_rules_to_its_end_and_again_alike(reference: str) -> None:
    rules, arena = game(reference), arena_of(reference)
    challenge = Challenge(tuple(range(len(rules.seats))), 3)
    done = play(rules, arena, challenge)
    assert [challenge.at_seats(each)[0] for each in range(len(rules.seats))] == list(challenge.entrants)
    for match in done.matches:
        position = ended(rules, match)
        assert position.to_act == OVER and match.goals == pytest.approx(tuple(position.goals()))
    assert play_some(arena, [challenge]) == [done]


def test_all_matches_of_a_world_have_the_same_dice() -> None:
    rules = game("jostle:standard")
    arena = arena_of("jostle:standard", *(BY_LOT,) * 4)
    first, second, other = (
        play(rules, arena, Challenge(*each)) for each in (((0, 1, 2), 1), ((3, 2, 1), 1), ((0, 1, 2), 2))
    )
    begins = {chance_of(rules, match)[0] for match in (*first.matches, *second.matches)}
    assert len(begins) == 1
    dice = [chance_of(rules, match) for match in (*first.matches, *other.matches)]
    assert len({tuple(each[:5]) for each in dice}) > 1


def test_sums_go_to_entrants_and_not_to_seats() -> None:
    challenge = Challenge((4, 7), 0)
    always_first = Match((), (100.0, 0.0))
    assert Played(challenge, (always_first, always_first)).sums == (100.0, 100.0)
    assert Played(challenge, (always_first, Match((), (0.0, 100.0)))).sums == (200.0, 0.0)


def test_a_piece_of_work_ends_when_its_time_is_over_but_has_done_something() -> None:
    arena = arena_of("tic-tac-toe:standard")
    wanted = [Challenge((0, 1), world) for world in range(5)]
    assert len(play_some(arena, wanted, seconds=-1)) == 1
    assert [each.challenge for each in play_some(arena, wanted, seconds=60)] == wanted


def test_other_entrants_come_in_by_their_name_and_may_forfeit(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Slow:
        def decide(self) -> Move:
            raise Forfeit("took 11 s, not 10 s")

        def see(self, move: Move, after: Position) -> None:  # noqa: ARG002  # the contract's
            told.append(str(move))

    @contextmanager
    def opened(rules: Game, entrant: str, seed: str, seat: int) -> Iterator[Slow]:
        assert entrant == "slow:7"
        yield Slow()
        told.append("closed")

    monkeypatch.setitem(ENTRANTS, "slow", opened)
    check_entrant(game("tic-tac-toe:standard"), "slow:7")
    arena = arena_of("tic-tac-toe:standard", "slow:7", BY_LOT)
    first, second = play(game("tic-tac-toe:standard"), arena, Challenge((0, 1), 0)).matches
    assert first.moves == () and first.goals == (0.0, 100.0) and first.ending.endswith("took 11 s, not 10 s")
    assert len(second.moves) == 1 and second.goals == (100.0, 0.0)
    assert told == ["closed", second.moves[0], "closed"]
    with pytest.raises(PlayerError, match="nobody:7"):
        check_entrant(game("tic-tac-toe:standard"), "nobody:7")


def test_a_program_that_cannot_run_forfeits_and_only_its_author_learns_more() -> None:
    """Nobody runs programs in this process, which is the shortest way to a fault."""
    use_programs(None)
    arena = arena_of("tic-tac-toe:standard", "program:python\nraise SystemExit", BY_LOT)
    first, second = play(game("tic-tac-toe:standard"), arena, Challenge((0, 1), 0)).matches
    assert first.goals == (0.0, 100.0) and second.goals == (100.0, 0.0)
    assert first.ending.endswith(": no engine") and second.ending.endswith(": no engine")


def test_a_script_that_cannot_run_loses_its_decisions_but_plays_on() -> None:
    arena = arena_of("tic-tac-toe:standard", "prolog:move(nowhere).", BY_LOT)
    match = play(game("tic-tac-toe:standard"), arena, Challenge((0, 1), 0)).matches[0]
    assert ended(game("tic-tac-toe:standard"), match).to_act == OVER and not match.ending


def test_a_match_without_end_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contest, "MOST_PLIES", 3)
    done = play(game("tic-tac-toe:standard"), arena_of("tic-tac-toe:standard"), Challenge((0, 1), 0))
    assert [match.goals for match in done.matches] == [(50.0, 50.0)] * 2
    assert done.matches[0].ending == "not over after 3 moves"
