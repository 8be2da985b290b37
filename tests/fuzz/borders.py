"""Targets at the server's border: messages, questionnaires, answers, settings, addresses, links, CSV, headers."""

from __future__ import annotations

import contextlib
import json
import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin, urlsplit

from pydantic import SecretStr, ValidationError
from starlette.datastructures import FormData

from lab.reading import BadRowsError, read_judgements, read_responses
from server.accounts.addresses import normalise
from server.accounts.links import _write, read_confirm, read_reset
from server.base.errors import GrintuError, InvalidInput
from server.base.settings import Settings
from server.console.routes import _typed
from server.exports.tables import Column, ColumnKind
from server.exports.writers import csv_cell
from server.live.records.interactions import read_batch
from server.live.wire import messages as wire
from server.mail.models import Mail
from server.mail.transport import compose
from server.questionnaires import editing
from server.questionnaires.content import AnswerError, Questionnaire, missing
from server.questionnaires.forms import fields
from server.questionnaires.forms import read as read_form
from server.questionnaires.repository import SHIPPED
from server.study.settings import NAMES, checked_setting, kind_of
from server.web.rendering import local_path
from server.web.translations import LANGUAGES, negotiate
from tests.fuzz.target import Target

SECRET: Final = "a secret for fuzzing that is long enough to be taken"
HOME: Final = "https://grintu.example"


@cache
def settings() -> Settings:
    return Settings(_env_file=None, secret_key=SecretStr(SECRET), base_url=HOME, data_dir=Path("nowhere"))


def storable(data: Any) -> bool:
    """Whether Postgres takes it as JSON: no NUL, no half characters, no infinite numbers."""
    if isinstance(data, str):
        return not any(character == "\x00" or "\ud800" <= character <= "\udfff" for character in data)
    if isinstance(data, float):
        return math.isfinite(data)
    if isinstance(data, dict):
        return all(storable(part) for pair in data.items() for part in pair)
    return all(map(storable, data)) if isinstance(data, list) else True


def clean(text: str) -> str:
    """As it can come through HTTP: decoded from bytes, so without half characters."""
    return text.encode(errors="replace").decode()


# ------------------------------------------------------------------------------------------------------------- messages


def check_wire(text: str) -> bool:
    accepted = False
    for adapter in (wire.LOBBY_CLIENT, wire.MATCH_CLIENT):
        try:
            message = adapter.validate_json(clean(text))
        except ValidationError as error:
            assert error.errors(include_url=False, include_input=False)
            continue
        assert adapter.validate_json(message.model_dump_json()) == message
        accepted = True
    return accepted


WIRE_SEEDS: Final = (
    '{"type":"join","game":"jostle:standard"}',
    '{"type":"beat"}',
    '{"type":"leave"}',
    '{"type":"hello","ply":0}',
    '{"type":"play","ply":1,"move":"p0"}',
    '{"type":"propose","ply":2,"seat":1,"choices":["p3",null,"again"]}',
    '{"type":"log","number":3,"events":[{"t":5,"kind":"click","x":3,"y":4,"target":"p0"},{"t":9,"kind":"key","key":"a"}]}',
)


def check_interactions(text: str) -> bool:
    """A batch of the interaction log: the encoding, a line break, the body."""
    encoding, _, body = clean(text).partition("\n")
    try:
        batch = read_batch(body.encode("utf-8"), encoding)
    except GrintuError as error:
        assert error.english()
        return False
    assert storable([event.model_dump(exclude_none=True) for event in batch.events])
    return True


INTERACTION_SEEDS: Final = (
    '\n{"number":0,"events":[{"t":5,"kind":"click","x":3,"y":4,"target":"p0"},{"t":9,"kind":"key","key":"Enter"}]}',
    'gzip\n{"number":1,"events":[]}',
    "deflate\nx\x9c\x03\x00",
)


# ------------------------------------------------------------------------------------------------------- questionnaires


