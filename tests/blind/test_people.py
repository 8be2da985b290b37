"""The simulated people of `make blind` see what people see in every game, the server only what live play knows."""

from __future__ import annotations

import pytest

from games.registry import game
from server.live.thinking.prior import PRIOR
from server.live.thinking.situations import FEATURES
from tests.blind.evidence import evidence_of_times
from tests.blind.people import TRIED_OUT, as_server_knows, person_times, play, program_times, record

MATCHES = 6


@pytest.mark.parametrize("reference", ["tic-tac-toe:standard", "gdl:tic-tac-toe", "gdl:bids", "gdl:one-card"])
def test_every_kind_of_game_can_be_measured(reference: str) -> None:
    """Turn by turn and at the same time, open and with secrets, written by us and described."""
    rules = game(reference)
    known = len(FEATURES) - (0 if rules.cheap else len(TRIED_OUT))
    assert {len(one.features) for one in record(reference, 2)} == {known}
    for number in range(2):
        times = [person_times(f"person {number}"), program_times(rules, PRIOR, b"program")]
        decided = play(rules, number, times)
        assert {len(one.situation.features) for one in decided} == {len(FEATURES)}
        for seat in range(2):
            assert evidence_of_times([(one.situation, one.ms) for one in decided if one.seat == seat])["decisions"] > 0


def test_people_see_threats_in_described_games_and_the_server_does_not() -> None:
    described, own = game("gdl:tic-tac-toe"), game("tic-tac-toe:standard")
    people = [person_times("one"), person_times("other")]
    decided = [one for number in range(MATCHES) for one in play(described, number, people)]
    seen = [one.situation for one in decided if any(one.situation.features[-len(TRIED_OUT) :])]
    assert seen, "somebody could win or lose at once"
    for situation in seen:
        assert as_server_knows(own, situation) == situation
        assert as_server_knows(described, situation).features == situation.features[: -len(TRIED_OUT)]
