"""A tournament for other programs: its table, and every challenge."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator
from math import isinf
from typing import Final

from server.base.spreadsheets import CsvRows
from server.storage.database import Database
from server.tournaments import repository
from server.tournaments.models import Tournament
from server.tournaments.service import Standing

COLUMNS: Final = (
    "place",
    "entrant",
    "text",
    "wins",
    "draws",
    "losses",
    "not_lost_per_loss",
    "won_per_loss",
    "won_low",
    "won_high",
    "not_lost_low",
    "not_lost_high",
    "points",
    "rating",
    "rating_low",
    "rating_high",
)


def table(standing: Standing) -> str:
    """CSV. Shares are intervals of 95 % from 0 to 1; a ratio without losses is empty."""
    written = io.StringIO()
    rows: list[list[object]] = []
    for place, line in enumerate(standing.table.lines, start=1):
        score = line.score
        rows.append(
            [
                place,
                line.entrant,
                standing.tournament.entrants[line.entrant],
                score.wins,
                score.draws,
                score.losses,
                *("" if isinf(ratio) else f"{ratio:.4f}" for ratio in (score.not_lost_per_loss, score.won_per_loss)),
                *(f"{share:.4f}" for within in (score.won, score.not_lost) for share in (within.low, within.high)),
                line.points,
                *(round(number, 1) for number in (line.rating, line.within.low, line.within.high)),
            ]
        )
    CsvRows(written).write([COLUMNS, *rows])
    return written.getvalue()


async def lines(database: Database, tournament: Tournament) -> AsyncIterator[str]:
    """As `grintu tournament play --file` writes it; between two pages nobody holds a connection."""
    about = {"game": tournament.game, "entrants": tournament.entrants, "seed": tournament.seed}
    yield json.dumps(about, ensure_ascii=False) + "\n"
    after = 0
    while True:
        async with database.sessions() as session:
            found = await repository.challenges(session, tournament.id, after=after)
        for each in found:
            told = {"entrants": each.entrants, "world": each.world, "sums": each.sums, "matches": each.matches}
            yield json.dumps(told, ensure_ascii=False) + "\n"
        if len(found) < repository.PAGE:
            return
        after = found[-1].number
