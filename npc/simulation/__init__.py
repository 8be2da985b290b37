"""Seeded games of any kind among any players, and what they show."""

from npc.simulation.measured import measured
from npc.simulation.measures import Measure
from npc.simulation.play import GameRecord, play_game
from npc.simulation.report import Report, report
from npc.simulation.run import Setup, simulate

__all__ = ["GameRecord", "Measure", "Report", "Setup", "measured", "play_game", "report", "simulate"]
