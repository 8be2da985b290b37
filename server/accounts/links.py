"""Signed links that go out by mail. They hold no secret of the account and can be opened more than once."""

from __future__ import annotations

import hashlib
from datetime import timedelta
from urllib.parse import urlencode

from itsdangerous import BadData, URLSafeSerializer

from server.accounts.models import Account
from server.base.clock import now
from server.base.settings import Settings

FACTOR_LIFETIME = timedelta(minutes=10)


def confirm_link(account: Account, settings: Settings, next_page: str = "") -> str:
    """Confirms the address and leads on to a page of ours. Opening it twice changes nothing."""
    token = _write("confirm", settings, [account.id, account.email])
    return f"{settings.base_url}/confirm?{urlencode({'token': token} | ({'next': next_page} if next_page else {}))}"


def reset_link(account: Account, settings: Settings) -> str:
    """Lets the holder choose a new password, once: with the password its fingerprint changes."""
    token = _write("reset", settings, [account.id, _fingerprint(account)])
    return f"{settings.base_url}/password/reset?token={token}"


def invite_link(account: Account, settings: Settings) -> str:
    """As a link for a new password, but with time enough to find the mail."""
    token = _write("invite", settings, [account.id, _fingerprint(account)])
    return f"{settings.base_url}/password/reset?token={token}"


def read_confirm(token: str, settings: Settings) -> tuple[int, str] | None:
    """The account id and address of a genuine, fresh confirmation link."""
    match _read("confirm", settings, token, settings.confirm_lifetime):
        case [int(account_id), str(address)]:
            return account_id, address
    return None


def read_reset(token: str, settings: Settings) -> tuple[int, str] | None:
    """The account id and password fingerprint of a genuine, fresh link or invitation; compare with `still_valid`."""
    for purpose, lifetime in (("reset", settings.reset_lifetime), ("invite", settings.confirm_lifetime)):
        match _read(purpose, settings, token, lifetime):
            case [int(account_id), str(fingerprint)]:
                return account_id, fingerprint
    return None


def factor_token(account: Account, settings: Settings) -> str:
    """That the password was right: good for the second step of a log-in, for a few minutes. Not for mails."""
    return _write("factor", settings, [account.id, _fingerprint(account)])


def read_factor(token: str, settings: Settings) -> tuple[int, str] | None:
    match _read("factor", settings, token, FACTOR_LIFETIME):
        case [int(account_id), str(fingerprint)]:
            return account_id, fingerprint
    return None


def still_valid(account: Account, fingerprint: str) -> bool:
    return _fingerprint(account) == fingerprint


def _fingerprint(account: Account) -> str:
    return hashlib.sha256(account.password_hash.encode()).hexdigest()[:16]


def _write(purpose: str, settings: Settings, content: list[int | str]) -> str:
    made = _serializer(purpose, settings).dumps([int(now().timestamp()), *content])
    return made if isinstance(made, str) else made.decode()


def _read(purpose: str, settings: Settings, token: str, lifetime: timedelta) -> list[object] | None:
    try:
        made_at, *content = _serializer(purpose, settings).loads(token)
    except (BadData, TypeError, ValueError):
        return None
    age = now().timestamp() - made_at
    return content if age + 60 >= 0 and age < lifetime.total_seconds() else None


def _serializer(purpose: str, settings: Settings) -> URLSafeSerializer:
    return URLSafeSerializer(settings.secret, salt=f"link:{purpose}", signer_kwargs={"digest_method": hashlib.sha256})
