"""Lessons: the words of both languages belong together, and every picture shows what its words say."""

from __future__ import annotations

import re

import pytest

from games.jostle import JOSTLE
from games.protocol import Game
from games.registry import game, shelf
from games.texts import LANGUAGES
from server.rules.lessons import lessons_of
from tests.servers import PageClient

TAUGHT = [one for one in map(game, shelf()) if one.texts("en").lessons]
WORDS = ("event", "offer", "position")


def named(one: Game) -> str:
    return one.reference


def test_the_first_games_are_taught() -> None:
    assert {"jostle:standard", "tic-tac-toe:standard", "tricks:standard"} <= set(map(named, TAUGHT))


@pytest.mark.parametrize("taught", TAUGHT, ids=named)
def test_lessons_begin_with_the_goal_and_say_the_same_in_both_languages(taught: Game) -> None:
    english, german = (taught.texts(language).lessons for language in LANGUAGES)
    assert [lesson[:2] for lesson in english] == [lesson[:2] for lesson in german]
    assert english[0].when == "start"
    assert all(lesson.heading and lesson.text for lesson in (*english, *german))
    assert not {lesson.text for lesson in english} & {lesson.text for lesson in german}


@pytest.mark.parametrize("taught", TAUGHT, ids=named)
def test_a_picture_shows_what_its_lesson_waits_for(taught: Game) -> None:
    for lesson in lessons_of(taught, "en"):
        word, _, pattern = lesson["when"].partition(" ")
        assert word in ("", "start", *WORDS)
        shown = {
            "event": [" ".join(event) for event in lesson["update"]["events"]],
            "position": [lesson["update"]["after"]["position"], lesson["before"]["position"]],
        }
        if word in shown:
            assert any(re.search(pattern, text) for text in shown[word]), lesson["key"]


def test_other_boards_have_no_pictures_of_the_standard_one() -> None:
    other = next(one for one in map(game, shelf()) if one.reference.startswith("jostle:") and one != JOSTLE)
    assert other.texts("en").lessons == ()


@pytest.mark.parametrize(("language", "words"), [("en", "Who comes to a switch"), ("de", "Wer auf eine Weiche kommt")])
async def test_pages_and_boards_get_the_lessons(client: PageClient, language: str, words: str) -> None:
    headers = {"accept-language": language}
    page = (await client.get("/rules", headers=headers)).text
    assert words in page
    assert page.count("data-lesson=") == len(JOSTLE.texts(language).lessons)
    card = (await client.get("/api/games/jostle:standard", headers=headers)).json()
    switch = next(lesson for lesson in card["lessons"] if lesson["key"] == "switch")
    assert words in switch["text"]
    assert switch["update"]["events"][-1] == ["switch", "0", "6", "14"]
