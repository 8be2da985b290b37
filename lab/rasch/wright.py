"""Data of the person-item (Wright) map: both on the same logit scale, binned for drawing."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

from lab.rasch.report import RaschReport


@dataclass(frozen=True, slots=True)
class Bin:
    """Persons (how many) and items (which, by difficulty) between `low` and `high` logits."""

    low: float
    high: float
    persons: int
    items: tuple[str, ...]


def wright_map(report: RaschReport, width: float = 0.5) -> tuple[Bin, ...]:
    """The bins from the lowest to the highest person or item, empty ones between them included."""
    places = [floor(person.ability / width) for person in report.persons]
    items = sorted(report.items, key=lambda item: (item.difficulty, item.item))
    item_places = [floor(item.difficulty / width) for item in items]
    everything = places + item_places
    if not everything:
        return ()
    low, high = min(everything), max(everything)
    return tuple(
        Bin(
            low=place * width,
            high=(place + 1) * width,
            persons=places.count(place),
            items=tuple(item.item for item, at in zip(items, item_places, strict=True) if at == place),
        )
        for place in range(low, high + 1)
    )


def bar(count: int, largest: int, width: int) -> str:
    """A text bar for terminals: proportional, but never empty for a count above zero."""
    return "█" * ceil(count / largest * width) if largest else ""
