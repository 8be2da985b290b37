"""HTML forms: read, checked by a Pydantic model, and shown again with what is wrong beside each field.

    @router.post("/login", openapi_extra=describe(LoginForm))
    async def login(request: Request, form: Annotated[Filled[LoginForm], Depends(filled(LoginForm))]) -> Response:
        if form.data is None:
            return render(request, "accounts/login.html", status=422, form=form)

In templates: ``form.values.email`` is what was typed, ``form.errors.email`` what is wrong with it, or nothing.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request

from server.base.errors import N_
from server.web import csrf
from server.web.rendering import gettext

Model = TypeVar("Model", bound="Form")

REASONS: Mapping[str, str] = {
    "missing": N_("Please fill in this field."),
    "string_too_short": N_("This needs at least %(min_length)s characters."),
    "string_too_long": N_("This may have at most %(max_length)s characters."),
    "int_parsing": N_("Please enter a whole number."),
    "float_parsing": N_("Please enter a number."),
    "literal_error": N_("Please choose one of the options."),
    "enum": N_("Please choose one of the options."),
    "datetime_from_date_parsing": N_("Please enter a date and a time."),
    "datetime_parsing": N_("Please enter a date and a time."),
}
"""Pydantic's kind of error → what to tell the person. A ValueError of our own validators is shown as it is."""


class Form(BaseModel):
    """Base of all forms. Unknown fields are ignored; the CSRF token is checked elsewhere."""

    model_config = ConfigDict(extra="ignore", str_strip_whitespace=False, hide_input_in_errors=True)


class Texts(dict[str, str]):
    """Texts by field; a field without one has the empty text."""

    def __missing__(self, key: str) -> str:
        return ""


@dataclass
class Filled(Generic[Model]):
    """A form as it was sent: the typed texts, the checked data if all is well, and what is wrong per field."""

    values: Texts = field(default_factory=Texts)
    data: Model | None = None
    errors: Texts = field(default_factory=Texts)

    def refuse(self, request: Request, **reasons: str) -> Filled[Model]:
        """Add what a check beyond the fields found; for example ``form.refuse(request, password=N_("..."))``."""
        self.errors.update((name, gettext(request, reason)) for name, reason in reasons.items())
        return self


def empty(**values: str) -> Filled[Any]:
    """A form that was not filled in yet."""
    return Filled(Texts(values))


def filled(model: type[Model]) -> Callable[[Request], Awaitable[Filled[Model]]]:
    """A dependency that reads the request's form."""

    async def read(request: Request) -> Filled[Model]:
        values = Texts()
        if request.headers.get("content-type", "").startswith(csrf.FORM_TYPES):
            sent = await request.form(max_files=0, max_fields=200)
            values.update((name, text.replace("\x00", "")) for name, text in sent.items() if isinstance(text, str))
        try:
            return Filled(values, model.model_validate({name: value for name, value in values.items() if value != ""}))
        except ValidationError as error:
            return Filled(values, None, _reasons(request, error))

    return read


def _reasons(request: Request, error: ValidationError) -> Texts:
    reasons = Texts()
    for found in error.errors(include_url=False, include_input=False):
        context = found.get("ctx", {})
        text = str(context["error"]) if found["type"] == "value_error" else REASONS.get(found["type"], found["msg"])
        reasons.setdefault(str(found["loc"][0]) if found["loc"] else "form", gettext(request, text, **context))
    return reasons


def describe(model: type[Form]) -> dict[str, Any]:
    """The form's part of the OpenAPI description."""
    schema = model.model_json_schema()
    schema["properties"][csrf.FIELD] = {"type": "string"}
    return {"requestBody": {"required": True, "content": {csrf.FORM_TYPES[0]: {"schema": schema}}}}
