"""The model of times alone, without a server: matches of people and programs, of which an observer sees all times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games import registry
from server.live.thinking.fitting import fit
from server.live.thinking.prior import PRIOR
from server.live.thinking.times import Thinking
from tests.blind.classifier import areas
from tests.blind.evidence import evidence_of_times
from tests.blind.people import person_times, play, program_times, record

RECORDED: Final = 150
"""Matches among people from which the server has learnt."""


def models(reference: str, recorded: int = RECORDED) -> Mapping[str, Thinking]:
    """What the server may know: nothing yet, how long people take, or how long they take given the situation."""
    seen = list(record(reference, recorded))
    learnt = fit(seen)
    plain = fit([one._replace(features=()) for one in seen], prior=Thinking())
    return {
        "before any record": PRIOR,
        "times alone": plain.model_copy(update={"lasting": 0.0, "echo": 0.0}),
        "times given the situation": learnt,
    }


def after(reference: str, recorded: int) -> Thinking:
    """What the server knows after so many matches among people."""
    return fit(record(reference, recorded)) if recorded else PRIOR


def told(reference: str, model: Thinking, matches: int, seed: str = "offline") -> str:
    """How well times tell persons from programs, by both classifiers.

    In each match one seat is a program's and all are observed.
    """
    game = registry.game(reference)
    names, person, numbers = [], [], []
    for number in range(matches):
        name = f"{seed} {reference} {number}"
        program = number % len(game.seats)
        times = [
            program_times(game, model, name.encode()) if seat == program else person_times(f"{name}:{seat}")
            for seat in range(len(game.seats))
        ]
        decided = play(game, name, times)
        for seat in range(len(game.seats)):
            names.append(number)
            person.append(seat != program)
            numbers.append(evidence_of_times([(one.situation, one.ms) for one in decided if one.seat == seat]))
    return areas(names, person, numbers)
