"""Questionnaires as data: what is refused, what is asked when, and which answers fit."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from server.questionnaires import content as module
from server.questionnaires.content import AnswerError, Questionnaire, countries, is_asked, missing

FOLDER = Path(module.__file__).parent / "shipped"
DEFAULT: dict[str, Any] = json.loads((FOLDER / "after_match.json").read_text(encoding="utf-8"))
AFTER_MATCH = Questionnaire.model_validate(DEFAULT)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def changed(**edits: Any) -> dict[str, Any]:
    """The default questionnaire with fields of its items replaced: `verdict__required=False`."""
    data = deepcopy(DEFAULT)
    for path, value in edits.items():
        key, _, field = path.partition("__")
        next(item for item in data["items"] if item["key"] == key)[field] = value
    return data


@pytest.mark.parametrize("name", ["after_match", "profile"])
def test_the_shipped_questionnaires_are_sound_and_keep_their_form(name: str) -> None:
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    questionnaire = Questionnaire.model_validate_json(text)
    assert questionnaire.purpose == name
    again = questionnaire.model_dump_json()
    assert Questionnaire.model_validate_json(again) == questionnaire


def test_the_default_measures_everything_a_judgement_needs() -> None:
    assert all(AFTER_MATCH.measuring(name) for name in ("verdict", "sureness", "challenge", "enjoyment", "aim"))


def test_every_neutral_option_says_what_it_means() -> None:
    neutral = {"cannot_tell", "unsure", "neutral"}
    options = [option for item in AFTER_MATCH.items for option in getattr(item, "options", ())]
    assert {option.key for option in options if option.meaning} == neutral


@pytest.mark.parametrize(
    ("edits", "reason"),
    [
        ({"sureness__key": "verdict"}, "used twice"),
        ({"sureness__high": 10}, "scale from 0 to 100"),
        ({"sureness__show_if": {"item": "nothing", "one_of": ["human"]}}, "needs a choice item before it"),
        ({"sureness__show_if": {"item": "verdict", "one_of": ["martian"]}}, "no option martian"),
        ({"enjoyment__show_if": {"item": "verdict", "one_of": ["human"]}}, "cannot depend on one about a seat"),
        ({"verdict__measures": None}, "needs an item that measures the verdict"),
        ({"verdict__several": True}, "must be one option each"),
        ({"aim__scope": "person"}, "does not fit"),
        ({"telling_move__scope": "match"}, "belongs to a seat"),
        ({"verdict__text": {"en": "only English"}}, "Field required"),
        ({"verdict__colour": "red"}, "Extra inputs"),
        ({"verdict__repeats": "aim"}, "does not stand before it"),
        ({"challenge__measures": "verdict"}, "must be one option each"),
    ],
)
def test_what_cannot_work_is_refused_with_a_reason(edits: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        Questionnaire.model_validate(changed(**edits))


def test_sureness_is_asked_only_after_a_verdict_on_that_seat() -> None:
    sureness = AFTER_MATCH.item("sureness")
    assert not is_asked(sureness, 1, {})
    assert is_asked(sureness, 1, {("verdict", 1): "human"})
    assert not is_asked(sureness, 2, {("verdict", 1): "human"})
    assert not is_asked(sureness, 1, {("verdict", 1): "cannot_tell"})


def test_what_is_still_missing() -> None:
    assert missing(AFTER_MATCH, [1, 2], {}) == [
        ("verdict", 1), ("verdict", 2), ("challenge", 1), ("challenge", 2), ("enjoyment", None),
    ]  # fmt: skip
    done = {("verdict", 1): "human", ("challenge", 1): "unsure", ("enjoyment", None): "neutral"}
    assert missing(AFTER_MATCH, [1], done) == []


@given(item=st.sampled_from(AFTER_MATCH.items), value=JSON_VALUES)
def test_any_value_is_an_answer_or_a_clean_error(item: module.Item, value: Any) -> None:
    try:
        answer = item.check(value)
    except AnswerError as error:
        assert error.item == item.key
        assert str(error).startswith(f"{item.key}: ")
    else:
        assert item.check(answer) == answer, "checking twice changes nothing"


def test_answers_of_every_type() -> None:
    both = ("a", "b")
    options = [{"key": key, "text": {"en": key, "de": key}} for key in both]
    text = {"en": "?", "de": "?"}
    base = {"scope": "match", "text": text}
    extra = [
        {"type": "correlation", "key": "pairs", "left": options, "right": options, **base},
        {"type": "choice", "key": "many", "several": True, "options": options, **base},
        {"type": "country", "key": "land", **base},
    ]
    questionnaire = Questionnaire.model_validate({**DEFAULT, "items": [*DEFAULT["items"], *extra]})
    assert questionnaire.item("pairs").check({"a": "b"}) == {"a": "b"}
    assert questionnaire.item("many").check(["b", "a"]) == ["a", "b"]
    assert questionnaire.item("land").check("DE") == "DE"
    for key, bad in [("pairs", {"a": "c"}), ("pairs", {"c": "a"}), ("many", []), ("land", "XX"), ("aim", "x" * 1001)]:
        with pytest.raises(AnswerError):
            questionnaire.item(key).check(bad)


def test_countries_have_names_in_both_languages() -> None:
    assert ("DE", "Germany") in countries("en")
    assert ("DE", "Deutschland") in countries("de")
    assert len(countries("en")) == len(countries("de")) > 190
