"""Evolved board games: fifty genes say which pieces stand where, how they move and capture, and who loses."""

from games.evolved.chromosome import GENES, RANGES, Chromosome, read_genes, repaired, write_genes
from games.evolved.description import described
from games.evolved.kind import KEY, KIND, EvolvedGame, game_of
from games.evolved.position import EvolvedPosition, Shift

__all__ = [
    "GENES",
    "KEY",
    "KIND",
    "RANGES",
    "Chromosome",
    "EvolvedGame",
    "EvolvedPosition",
    "Shift",
    "described",
    "game_of",
    "read_genes",
    "repaired",
    "write_genes",
]
