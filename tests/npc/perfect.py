"""Tic-tac-toe against everything that the other seat could do."""

from __future__ import annotations

from typing import Any

from games.protocol import OVER, Position, Seat
from games.tic_tac_toe.rules import TIC_TAC_TOE
from npc.player import Player


def never_loses(player: Player, seat: Seat) -> None:
    """Whatever is played, the player does not lose."""
    met: set[Position] = set()

    def play_on(position: Any) -> None:
        if position in met:
            return
        met.add(position)
        if position.to_act == OVER:
            assert 1 - seat not in position.winners(), position.text()
        elif position.to_act == seat:
            play_on(position.play(player.decide(position, seat, None, 0, 0).move))
        else:
            for move in position.moves():
                play_on(position.play(move))

    play_on(TIC_TAC_TOE.start())
    assert len(met) > 30
