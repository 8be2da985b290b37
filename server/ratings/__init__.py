"""Ratings of persons and strategies: snapshots computed from the judgement log, and the opponents they suggest."""
