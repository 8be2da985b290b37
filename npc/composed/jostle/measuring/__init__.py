"""What is measured of the strategies of Jostle: the table of combinations, and boards on which they differ."""

import npc.simulation  # noqa: F401  # it registers what is here, so it comes first whichever of the two is asked for first
