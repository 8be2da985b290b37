"""Nothing that a browser receives tells persons from programs, except how they play.

Simulated people with times of their own play over real websockets against programs whose thinking times the server has
learnt from a record of such people. The longest matches, one in twenty, are watched only until the others are over. A
classifier then looks at everything that the browsers saw but the moves; to keep these out altogether, the simulated
people choose their moves like the programs do. The same classifier finds leaks that are put in on purpose, so that
finding nothing means something. `make blind` is the long form (tests/blind).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from math import log

import pytest

from server.base.settings import Settings
from server.storage.database import Database
from tests.blind.classifier import Area, area
from tests.blind.evidence import Evidence, Numbers
from tests.blind.live import teach, watch_matches
from tests.server.live.conftest import LocalServer

PACE = 0.15
"""Slow enough that what a busy machine adds to a time is small beside the time itself."""

Looks = Callable[[Evidence], Numbers]


def told(seen: Sequence[Evidence], looks: Looks) -> Area:
    return area([one.match for one in seen], [one.person for one in seen], [looks(one) for one in seen])


async def seen_on(
    server: LocalServer, database: Database, settings: Settings, reference: str, matches: int, looks: Looks
) -> list[Evidence]:
    """A series of matches in which nothing is told to somebody who looks so.

    An interval of 95 % misses the truth in one of twenty series, so a series that does is repeated once: a leak is seen
    in both.
    """
    for series in ("first", "second"):
        seen = await watch_matches(server.url, database, settings, reference, matches)
        assert len({one.match for one in seen}) == matches
        found = told(seen, looks)
        print(f"{series} series: {found}, {len(seen)} witnesses")
        if found.is_chance:
            break
    assert found.is_chance, found
    return seen


@pytest.mark.alone
@pytest.mark.timeout(900)
async def test_persons_and_programs_look_the_same(settings: Settings, database: Database, server: LocalServer) -> None:
    """In the ordinary view of a match; who takes the page apart, where browsers think, knows what programs would do."""
    await teach(database, "jostle:standard", "browsers")
    seen = await seen_on(server, database, settings, "jostle:standard", 200, Evidence.honest)
    for name, leak in LEAKS.items():
        leaky = told([leak(one) for one in seen], Evidence.honest)
        assert leaky.low > 0.5, f"the classifier should find that {name}: {leaky}"
    assert told(seen, Evidence.hostile).low > 0.5, "docs/live-play.md says so"


@pytest.mark.alone
@pytest.mark.timeout(900)
async def test_who_has_our_source_learns_nothing_where_the_server_thinks(
    settings: Settings, database: Database, server: LocalServer
) -> None:
    """All known players with all that a client knows for a seed, and all times: none of it tells anything.

    Of a game without secrets, so that it can be computed what programs would do; `make blind` measures the others.
    """
    await teach(database, "tic-tac-toe:standard", "server")
    seen = await seen_on(server, database, settings, "tic-tac-toe:standard", 150, Evidence.hostile)
    assert all({"times follow", "best", "all"} <= one.computed.keys() for one in seen)
    assert any(one.computed["best"] > 0.9 for one in seen), "some known player does what was done"
    caught = told([_foretold(one) for one in seen], Evidence.hostile)
    assert caught.low > 0.5, f"the classifier should find programs that do what can be computed: {caught}"


def _foretold(one: Evidence) -> Evidence:
    """As if one of the players that the hostile client follows had the program's own seed."""
    return one if one.person else replace(one, computed={**one.computed, "best": 1.0, "second": 0.4, "third": 0.4})


def _faster(one: Evidence) -> Evidence:
    shift = 0.0 if one.person else log(0.75)
    times = {name: value + shift * (name.endswith((" mean", " least", " most"))) for name, value in one.times.items()}
    return replace(one, times=times)


LEAKS: dict[str, Callable[[Evidence], Evidence]] = {
    "programs answer a quarter faster": _faster,
    "frames about programs have a field of their own": lambda one: replace(
        one, frames={**one.frames, "shape": float(one.person)}
    ),
    "frames about programs are a few bytes longer": lambda one: replace(
        one, frames={**one.frames, "size": one.frames["size"] + 8 * (not one.person)}
    ),
}


@pytest.fixture
def live_environment(live_environment: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    live_environment.setenv("GRINTU_LIVE_PACE", str(PACE))
    return live_environment
