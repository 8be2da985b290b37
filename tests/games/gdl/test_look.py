"""The JSON beside a description: what it changes, what is wrong with it, and that it never changes what is played."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.gdl import look
from games.gdl.findings import DescriptionError
from games.gdl.game import GdlGame, opened
from games.protocol import Grid
from games.registry import game

SOURCE = game("gdl:breakthrough-small").source


def with_look(value: Any, source: str = SOURCE) -> GdlGame:
    return opened(look.joined(source, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)))


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1).filter(str.strip))
def test_what_is_joined_can_be_taken_apart(text: str) -> None:
    value = json.dumps({"en": {"title": text}}, ensure_ascii=False, indent=1)
    description, beside = look.parted(look.joined(SOURCE, value))
    assert description == SOURCE
    assert json.loads(beside) == json.loads(value)
    assert look.parted(SOURCE) == (SOURCE, "")
    assert look.joined(SOURCE, " ") == SOURCE


def grid(rules: GdlGame, seat: int | None = None) -> Grid:
    found = rules.start().grid(seat)
    assert found is not None
    return found


def test_texts_of_both_languages_go_before_comments_and_defaults() -> None:
    said = {
        "en": {"title": "Run", "seats": {"white": "snow"}},
        "de": {"title": "Lauf", "rules": [["Ende", ["Ja.", "Nein."]]]},
    }
    rules = with_look(said, "; Title: Old\n; Goal: Be first.\n" + SOURCE)
    english, german = rules.texts("en"), rules.texts("de")
    assert (english.title, english.seats, english.goal) == ("Run", ("snow", "black"), "Be first.")
    assert (german.title, german.seats) == ("Lauf", ("snow", "black"))
    assert [(one.heading, one.texts) for one in german.rules] == [("Ende", ("Ja.", "Nein."))]
    assert english.rules[0].heading == "Rules"


def test_signs_owners_and_names_are_shown() -> None:
    rules = with_look(
        {
            "en": {"pieces": {"white": "pawn"}},
            "board": {"chequered": False},
            "pieces": {"white": {"sign": "♟", "seat": "black"}, "black": {"seat": None}},
        }
    )
    pieces = {(piece.sign, piece.seat) for piece in grid(rules).pieces}
    assert pieces == {("♟", 1), ("black", -1)}
    setup = rules.setup()
    assert setup["chequered"] is False
    assert {"sign": "♟", "seat": 1, "names": {"en": "pawn"}} in setup["pieces"]
    move = rules.start().moves()[0]
    assert {event.piece for event in rules.start().events(move)} <= {"♟", "black"}


@pytest.mark.parametrize(
    ("board", "cell"),
    [
        ({}, "a1"),
        ({"upside_down": True}, "a5"),
        ({"first": "row"}, "a1"),
        ({"first": "row", "upside_down": True}, "a5"),
    ],
)
def test_the_board_can_be_turned(board: dict[str, Any], cell: str) -> None:
    plain, turned = with_look({}), with_look({"board": board})
    here = {(piece.cell, piece.sign) for piece in grid(turned).pieces}
    assert (cell, next(piece.sign for piece in grid(plain).pieces if piece.cell == "a1")) in here
    places = {piece.cell for piece in grid(plain).pieces}
    if board.get("first") == "row":
        places = {f"{chr(ord('a') + int(place[1]) - 1)}{ord(place[0]) - ord('a') + 1}" for place in places}
    if board.get("upside_down"):
        places = {f"{place[0]}{6 - int(place[1])}" for place in places}
    assert places == {place for place, _ in here}
    assert [str(move) for move in turned.start().moves()] == [str(move) for move in plain.start().moves()]
    on_board = {move.move for move in grid(turned, 0).moves}
    assert on_board == {str(move) for move in turned.start().moves(0)}


def test_facts_are_shown_where_the_board_is_not_wanted() -> None:
    assert with_look({"board": {"relation": ""}}).board == "facts"
    assert with_look({"board": {"relation": "cell"}}).board == "grid"
    rules = with_look({"board": {"relation": "control"}, "en": {"pieces": {"dragon": "dragon"}}})
    assert rules.board == "facts"
    assert sorted(remark.message.partition(":")[0] for remark in rules.remarks()) == ["board.relation", "pieces.dragon"]


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("{", "this is no JSON"),
        ("[" * 30_000, "nested too deeply"),
        ("[]", "an object {…} is expected"),
        ({"fr": {}}, "is not known here"),
        ({"en": {"title": 3}}, "en.title: a text is expected, not 3"),
        ({"en": {"title": "x" * 61}}, "at most 60"),
        ({"en": {"title": "a\nb"}}, "cannot be shown"),
        ({"en": {"seats": {"red": "Red"}}}, '"red" is no role'),
        ({"en": {"rules": ["x"]}}, "en.rules[0]: a heading and its paragraphs"),
        ({"board": {"first": "file"}}, '"column" or "row" is expected'),
        ({"board": {"chequered": 1}}, "board.chequered: true or false"),
        ({"pieces": {"white": {"seat": "red"}}}, "pieces.white.seat"),
        ({"pieces": []}, "pieces: an object"),
        ({"board": {"empty": "b"}}, "board.empty: a list"),
        ("x" * 50_000, "at most 40000"),
    ],
)
def test_mistakes_are_told_with_their_path(value: Any, words: str) -> None:
    with pytest.raises(DescriptionError) as refused:
        with_look(value)
    assert words in str(refused.value)
    assert all(finding.rule == "look" for finding in refused.value.findings)
    assert refused.value.findings[0].place.line > len(SOURCE.splitlines())


def test_all_mistakes_are_told_at_once() -> None:
    with pytest.raises(DescriptionError) as refused:
        with_look({"en": {"titel": "x", "goal": 1}, "pieces": {"white": {"seat": "nobody"}}})
    assert len(refused.value.findings) == 3


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["en", "de", "board", "pieces", "seats", "rules", "white", "sign", "seat", "relation", "empty"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(json_values)
def test_any_json_is_read_or_refused(value: Any) -> None:
    try:
        found = look.read(json.dumps(value), ("white", "black"))
    except DescriptionError as error:
        assert error.findings
    else:
        assert isinstance(found, look.Look)
