"""The rules of a chromosome in words, and a name by which people can speak of it. Phrases lie in `texts/`."""

import json
from functools import cache
from importlib import resources
from typing import Any

from games.evolved.words import name_of
from games.predator.chromosome import AGENT, COLOURS, SCORED, Chromosome
from games.protocol import Section, Texts
from games.texts import LANGUAGES

__all__ = ["name_of", "piece_names", "rules_in_words"]


def rules_in_words(chromosome: Chromosome, name: str, language: str) -> Texts:
    """What people read about the game; English for languages that nobody has written phrases for."""
    phrases = _phrases(language if language in LANGUAGES else LANGUAGES[0])
    present = [colour for colour, count in enumerate(chromosome.numbers) if count]
    field, runners, meetings, end = phrases["headings"]
    others = [
        phrases["runner"].format(
            count=chromosome.numbers[colour],
            colour=phrases["names"][COLOURS[colour]],
            movement=phrases["movement"][chromosome.movement[colour]],
        )
        for colour in present
    ]
    pairs = [pair for pair in _pairs() if all(who == AGENT or who in present for who in pair)]
    told = [_meeting(chromosome, one, other, phrases) for one, other in pairs]
    beat = phrases["beat"].format(beat=chromosome.beat) if chromosome.beat else phrases["no_beat"]
    return Texts(
        title=name,
        summary=phrases["summary"].format(count=sum(chromosome.numbers), size=chromosome.size),
        seats=tuple(phrases["seats"]),
        goal=phrases["goal"],
        rules=(
            Section(field, (phrases["field"].format(size=chromosome.size), beat)),
            Section(runners, tuple(others) or (phrases["nobody"],)),
            Section(meetings, (phrases["meeting"], *told)),
            Section(end, tuple(phrases["end"])),
        ),
        keys=tuple([(keys, meaning) for keys, meaning in phrases["keys"]]),
    )


def piece_names(sign: str) -> dict[str, str]:
    """What a sign on the field is called, by language."""
    return {language: _phrases(language)["names"][sign] for language in LANGUAGES}


def _pairs() -> list[tuple[int, int]]:
    """All meetings, those of the seat's own piece first."""
    return sorted(SCORED, key=lambda pair: pair[0] != AGENT)


def _meeting(chromosome: Chromosome, one: int, other: int, phrases: dict[str, Any]) -> str:
    mine, theirs = chromosome.effects[one][other], chromosome.effects[other][one]
    first, second = (_named(who, phrases) for who in (one, other))
    if one == other:
        effects = phrases["both"][mine]
    else:
        effects = f"{first}: {phrases['effect'][mine]}, {second}: {phrases['effect'][theirs]}"
    return f"{first} + {second}: {effects}; {phrases['points'][chromosome.points[one][other] + 1]}."


def _named(who: int, phrases: dict[str, Any]) -> str:
    name: str = phrases["seats"][0] if who == AGENT else phrases["names"][COLOURS[who]]
    return name


@cache
def _phrases(language: str) -> dict[str, Any]:
    file = resources.files(__package__).joinpath("texts", f"{language}.json")
    phrases: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return phrases
