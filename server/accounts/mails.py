"""The texts of the mails about accounts, in the language of the page that caused them."""

from __future__ import annotations

from starlette.background import BackgroundTask
from starlette.requests import Request

from server.accounts.links import confirm_link, reset_link
from server.accounts.models import Account
from server.mail import mailing
from server.settings import Settings
from server.web import gettext


def confirm_mail(request: Request, settings: Settings, account: Account) -> BackgroundTask:
    body = gettext(
        request,
        "Welcome to GRINTU.\n\nPlease confirm your mail address on this page:\n%(link)s\n\n"
        "If you did not register, ignore this mail; without confirmation the account stays unusable.\n",
        link=confirm_link(account, settings),
    )
    return mailing(settings, account.email, gettext(request, "Confirm your mail address"), body)


def known_address_mail(request: Request, settings: Settings, account: Account) -> BackgroundTask:
    """Somebody registered with an address that has an account: only its owner may learn that."""
    body = gettext(
        request,
        "Somebody, probably you, wanted to register at GRINTU with this address, but it has an account already.\n\n"
        "Log in here:\n%(login)s\n\nIf you have forgotten the password, choose a new one here:\n%(link)s\n\n"
        "If it was not you, ignore this mail; nothing has changed.\n",
        login=f"{settings.base_url}/login",
        link=reset_link(account, settings),
    )
    return mailing(settings, account.email, gettext(request, "You have an account already"), body)


def reset_mail(request: Request, settings: Settings, account: Account) -> BackgroundTask:
    body = gettext(
        request,
        "A new password was asked for at GRINTU. Choose it on this page:\n%(link)s\n\n"
        "If it was not you, ignore this mail; the old password stays valid.\n",
        link=reset_link(account, settings),
    )
    return mailing(settings, account.email, gettext(request, "Choose a new password"), body)
