"""Rasch reports and ratings as plain records (dictionaries, lists, numbers), for JSON files, snapshots and tables."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import Any

from lab.experts import Assessment
from lab.intervals import Interval
from lab.judgements import HUMAN
from lab.rasch.report import RaschReport
from lab.rasch.wright import wright_map
from lab.ratings import ExpertCount, Ratings, RatingSettings
from lab.smoothing import Dimension, PersonWeight, StrategyRating
from lab.turing import Share, StrategyTuring, TuringTable

Record = dict[str, Any]


def rasch_record(report: RaschReport) -> Record:
    """`items` and `persons`, the ability distribution, reliability, and the person-item map."""
    return finite(
        {
            "items": [asdict(item) for item in report.items],
            "persons": [asdict(person) for person in report.persons],
            "ability_mean": report.ability_mean,
            "ability_sd": report.ability_sd,
            "ability_sd_by_prior": report.ability_sd_by_prior,
            "log_likelihood": report.log_likelihood,
            "reliability": asdict(report.reliability),
            "map": [asdict(one) for one in wright_map(report)],
        }
    )


def ratings_record(ratings: Ratings) -> Record:
    """`persons`, `strategies` and `experts`, the human yardstick, the judges' quality, groups and settings."""
    assessments, weights = ratings.expertise.persons, ratings.smoothing.persons
    group = ratings.groups.of_person
    difficulty = {item.item: (item.difficulty, item.se) for item in ratings.expertise.rasch.items}
    return finite(
        {
            "judgements": ratings.judgements,
            "persons": [
                person_record(name, assessments[name], weights[name], group.get(name)) for name in sorted(assessments)
            ],
            "strategies": [
                strategy_record(name, rating, ratings.turing.strategies[name], difficulty[name])
                | expert_record(ratings.by_experts.get(name))
                for name, rating in sorted(ratings.smoothing.strategies.items())
            ],
            "experts": sorted(ratings.expertise.super_experts),
            "humans": share_record(ratings.turing.humans) | expert_record(ratings.by_experts.get(HUMAN)),
            "judges": judges_record(ratings.turing),
            "groups": [
                {
                    "group": number,
                    "persons": len(ratings.groups.members(number)),
                    "detection": dict(zip(ratings.groups.strategies, row.tolist(), strict=True)),
                }
                for number, row in enumerate(ratings.groups.detection)
            ],
            "rasch": {
                "ability_mean": ratings.expertise.rasch.ability_mean,
                "ability_sd": ratings.expertise.rasch.ability_sd,
                "items": [asdict(item) for item in ratings.expertise.rasch.items],
                "reliability": asdict(ratings.expertise.rasch.reliability),
                "map": [asdict(one) for one in wright_map(ratings.expertise.rasch)],
            },
            "settings": settings_record(ratings.settings),
        }
    )


def settings_record(settings: RatingSettings) -> Record:
    return asdict(settings)


def person_record(name: str, assessment: Assessment, weight: PersonWeight, group: int | None) -> Record:
    return {
        "person": name,
        "weight": weight.overall,
        "weights": dict(sorted(weight.by_strategy.items())),
        "judgements": weight.judgements,
        "ability": assessment.rasch.ability,
        "se": assessment.rasch.se,
        "infit": assessment.rasch.infit,
        "outfit": assessment.rasch.outfit,
        "d_prime": assessment.signal.d_prime,
        "criterion": assessment.signal.criterion,
        "hits": assessment.signal.hits,
        "program_seats": assessment.signal.program_seats,
        "false_alarms": assessment.signal.false_alarms,
        "human_seats": assessment.signal.human_seats,
        "super_expert": assessment.super_expert,
        "criteria": {
            "enough_judgements": assessment.enough_judgements,
            "able": assessment.able,
            "fits": assessment.fits,
            "tells_apart": assessment.tells_apart,
        },
        "group": group,
    }


def strategy_record(
    name: str, rating: StrategyRating, turing: StrategyTuring, difficulty: tuple[float, float]
) -> Record:
    return {
        "strategy": name,
        "judgements": rating.judgements,
        "detection": rating.detection.value,
        "fun": rating.fun.value,
        "challenge": rating.challenge.value,
        "believability": rating.believability,
        "intervals": {
            "detection": _dimension_interval(rating.detection),
            "fun": _dimension_interval(rating.fun),
            "challenge": _dimension_interval(rating.challenge),
        },
        "weight": rating.detection.weight,
        "difficulty": difficulty[0],
        "difficulty_se": difficulty[1],
        "judged_human": share_record(turing.judged_human),
        "difference_from_humans": {
            "estimate": turing.difference.estimate,
            "se": turing.difference.se,
            "interval": _ends(turing.difference.interval()),
        },
        "equivalence": {
            "margin": turing.equivalence.margin,
            "p": turing.equivalence.p,
            "equivalent": turing.equivalence.equivalent,
        },
        "e_told_apart": turing.e_told_apart,
        "e_equivalent": turing.e_equivalent,
        "pairs": turing.pairs,
    }


def expert_record(count: ExpertCount | None) -> Record:
    count = count or ExpertCount()
    return {"expert_judgements": count.judgements, "expert_detections": count.detections}


def share_record(share: Share) -> Record:
    return {
        "share": share.share,
        "interval": _ends(share.interval),
        "judgements": share.judgements,
        "judges": share.judges,
    }


def judges_record(table: TuringTable) -> Record:
    quality = table.judges
    return {
        "brier": quality.brier,
        "auc": quality.auc,
        "auc_interval": None if quality.auc_interval is None else _ends(quality.auc_interval),
        "judgements": quality.judgements,
        "without_sureness": quality.without_sureness,
    }


def finite(record: Record) -> Record:
    """The record with null for what is not a finite number: JSON knows no infinity."""
    cleaned: Record = {key: _finite(value) for key, value in record.items()}
    return cleaned


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(one) for one in value]
    return value


def _ends(interval: Interval) -> list[float]:
    return [interval.low, interval.high]


def _dimension_interval(dimension: Dimension) -> list[float]:
    return _ends(dimension.interval())
