"""The exponential smoothing of `lab.smoothing` on arrays of judgements, for loops over many simulated studies.

The same fold, without histories and the dimensions that refinement does not use; a test compares the two.
"""

from collections.abc import Collection

from lab.arrays import Ints
from lab.probands.judging import HUMAN_SEAT, SAYS_ARTIFICIAL, SAYS_HUMAN
from lab.smoothing import START, SmoothingSettings


class DetectionSmoothing:
    """Smoothed detection by number of the strategy, after all judgements added so far."""

    def __init__(self, settings: SmoothingSettings) -> None:
        self.settings = settings
        self.detection: dict[int, float] = {}
        self._overall: dict[int, float] = {}
        self._per_truth: dict[int, float] = {}

    def add(self, person: Ints, truth: Ints, verdict: Ints, experts: Collection[int]) -> None:
        """Takes further judgements in; a judgement counts with the weight the person had before it."""
        alpha, trust = self.settings.alpha, self.settings.trust_newcomers_to_strategy
        keep = 1 - alpha
        overall_weights, weights, detection = self._overall, self._per_truth, self.detection
        for who, what, said in zip(person.tolist(), truth.tolist(), verdict.tolist(), strict=True):
            overall = overall_weights.get(who, 0.0)
            cell = (who << 32) + what
            own = weights.get(cell)
            if what == HUMAN_SEAT:
                right = alpha if said == SAYS_HUMAN else 0.0
            else:
                right = alpha if said == SAYS_ARTIFICIAL else 0.0
                weight = overall if who in experts else (overall if trust else 0.0) if own is None else own
                before = detection.get(what)
                if before is None:
                    before = self._start()
                detection[what] = before + alpha * weight * ((said == SAYS_ARTIFICIAL) - before)
            overall_weights[who] = right + keep * overall
            weights[cell] = right + keep * (own or 0.0)

    def believability(self, truth: int) -> float:
        return 1 - self.detection.get(truth, START)

    def _start(self) -> float:
        return sum(self.detection.values()) / len(self.detection) if self.detection else START
