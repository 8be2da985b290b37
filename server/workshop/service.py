"""Examines sources apart, keeps those that can be played, and puts games into the study."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy.ext.asyncio import AsyncSession

from games.protocol import Game, GameError, Remark
from games.registry import KINDS
from server.accounts.audit import audit
from server.accounts.sessions import Identity
from server.base.errors import N_, InvalidInput
from server.programs.asking import ProgramsError, TookTooLong
from server.programs.service import Programs
from server.rules.service import LONGEST_UPLOAD, open_game
from server.study.settings import change_setting, read_settings
from server.workshop.examining import examine

EXAMINATION_SECONDS: Final = 30.0
GAMES: Final = "games"
"""The setting that says what is offered."""

TOO_LONG = N_("A game is described in at most %(most)s characters, not in %(given)s.")
TOOK_TOO_LONG = N_("Reading it took so long that it was ended. A simpler description may do.")
BROKE = N_("The process that read it has died of it. A simpler description may do.")
NOT_TEXT = N_("This holds characters or numbers that cannot be stored.")
NO_KIND = N_("There is no kind of games called %(kind)s.")


@dataclass(frozen=True)
class Draft:
    """What somebody has written: a source of a kind, and the JSON beside it."""

    kind: str
    description: str
    look: str = ""

    @classmethod
    def of(cls, kind: str, description: str, look: str) -> Draft:
        """As a form gives it. A file that has its JSON in itself is taken apart, unless there is another one."""
        text, beside = description.replace("\r\n", "\n"), look.replace("\r\n", "\n")
        if kind in KINDS:
            text, inside = KINDS[kind].parted(text)
            beside = beside if beside.strip() else inside
        return cls(kind, text, beside)

    @property
    def source(self) -> str:
        """Raises GameError if this kind has nothing beside its sources."""
        return KINDS[self.kind].joined(self.description, self.look)

    @property
    def look_line(self) -> int:
        """The line of the source at which the JSON begins; after all lines if there is none."""
        lines = self.source.rstrip().splitlines()
        return len(lines) + 1 - (len(self.look.strip().splitlines()) if self.look.strip() else 0)


@dataclass(frozen=True)
class Noticed:
    """A remark and the text that it is about."""

    remark: Remark
    beside: bool
    """Whether it is about the JSON, whose lines are counted by themselves."""


@dataclass(frozen=True)
class Examination:
    """What came out."""

    refused: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    """What stands in the reason's places."""
    remarks: tuple[Noticed, ...] = ()
    told: dict[str, Any] = field(default_factory=dict)
    """What `examining.examine` tells of a game that can be played."""

    @property
    def errors(self) -> int:
        return sum(noticed.remark.is_error for noticed in self.remarks)


async def examined(programs: Programs, draft: Draft, language: str) -> Examination:
    """Whatever is wrong with a draft, it is told and not raised. Raises Unavailable if too many are examined now."""
    if draft.kind not in KINDS:
        return Examination(NO_KIND, {"kind": draft.kind[:40]})
    length = len(draft.description) + len(draft.look)
    if length > LONGEST_UPLOAD:
        return Examination(TOO_LONG, {"most": LONGEST_UPLOAD, "given": length})
    if "\x00" in draft.description or "\x00" in draft.look:
        return Examination(NOT_TEXT)
    try:
        told = await programs.trial(examine, draft.kind, draft.source, language, seconds=EXAMINATION_SECONDS)
    except GameError as error:
        return Examination(N_("%(reason)s"), {"reason": str(error)})
    except TookTooLong:
        return Examination(TOOK_TOO_LONG)
    except ProgramsError:
        return Examination(BROKE)
    remarks = tuple(_noticed(Remark(**remark), draft) for remark in told.pop("remarks"))
    if "refused" in told:
        return Examination(N_("%(reason)s"), {"reason": told["refused"]}, remarks)
    return Examination(remarks=remarks, told=told)


def noticed(game: Game, draft: Draft) -> tuple[Noticed, ...]:
    """What is known of a game that was opened; nothing is played for it."""
    return tuple(_noticed(remark, draft) for remark in game.remarks())


def _noticed(remark: Remark, draft: Draft) -> Noticed:
    before = draft.look_line - 1
    beside = bool(draft.look.strip()) and remark.line > before
    return Noticed(remark._replace(line=remark.line - before) if beside else remark, beside)


async def offer(session: AsyncSession, reference: str, offered: bool, who: Identity) -> None:
    """Put a game into the study, or take it out. Raises InvalidInput if there are too many or none would be left."""
    before = (await read_settings(session)).games
    reference = (await open_game(session, reference)).reference
    after = [one for one in before if one != reference] + ([reference] if offered else [])
    if after == before or (offered and reference in before):
        return
    if not after:
        raise InvalidInput(N_("A study needs a game. Put another one into it first."))
    await change_setting(session, GAMES, after, changed_by=who.pseudonym)
    audit(session, who, "setting.change", GAMES, {"from": before, "to": after})
