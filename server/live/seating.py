"""Makes a match: who sits where, the panel, the dice seed, and the times that hold for it."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from importlib.metadata import version
from typing import Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from games import dice
from games.protocol import Game
from games.registry import game as find_game
from server.clock import now
from server.live.config import LiveConfig
from server.live.models import Due, Match, MatchSeat, ThinkingModel
from server.live.selection import ChooseStrategies, Request, choose_strategies
from server.live.thinking import Thinking
from server.rule_bases import repository as rule_bases
from server.study.settings import StudySettings, read_settings

GAME: Final = "jostle"
LAYOUT: Final = "standard"
SEED_BYTES: Final = 8


@cache
def software_version() -> str:
    return version("grintu")


@dataclass(frozen=True, slots=True)
class Seating:
    """Seats persons and programs at new tables."""

    config: LiveConfig
    choose: ChooseStrategies = choose_strategies

    async def seat(self, session: AsyncSession, persons: Sequence[int], rng: random.Random | None = None) -> Match:
        """A new match of these persons; programs take the seats that are left. The caller commits."""
        chance = rng or random.SystemRandom()
        study = await read_settings(session)
        game = find_game(GAME)
        programs = len(game.seats) - len(persons)
        selection = await self.choose(session, Request(tuple(persons), programs, study.panel_size), chance)
        match = self._match(game, study, await self._thinking(session))
        # Browsers compute what members would do, so a rule base goes along with its script; its seat bears its name.
        scripts = await rule_bases.scripts(session, selection.panel)
        match.panel = [
            {"strategy": scripts.get(name, name), "seed": f"{chance.getrandbits(8 * SEED_BYTES):016x}"}
            for name in selection.panel
        ]
        sitters = [MatchSeat(person_id=person, gone_at=match.created_at) for person in persons]
        sitters += [MatchSeat(strategy=selection.panel[member], member=member) for member in selection.playing]
        chance.shuffle(sitters)
        for seat, sitter in enumerate(sitters):
            sitter.seat = seat
        match.seats = sitters
        session.add(match)
        await session.flush()
        return match

    def _match(self, game: Game, study: StudySettings, thinking: Thinking) -> Match:
        seed = secrets.token_bytes(dice.SEED_BYTES)
        created = now()
        starts = created + self.config.start_delay * self.config.pace
        start = game.start()
        return Match(
            created_at=created,
            software=software_version(),
            game=game.name,
            layout=LAYOUT,
            dice_seed=seed,
            commitment=dice.commitment(seed),
            thinking=thinking.model_dump(mode="json"),
            clock_ms=self._ms(study.move_clock),
            ask_ms=self._ms(self.config.ask_time),
            grace_ms=self._ms(study.grace_time),
            proposal_ms=self._ms(study.proposal_time),
            check_share=study.check_share,
            starts_at=starts,
            ply=0,
            to_act=start.to_act,
            position=start.text(),
            turn_at=starts,
            due_at=starts,
            due=Due.START,
        )

    def _ms(self, time: timedelta) -> int:
        return round(time.total_seconds() * 1000 * self.config.pace)

    async def _thinking(self, session: AsyncSession) -> Thinking:
        """The newest fit of human times, at this installation's pace."""
        newest = await session.scalar(select(ThinkingModel.parameters).order_by(ThinkingModel.id.desc()).limit(1))
        model = Thinking.model_validate(newest or {})
        return model.model_copy(update={"pace": self.config.pace})
