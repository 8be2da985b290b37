"""Seeded games among strategies, and what they show."""

from npc.simulation.report import MEASURES, Report, report
from npc.simulation.run import Setup, simulate

__all__ = ["MEASURES", "Report", "Setup", "report", "simulate"]
