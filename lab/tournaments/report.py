"""Tables of a tournament as a page: Markdown, beside what was published."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isinf

from lab.intervals import Interval
from lab.tournaments.paper import CHALLENGES, Entry, Standing
from lab.tournaments.record import Results
from lab.tournaments.standings import Standings
from lab.tournaments.tables import Score

SHARES = ("W", "D", "L", "(W+D)/L", "W/L", "won %", "not lost %", "points")
HEADINGS = ("", *SHARES, "per 500", "published")
STANDINGS = ("", "entrant", *SHARES, "rating", "95 %")


def page(standings: Iterable[Standing]) -> str:
    """All tables, each with what became of the published order."""
    return "\n".join(_table(each) for each in standings)


def _table(standing: Standing) -> str:
    rows = [_row(entry, score) for entry, score in zip(standing.table.entries, standing.totals, strict=True)]
    lines = _lines(HEADINGS, rows)
    return f"**{standing.table.title}**: {standing.order}. {_margins(standing)}\n\n{lines}\n"


def _lines(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in (headings, ("---",) * len(headings), *rows))


def standings_page(found: Standings, names: Sequence[str]) -> str:
    """The table of any tournament, and who did how against whom (wins, draws, losses of the row)."""
    rows = [
        (
            str(place),
            _shown(names[line.entrant]),
            *_shares(line.score),
            str(line.points),
            f"{line.rating:.0f}",
            f"{line.within.low:.0f}–{line.within.high:.0f}",
        )
        for place, line in enumerate(found.lines, start=1)
    ]
    order = [line.entrant for line in found.lines]
    against = [
        (str(place), _shown(names[one]), *(_duel(found.cross.get((one, other))) for other in order))
        for place, one in enumerate(order, start=1)
    ]
    places = [str(place) for place in range(1, len(order) + 1)]
    return f"{_lines(STANDINGS, rows)}\n\n{_lines(('', '', *places), against)}\n"


def _shown(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")[:100]


def _duel(score: Score | None) -> str:
    return f"{score.wins}–{score.draws}–{score.losses}" if score else "·"


def _row(entry: Entry, score: Score) -> tuple[str, ...]:
    played = max(1, score.played)
    return (
        entry.label,
        *_shares(score),
        str(score.points),
        f"{CHALLENGES * score.points / played:.0f}",
        "–" if entry.points is None else str(entry.points),
    )


def _shares(score: Score) -> tuple[str, ...]:
    played = max(1, score.played)
    return (
        *(str(number) for number in (score.wins, score.draws, score.losses)),
        *(_ratio(number) for number in (score.not_lost_per_loss, score.won_per_loss)),
        _share(score.wins / played, score.won),
        _share((score.wins + score.draws) / played, score.not_lost),
    )


def _ratio(number: float) -> str:
    return "∞" if isinf(number) else f"{number:.2f}"


def _share(share: float, within: Interval) -> str:
    return f"{share:.0%} ({within.low:.0%}–{within.high:.0%})".replace("%", "")


def _margins(standing: Standing) -> str:
    said = []
    for (first, second), score in standing.duels.items():
        margin = score.margin
        said.append(f"{first} less {second}: {margin.low:+.2f} to {margin.high:+.2f} points per challenge")
    return "; ".join(said) + "."


def slowest(results: Results) -> str:
    """How long anybody thought at most, beside the limits."""
    action = max((max(each.action_seconds) for each in results.values()), default=0.0)
    sweep = max((max(each.sweep_seconds) for each in results.values()), default=0.0)
    forfeits = sum(sum(each.forfeits) for each in results.values())
    return f"Slowest action {action:.2f} s of 10 s, slowest sweep {sweep:.2f} s of 20 s; {forfeits} sweeps forfeited."
