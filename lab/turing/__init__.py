"""Turing-test statistics: how often programs and humans are judged human, and how well the judges judge."""

from lab.turing.crossed import Crossed, crossed, crossed_difference, crossed_share, within_matches
from lab.turing.evidence import ENOUGH, Pair, e_equivalent, e_told_apart, pairs
from lab.turing.judges import JudgeQuality, judge_quality, probability_artificial
from lab.turing.meetings import first_meetings
from lab.turing.mixed import Mixed, MixedStrategy, mixed_model
from lab.turing.multiplicity import e_bh
from lab.turing.power import Design, equivalence_power, needed_judgements
from lab.turing.shares import Answers, Difference, Equivalence, Share, answers, clustered_share, difference
from lab.turing.table import StrategyTuring, TuringSettings, TuringTable, turing_table

__all__ = [
    "ENOUGH",
    "Answers",
    "Crossed",
    "Design",
    "Difference",
    "Equivalence",
    "JudgeQuality",
    "Mixed",
    "MixedStrategy",
    "Pair",
    "Share",
    "StrategyTuring",
    "TuringSettings",
    "TuringTable",
    "answers",
    "clustered_share",
    "crossed",
    "crossed_difference",
    "crossed_share",
    "difference",
    "e_bh",
    "e_equivalent",
    "e_told_apart",
    "equivalence_power",
    "first_meetings",
    "judge_quality",
    "mixed_model",
    "needed_judgements",
    "pairs",
    "probability_artificial",
    "turing_table",
    "within_matches",
]
