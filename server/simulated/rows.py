"""From the records of a simulated study to rows of the tables, as live play and the questionnaires would write them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from importlib.metadata import version
from typing import Any, Final

from games import dice
from games.protocol import CHANCE, OVER, Game, Position
from lab.judgements import Challenge, Verdict
from lab.simulation.records import JudgementRecord, MatchRecord, PersonRecord, SeatRecord
from npc.players import text_of
from server.accounts.pseudonyms import SIMULATED
from server.live.models import SIMULATED as SIMULATED_MATCH
from server.live.models import Source
from server.live.thinking.prior import PRIOR
from server.questionnaires.service import closing_time
from server.study.settings import StudySettings

Row = tuple[Any, ...]

SOFTWARE: Final = version("grintu") + SIMULATED_MATCH
NO_PASSWORD: Final = "!"  # noqa: S105 - not a password but a hash that none has
ENJOYMENT: Final = ("not_at_all", "rather_not", "neutral", "rather", "very")
VERDICT_KEYS: Final = {verdict: verdict.value.replace(" ", "_") for verdict in Verdict}
CHALLENGE_KEYS: Final = {
    challenge: "not_challenging" if challenge is Challenge.NOT else challenge.value for challenge in Challenge
}
VERDICT_JSON: Final = {verdict: json.dumps(key) for verdict, key in VERDICT_KEYS.items()}
CHALLENGE_JSON: Final = {challenge: json.dumps(key) for challenge, key in CHALLENGE_KEYS.items()}
ENJOYMENT_JSON: Final = tuple(map(json.dumps, ENJOYMENT))
SHOWN_MS: Final = {"verdict": 5200, "sureness": 2600, "challenge": 3900, "aim": 11_000, "enjoyment": 2900}
HASTE: Final = 20
"""By how much falsifiers answer faster than others."""

COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "persons": ("id", "pseudonym", "created_at"),
    "accounts": (
        "person_id", "email", "password_hash", "role", "language", "created_at", "confirmed_at", "last_login_at"
    ),
    "consents": ("person_id", "text_id", "given", "at"),
    "matches": (
        "id", "created_at", "software", "game", "dice_seed", "commitment", "secret", "panel", "programs_think",
        "thinking", "clock_ms", "ask_ms", "grace_ms", "proposal_ms", "check_share", "starts_at", "ply", "to_act",
        "position", "turn_at",
        "ended_at", "scores", "winners",
    ),
    "match_seats": ("match_id", "seat", "person_id", "strategy", "member", "replaced_at"),
    "match_events": ("match_id", "seat", "at", "kind", "details"),
    "match_moves": ("match_id", "ply", "seat", "move", "source", "ms", "at"),
    "questionnaire_sheets": (
        "id", "version_id", "person_id", "match_id", "seats", "opened_at", "closes_at", "finished_at", "skipped_at",
        "closed_at",
    ),
    "answers": ("sheet_id", "item", "seat", "value", "shown_ms", "at"),
    "judgements": (
        "at", "match_id", "game", "person_id", "seat", "strategy", "verdict", "sureness", "challenge", "enjoyment"
    ),
}  # fmt: skip
"""Table → columns that are written, in the order in which tables must be filled."""

_STUDY: Final = StudySettings()
_THINKING: Final = PRIOR.model_dump_json()


def moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def person_row(record: PersonRecord, person_id: int, study: str) -> Row:
    return (person_id, f"{SIMULATED}{study}-{record.number:06}", moment(record.joined))


def account_row(record: PersonRecord, person_id: int, study: str) -> Row:
    joined = moment(record.joined)
    address = f"{study}.{record.email}"
    return (person_id, address, NO_PASSWORD, "proband", "en", joined, joined, joined)


def match_row(record: MatchRecord, match_id: int, game: Game) -> Row:
    start, end = moment(record.started), moment(record.ended)
    seed = record.played.dice_seed if record.played else bytes(dice.SEED_BYTES)
    played = record.played
    panel = [
        {"player": text_of(seat.strategy), "name": seat.strategy, "seed": seat.seed}
        for seat in record.seats
        if seat.strategy
    ]
    return (
        match_id,
        start,
        SOFTWARE,
        game.reference,
        seed,
        dice.commitment(seed),
        sha256(b"secret" + seed).digest(),
        json.dumps(panel),
        "browsers",
        _THINKING,
        _ms(_STUDY.move_clock),
        20_000,
        _ms(_STUDY.grace_time),
        _ms(_STUDY.proposal_time),
        _STUDY.check_share,
        start,
        len(played.moves) if played else 0,
        OVER,
        _final(played.moves if played else (), game).text(),
        end,
        end,
        list(played.scores) if played else None,
        list(played.winners) if played else None,
    )


def seat_rows(seats: Sequence[SeatRecord], match_id: int, persons: Sequence[int]) -> Iterator[Row]:
    member = 0
    for number, seat in enumerate(seats):
        if seat.person is not None:
            yield (match_id, number, persons[seat.person], None, None, None)
        else:
            yield (match_id, number, None, seat.strategy, member, None)
            member += 1


def move_rows(record: MatchRecord, match_id: int, game: Game) -> Iterator[Row]:
    if record.played is None:
        return
    position, at = game.start(), moment(record.started)
    for ply, (written, ms) in enumerate(zip(record.played.moves, record.played.milliseconds, strict=True)):
        seat, move = position.to_act, game.move(written)
        at += timedelta(milliseconds=ms)
        if seat == CHANCE:
            source = Source.CHANCE
        elif position.forced(seat) is not None:
            source = Source.FORCED
        else:
            source = Source.PERSON if record.seats[seat].person is not None else Source.PROPOSAL
        yield (match_id, ply, seat, written, source.value, ms, at)
        position = position.play(move)


@dataclass(frozen=True, slots=True)
class AfterMatch:
    """What one person answered after a match, about all other seats."""

    given: tuple[JudgementRecord, ...]

    @property
    def person(self) -> int:
        return self.given[0].person

    def sheet(self, record: MatchRecord, sheet_id: int, version_id: int, match_id: int, person_id: int) -> Row:
        opened = moment(record.ended)
        seats = json.dumps(sorted(one.seat for one in self.given))
        finished = moment(max(one.answered for one in self.given))
        return (sheet_id, version_id, person_id, match_id, seats, opened, closing_time(opened), finished, None, None)

    def answers(self, sheet_id: int, hasty: bool) -> Iterator[Row]:
        share = HASTE if hasty else 1
        for one in self.given:
            at = moment(one.answered)
            yield (sheet_id, "verdict", one.seat, VERDICT_JSON[one.verdict], SHOWN_MS["verdict"] // share, at)
            if one.verdict is not Verdict.CANNOT_TELL:
                yield (sheet_id, "sureness", one.seat, str(one.sureness), SHOWN_MS["sureness"] // share, at)
            yield (sheet_id, "challenge", one.seat, CHALLENGE_JSON[one.challenge], SHOWN_MS["challenge"] // share, at)
            if one.aim is not None:
                yield (sheet_id, "aim", one.seat, json.dumps(one.aim), SHOWN_MS["aim"] // share, at)
        last = self.given[-1]
        enjoyment = ENJOYMENT_JSON[last.enjoyment - 1]
        yield (sheet_id, "enjoyment", None, enjoyment, SHOWN_MS["enjoyment"] // share, moment(last.answered))


def after_match(record: MatchRecord) -> list[AfterMatch]:
    by_person: dict[int, list[JudgementRecord]] = {}
    for one in record.judgements:
        by_person.setdefault(one.person, []).append(one)
    return [AfterMatch(tuple(given)) for given in by_person.values()]


def judgement_row(one: JudgementRecord, match_id: int, game: Game, person_id: int) -> Row:
    return (
        moment(one.answered),
        match_id,
        game.reference,
        person_id,
        one.seat,
        None if one.of_human else one.truth,
        one.verdict.value,
        None if one.verdict is Verdict.CANNOT_TELL else one.sureness,
        one.challenge.value,
        one.enjoyment,
    )


def _final(moves: Sequence[str], game: Game) -> Position:
    position: Position = game.start()
    for written in moves:
        position = position.play(game.move(written))
    return position


def _ms(time: timedelta) -> int:
    return round(time.total_seconds() * 1000)
