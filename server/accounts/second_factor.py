"""A second factor: six digits that an app computes from a shared secret and the time (RFC 6238), or a recovery code.

The secret lies in the database sealed with a key that is made of the installation's secret, so a stolen table or backup
does not open it. Every code counts once.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from datetime import datetime
from typing import Final
from urllib.parse import quote

import segno
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.hotp import HOTP
from sqlalchemy.ext.asyncio import AsyncSession

from server.accounts import repository
from server.accounts.models import Account
from server.base.clock import now
from server.base.settings import Settings

ISSUER: Final = "GRINTU"
STEP_SECONDS: Final = 30
DIGITS: Final = 6
SECRET_BYTES: Final = 20
RECOVERY_CODES: Final = 8
TOLERANCE: Final = (-1, 0, 1)
"""Steps by which a phone's clock may differ from ours."""


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def code_at(secret: bytes, step: int) -> str:
    """The digits of one step of half a minute."""
    return HOTP(secret, DIGITS, SHA1()).generate(step).decode()  # noqa: S303  # what apps compute


def step_of(moment: datetime) -> int:
    return int(moment.timestamp()) // STEP_SECONDS


def matching_step(secret: bytes, given: str, *, used: int | None = None) -> int | None:
    """The step, near to now and later than the one that was used last, whose code was given."""
    for tolerance in TOLERANCE:
        step = step_of(now()) + tolerance
        if (used is None or step > used) and hmac.compare_digest(code_at(secret, step).encode(), given.encode()):
            return step
    return None


def written(secret: bytes) -> str:
    """The secret as people type it into an app that cannot read the picture."""
    return base64.b32encode(secret).decode()


def picture(secret: bytes, email: str) -> str:
    """What apps read with a camera, as the address of an image."""
    label = quote(f"{ISSUER}:{email}")
    code = segno.make(f"otpauth://totp/{label}?secret={written(secret)}&issuer={ISSUER}", error="m", micro=False)
    return code.svg_data_uri(scale=4, border=4, dark="#000", light="#fff")


def seal(secret: bytes, settings: Settings) -> str:
    return _sealer(settings).encrypt(secret).decode()


def unseal(sealed: str, settings: Settings) -> bytes | None:
    """None if it was sealed with another secret key: then nobody gets in by it."""
    try:
        return _sealer(settings).decrypt(sealed)
    except InvalidToken:
        return None


def _sealer(settings: Settings) -> Fernet:
    return Fernet(base64.urlsafe_b64encode(hashlib.sha256(f"second factor:{settings.secret}".encode()).digest()))


async def check(session: AsyncSession, account_id: int, given: str, settings: Settings) -> bool:
    """Whether these are the digits of now or an unused recovery code; either is used up by it."""
    account = await repository.by_id(session, account_id, lock=True)
    if account is None or account.second_factor is None:
        return False
    plain = "".join(given.split()).replace("-", "").lower()
    secret = unseal(account.second_factor, settings)
    step = matching_step(secret, plain, used=account.second_factor_step) if secret else None
    if step is not None:
        account.second_factor_step = step
        return True
    hashed = _hash(plain)
    if hashed in account.recovery_codes:
        account.recovery_codes = [code for code in account.recovery_codes if code != hashed]
        return True
    return False


def turn_on(account: Account, secret: bytes, step: int, settings: Settings) -> list[str]:
    """From now on the account wants it. Gives the recovery codes, which are told once."""
    codes = [secrets.token_hex(5) for _ in range(RECOVERY_CODES)]
    account.second_factor, account.second_factor_step = seal(secret, settings), step
    account.recovery_codes = [_hash(code) for code in codes]
    return [f"{code[:5]}-{code[5:]}" for code in codes]


def turn_off(account: Account) -> None:
    account.second_factor, account.second_factor_step, account.recovery_codes = None, None, []


def _hash(code: str) -> str:
    """Forty random bits need no slow hash: behind them stands a limit of a few attempts a minute."""
    return hashlib.sha256(code.encode()).hexdigest()
