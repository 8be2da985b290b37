"""The forms about accounts."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from server.accounts.addresses import Address
from server.accounts.models import Role
from server.accounts.passwords import LONGEST, SHORTEST, is_guessed_first
from server.base.errors import N_
from server.web.forms import Form


def _is_hard_to_guess(password: str) -> str:
    if is_guessed_first(password):
        raise ValueError(N_("This is one of the first passwords that people try. Please choose another one."))
    return password


NewPassword = Annotated[str, Field(min_length=SHORTEST, max_length=LONGEST), AfterValidator(_is_hard_to_guess)]
Password = Annotated[str, Field(max_length=LONGEST)]
Token = Annotated[str, Field(max_length=1000)]
NextPage = Annotated[str, Field(max_length=2000)]
"""Where somebody wanted to go; `local_path` keeps it on this site."""


class RegisterForm(Form):
    email: Address
    password: NewPassword
    next: NextPage = ""

    @model_validator(mode="after")
    def password_is_not_the_address(self) -> Self:
        if self.password.casefold() == self.email:
            raise ValueError(N_("The password must not be the email address."))
        return self


class LoginForm(Form):
    email: Address
    password: Password
    next: NextPage = ""


class EmailForm(Form):
    email: Address


class ConfirmForm(Form):
    token: Token
    password: Password
    next: NextPage = ""


class ResetForm(Form):
    token: Token
    password: NewPassword


class PasswordForm(Form):
    current: Password
    password: NewPassword


class DeleteForm(Form):
    current: Password


Code = Annotated[str, Field(max_length=40)]


class CodeForm(Form):
    code: Code


class FactorForm(Form):
    sealed: Token
    code: Code


class LoginCodeForm(Form):
    token: Token
    code: Code
    next: NextPage = ""


class ProveForm(Form):
    proof: Password
    next: NextPage = ""


AnyRole = Annotated[Role, WithJsonSchema({"type": "string", "enum": [role.value for role in Role]})]


class RoleForm(Form):
    role: AnyRole


class InviteForm(Form):
    email: Address
    role: AnyRole
