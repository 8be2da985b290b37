"""One chaos run from the first process to the last check."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final

from sqlalchemy import text

from games import dice
from server.base.settings import ROOT, Settings
from server.live.config import LiveConfig
from server.matchmaking.seating import Seating
from server.storage.database import Database, connect
from server.storage.outages import is_outage
from server.storage.runas import Runner
from server.study.settings import change_setting
from tests.chaos.checks import CHECKS
from tests.chaos.faults import Attack
from tests.chaos.journal import Journal
from tests.chaos.plan import Plan
from tests.chaos.world import PATIENCE, World
from tests.server.live.clients import visitors

LOOK_SECONDS: Final = 0.1

Say = Callable[[str], None]


@dataclass
class Outcome:
    """What was found wrong, and the figures of the run."""

    violations: dict[str, list[str]] = field(default_factory=dict)
    figures: dict[str, object] = field(default_factory=dict)

    @property
    def good(self) -> bool:
        return not any(self.violations.values())

    def told(self) -> str:
        lines = [f"{name}: {value}" for name, value in self.figures.items()]
        for name, problems in self.violations.items():
            lines.append(f"{name}: {'good' if not problems else f'{len(problems)} VIOLATIONS'}")
            lines += [f"    {problem}" for problem in problems[:20]]
        return "\n".join(lines)


class Crowds:
    """The processes of the probands, and the journals they write."""

    def __init__(self, folder: Path, environment: dict[str, str]):
        self.folder = folder
        self.environment = environment
        self.processes: list[subprocess.Popen[bytes]] = []
        self.read: list[int] = []
        self.journal = Journal()

    def start(self, count: int) -> None:
        for number in range(count):
            with (
                (self.folder / f"crowd-{number}.jsonl").open("wb") as journal,
                (self.folder / f"crowd-{number}.log").open("wb") as log,
            ):
                command = [sys.executable, "-m", "tests.chaos.crowd"]
                self.processes.append(
                    subprocess.Popen(
                        Runner().command(command, die_with_parent="SIGKILL"),
                        env=self.environment,
                        cwd=ROOT,
                        stdin=subprocess.PIPE,
                        stdout=journal,
                        stderr=log,
                    )
                )
            self.read.append(0)

    async def all_ready(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while self.journal.ready < len(self.processes):
                await asyncio.sleep(LOOK_SECONDS)
                self.listen()

    def let_in(self, configurations: Iterable[dict[str, object]]) -> None:
        """From here on they play."""
        for process, configuration in zip(self.processes, configurations, strict=True):
            assert process.stdin is not None
            process.stdin.write(json.dumps(configuration).encode() + b"\n")
            process.stdin.flush()

    def listen(self) -> None:
        """Take in what the journals say by now; a line that is being written waits for the next time."""
        for number, place in enumerate(self.read):
            with (self.folder / f"crowd-{number}.jsonl").open("rb") as file:
                file.seek(place)
                whole, newline, _ = file.read().rpartition(b"\n")
            for line in whole.splitlines():
                self.journal.take(json.loads(line))
            self.read[number] += len(whole) + len(newline)

    @property
    def over(self) -> bool:
        return all(process.poll() is not None for process in self.processes)

    def end(self) -> None:
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
            assert process.stdin is not None
            process.stdin.close()


def run(plan: Plan, folder: Path, say: Say = lambda _: None) -> Outcome:
    """Everything; blocks. `folder` keeps the logs."""
    outcome = Outcome()
    world = World(folder, plan.scale)
    before = _sources()
    with world.postgres() as settings:
        asyncio.run(_run(plan, world, settings, outcome, say))
    outcome.violations["processes"] = world.unexpected_ends + [f"still there: {one}" for one in world.left_over()]
    if changed := sorted({name for name, _ in before ^ _sources()}):
        outcome.figures["changed during the run, so that its processes may not agree"] = changed
    return outcome


def _sources() -> set[tuple[str, int]]:
    """Every file of ours that a process may load when it is started, and when it was written."""
    return {
        (str(path.relative_to(ROOT)), path.stat().st_mtime_ns)
        for room in ("kernels", "games", "npc", "lab", "server")
        for path in (ROOT / room).rglob("*.py")
    }


async def _run(plan: Plan, world: World, settings: Settings, outcome: Outcome, say: Say) -> None:
    async with connect(world_url(settings), size=4, raw_size=2) as database:
        crowds, attack, struck = await _play(plan, world, settings, database, outcome, say)
        journal = crowds.journal
        async with database.sessions() as session:
            for name, check in CHECKS.items():
                outcome.violations[name] = await check(session, journal, attack)
            total = await session.scalar(text("SELECT count(*) FROM matches"))
            replaced = await session.scalar(text("SELECT count(*) FROM match_seats WHERE replaced_at IS NOT NULL"))
            snapshots = await session.scalar(text("SELECT count(*) FROM rating_snapshots"))
            moves = await session.scalar(text("SELECT count(*) FROM match_moves"))
        outcome.violations["clients"] = journal.violations
        outcome.figures |= {
            "matches": total,
            "moves": moves,
            "faults": len(plan.faults),
            "faults while matches ran": struck,
            "sockets struck": dict(journal.struck),
            "probands gone home": f"{len(journal.done)} of {len(plan.roles)}",
            "stand-ins": replaced,
            "answers acknowledged": len(journal.answered),
            "questionnaires finished": len(journal.finished),
            "apologies": dict(journal.apologies),
            "jobs": f"{attack.notes} to do, {attack.failures} to fail",
            "rating snapshots": snapshots,
            "starts": {one.name: one.starts for one in world.kept},
        }


def world_url(settings: Settings) -> str:
    assert settings.database_url is not None
    return settings.database_url.get_secret_value()


async def _play(
    plan: Plan, world: World, settings: Settings, database: Database, outcome: Outcome, say: Say
) -> tuple[Crowds, Attack, int]:
    begun = time.monotonic()
    await _prepare_study(plan, database)
    world.start(settings)
    keeping = asyncio.create_task(world.keep_running())
    crowds = Crowds(world.folder, world.environment)
    attack = Attack(world, database, crowds.processes)
    stuck = outcome.violations.setdefault("ends", [])
    try:
        crowds.start(plan.scale.crowds)
        await world.all_ready()
        await crowds.all_ready()
        crowds.let_in(await _lay_tables(plan, world, settings, database))
        say(f"{len(plan.roles)} probands begin after {time.monotonic() - begun:.1f} s")
        started = time.monotonic()
        struck = await _attack(plan, crowds, attack, say)
        outcome.figures["seconds of play"] = round(time.monotonic() - started, 1)
        if not crowds.over:
            world.ask_where()
            stuck.append(
                f"probands still at it: {sorted({one.number for one in plan.roles} - set(crowds.journal.done))}"
            )
        elif any(process.returncode for process in crowds.processes):
            stuck.append("a crowd ended with an error; see its log")
        await _settle(plan, world, database, attack, stuck)
        outcome.figures["seconds until all was settled"] = round(time.monotonic() - started, 1)
    finally:
        keeping.cancel()
        crowds.end()
        world.stop()
    crowds.listen()
    return crowds, attack, struck


async def _prepare_study(plan: Plan, database: Database) -> None:
    scale = plan.scale
    times = {"move_clock": scale.clock, "grace_time": scale.grace, "waiting_time": 5.0}
    async with database.transaction() as session:
        for name, seconds in times.items():
            await change_setting(session, name, seconds / scale.pace, changed_by="chaos")


async def _lay_tables(plan: Plan, world: World, settings: Settings, database: Database) -> list[dict[str, object]]:
    """Register everybody, seat those who have a table, and give the configuration of every crowd."""
    people = dict(zip(plan.roles, await visitors(database, settings, len(plan.roles)), strict=True))
    scale = plan.scale
    seating = Seating(LiveConfig(_env_file=None, pace=scale.pace, ask_time=timedelta(seconds=scale.ask / scale.pace)))
    laid: dict[int | None, int | None] = {None: None}
    async with database.transaction() as session:
        for table, roles in plan.tables.items():
            match = await seating.seat(session, [people[role].person_id for role in roles])
            match.dice_seed = plan.dice_seed(table)
            match.commitment = dice.commitment(match.dice_seed)
            match.secret = match.dice_seed  # so that a run can be repeated with the same times
            laid[table] = match.id
    return [
        {
            "doors": world.doors,
            "seed": plan.seed,
            "think": scale.think,
            "probands": [
                {
                    "number": role.number,
                    "visitor": [people[role].person_id, people[role].session_id, people[role].cookie],
                    "match": laid[role.table],
                    "finishes": role.finishes,
                }
                for role in plan.roles
                if role.crowd == crowd
            ],
        }
        for crowd in range(scale.crowds)
    ]


async def _attack(plan: Plan, crowds: Crowds, attack: Attack, say: Say) -> int:
    """Let the faults strike while the probands play, and the rest afterwards; gives how many did while they played."""
    deadline = time.monotonic() + plan.scale.patience
    calm_since, started = time.monotonic(), time.monotonic()
    ahead = list(plan.faults)
    under_way: list[asyncio.Task[None]] = []
    while not crowds.over and time.monotonic() < deadline:
        await asyncio.sleep(LOOK_SECONDS)
        crowds.listen()
        progress = crowds.journal.moves / plan.expected_moves
        calm = time.monotonic() - calm_since
        if ahead and (progress >= ahead[0].after or calm > plan.scale.calm):
            fault = ahead.pop(0)
            say(f"{time.monotonic() - started:6.1f} s  {100 * progress:3.0f} %  {fault}")
            under_way.append(asyncio.create_task(attack.strike(fault)))
            calm_since = time.monotonic()
    await asyncio.gather(*under_way, *(attack.strike(fault) for fault in ahead))
    return len(plan.faults) - len(ahead)


async def _settle(plan: Plan, world: World, database: Database, attack: Attack, stuck: list[str]) -> None:
    """Wait until programs have played on alone, and all jobs are worked off."""
    await world.all_ready()
    conditions = {
        "matches are still on": "SELECT count(*) FROM matches WHERE ended_at IS NULL",
        "jobs are still waiting": "SELECT count(*) FROM pgqueuer WHERE status IN ('queued', 'picked')",
    }
    for what, query in conditions.items():
        if left := await _until_none(database, query, plan.scale.patience / 4):
            stuck.append(f"{left} {what}")
    await attack.enqueue(0, 0, 1)
    await _until_none(database, conditions["jobs are still waiting"], plan.scale.patience / 4)


async def _until_none(database: Database, query: str, patience: float) -> int:
    deadline = time.monotonic() + patience
    left = -1
    while left and time.monotonic() < deadline:
        try:
            async with database.sessions() as session:
                left = await session.scalar(text(query)) or 0
        except Exception as error:
            if not is_outage(error):
                raise
        await asyncio.sleep(LOOK_SECONDS)
    return left
