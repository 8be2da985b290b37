"""Both languages ask the same, and no option stands out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.base.settings import Settings
from server.questionnaires.content import ChoiceItem, Purpose
from server.questionnaires.repository import shipped
from tests.server.questionnaires.conftest import as_person
from tests.servers import PageClient


def test_nothing_takes_the_other_player_for_a_person() -> None:
    said = shipped("after_match").model_dump_json()
    assert not re.search(r"Person\b|person\b|people|Mensch(?!\")", said), "only the option itself says who it was"


DEGREES = {
    # German words that make an answer stronger or weaker, and what English says then
    r"\bganz\b": r"\b(completely|entirely)\b",
    r"\bsehr\b": r"\bvery\b",
    r"\beher\b": r"\b(rather|not really)\b",
    r"\betwas\b": r"\b(somewhat|some)\b",
    r"\bkaum\b": r"\bhardly\b",
    r"\bgar nicht\b": r"\bnot at all\b",
    r"\bviele?\b": r"\b(much experience|a lot|many)\b",
}


@pytest.mark.parametrize("purpose", ["after_match", "profile"])
def test_an_answer_is_as_strong_in_one_language_as_in_the_other(purpose: Purpose) -> None:
    for english, german in pairs(shipped(purpose).model_dump(mode="json")):
        for in_german, in_english in DEGREES.items():
            same = bool(re.search(in_german, german)) == bool(re.search(in_english, english))
            assert same, f"{english!r} and {german!r}"


def pairs(content: Any) -> Iterator[tuple[str, str]]:
    """Every text of a questionnaire, in English and German."""
    if isinstance(content, dict) and content.keys() == {"en", "de"}:
        yield content["en"], content["de"]
    elif isinstance(content, dict | list):
        for each in content.values() if isinstance(content, dict) else content:
            yield from pairs(each)


@pytest.mark.parametrize("purpose", ["after_match"])
def test_what_feeds_ratings_is_one_row_of_equal_steps(purpose: Purpose) -> None:
    choices = [item for item in shipped(purpose).items if isinstance(item, ChoiceItem)]
    assert [item.key for item in choices if item.in_one_row] == ["verdict", "challenge", "enjoyment"]


async def test_a_row_of_steps_has_nothing_but_its_steps(
    client: PageClient, session: AsyncSession, settings: Settings
) -> None:
    await as_person(client, session, settings, "researcher")
    await client.get("/research/questionnaires")
    page = (await client.get("/research/questionnaires/1")).text
    rows = re.findall(r'<div class="answer-steps">(.*?)</div>', page, re.DOTALL)
    assert [row.count('class="chip"') for row in rows] == [3, 4, 5]
    assert not any("<small" in row for row in rows), "what an option means stands below the row"
