"""Selection criteria: which strategies each person should meet next, and which one a table of persons meets.

First every strategy of the population once, in an order balanced over persons (a Williams square: over as many persons
as there are strategies, every strategy stands at every place equally often and follows every other equally often). Then
those that the person met without judging, those misjudged, then some that the person's group misjudged. While phase one
of a round lacks ratings, strategies that no super expert has judged come first for everybody. Then the least met again,
so no list is ever empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random

from lab.judgements import HUMAN, Judgement, in_order


class Reason(StrEnum):
    LACKS_EXPERT = "no super expert has judged it"
    NOT_MET = "not met yet"
    NOT_JUDGED = "met, but not judged"
    MISJUDGED = "misjudged"
    GROUP_MISJUDGED = "misjudged by the group"
    AGAIN = "met least often"


@dataclass(frozen=True, slots=True)
class Opponent:
    strategy: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class SelectionSettings:
    """`from_group`: how many of the strategies that the person's group misjudged go on the list."""

    from_group: int = 5
    seed: int = 0


@dataclass(frozen=True)
class Roster:
    """What the selection needs to know about all persons together.

    `ordinals` numbers the persons in the order in which they joined; `lacking` are the strategies that a running phase
    one still wants judged by a super expert (empty otherwise).
    """

    population: tuple[str, ...]
    ordinals: Mapping[str, int]
    counts: Mapping[str, int] = field(default_factory=dict)
    lacking: Collection[str] = ()
    settings: SelectionSettings = SelectionSettings()


def balanced_order(population: Iterable[str], ordinal: int, seed: int = 0) -> list[str]:
    """The order for the person with this number: one row of a Williams square over the shuffled population."""
    strategies = sorted(set(population))
    Random(f"selection:{seed}").shuffle(strategies)
    size = len(strategies)
    if size == 0:
        return []
    row = [(place // 2 if place % 2 == 0 else size - 1 - place // 2) for place in range(size)]
    order = [strategies[(number + ordinal) % size] for number in row]
    # An odd square needs its mirror image as well, for every strategy to follow every other equally often.
    return order[::-1] if size % 2 == 1 and (ordinal // size) % 2 == 1 else order


@dataclass(frozen=True, slots=True)
class Meetings:
    """What one person has met: judgements, and strategies met without a judgement (yet).

    `last` are the strategies of the latest match; they go to the end of the list, so that nobody meets the same
    strategy twice running, whatever puts it in front.
    """

    judged: Sequence[Judgement] = ()
    unjudged: Collection[str] = ()
    last: Collection[str] = ()


def opponents(person: str, met: Meetings, roster: Roster, group_misjudged: Sequence[str] = ()) -> list[Opponent]:
    """The list of one person; each strategy once, with the reason for its place."""
    order = balanced_order(roster.population, roster.ordinals.get(person, 0), roster.settings.seed)
    judged = in_order(one for one in met.judged if one.seat_truth != HUMAN)
    times = Counter(one.seat_truth for one in judged)
    rank = {name: place for place, name in enumerate(order)}
    lacking = sorted(
        rank.keys() & set(roster.lacking), key=lambda name: (times[name], roster.counts.get(name, 0), rank[name])
    )
    unknown = [name for name in order if not times[name] and name not in met.unjudged]
    wishes: list[tuple[Reason, Iterable[str]]] = [
        (Reason.LACKS_EXPERT, lacking),
        (Reason.NOT_MET, unknown),
        (Reason.NOT_JUDGED, (name for name in order if not times[name])),
    ]
    if not unknown:
        wishes += [
            (Reason.MISJUDGED, _misjudged(judged)),
            (Reason.GROUP_MISJUDGED, _selection(person, group_misjudged, times, roster)),
            (Reason.AGAIN, sorted(order, key=lambda name: times[name])),
        ]
    listed: dict[str, Opponent] = {}
    for reason, names in wishes:
        for name in names:
            if name in rank:
                listed.setdefault(name, Opponent(name, reason))
    return sorted(listed.values(), key=lambda one: one.strategy in met.last)


def _misjudged(judged: Sequence[Judgement]) -> list[str]:
    """Strategies whose latest judgement was wrong, the longest ago first."""
    latest: dict[str, bool] = {}
    for judgement in judged:
        # Taken out and put in again, so that the dictionary runs from the longest ago to the latest.
        latest.pop(judgement.seat_truth, None)
        latest[judgement.seat_truth] = judgement.right
    return [name for name, right in latest.items() if not right]


def _selection(person: str, group_misjudged: Sequence[str], met: Counter[str], roster: Roster) -> list[str]:
    """Some of what the group misjudged: those the person met least, drawn so that members get different ones."""
    wanted = list(group_misjudged)
    Random(f"group:{roster.settings.seed}:{person}:{met.total()}").shuffle(wanted)
    return sorted(wanted, key=lambda name: met[name])[: roster.settings.from_group]


def for_table(lists: Sequence[Sequence[Opponent]], seats: int, counts: Mapping[str, int], seed: str) -> list[str]:
    """Strategies for the NPC seats of one table: those that stand highest on the lists of all persons at it.

    Ties go to the strategy judged least often so far, then to chance. Different strategies sit on different seats as
    long as the lists name enough of them.
    """
    names = dict.fromkeys(one.strategy for listed in lists for one in listed)
    places = [{one.strategy: place for place, one in enumerate(listed)} for listed in lists]
    ranks = {name: sum(of_one.get(name, len(names)) for of_one in places) for name in names}
    chance = Random(seed)
    ordered = sorted(ranks, key=lambda name: (ranks[name], counts.get(name, 0), chance.random()))
    return [ordered[seat % len(ordered)] for seat in range(seats)] if ordered else []
