"""What programs decided in a match and why: read from the record, and computed where the record has nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog

from server.live.models import Source
from server.programs.asking import Along, ProgramsError
from server.programs.service import Programs
from server.viewer.choices import Choice, choices
from server.viewer.schemas import Alternative, Explained

log = structlog.get_logger(__name__)

BY_PROGRAMS: Final = frozenset({Source.PROPOSAL, Source.SERVER})
"""Moves that a program chose, wherever it was computed."""

Decisions = dict[tuple[int, int], dict[str, Any]]
"""By the ply at which a seat was asked, and the seat."""


@dataclass(frozen=True)
class Member:
    """A player of the match's panel."""

    player: str
    name: str
    seed: str


@dataclass(frozen=True)
class Played:
    """A match as the viewer reads it."""

    game: str
    source: str
    secrets: bool
    members: Sequence[Member]
    seated: Mapping[int, int]
    """Which member plays a seat, from the start or instead of a person who left."""
    moves: Sequence[tuple[str, str]]
    """The text of each move, and where it came from."""
    stored: Decisions


@dataclass(frozen=True)
class Found:
    explained: list[Explained]
    alternatives: list[Alternative]
    computed: Decisions
    """Decisions of programs at the table that the record did not have."""


async def explain(programs: Programs, played: Played) -> Found:
    """Everything about a match's programs. A player that cannot be computed is left out, and the log says so."""
    texts = tuple(text for text, _ in played.moves)
    found = Found([], [], {})
    asked = await programs.call(choices, played.game, played.source, texts) if played.members else []
    of_members = [await _decisions(programs, played, member, asked, texts) for member in played.members]
    for ply, seat, moved_at in asked:
        by_move: dict[str, list[str]] = defaultdict(list)
        for member, decisions in zip(played.members, of_members, strict=True):
            if decision := decisions.get((ply, seat)):
                by_move[decision["move"]].append(member.name)
        found.alternatives.extend(
            Alternative(ply=moved_at, move=move, strategies=names) for move, names in by_move.items()
        )
        text, source = played.moves[moved_at]
        place = played.seated.get(seat)
        if place is None or source not in BY_PROGRAMS:
            continue
        decision = played.stored.get((ply, seat))
        if decision is None:
            decision = of_members[place].get((ply, seat))
            if decision is None:
                continue
            found.computed[ply, seat] = decision
        found.explained.append(
            Explained(
                ply=moved_at,
                seat=seat,
                strategy=played.members[place].name,
                words=decision["explanation"],
                values=sorted(decision.get("values", []), key=lambda each: -each[1]),
                visits=dict(decision.get("visits", [])),
                move=decision["move"],
                played=decision["move"] == text,
            )
        )
    return found


async def _decisions(
    programs: Programs, played: Played, member: Member, asked: Sequence[Choice], texts: tuple[str, ...]
) -> Decisions:
    """What a member would have done at every choice; in games with secrets it follows each seat by itself."""
    found: Decisions = {}
    seats = sorted({seat for _, seat, _ in asked}) if played.secrets else [None]
    for follows in seats:
        moments = tuple((ply, seat) for ply, seat, _ in asked if follows in (None, seat))
        along = Along(played.game, played.source, member.player, member.seed, follows, moments, texts)
        try:
            decisions = await programs.decide_along(along)
        except ProgramsError as error:
            log.warning("viewer.not_computed", player=member.name, game=played.game, error=str(error))
            return {}
        found |= zip(moments, decisions, strict=True)
    return found
