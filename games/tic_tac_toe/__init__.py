"""Tic-tac-toe: the smallest game of two seats without chance. It shows what a game needs at least."""

from games.tic_tac_toe.rules import KIND, TIC_TAC_TOE

__all__ = ["KIND", "TIC_TAC_TOE"]
