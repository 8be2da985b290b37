"""What differs between two versions of a questionnaire, place by place: whoever publishes one sees it before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from server.questionnaires.content import Questionnaire


class Change(NamedTuple):
    """One place that differs; None where a version has nothing there."""

    place: str
    before: str | None
    after: str | None


def changes(before: Questionnaire, after: Questionnaire) -> list[Change]:
    old, new = (dict(_places(each.model_dump(mode="json", exclude_none=True))) for each in (before, after))
    # In the order of the new version; what it has no more comes last.
    return [
        Change(place, old.get(place), new.get(place))
        for place in dict.fromkeys((*new, *old))
        if old.get(place) != new.get(place)
    ]


def _places(value: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Every place with its value. What has a key goes by it, so that moving something is no change of what it says."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _places(inner, f"{place} {name}".strip())
    elif isinstance(value, list) and all(isinstance(each, dict) and "key" in each for each in value):
        yield place, ", ".join(each["key"] for each in value)
        for each in value:
            rest = {name: inner for name, inner in each.items() if name != "key"}
            yield from _places(
                rest, f"{place.removesuffix('items').removesuffix('options').strip()} {each['key']}".strip()
            )
    elif isinstance(value, list):
        yield place, ", ".join(map(str, value))
    else:
        yield place, str(value)
