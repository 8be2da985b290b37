"""Turing-test statistics: how often programs and humans are judged human, and how well the judges judge."""

from lab.turing.evidence import ENOUGH, Pair, e_equivalent, e_told_apart, pairs
from lab.turing.judges import JudgeQuality, judge_quality, probability_artificial
from lab.turing.shares import Answers, Difference, Equivalence, Share, answers, clustered_share, difference
from lab.turing.table import StrategyTuring, TuringSettings, TuringTable, turing_table

__all__ = [
    "ENOUGH",
    "Answers",
    "Difference",
    "Equivalence",
    "JudgeQuality",
    "Pair",
    "Share",
    "StrategyTuring",
    "TuringSettings",
    "TuringTable",
    "answers",
    "clustered_share",
    "difference",
    "e_equivalent",
    "e_told_apart",
    "judge_quality",
    "pairs",
    "probability_artificial",
    "turing_table",
]
