"""Five tricks: two seats with hidden hands lay their cards at the same time. It shows views and sealed moves."""

from games.tricks.rules import KIND, TRICKS

__all__ = ["KIND", "TRICKS"]
