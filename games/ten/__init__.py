"""Ten: a card game whose chance depends on the state, because cards are drawn without replacement."""

from games.ten.rules import KIND, TEN, Card, Choice

__all__ = ["KIND", "TEN", "Card", "Choice"]
