"""What rounds decide by, kept in every snapshot: the evidence about each strategy and about humans."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from lab.judgements import Judgement
from lab.ratings import Ratings as LogRatings
from lab.records import Record
from lab.refinement.evidence import Evidence, Ratings
from lab.refinement.pool import parse, text
from lab.refinement.ratings import from_log


@dataclass(frozen=True, slots=True)
class Known:
    """The evidence of a snapshot, and how many super experts it comes from. Nothing is known before the first one."""

    ratings: Ratings = field(default_factory=lambda: Ratings({}))
    experts: int = 0


def evidence(log: Iterable[Judgement], rated: LogRatings) -> Known:
    return Known(from_log(log, rated), len(rated.expertise.super_experts))


def evidence_record(known: Known) -> Record:
    return {
        "strategies": {text(elements): asdict(one) for elements, one in known.ratings.strategies.items()},
        "humans": asdict(known.ratings.humans),
        "experts": known.experts,
    }


def read_evidence(record: Record) -> Known:
    strategies = {parse(name): Evidence(**one) for name, one in record["strategies"].items()}
    return Known(Ratings(strategies, Evidence(**record["humans"])), record["experts"])
