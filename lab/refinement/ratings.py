"""From the judgement log to what a round decides by: the bridge between `lab.ratings` and the state machine."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from lab.experts import ByExpert
from lab.judgements import HUMAN, Judgement, in_order
from lab.ratings import Ratings as LogRatings
from lab.refinement.evidence import Evidence, Ratings, worth
from lab.refinement.pool import parse
from lab.turing import answers
from lab.turing.meetings import MEETINGS


def from_log(judgements: Iterable[Judgement], rated: LogRatings) -> Ratings:
    """Evidence about every strategy of the log that `rated` was computed from.

    Judgements of one super expert resemble each other; so the counts are those of as many independent judgements as
    would be worth the same. Who is a super expert is found by other matches than those that are counted, and of the
    meetings those count that the study has chosen for its tests.
    """
    believability = {name: rating.believability for name, rating in rated.smoothing.strategies.items()}
    return evidence_of(in_order(judgements), rated.by_expert, believability, rated.settings.turing.meetings)


def evidence_of(
    log: Sequence[Judgement], by_expert: ByExpert, believability: dict[str, float], meetings: str = "first"
) -> Ratings:
    """Of a log in order; `meetings` (a name of `MEETINGS`) says which judgements the tests take."""
    counts = Counter(one.seat_truth for one in log)
    by_experts: dict[str, list[tuple[str, bool]]] = defaultdict(list)
    for judgement in MEETINGS[meetings](log):
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
    effective = worth(given.trials, given.yes)
    return Evidence(believability, judgements, effective, effective * given.share)
