"""What is measured of the strategies of Jostle: the table of combinations, and boards on which they differ."""
