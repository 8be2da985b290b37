"""Layouts as JSON, and the ones that come with the game.

    {"name": "standard", "fields": 31, "goals": [1, 2, 3, 4, 5],
     "switches": [[6, 14], [13, 18]], "minus_three": [10, 22, 23]}

`goals` gives the points of the last fields of the track, in track order.
"""

import json
from importlib import resources
from typing import Final

from games.jostle.layout import STANDARD, Layout, LayoutError

_REQUIRED: Final = ("name", "fields", "goals")
_OPTIONAL: Final = ("switches", "minus_three")
_LONGEST: Final = 20_000


def read_layout(text: str) -> Layout:
    """The layout that the JSON text describes. Raises LayoutError with the reason if it makes no sense."""
    if len(text) > _LONGEST:
        raise LayoutError(f"a layout has at most {_LONGEST} characters, not {len(text)}")
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LayoutError(f"a layout is JSON: {error}") from None
    if not isinstance(data, dict):
        raise LayoutError("a layout is a JSON object with name, fields, goals, switches and minus_three")
    for key in _REQUIRED:
        if key not in data:
            raise LayoutError(f"the layout lacks {key}")
    for key in data:
        if key not in (*_REQUIRED, *_OPTIONAL):
            raise LayoutError(f"a layout has no {key[:40]!r}")
    return Layout(
        name=_text(data["name"], "name"),
        fields=_whole(data["fields"], "fields"),
        goals=_wholes(data["goals"], "goals"),
        switches=tuple(_pair(pair) for pair in _list(data.get("switches", []), "switches")),
        minus_three=_wholes(data.get("minus_three", []), "minus_three"),
    )


def write_layout(layout: Layout) -> str:
    """The JSON text of a layout; `read_layout` gives the same layout back."""
    data = {key: getattr(layout, key) for key in (*_REQUIRED, *_OPTIONAL)}
    return json.dumps(data, ensure_ascii=False) + "\n"


def _bundled() -> dict[str, Layout]:
    files = sorted(resources.files(__package__).joinpath("layouts").iterdir(), key=lambda file: file.name)
    layouts = [read_layout(file.read_text(encoding="utf-8")) for file in files if file.name.endswith(".json")]
    return {layout.name: layout for layout in (STANDARD, *layouts)}


def _text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise LayoutError(f"{what} is a text, not {_brief(value)}")
    return value


def _whole(value: object, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise LayoutError(f"{what} is a whole number, not {_brief(value)}")
    return value


def _list(value: object, what: str) -> list[object]:
    if not isinstance(value, list):
        raise LayoutError(f"{what} is a list, not {_brief(value)}")
    return value


def _wholes(value: object, what: str) -> tuple[int, ...]:
    return tuple(_whole(each, f"each of {what}") for each in _list(value, what))


def _pair(value: object) -> tuple[int, int]:
    numbers = _wholes(value, "a switch pair")
    if len(numbers) != 2:
        raise LayoutError(f"a switch pair has two fields, not {len(numbers)}")
    return numbers[0], numbers[1]


def _brief(value: object) -> str:
    return json.dumps(value)[:40]


LAYOUTS: Final[dict[str, Layout]] = _bundled()
