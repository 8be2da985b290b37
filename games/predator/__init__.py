"""Predator and prey: thirty genes say who runs about, how, and what happens when they meet the one whom you lead."""

from games.predator.chromosome import GENES, RANGES, Chromosome, read_source, repaired, write_source
from games.predator.kind import KEY, KIND, PredatorGame, game_of
from games.predator.position import STEPS, Dice, PredatorPosition, Step

__all__ = [
    "GENES",
    "KEY",
    "KIND",
    "RANGES",
    "STEPS",
    "Chromosome",
    "Dice",
    "PredatorGame",
    "PredatorPosition",
    "Step",
    "game_of",
    "read_source",
    "repaired",
    "write_source",
]
