"""Thousands of matches among persons, made in the database at once, with log-ins for all of them."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

from games.registry import game
from server.accounts.sessions import COOKIE, _hash, _signer
from server.base.settings import Settings
from server.live.config import LiveConfig
from server.matchmaking.seating import Seating
from server.storage.database import Database

HOUR_MS = 3_600_000

PEOPLE = """
WITH made AS (
    INSERT INTO persons (pseudonym, created_at) SELECT 'bench-' || token, now() FROM unnest($1::text[]) AS t(token)
    RETURNING id, substr(pseudonym, 7) AS token
), accounts_made AS (
    INSERT INTO accounts (person_id, email, password_hash, role, language, created_at, confirmed_at)
    SELECT id, token || '@example.org', '-', 'proband', 'en', now(), now() FROM made RETURNING id, person_id, email
), logins AS (
    INSERT INTO account_sessions (account_id, token_hash, created_at, expires_at)
    SELECT a.id, t.hash, now(), now() + interval '1 day'
    FROM accounts_made a JOIN unnest($1::text[], $2::bytea[]) AS t(token, hash) ON a.email = t.token || '@example.org'
)
SELECT id, token FROM made
"""

MATCHES = """
INSERT INTO matches (created_at, software, game, dice_seed, secret, commitment, panel, programs_think, thinking,
                     clock_ms, ask_ms, grace_ms, proposal_ms, check_share, starts_at, ply, to_act, position, turn_at,
                     due_at, due)
SELECT now(), software, game, t.seed, secret, t.commitment, panel, programs_think, thinking || '{"pace": 0.001}', $4,
       $4, $4, proposal_ms, check_share, now(), 0, to_act, position, now(), now(), due
FROM matches, unnest($2::bytea[], $3::text[]) AS t(seed, commitment)
WHERE id = $1 RETURNING id
"""

SEATS = """
INSERT INTO match_seats (match_id, seat, person_id, gone_at)
SELECT t.match, t.seat, t.person, now() FROM unnest($1::bigint[], $2::int[], $3::bigint[]) AS t(match, seat, person)
"""


@dataclass(frozen=True, slots=True)
class Tables:
    """Socket paths, and the cookies of the persons of each."""

    paths: list[str]
    cookies: list[list[str]]


async def make_tables(database: Database, settings: Settings, count: int, reference: str) -> Tables:
    """`count` new matches of a game, with a person on every seat."""
    signer = _signer(settings)
    seats = len(game(reference).seats)
    tokens = [secrets.token_hex(16) for _ in range(seats * count)]
    seeds = [secrets.token_bytes(32) for _ in range(count)]
    async with database.transaction() as session:
        template = await Seating(LiveConfig()).seat(session, [], game=reference)
        template_id = template.id
    async with database.pool.acquire() as connection, connection.transaction():
        rows = await connection.fetch(PEOPLE, tokens, [_hash(token) for token in tokens])
        commitments = [hashlib.sha256(seed).hexdigest() for seed in seeds]
        made = await connection.fetch(MATCHES, template_id, seeds, commitments, HOUR_MS)
        matches = [row["id"] for row in made]
        people = [row["id"] for row in rows]
        places = [(match, seat, people[seats * n + seat]) for n, match in enumerate(matches) for seat in range(seats)]
        await connection.execute(SEATS, *zip(*places, strict=True))
        await connection.execute("DELETE FROM match_seats WHERE match_id = $1", template_id)
        await connection.execute("DELETE FROM matches WHERE id = $1", template_id)
    cookies = [f"Cookie: {COOKIE}={signer.sign(row['token']).decode()}\r\n" for row in rows]
    groups = [cookies[seats * n : seats * (n + 1)] for n in range(count)]
    return Tables([f"/live/matches/{match}" for match in matches], groups)
