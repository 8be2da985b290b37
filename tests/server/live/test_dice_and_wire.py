"""Dice, the referee's progress, and the messages written by hand."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import dice
from games.jostle import JOSTLE
from games.protocol import OVER, NotationError
from games.registry import GAMES
from server.live import referee, wire
from server.live.table import Place, Table, ended_message, moves_text, next_deadline, state_for
from server.live.thinking import Thinking
from server.live.typescript import TARGET, typescript

SEEDS = st.binary(min_size=32, max_size=32)


def played(seed: bytes, choice: int, game: str = "jostle") -> tuple[list[str], list[referee.Progress]]:
    """A whole game of random choices with dice from `seed`."""
    rules, rng = GAMES[game], random.Random(choice)
    progress = referee.begin(rules, seed)
    moves, steps = list(progress.texts), [progress]
    while progress.position.to_act != OVER:
        text = rng.choice(progress.legal)
        progress = referee.play(rules, progress.position, len(moves), text, seed)
        moves += progress.texts
        steps.append(progress)
    return moves, steps


@settings(deadline=None, max_examples=15)
@given(SEEDS, st.integers(0, 2**32))
def test_every_played_match_verifies_and_every_changed_die_is_found(seed: bytes, choice: int) -> None:
    moves, _ = played(seed, choice)
    promised = dice.commitment(seed)
    assert dice.verify(JOSTLE, seed.hex(), promised, moves).fair
    other = bytes([seed[0] ^ 1]) + seed[1:]
    assert not dice.verify(JOSTLE, other.hex(), promised, moves).fair
    die = next(ply for ply, text in enumerate(moves) if text.isdigit())
    forged = [*moves[:die], str(int(moves[die]) % 6 + 1), *moves[die + 1 :]]
    verdict = dice.verify(JOSTLE, seed.hex(), promised, forged)
    assert not verdict.fair
    assert verdict.ply == die
    assert str(die) in verdict.reason


def test_a_seed_that_is_no_seed_is_refused() -> None:
    with pytest.raises(NotationError, match="hexadecimal"):
        dice.verify(JOSTLE, "not hexadecimal", "", [])


def test_dice_are_even_and_weights_count() -> None:
    rolls = Counter(dice.draw_number(b"seed", ply, 6) for ply in range(12_000))
    assert set(rolls) == set(range(6))
    assert sum((count - 2000) ** 2 / 2000 for count in rolls.values()) < 20.5  # chi-square, 5 degrees, 99.9 %
    six = JOSTLE.move("6")
    one = JOSTLE.move("1")
    drawn = Counter(str(dice.draw(b"seed", ply, ((one, 1), (six, 3)))) for ply in range(4000))
    assert 2850 < drawn["6"] < 3150


def a_table(seed: bytes) -> Table:
    progress = referee.begin(JOSTLE, seed)
    return Table(
        match=7,
        game=JOSTLE,
        layout="standard",
        seed=seed,
        commitment=dice.commitment(seed),
        panel=[wire.PanelMember(strategy="ADVANCER", seed="1")],
        thinking=Thinking(),
        clock_ms=60_000,
        ask_ms=20_000,
        grace_ms=60_000,
        proposal_ms=5_000,
        check_share=0.0,
        starts_at=0.0,
        places=[Place(1, None, False), Place(2, None, False), Place(None, 0, False)],
        position=progress.position,
        legal=progress.legal,
        ply=len(progress.texts),
        moves=list(progress.texts),
        turn_at=0.0,
        due=None,
        due_at=None,
        ended=False,
    )


@settings(deadline=None, max_examples=15)
@given(SEEDS, st.integers(0, 2**32))
def test_the_message_written_by_hand_is_the_model(seed: bytes, choice: int) -> None:
    table = a_table(seed)
    for progress in played(seed, choice)[1][1:]:
        ply = table.ply
        deadline = next_deadline(table, progress.position.to_act, progress.legal, ply + len(progress.texts), 1.0)
        table.advance(progress, 1.0, deadline)
        model = wire.Moves.model_validate_json(moves_text(table, progress))
        assert model.ply == ply
        assert tuple(model.moves) == progress.texts
        assert model.position == progress.position.text()
        assert [tuple(step) for step in model.steps] == progress.steps
        assert json.loads(moves_text(table, progress)) == model.model_dump(mode="json")
    assert table.ended
    assert ended_message(table).scores == list(table.position.scores())
    assert wire.MATCH_SERVER.validate_json(state_for(table, 0, 3, 1.0).model_dump_json())


@pytest.mark.parametrize("known", [0, 1, 5, 10_000])
def test_a_state_continues_what_the_client_knows(known: int) -> None:
    table = a_table(b"s" * 32)
    for progress in played(b"s" * 32, 1)[1][1:20]:
        table.advance(progress, 1.0, (None, None))
    state = state_for(table, 1, known, 1.0)
    assert state.since + len(state.moves) == state.ply == table.ply
    assert state.since == (known if known <= table.ply else 0)
    assert state.moves == table.moves[state.since :]


def test_no_message_has_room_for_a_role() -> None:
    """House rule: nothing on the wire is named after what must not be told."""
    told = json.dumps([wire.MATCH_SERVER.json_schema(), wire.LOBBY_SERVER.json_schema()])
    properties = {name for part in json.loads(told) for one in part["$defs"].values() for name in one["properties"]}
    for word in ("person", "human", "npc", "program", "role", "member", "presence", "online", "thinking", "source"):
        assert not [name for name in properties if word in name.lower()], word


def test_the_generated_types_are_fresh() -> None:
    assert TARGET.read_text(encoding="utf-8") == typescript(), "run: python -m server.live.typescript"
