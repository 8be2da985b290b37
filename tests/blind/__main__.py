"""`python -m tests.blind`: how well persons can be told from programs, in three tables and one more.

model    times alone, without a server: per game and by what the server has learnt; with --recorded 0 5 20 60 by how
         many matches among people it has learnt from
people   (only if it is named, and with --data) real people's times in a record: the prior that follows from them, and
         how well programs with it are told from them
server   everything that a client of a real server receives and when, per game and by where programs think
lobby    the time waited, per game and by how people come
"""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

import structlog

from server.base.settings import Settings
from server.storage.database import connect
from tests.blind import live, lobby, offline, prior
from tests.blind.evidence import Evidence
from tests.blind.installation import Fresh, installations
from tests.server.live.conftest import PATIENT, serving

GAMES: Final = ("jostle:standard", "tic-tac-toe:standard", "tricks:standard")
PACE: Final = "0.3"
"""Three times faster than life."""
WITH_SECRETS: Final = "tricks:standard"


def measure_recorded(games: list[str], matches: int, recorded: list[int]) -> None:
    print("| game | recorded matches | area under the curve, by a line / by trees |\n|---|---|---|")
    for reference in games:
        for number in recorded:
            found = offline.told(reference, offline.after(reference, number), matches)
            print(f"| {reference} | {number} | {found} |", flush=True)


def measure_model(games: list[str], matches: int, _fresh: Fresh) -> None:
    print("| game | the server knows | area under the curve |\n|---|---|---|")
    for reference in games:
        for known, model in offline.models(reference).items():
            print(f"| {reference} | {known} | {offline.told(reference, model, matches)} |", flush=True)


def measure_server(games: list[str], matches: int, fresh: Fresh) -> None:
    print("| game | programs think | frames | times | times as meant | honest client | hostile client |")
    print("|---|---|---|---|---|---|---|")
    os.environ |= {"GRINTU_LIVE_PACE": PACE, "GRINTU_LIVE_ASK_TIME": PATIENT}
    for reference in games:
        for where in ("server",) if reference == WITH_SECRETS else ("browsers", "server"):
            found = live.told(asyncio.run(watched(fresh(), reference, where, matches)))
            print(f"| {reference} | {where} | {' | '.join(map(str, found))} |", flush=True)


async def watched(settings: Settings, reference: str, where: str, matches: int) -> list[Evidence]:
    assert settings.database_url is not None
    async with serving(settings) as server, connect(settings.database_url.get_secret_value()) as database:
        await live.teach(database, reference, where)
        return await live.watch_matches(server.url, database, settings, reference, matches)


def measure_lobby(games: list[str], waits: int, fresh: Fresh) -> None:
    print("| game | people come | with company | waited long | waited middling |\n|---|---|---|---|---|")
    for reference in games:
        for name, traffic in lobby.TRAFFIC.items():
            found = asyncio.run(waited(fresh(), reference, traffic, waits))
            told = lobby.waiting_tells(found)
            company = sum(one.company for one in found) / len(found)
            print(f"| {reference} | {name} | {company:.0%} | {told.long} | {told.middling} |", flush=True)


async def waited(settings: Settings, reference: str, traffic: lobby.Traffic, waits: int) -> list[lobby.Seated]:
    assert settings.database_url is not None
    async with lobby.station(settings.database_url.get_secret_value(), reference) as here:
        return await lobby.seatings(here, settings, reference, traffic, waits)


MEASURES: Final[dict[str, tuple[Callable[[list[str], int, Fresh], None], int]]] = {
    "model": (measure_model, 300),
    "server": (measure_server, 300),
    "lobby": (measure_lobby, 1000),
}
"""With the number of matches, or of waits."""


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m tests.blind", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "measures", nargs="*", choices=[[], *MEASURES, "people"], help="all but people, if none is named"
    )
    parser.add_argument("--recorded", nargs="*", type=int, help="matches among people that the server has learnt from")
    parser.add_argument("--data", type=Path, help="a record of four-in-a-row; tests/blind/prior.py says where it is")
    parser.add_argument("--number", type=int, help="of matches or waits")
    parser.add_argument("--games", nargs="*", default=list(GAMES))
    chosen = parser.parse_args()
    if "people" in chosen.measures:
        if chosen.data is None:
            parser.error("people needs --data")
        prior.measure(chosen.data)
        return
    if chosen.recorded:
        measure_recorded(chosen.games, chosen.number or MEASURES["model"][1], chosen.recorded)
        return
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with installations() as fresh:
        for name in chosen.measures or MEASURES:
            measure, number = MEASURES[name]
            print(f"\n{name}: {chosen.number or number} each\n")
            measure(chosen.games, chosen.number or number, fresh)


if __name__ == "__main__":
    main()
