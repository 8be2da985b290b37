"""Signs that two accounts belong to one person: the same browser, or the same network with the same kind of browser.

Only salted hashes are kept, with the account, and go with it. A whole class may sit behind one network with machines
that are all alike, so a network counts only while no more than two accounts share it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession
from starlette.requests import HTTPConnection
from starlette.responses import Response

from server.accounts.limits import network_of
from server.accounts.models import Account
from server.base.clock import now
from server.base.settings import Settings
from server.web.cookies import cookie_name

COOKIE: Final = "browser"
YEAR: Final = 365 * 24 * 3600

REMEMBER = text("""
INSERT INTO login_marks (account_id, mark, kind, last_at) VALUES (:account, :mark, :kind, :now)
ON CONFLICT (account_id, mark) DO UPDATE SET last_at = excluded.last_at
""")
# Marks of these persons' accounts with those of other accounts; a network counts while no more than two share it.
SHARED = """
FROM accounts a JOIN login_marks mine ON mine.account_id = a.id
JOIN login_marks theirs ON theirs.mark = mine.mark AND theirs.account_id <> a.id
JOIN accounts b ON b.id = theirs.account_id
WHERE a.person_id = ANY(CAST(:persons AS bigint[]))
  AND (mine.kind = 'browser' OR (SELECT count(*) FROM login_marks m WHERE m.mark = mine.mark) <= 2)
"""
COMPANIONS_OF: Final = f"ARRAY(SELECT b.person_id {SHARED})"
"""SQL: those whose accounts may belong to one of `:persons` too."""
COMPANIONS = text(f"""
SELECT p.pseudonym, shared.kind
FROM (SELECT DISTINCT b.person_id, theirs.kind {SHARED}) AS shared JOIN persons p ON p.id = shared.person_id
ORDER BY 1, 2
""")  # noqa: S608 - the inserted text is a constant


async def remember(
    session: AsyncSession, account: Account, settings: Settings, connection: HTTPConnection, response: Response
) -> None:
    """Note from where an account logs in; the browser gets a random number that it keeps for a year."""
    name = cookie_name(COOKIE, settings)
    known = connection.cookies.get(name, "")
    browser = known if len(known) >= 20 else secrets.token_urlsafe(24)
    response.set_cookie(
        name, browser, max_age=YEAR, httponly=True, samesite="lax", secure=settings.secure_cookies, path="/"
    )
    kind_of_browser = "|".join(connection.headers.get(each, "") for each in ("user-agent", "accept-language"))
    marks = {"browser": browser, "network": f"{network_of(connection)}|{kind_of_browser}"}
    for kind, seen in marks.items():
        salted = hmac.new(f"mark:{settings.secret}".encode(), f"{kind}:{seen}".encode(), hashlib.sha256).digest()
        await session.execute(REMEMBER, {"account": account.id, "mark": salted[:16], "kind": kind, "now": now()})


async def companions(session: AsyncSession, person_id: int) -> list[tuple[str, str]]:
    """Pseudonyms whose accounts may be this person's too, and what they share: a browser or a network."""
    return [(row.pseudonym, row.kind) for row in await session.execute(COMPANIONS, {"persons": [person_id]})]
