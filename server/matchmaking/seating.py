"""Makes a match: who sits where, the panel, the seeds, and the times that hold for it."""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from importlib.metadata import version
from typing import Any, Final

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from games import dice
from games.protocol import Game
from npc.players import text_of
from npc.prolog.rulebase import KEY as PROLOG
from server.base.clock import now
from server.live.config import LiveConfig
from server.live.models import Due, Match, MatchSeat, ThinkingModel
from server.live.thinking.prior import PRIOR
from server.live.thinking.times import Thinking
from server.matchmaking.selection import ChooseStrategies, Request, choose_strategies
from server.rule_bases import repository as rule_bases
from server.rules.service import open_game
from server.study.settings import StudySettings, read_settings

SEED_BYTES: Final = 8
SECRET_BYTES: Final = 32
SERVER: Final = "server"
"""Where programs think in games with secrets, whatever the study says: browsers would learn what others hold."""


@cache
def software_version() -> str:
    return version("grintu")


@dataclass(frozen=True, slots=True)
class Seating:
    """Seats persons and programs at new tables."""

    config: LiveConfig
    choose: ChooseStrategies = choose_strategies

    async def seat(
        self,
        session: AsyncSession,
        persons: Sequence[int],
        rng: random.Random | None = None,
        *,
        game: str | None = None,
    ) -> Match:
        """A new match of these persons; programs take the seats that are left. The caller commits.

        `game` is a reference; without one the study's first game is played.
        """
        chance = rng or random.SystemRandom()
        study = await read_settings(session)
        reference = game or study.games[0]
        rules = await open_game(session, reference)
        request = Request(reference, tuple(persons), len(rules.seats) - len(persons), study.panel_size)
        selection = await self.choose(session, request, chance)
        match = self._match(rules, reference, study, await self._thinking(session, reference))
        match.panel = await _panel(session, selection.panel, chance)
        sitters = [MatchSeat(person_id=person, gone_at=match.created_at) for person in persons]
        sitters += [MatchSeat(strategy=selection.panel[member], member=member) for member in selection.playing]
        chance.shuffle(sitters)
        for seat, sitter in enumerate(sitters):
            sitter.seat = seat
        match.seats = sitters
        session.add(match)
        await session.flush()
        return match

    def _match(self, game: Game, reference: str, study: StudySettings, thinking: Thinking) -> Match:
        seed = secrets.token_bytes(dice.SEED_BYTES)
        created = now()
        starts = created + self.config.start_delay * self.config.pace
        start = game.start()
        clock = game.tempo.clock_ms
        return Match(
            created_at=created,
            software=software_version(),
            game=reference,
            dice_seed=seed,
            commitment=dice.commitment(seed),
            secret=secrets.token_bytes(SECRET_BYTES),
            programs_think=SERVER if game.secrets else study.programs_think,
            thinking=thinking.model_dump(mode="json"),
            clock_ms=self._ms(study.move_clock if clock is None else timedelta(milliseconds=clock)),
            ask_ms=self._ms(self.config.ask_time),
            grace_ms=self._ms(study.grace_time),
            proposal_ms=self._ms(study.proposal_time),
            check_share=study.check_share,
            animation_speed=study.animation_speed / self.config.pace,
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

    async def _thinking(self, session: AsyncSession, game: str) -> Thinking:
        """The newest fit of human times in this game, at this installation's pace."""
        fits = select(ThinkingModel.parameters).where(ThinkingModel.game == game)
        newest = await session.scalar(fits.order_by(ThinkingModel.id.desc()).limit(1))
        model = PRIOR if newest is None else Thinking.model_validate(newest)
        return model.model_copy(update={"pace": self.config.pace})


async def _panel(session: AsyncSession, names: Sequence[str], chance: random.Random) -> list[dict[str, Any]]:
    """Each member by its text, from which anybody can compute it, and by the name that its seat bears."""
    scripts = await rule_bases.scripts(session, names)
    return [
        {
            "player": f"{PROLOG}:{scripts[name]}" if name in scripts else text_of(name),
            "name": name,
            "seed": f"{chance.getrandbits(8 * SEED_BYTES):016x}",
        }
        for name in names
    ]
