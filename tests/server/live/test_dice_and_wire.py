"""Dice, the referee's progress, and the messages written by hand."""

from __future__ import annotations

import json
import random
from collections import Counter
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import dice
from games.jostle import JOSTLE
from games.protocol import OVER, Game, Move, NotationError, Position
from games.registry import game
from npc.shown import shown, told_events
from server.live.tables import referee
from server.live.tables.table import Member, Place, Table, deadlines_of
from server.live.tables.telling import Telling, ended_message, state_for
from server.live.thinking.situations import Course
from server.live.thinking.times import Thinking
from server.live.wire import messages as wire
from server.live.wire.typescript import TARGET, typescript
from tests.games.selection import VARIED

SEEDS = st.binary(min_size=32, max_size=32)


def played(seed: bytes, choice: int, rules: Game = JOSTLE) -> tuple[list[str], list[referee.Progress]]:
    """A whole game of random choices with dice from `seed`."""
    rng = random.Random(choice)
    progress = referee.begin(rules, seed)
    moves, steps = list(progress.texts), [progress]
    while progress.position.to_act != OVER:
        chosen = {seat: rng.choice(one.legal) for seat, one in progress.choices.items()}
        progress = referee.play(rules, progress.position, progress.choices, len(moves), chosen, seed)
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
    weighted = cast("Position", Weighted(((one, 1), (six, 3))))
    drawn = Counter(str(dice.draw(b"seed", ply, weighted)) for ply in range(4000))
    assert 2850 < drawn["6"] < 3150


class Weighted:
    """Chance that is not even, as far as drawing is concerned."""

    ways = Position.ways
    drawn = Position.drawn

    def __init__(self, outcomes: tuple[tuple[Move, int], ...]):
        self.known = outcomes

    def outcomes(self) -> tuple[tuple[Move, int], ...]:
        return self.known


def a_table(seed: bytes, rules: Game = JOSTLE) -> Table:
    progress = referee.begin(rules, seed)
    return Table(
        match=7,
        reference=rules.reference,
        game=rules,
        seed=seed,
        secret=b"secret",
        commitment=dice.commitment(seed),
        panel=[Member("composed:RANDOMIZER", "RANDOMIZER", "1", rules)],
        browsers_think=not rules.secrets,
        thinking=Thinking(),
        clock_ms=60_000,
        ask_ms=20_000,
        grace_ms=60_000,
        proposal_ms=5_000,
        check_share=0.0,
        animation_speed=2.0,
        starts_at=0.0,
        places=[*(Place(seat, None, False) for seat in range(1, len(rules.seats))), Place(None, 0, False)],
        started=True,
        position=progress.position,
        choices=progress.choices,
        ply=len(progress.texts),
        moves=list(progress.texts),
        movers=list(progress.seats),
        course=Course.begin(rules).after(progress.played),
        turn_at=0.0,
        ended=False,
    )


def moved(table: Table, progress: referee.Progress) -> None:
    after = table.ply + len(progress.texts)
    course = table.course.after(progress.played)
    table.advance(progress, course, 1.0, deadlines_of(table, progress, course, after, 1.0))


@pytest.mark.parametrize("reference", VARIED)
@settings(deadline=None, max_examples=8)
@given(seed=SEEDS, choice=st.integers(0, 2**32))
def test_the_message_written_by_hand_is_the_model(reference: str, seed: bytes, choice: int) -> None:
    """And every seat is told its own view, its own legal moves, and what it sees of moves and events."""
    rules = game(reference)
    table = a_table(seed, rules)
    for progress in played(seed, choice, rules)[1][1:]:
        ply = table.ply
        moved(table, progress)
        telling = Telling(table, progress)
        for seat in range(len(rules.seats)):
            text = telling.to(seat).text
            model = wire.Moves.model_validate_json(text)
            view = progress.position.view(seat)
            choice_of = progress.choices.get(seat)
            chooses = choice_of is not None and choice_of.forced is None
            assert json.loads(text) == model.model_dump(mode="json")
            assert model.ply == ply
            assert model.moves == [before.seen(move, seat) for before, move in progress.played]
            assert model.position == view.text()
            assert model.acting == list(progress.position.acting)
            assert model.legal == ([str(move) for move in view.moves(seat)] if chooses else [])
            assert model.shown.model_dump(mode="json") == as_json(shown(rules, view, seat if chooses else None))
            events = [event for before, move in progress.played for event in told_events(before.events(move, seat))]
            assert as_json(model.events) == as_json(events)
            assert wire.MATCH_SERVER.validate_json(state_for(table, seat, 3, 1.0).model_dump_json())
    assert table.ended
    assert ended_message(table).scores == list(table.position.scores())


def as_json(value: object) -> object:
    """Tuples travel as lists."""
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("reference", VARIED)
@pytest.mark.parametrize("known", [0, 1, 5, 10_000])
def test_a_state_continues_what_the_client_knows(reference: str, known: int) -> None:
    rules = game(reference)
    table = a_table(b"s" * 32, rules)
    for progress in played(b"s" * 32, 1, rules)[1][1:20]:
        moved(table, progress)
    state = state_for(table, 1, known, 1.0)
    assert state.since + len(state.moves) == state.ply == table.ply
    assert state.since == (known if known <= table.ply else 0)
    position, seen = rules.start(), []
    for text in table.moves:
        seen.append(position.seen(rules.move(text), 1))
        position = position.play(rules.move(text))
    assert state.moves == seen[state.since :]
    assert state.position == position.view(1).text()


def test_no_message_has_room_for_a_role() -> None:
    """House rule: nothing on the wire is named after what must not be told."""
    told = json.dumps([wire.MATCH_SERVER.json_schema(), wire.LOBBY_SERVER.json_schema()])
    properties = {name for part in json.loads(told) for one in part["$defs"].values() for name in one["properties"]}
    for word in ("person", "human", "npc", "program", "role", "member", "presence", "online", "thinking", "source"):
        assert not [name for name in properties if word in name.lower()], word


def test_the_generated_types_are_fresh() -> None:
    assert TARGET.read_text(encoding="utf-8") == typescript(), "run: python -m server.live.wire.typescript"
