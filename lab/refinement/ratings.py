"""From the judgement log to what a round decides by: the bridge between `lab.ratings` and the state machine."""

from collections import defaultdict
from collections.abc import Iterable

from lab.experts import ByExpert, cross_fitted, generations
from lab.judgements import HUMAN, Judgement, in_order
from lab.ratings import Ratings as LogRatings
from lab.refinement.evidence import Evidence, Ratings
from lab.refinement.pool import parse
from lab.turing import Answers, answers


def from_log(judgements: Iterable[Judgement], rated: LogRatings) -> Ratings:
    """Evidence about every strategy of the log that `rated` was computed from.

    Judgements of one super expert resemble each other; so the counts are those of as many independent judgements as
    would be worth the same. Who is a super expert is found by other matches than those that are counted.
    """
    log, experts = in_order(judgements), rated.settings.experts
    return evidence_of(
        log,
        cross_fitted(log, experts, generations(log) if experts.stay else ()),
        {name: rating.believability for name, rating in rated.smoothing.strategies.items()},
    )


def evidence_of(judgements: Iterable[Judgement], by_expert: ByExpert, believability: dict[str, float]) -> Ratings:
    counts: dict[str, int] = defaultdict(int)
    by_experts: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for judgement in judgements:
        counts[judgement.seat_truth] += 1
        if by_expert(judgement):
            by_experts[judgement.seat_truth].append((judgement.person, judgement.judged_artificial))
    found = {
        truth: _evidence(by_experts[truth], count, believability.get(truth, 0.5)) for truth, count in counts.items()
    }
    humans = found.pop(HUMAN, Evidence())
    return Ratings({parse(name): evidence for name, evidence in found.items()}, humans)


def _evidence(rows: list[tuple[str, bool]], judgements: int, believability: float) -> Evidence:
    if not rows:
        return Evidence(believability, judgements)
    given = answers(rows)
    effective = _effective(given)
    return Evidence(believability, judgements, effective, effective * given.share)


def _effective(given: Answers) -> float:
    """How many independent answers have the variance that the judges' sums show, as in `clustered_share`.

    Where all agree no variance can be seen, and every judge counts as one answer.
    """
    judges, share = len(given.judges), given.share
    if judges == 1 or share in (0.0, 1.0):
        return float(judges)
    variance = sum(pull**2 for pull in given.influence().values()) * judges / (judges - 1)
    return float(given.total if variance == 0 else min(given.total, share * (1 - share) / variance))
