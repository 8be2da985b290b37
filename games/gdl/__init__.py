"""Games from a description: the Game Description Language, with chance in two styles and with secrets."""

from games.gdl.game import KIND

__all__ = ["KIND"]
