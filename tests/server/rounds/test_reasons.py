"""Reasons of rounds are said in the reader's language, whichever sentence the science wrote."""

from __future__ import annotations

from dataclasses import replace

from games.registry import game
from lab.probands.factor import HumanFactor
from lab.refinement.evidence import Evidence, believable, fell_below_predecessor
from lab.refinement.pool import pool_of
from lab.refinement.settings import PRESETS
from lab.simulation.recorded import RecordSettings, recorded
from lab.simulation.records import StepRecord
from lab.simulation.study import SimulationSettings
from server.rounds.reasons import SENTENCES, known, told
from server.web.translations import translations


def german(text: str, **values: object) -> str:
    return translations("de").ugettext(text) % values


def test_every_reason_of_a_whole_round_is_known() -> None:
    pool = pool_of(game("jostle"))
    settings = SimulationSettings(
        HumanFactor(pool.named("Observing,Lingering"), pool),
        "jostle:standard",
        persons=100,
        judgements=30,
        refinement=PRESETS["recommended"],
    )
    kinds: dict[str, str] = {}
    final: list[str] = []
    for record in recorded(settings, 1, RecordSettings(books=False)):
        if isinstance(record, StepRecord):
            kinds |= {decision.kind: decision.reason for decision in record.step.decisions}
            final = [one.because for one in record.step.state.final]
            for decision in record.step.decisions:
                assert known(decision.reason), decision
    assert {"believable", "not believable", "strip", "stripped", "done"} <= kinds.keys()
    assert all(known(reason) for reason in final)


def test_every_verdict_is_known() -> None:
    settings = PRESETS["recommended"]
    few, many = Evidence(expert_judgements=1), Evidence(expert_judgements=400, expert_detections=12)
    strict = replace(settings, tolerance=0)
    for verdict in (
        believable(few, many, settings),
        believable(many, many, settings),
        believable(many, many, strict),
        fell_below_predecessor(many, many, many, settings),
    ):
        assert known(verdict.reason), verdict.reason


def test_a_reason_keeps_its_values_in_another_language() -> None:
    assert told("of Observing PALS and Lingering RUNNER, promising ρ = 0.61", german) == (
        "von Observing PALS und Lingering RUNNER, verspricht ρ = 0.61"
    )
    assert told("has 3 of 5 judgements by super experts", german) == "hat 3 von 5 Urteilen von Superexperten"
    assert told("ρ = 0.40, not among the best", german) == "ρ = 0.40, nicht unter den besten"
    assert told("has 165.978 of 200 judgements", german) == "hat 165 von 200 Urteilen", "nobody reads such fractions"
    assert told("has 0.978 of 1 judgements", german) == "hat 0.978 von 1 Urteilen", "but here they tell what is lacking"
    assert told("what nobody ever wrote", german) == "what nobody ever wrote"
    assert all(german(sentence.replace("%(", "%%(")) for sentence in SENTENCES)