def check_questionnaire(text: str) -> bool:
    """What is accepted can be stored, read again, shown, and answered."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return False
    try:
        found = editing.check(data)
    except InvalidInput as error:
        assert error.english()
        return False
    kept = editing.stored(found)
    assert storable(kept)
    assert Questionnaire.model_validate(kept) == found
    for scope, seat in (("seat", 1), ("match", None), ("person", None)):
        fields(found, {}, seat, scope)
    missing(found, [0, 1], {})
    return True


def questionnaire_seeds() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(SHIPPED.glob("*.json"))]


@cache
def shipped() -> tuple[Questionnaire, ...]:
    return tuple(Questionnaire.model_validate_json(text) for text in questionnaire_seeds())


def check_answers(text: str) -> bool:
    """An answer by script (any JSON) and by form (any text), for every item: kept as it can be stored, or refused."""
    values: list[Any] = [clean(text)]
    with contextlib.suppress(ValueError, RecursionError):
        values.append(json.loads(text))
    accepted = False
    for questionnaire in shipped():
        for item in questionnaire.items:
            for value in values:
                try:
                    checked = item.check(value)
                except AnswerError as error:
                    assert str(error)
                else:
                    assert storable(checked)
                    accepted = True
        form = FormData([(field, clean(text)) for item in questionnaire.items for field in (item.key, f"{item.key}.1")])
        list(read_form(questionnaire, [1], form))
    return accepted


# ------------------------------------------------------------------------------------------------------------- settings


def check_setting(text: str) -> bool:
    """A study setting: its name, a line break, the value as a form, JSON or the command line gives it; then a unit."""
    name, _, rest = clean(text).partition("\n")
    given, _, unit = rest.partition("\n")
    values: list[object] = [given, _typed(kind_of(name) if name in NAMES else "text", given, unit)]
    with contextlib.suppress(ValueError, RecursionError):
        values.append(json.loads(given))
    accepted = False
    for value in values:
        try:
            stored = checked_setting(name, value)
        except GrintuError as error:
            assert error.english()
        else:
            assert storable(stored)
            checked_setting(name, stored)
            accepted = True
    return accepted


def check_installation(text: str) -> bool:
    """A setting of the installation: its name, a line break, the value as a variable gives it."""
    name, _, given = clean(text).partition("\n")
    try:
        made = Settings(_env_file=None, **({"secret_key": SECRET} | {name.lower(): given}))  # type: ignore[arg-type]  # that is the test
    except ValidationError as error:
        assert SECRET not in str(error), "a refusal must not print the secret"
        return False
    assert SECRET not in repr(made)
    return True


# ------------------------------------------------------------------------------------------------------------ addresses


def check_address(text: str) -> bool:
    """A mail address that is accepted can be written to, and brings no header of its own."""
    try:
        address = normalise(clean(text))
    except ValueError:
        return False
    mail = Mail(id=1, recipient=address, subject="subject", body="body", created_at=datetime(2026, 1, 1, tzinfo=UTC))
    message = compose(settings(), mail)
    lines = message.as_bytes().split(b"\n\n", 1)[0]
    assert lines.lower().count(b"\nto:") == 1
    assert b"\nbcc:" not in lines.lower()
    return True


def check_local_path(text: str) -> bool:
    """Whatever a link asks for, we stay at home."""
    path = local_path(clean(text), "/")
    there = urlsplit(urljoin(f"{HOME}/login", path))
    assert (there.scheme, there.netloc) == ("https", "grintu.example"), path
    assert path.startswith("/")
    assert not path.startswith(("//", "/\\"))
    assert "\n" not in path
    assert "\r" not in path
    return path == text


def check_token(text: str) -> bool:
    accepted = False
    for read in (read_confirm, read_reset):
        found = read(clean(text), settings())
        assert found is None or isinstance(found[0], int)
        accepted |= found is not None
    return accepted


def check_language(text: str) -> bool:
    return negotiate(clean(text)) in LANGUAGES


# --------------------------------------------------------------------------------------------------------------- tables


def check_csv(text: str) -> bool:
    accepted = False
    readers: tuple[Callable[[str], object], ...] = (read_responses, read_judgements)
    for read in readers:
        try:
            read(text)
        except BadRowsError as error:
            assert error.rows
            continue
        accepted = True
    return accepted


CSV_SEEDS: Final = (
    "person,item,response\na,x,1\nb,x,0\n",
    (
        "time,match,person,seat_truth,verdict,sureness,enjoyment,challenge\n"
        "2026-05-01T12:00:00Z,1,a,HUMAN,human,80,3,somewhat\n2026-05-01T12:01:00Z,1,a,PALS,cannot tell,,,\n"
    ),
    "time,match,person,seat_truth,verdict,sureness,enjoyment,challenge\n5,1,a,human,artificial,0,1,unsure\n",
)


def check_cell(text: str) -> bool:
    """No text of anybody becomes a formula in a spreadsheet, wherever it splits."""
    for kind in (ColumnKind.TEXT, ColumnKind.JSON):
        cell = csv_cell(Column("c", kind, "meaning"), text)
        assert isinstance(cell, str)
        for part in re.split(r"[;|\t\r\n]", cell):
            assert not part.lstrip(" \x00\ufeff").startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠")), cell
    for value in (1.5, -2.0, math.nan):
        csv_cell(Column("c", ColumnKind.NUMBER, "meaning"), value)
    csv_cell(Column("c", ColumnKind.TIME, "meaning"), datetime.now(UTC))
    return not str(cell).startswith("'")


TARGETS: Final = (
    Target("wire", check_wire, lambda: list(WIRE_SEEDS), ('"ply":', '"type":', "null", "1e3", "{", "}")),
    Target("interactions", check_interactions, lambda: list(INTERACTION_SEEDS), ("gzip\n", "deflate\n", '"t":')),
    Target("questionnaires", check_questionnaire, questionnaire_seeds, share=3, suffix=".json"),
    Target("answers", check_answers, lambda: ["human", '"DE"', "5", '["a"]', '{"a":"b"}', "-5"], ("--", "5", "٣")),
    Target("settings", check_setting, lambda: [f"{name}\n1" for name in NAMES], ("PT5S", "P1D", "nan", "inf", "1e9")),
    Target(
        "installation",
        check_installation,
        lambda: [f"{name}\n1" for name in Settings.model_fields],
        ("https://x", '["a"]', "P14D", "true"),
        share=0.5,
    ),
    Target("addresses", check_address, lambda: ["a@example.org", "Ünï@exämple.org", "x@[127.0.0.1]"], ("@", ".", ",")),
    Target("paths", check_local_path, lambda: ["/account?done=1", "/research#x"], ("/", "\\", "//", ":", "@", "%2f")),
    Target(
        "tokens",
        check_token,
        lambda: [_write("confirm", settings(), [1, "a@example.org"]), _write("reset", settings(), [1, "0" * 16])],
        (".", "-", "_", "="),
    ),
    Target("languages", check_language, lambda: ["de-DE,de;q=0.9,en;q=0.8", "*"], (";q=", ",", "-", "nan", "zh_Hant")),
    Target("csv", check_csv, lambda: list(CSV_SEEDS), (",", '"', "\n", "HUMAN", "human", "2026-05-01T12:00:00Z")),
    Target(
        "cells", check_cell, lambda: ["=1+1", " text", "+49 30", "a;=1", "a|@x", "\t=1"], ("=", "-", "@", "\n", ";")
    ),
)
