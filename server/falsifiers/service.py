"""Looking for signs in what a person answered, and keeping flags. Researchers decide; ratings follow them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from lab import falsifiers
from lab.falsifiers import GivenAnswer, Sign
from server.accounts.audit import audit
from server.accounts.marks import companions
from server.accounts.models import Person
from server.base.clock import now
from server.base.errors import InvalidInput, NotFound
from server.falsifiers.models import FalsifierFlag, FlagState
from server.judgements.models import JudgementRow
from server.live.models import MatchMove
from server.questionnaires import profile
from server.questionnaires.content import Item, Questionnaire
from server.questionnaires.listeners import when_answered
from server.questionnaires.models import Answer, QuestionnaireVersion, Sheet
from server.study.settings import read_settings


@when_answered
async def look_at(session: AsyncSession, person_id: int) -> list[Sign]:
    """Raise the flags whose signs are there now. What a researcher has decided about a flag stays as it is."""
    signs = await signs_of(session, person_id)
    for sign in signs:
        raised = insert(FalsifierFlag).values(
            person_id=person_id, name=sign.name, evidence=sign.evidence, raised_at=now(), state=FlagState.RAISED.value
        )
        await session.execute(
            raised.on_conflict_do_update(
                index_elements=[FalsifierFlag.person_id, FalsifierFlag.name],
                set_={"evidence": sign.evidence},
                where=FalsifierFlag.state == FlagState.RAISED.value,
            )
        )
    return signs


async def signs_of(session: AsyncSession, person_id: int) -> list[Sign]:
    answers, repeated = await _answers(session, person_id)
    found = [
        falsifiers.profile_changes(await profile.changes(session, person_id)),
        falsifiers.too_fast(answers),
        falsifiers.always_same(answers),
        falsifiers.contradiction(answers, repeated),
        falsifiers.before_moving(answers, await _moved(session, [int(answer.match) for answer in answers])),
        falsifiers.right_too_often(*await _right(session, person_id)),
        falsifiers.second_account(await companions(session, person_id)),
    ]
    return [sign for sign in found if sign is not None]


async def decide(session: AsyncSession, person_id: int, name: str, decision: str, actor: str) -> None:
    """A researcher confirms or lifts a flag, or puts it back to raised."""
    if decision not in list(FlagState):
        raise InvalidInput
    flag = await session.get(FalsifierFlag, (person_id, name), with_for_update=True)
    if flag is None:
        raise NotFound
    pseudonym = await session.scalar(select(Person.pseudonym).where(Person.id == person_id))
    audit(session, actor, f"falsifier.{decision}", f"{pseudonym} {name}", {"before": flag.state})
    flag.state, flag.decided_by, flag.decided_at = decision, actor, now()


async def flags(session: AsyncSession, state: str | None = None) -> list[tuple[FalsifierFlag, str]]:
    """Flags with the pseudonym of the person, newest first."""
    query = (
        select(FalsifierFlag, Person.pseudonym)
        .join(Person, Person.id == FalsifierFlag.person_id)
        .order_by(FalsifierFlag.raised_at.desc(), FalsifierFlag.person_id, FalsifierFlag.name)
    )
    if state is not None:
        query = query.where(FalsifierFlag.state == state)
    return [(flag, pseudonym) for flag, pseudonym in await session.execute(query)]


async def left_out(session: AsyncSession) -> set[int]:
    """The persons whose judgements ratings leave out: those with a confirmed flag, unless the study keeps them in."""
    if not (await read_settings(session)).leave_out_falsifiers:
        return set()
    query = select(FalsifierFlag.person_id).where(FalsifierFlag.state == FlagState.CONFIRMED.value)
    return set(await session.scalars(query))


async def _answers(session: AsyncSession, person_id: int) -> tuple[list[GivenAnswer], dict[str, str]]:
    """The answers after matches that count, with how much there was to read; and which items repeat which."""
    query = (
        select(Sheet.version_id, Sheet.match_id, Answer.item, Answer.seat, Answer.value, Answer.shown_ms)
        .join(Sheet, Sheet.id == Answer.sheet_id)
        .where(Sheet.person_id == person_id, Sheet.match_id.is_not(None))
        .order_by(Answer.id)
    )
    rows = (await session.execute(query)).all()
    versions = select(QuestionnaireVersion).where(QuestionnaireVersion.id.in_({row.version_id for row in rows}))
    contents = {one.id: Questionnaire.model_validate(one.content) for one in await session.scalars(versions)}
    newest: dict[tuple[int | None, str, int | None], GivenAnswer | None] = {}
    for version_id, match_id, item, seat, value, shown_ms in rows:
        words = _words(contents[version_id].item(item))
        given = GivenAnswer(str(match_id), item, seat, value, shown_ms, words) if isinstance(value, str) else None
        newest[match_id, item, seat] = given
    repeated = {again: first for content in contents.values() for again, first in content.repetitions().items()}
    return [answer for answer in newest.values() if answer is not None], repeated


def _words(item: Item) -> int:
    """How much must be read at least before a choice can be meant: the question and its options."""
    if item.type != "choice":
        return len(item.text.en.split())
    return len(item.text.en.split()) + sum(len(option.text.en.split()) for option in item.options)


async def _moved(session: AsyncSession, matches: Sequence[int]) -> dict[tuple[str, int], int]:
    query = (
        select(MatchMove.match_id, MatchMove.seat, func.count())
        .where(MatchMove.match_id.in_(set(matches)), MatchMove.seat >= 0)
        .group_by(MatchMove.match_id, MatchMove.seat)
    )
    return {(str(match), seat): count for match, seat, count in await session.execute(query)}


async def _right(session: AsyncSession, person_id: int) -> tuple[int, int]:
    """How many of the person's verdicts were right, and how many there were; who could not tell gave none."""
    is_right = (JudgementRow.verdict == "human") == JudgementRow.strategy.is_(None)
    query = select(func.count().filter(is_right), func.count()).where(
        JudgementRow.person_id == person_id, JudgementRow.verdict != "cannot tell"
    )
    right, of = (await session.execute(query)).one()
    return right, of
