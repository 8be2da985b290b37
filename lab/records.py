"""Rasch reports and ratings as plain records (dictionaries, lists, numbers), for JSON files, snapshots and tables."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import Any

from lab.checks import Checks
from lab.experts import Assessment
from lab.intervals import Interval
from lab.judgements import HUMAN
from lab.rasch.report import RaschReport
from lab.rasch.wright import wright_map
from lab.ratings import ExpertCount, PlainMeans, Ratings, RatingSettings
from lab.smoothing import PersonWeight, StrategyRating
from lab.turing import Difference, Mixed, Share, StrategyTuring, TuringSettings, TuringTable

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
            "parts": [list(part) for part in report.parts],
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
                strategy_record(name, rating, ratings.plain[name], ratings.turing.strategies[name], difficulty[name])
                | expert_record(ratings.by_experts.get(name))
                for name, rating in sorted(ratings.smoothing.strategies.items())
            ],
            "experts": sorted(ratings.expertise.super_experts),
            "humans": share_record(ratings.turing.humans) | expert_record(ratings.by_experts.get(HUMAN)),
            "judges": judges_record(ratings.turing),
            "mixed": mixed_record(ratings.turing.mixed, ratings.settings.turing),
            "meetings": {"tested": ratings.turing.judgements, "left_out": ratings.turing.left_out},
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
                "parts": [list(part) for part in ratings.expertise.rasch.parts],
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
        "infit_at_estimate": assessment.rasch.infit_at_estimate,
        "outfit_at_estimate": assessment.rasch.outfit_at_estimate,
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
            "convincing": assessment.convincing,
        },
        "expert_probability": assessment.probability,
        "group": group,
    }


def strategy_record(
    name: str, rating: StrategyRating, plain: PlainMeans, turing: StrategyTuring, difficulty: tuple[float, float]
) -> Record:
    return {
        "strategy": name,
        "judgements": rating.judgements,
        "detection": rating.detection.value,
        "fun": rating.fun.value,
        "challenge": rating.challenge.value,
        "believability": rating.believability,
        "intervals": {
            "detection": _ends(plain.detection.interval),
            "fun": _ends(plain.fun.interval),
            "challenge": _ends(plain.challenge.interval),
        },
        "plain": {
            "detection": plain.detection.mean,
            "fun": plain.fun.mean,
            "challenge": plain.challenge.mean,
        },
        "weight": rating.detection.weight,
        "difficulty": difficulty[0],
        "difficulty_se": difficulty[1],
        "judged_human": share_record(turing.judged_human),
        "difference_from_humans": difference_record(turing.difference),
        "within_match": difference_record(turing.within_match)
        | {"p": turing.within_match_equivalence.p, "equivalent": turing.within_match_equivalence.equivalent},
        "equivalence": {
            "margin": turing.equivalence.margin,
            "p": turing.equivalence.p,
            "equivalent": turing.equivalence.equivalent,
        },
        "e_told_apart": turing.e_told_apart,
        "e_equivalent": turing.e_equivalent,
        "pairs": turing.pairs,
        "told_apart": turing.told_apart,
        "shown_equivalent": turing.shown_equivalent,
    }


def difference_record(difference: Difference) -> Record:
    return {
        "estimate": difference.estimate,
        "se": difference.se,
        "df": difference.df,
        "interval": _ends(difference.interval()),
    }


def mixed_record(mixed: Mixed | None, settings: TuringSettings) -> Record | None:
    """The crossed mixed model: the main analysis where there are enough judges and people for it."""
    if mixed is None:
        return None
    return {
        "humans": mixed.humans,
        "spreads": mixed.spreads,
        "judges": mixed.judges,
        "strategies": {
            name: difference_record(one.difference)
            | {
                "share": one.share,
                "latent": one.latent,
                "latent_se": one.latent_se,
                "p": one.difference.equivalence(settings.margin).p,
            }
            for name, one in mixed.strategies.items()
        },
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


def checks_record(checks: Checks) -> Record:
    record = asdict(checks)
    if checks.calibration is not None:
        record["calibration"]["bins"] = [
            {"stated": one.stated, "artificial": share_record(one.artificial)} for one in checks.calibration.bins
        ]
    return finite(record)


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
