"""Tourality: two beetles race for the leaves of a world that both see. It shows a start that only chance can list."""

from games.tourality.kind import KIND
from games.tourality.position import STEPS, Step, TouralityPosition

__all__ = ["KIND", "STEPS", "Step", "TouralityPosition"]
