"""Whether all persons and items hang together: without common persons or items difficulties cannot be compared."""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from lab.rasch.responses import Responses


def parts(responses: Responses) -> tuple[tuple[str, ...], ...]:
    """The items by connected part, the largest first. One part is as it should be.

    Two items of different parts were met by nobody in common, not even by a chain of others. Their difficulties are
    comparable only if the persons of both parts are equally able on average, which the model then assumes.
    """
    people, things = len(responses.persons), len(responses.items)
    links = coo_array(
        (np.ones(len(responses.person)), (responses.person, people + responses.item)), (people + things,) * 2
    )
    _, part = connected_components(links, directed=False)
    found: dict[int, list[str]] = {}
    for number, item in zip(part[people:].tolist(), responses.items, strict=True):
        found.setdefault(number, []).append(item)
    return tuple(sorted(map(tuple, found.values()), key=lambda items: (-len(items), items)))
