"""Matches on a real server, over real websockets: what the people at the tables receive, and when.

The people are simulated (people.py); the server has learnt from the record of other such people. To keep behaviour out,
people choose their moves like programs do. Who watches is one of those who play. The pace is that of the server: slow
enough that what a busy machine adds to a time is small beside the time itself.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import selectinload

from games.protocol import Game, Position, Seat
from games.registry import game as find_game
from npc.follower import Follower
from npc.players import player
from server.base.settings import Settings
from server.live.config import LiveConfig
from server.live.models import Match, ThinkingModel
from server.live.thinking.fitting import fit
from server.live.thinking.situations import Situation
from server.live.thinking.times import Thinking, thinking_ms
from server.matchmaking.seating import Seating
from server.storage.database import Database
from server.study.settings import change_setting
from tests.blind.classifier import areas
from tests.blind.evidence import Evidence, Numbers, evidence_of_times
from tests.blind.frames import evidence_of_frames, turns_of
from tests.blind.hostile import evidence_of_computing
from tests.blind.people import Person, as_server_knows, beginning, catch_up, mind, record
from tests.server.live.clients import Advise, SeatClient, Visitor, visitors

RECORDED: Final = 200
"""Matches among people from which the server has learnt."""
SECONDS_BETWEEN_STARTS: Final = 0.1
WATCHED_TO_THE_END: Final = 0.95
"""The longest match takes a third longer than this share of the matches, for one in a hundred of all decisions."""
PATIENCE: Final = 600.0
PERSONS: Final = {2: (2, 1), 3: (2, 2, 1)}
"""By seats, in turns: at half of the tables for two sit two persons, at every third for three only one."""


@dataclass
class Simulated:
    """A simulated person at a table, and how long he or she meant to think about each decision."""

    game: Game
    seed: str
    dice_seed: bytes
    pace: float
    meant: dict[int, float] = field(default_factory=dict)
    """Milliseconds by the number of the decision."""

    def __post_init__(self) -> None:
        self.person = Person(self.seed)
        self.course = beginning(self.game)
        self.thoughts: Follower | None = None

    async def choose(self, client: SeatClient) -> str:
        asked_at = client.received[-1].at
        await client.until(lambda: client.seat >= 0)  # the beginning may be told before the answer to `hello`
        thoughts = self.thoughts = self.thoughts or mind(self.game, self.seed, client.seat)
        self.course = self.course.after(catch_up(thoughts, client.moves, self.dice_seed))
        chosen = str(thoughts.decide(client.seat).move)
        situation = self.course.situation(thoughts.position, client.seat)
        ms = self.meant[situation.number] = self.person.thinks_ms(situation)
        await asyncio.sleep(max(0.0, asked_at + ms * self.pace / 1000 - time.monotonic()))  # computing is no thinking
        return chosen


def browser_computes(game: Game) -> Advise:
    """What the page does where browsers think."""
    followers: list[Follower] = []

    def advise(client: SeatClient, seat: int) -> list[str | None]:
        if not followers:
            followers.extend(Follower(game, player(one.player, game.reference), one.seed) for one in client.panel)
        for one in followers:
            one.catch_up(client.moves)
        return [str(one.decide(seat).move) for one in followers]

    return advise


async def teach(database: Database, reference: str, where: str) -> None:
    """What the server would know after many matches of such people, and where its programs think."""
    learnt = fit(record(reference, RECORDED))
    async with database.transaction() as session:
        session.add(ThinkingModel(game=reference, parameters=learnt.model_dump(mode="json")))
        await change_setting(session, "programs_think", where, changed_by="test")


async def watch_matches(
    url: str, database: Database, settings: Settings, reference: str, matches: int
) -> list[Evidence]:
    """So many matches at the same time, begun one after another, and all that was seen of every seat."""
    persons = PERSONS[len(find_game(reference).seats)]
    people = iter(await visitors(database, settings, 2 * matches))
    watching, enough = [], asyncio.Event()
    for number in range(matches):
        group = [next(people) for _ in range(persons[number % len(persons)])]
        watching.append(asyncio.create_task(watch_match(url, database, reference, group, enough)))
        await asyncio.sleep(SECONDS_BETWEEN_STARTS)
    try:
        async with asyncio.timeout(PATIENCE):
            for over, one in enumerate(asyncio.as_completed(watching), start=1):
                await one
                if over >= WATCHED_TO_THE_END * matches:
                    enough.set()
    finally:
        for task in watching:
            task.cancel()
    return [one for watched in watching for one in seen_in(watched.result())]


class Watched(NamedTuple):
    """A match with everything that its people received and meant."""

    match: Match
    clients: Mapping[Seat, SeatClient]
    people: Mapping[Seat, Simulated]


async def watch_match(
    url: str, database: Database, reference: str, people: Sequence[Visitor], enough: asyncio.Event
) -> Watched:
    """One match, until its end or until it is enough."""
    game, config = find_game(reference), LiveConfig()
    async with database.transaction() as session:
        seated = await Seating(config).seat(session, [one.person_id for one in people], game=reference)
        number, dice_seed, name = seated.id, seated.dice_seed, seated.commitment
    clients = [SeatClient(url, str(number), one) for one in people]
    minds = [Simulated(game, f"{name}:{place}", dice_seed, config.pace) for place in range(len(clients))]
    clients[0].advise = browser_computes(game)  # which the server does not wait for where it thinks itself
    for client in clients:
        await client.open(open_timeout=PATIENCE)
    leaving = asyncio.create_task(leave_when(enough, clients))
    await asyncio.gather(*(client.play_on(one.choose) for client, one in zip(clients, minds, strict=True)))
    leaving.cancel()
    async with database.sessions() as session:
        loaded = selectinload(Match.seats), selectinload(Match.moves)
        match = (await session.scalars(select(Match).where(Match.id == number).options(*loaded))).one()
    assert all(one.replaced_at is None for one in match.seats)
    assert enough.is_set() or all(client.ended for client in clients)
    return Watched(
        match,
        {client.seat: client for client in clients},
        {client.seat: one for client, one in zip(clients, minds, strict=True)},
    )


async def leave_when(enough: asyncio.Event, clients: list[SeatClient]) -> None:
    await enough.wait()
    for client in clients:
        assert client.socket is not None
        await client.socket.close()


def seen_in(watched: Watched) -> list[Evidence]:
    """What each person saw of each other seat."""
    match, clients, people = watched
    game = find_game(match.game)
    situations = situations_of(game, match)
    model = Thinking.model_validate(match.thinking)
    found = []
    for observer, client in clients.items():
        turns = turns_of(client)
        for seat in range(len(game.seats)):
            mine = [turn for turn in turns if turn.seat == seat]
            decided = [(situations[turn.ply, seat], turn) for turn in mine if (turn.ply, seat) in situations]
            if seat == observer or not decided:
                continue
            times = [
                (situation, turn.seconds * 1000 / model.pace) for situation, turn in decided if turn.seconds is not None
            ]
            meant = [
                (situation, people[seat].meant[situation.number])
                if seat in people
                else (situation, thinking_ms(model, match.secret, seat, as_server_knows(game, situation)) / model.pace)
                for situation, _ in decided
                if seat not in people or situation.number in people[seat].meant
            ]
            found.append(
                Evidence(
                    match=match.id,
                    person=seat in people,
                    frames=evidence_of_frames(client, seat, mine),
                    times=evidence_of_times(times),
                    meant=evidence_of_times(meant),
                    computed=evidence_of_computing(game, client, seat, times),
                )
            )
    return found


def situations_of(game: Game, match: Match) -> dict[tuple[int, Seat], Situation]:
    """Every decision of the match: by the ply at which its turn began, and the seat."""
    position: Position = game.start()
    course, begun, found = beginning(game), 0, {}
    turn: list[tuple[Position, object]] = []
    waited_for: tuple[Seat, ...] = ()
    for move in sorted(match.moves, key=lambda one: one.ply):
        if move.seat < 0 or move.seat not in waited_for:
            course, turn = course.after(turn), []
            begun, waited_for = move.ply, position.acting
            for seat in waited_for:
                if position.forced(seat) is None:
                    found[begun, seat] = course.situation(position, seat)
        played = game.move(move.move)
        turn.append((position, played))
        waited_for = tuple(seat for seat in waited_for if seat != move.seat)
        position = position.play(played)
    return found


class Found(NamedTuple):
    """How well the seats are told apart by both classifiers, by what is looked at."""

    frames: str
    times: str
    meant: str
    honest: str
    hostile: str


def told(seen: Sequence[Evidence]) -> Found:
    def by(numbers: Sequence[Numbers]) -> str:
        return areas([one.match for one in seen], [one.person for one in seen], numbers)

    return Found(
        frames=by([one.frames for one in seen]),
        times=by([one.times for one in seen]),
        meant=by([one.meant for one in seen]),
        honest=by([one.honest() for one in seen]),
        hostile=by([one.hostile() for one in seen]),
    )
