"""What the refinement of the oldest game begins with: its pool of elements and its start population."""

from games.jostle import JOSTLE
from lab.refinement import pool_of, population_of

GAME = JOSTLE.reference
POOL = pool_of(JOSTLE)
DOCUMENTED = population_of(JOSTLE)
