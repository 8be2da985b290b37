"""Who meets whom: the lobby, the choice of opponents, and the seating at new tables."""
