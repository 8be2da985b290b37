"""What a questionnaire is, as data: items, their texts in every language, conditions, and what answers must look like.

A questionnaire is read from JSON and checked as a whole, so that nothing that is published can fail while somebody
fills it in. `measures` says which item feeds which column of the judgement; it must offer what that column needs.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, Self

from babel import Locale
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, model_validator

from server.base.errors import N_
from server.storage.texts import is_storable, storable

Key = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Words = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000), AfterValidator(storable)
]
Scope = Literal["match", "seat", "person"]
Purpose = Literal["after_match", "profile"]
Measure = Literal["verdict", "sureness", "challenge", "enjoyment", "aim"]

VERDICTS: Final = ("human", "artificial", "cannot_tell")
CHALLENGES: Final = ("not_challenging", "somewhat", "overstraining", "unsure")
ENJOYMENT_STEPS: Final = 5
MOST_STEPS: Final = 7
LONGEST_STEP: Final = 24
"""Characters that a step of a scale can have so that a phone shows all of them in one row."""


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Text(_Data):
    """A text in every language of the platform."""

    en: Words
    de: Words

    def in_language(self, language: str) -> str:
        return self.de if language == "de" else self.en


class Option(_Data):
    """Something that can be chosen. `meaning` stands beside it; a neutral option always has one."""

    key: Key
    text: Text
    meaning: Text | None = None


class ShowIf(_Data):
    """The item is asked only if an earlier choice item was answered with one of these options."""

    item: Key
    one_of: Annotated[tuple[Key, ...], Field(min_length=1)]


class _Item(_Data):
    key: Key
    scope: Scope
    text: Text
    help: Text | None = None
    required: bool = False
    show_if: ShowIf | None = None
    repeats: Key | None = None
    measures: Measure | None = None


class OpenItem(_Item):
    """Free text."""

    type: Literal["open"]
    max_length: Annotated[int, Field(ge=1, le=5000)] = 2000

    def check(self, value: object) -> str:
        return _short_text(self, value)


class HalfOpenItem(_Item):
    """A beginning that the person completes in a few words; researchers code the answer afterwards."""

    type: Literal["half_open"]
    max_length: Annotated[int, Field(ge=1, le=500)] = 300

    def check(self, value: object) -> str:
        return _short_text(self, value)


class ChoiceItem(_Item):
    """One of several options, or several of them."""

    type: Literal["choice"]
    options: Annotated[tuple[Option, ...], Field(min_length=2, max_length=20)]
    several: bool = False

    def keys(self) -> tuple[str, ...]:
        return tuple(option.key for option in self.options)

    @property
    def in_one_row(self) -> bool:
        """Whether it is shown as one row of equal steps: where options stand, and how large, must not suggest any."""
        texts = [text for option in self.options for text in (option.text.en, option.text.de)]
        return not self.several and len(self.options) <= MOST_STEPS and max(map(len, texts)) <= LONGEST_STEP

    def check(self, value: object) -> str | list[str]:
        offered = self.keys()
        if self.several:
            if not isinstance(value, list) or not value or any(chosen not in offered for chosen in value):
                raise AnswerError(self.key, f"expected a list out of {', '.join(offered)}, got {_shown(value)}")
            return [key for key in offered if key in value]
        if not isinstance(value, str) or value not in offered:
            raise AnswerError(self.key, f"expected one of {', '.join(offered)}, got {_shown(value)}")
        return value


class CorrelationItem(_Item):
    """Each element of the left list is matched with one of the right list."""

    type: Literal["correlation"]
    left: Annotated[tuple[Option, ...], Field(min_length=1, max_length=12)]
    right: Annotated[tuple[Option, ...], Field(min_length=2, max_length=12)]

    def check(self, value: object) -> dict[str, str]:
        left, right = [option.key for option in self.left], [option.key for option in self.right]
        if (
            not isinstance(value, dict)
            or not value
            or any(key not in left for key in value)
            or any(partner not in right for partner in value.values())
        ):
            raise AnswerError(self.key, f"expected pairs of {left} and {right}, got {_shown(value)}")
        return {option.key: value[option.key] for option in self.left if option.key in value}


class ScaleItem(_Item):
    """A whole number between two named ends."""

    type: Literal["scale"]
    low: int = 0
    high: int = 100
    step: Annotated[int, Field(ge=1)] = 5
    low_text: Text
    high_text: Text

    def check(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not self.low <= value <= self.high:
            raise AnswerError(self.key, f"expected a whole number from {self.low} to {self.high}, got {_shown(value)}")
        return value


class MoveItem(_Item):
    """A move of the judged seat, pointed out in the replay; the answer is its ply."""

    type: Literal["move"]

    def check(self, value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 100_000:
            raise AnswerError(self.key, f"expected the ply of a move, got {_shown(value)}")
        return value


class CountryItem(_Item):
    """A country by its ISO code; its names come from the language, not from the questionnaire."""

    type: Literal["country"]

    def check(self, value: object) -> str:
        if not isinstance(value, str) or value not in COUNTRY_CODES:
            raise AnswerError(self.key, f"expected a country code such as DE, got {_shown(value)}")
        return value


Item = Annotated[
    OpenItem | HalfOpenItem | ChoiceItem | CorrelationItem | ScaleItem | MoveItem | CountryItem,
    Field(discriminator="type"),
]


Place = tuple[str | int, ...]
"""Where something stands in a questionnaire's JSON: ("items", 2, "text", "de")."""


class Flaw(NamedTuple):
    """Something that makes a questionnaire unusable: where it is, and what it is, to be translated."""

    at: Place
    text: str
    values: Mapping[str, object] = {}
    item: str = ""
    """The key of the item that it is about."""

    def english(self) -> str:
        said = self.text % self.values if self.values else self.text
        return f"item {self.item}: {said}" if self.item else said


class UnsoundError(ValueError):
    """A questionnaire whose items are well-formed, but do not work together."""

    def __init__(self, found: list[Flaw]) -> None:
        super().__init__("\n".join(flaw.english() for flaw in found))
        self.flaws = found


class Questionnaire(_Data):
    """A whole questionnaire, checked: keys are unique, conditions can be met, measures measure."""

    purpose: Purpose
    title: Text
    introduction: Text | None = None
    items: Annotated[tuple[Item, ...], Field(min_length=1, max_length=60)]

    def item(self, key: str) -> Item:
        for item in self.items:
            if item.key == key:
                return item
        raise AnswerError(key, "no such item")

    def measuring(self, measure: Measure) -> Item | None:
        return next((item for item in self.items if item.measures == measure), None)

    def repetitions(self) -> dict[str, str]:
        """Items that ask again what another one asked, mapped to that one."""
        return {item.key: item.repeats for item in self.items if item.repeats}

    @model_validator(mode="after")
    def _is_sound(self) -> Self:
        if found := list(flaws(self)):
            raise UnsoundError(found)
        return self


class AnswerError(ValueError):
    """An answer that does not fit its item."""

    def __init__(self, item: str, reason: str) -> None:
        super().__init__(f"{item}: {reason}")
        self.item = item


AnswerKey = tuple[str, int | None]


def is_asked(item: Item, seat: int | None, answers: Mapping[AnswerKey, Any]) -> bool:
    """Whether the item's condition holds under the answers so far; a seat's item may depend on the match's."""
    if item.show_if is None:
        return True
    given = answers.get((item.show_if.item, seat), answers.get((item.show_if.item, None)))
    chosen = given if isinstance(given, list) else [given]
    return any(option in item.show_if.one_of for option in chosen)


def missing(
    questionnaire: Questionnaire, seats: Iterable[int], answers: Mapping[AnswerKey, Any]
) -> list[tuple[str, int | None]]:
    """The required items that are asked and not answered yet."""
    places = list(seats)
    return [
        (item.key, seat)
        for item in questionnaire.items
        for seat in (places if item.scope == "seat" else [None])
        if item.required and is_asked(item, seat, answers) and answers.get((item.key, seat)) is None
    ]


NO_COUNTRIES: Final = {"EU", "UN", "EZ", "XA", "XB", "ZZ"}
COUNTRY_CODES: Final = frozenset(
    code
    for code in map(str, Locale("en").territories)
    if len(code) == 2 and code.isalpha() and code not in NO_COUNTRIES and code in Locale("de").territories
)


def countries(language: str) -> list[tuple[str, str]]:
    """Every country code with its name, sorted by name as the language's readers expect it."""
    names = Locale(language).territories
    return sorted(((code, str(names[code])) for code in COUNTRY_CODES), key=lambda pair: pair[1].casefold())


def _short_text(item: OpenItem | HalfOpenItem, value: object) -> str:
    if not isinstance(value, str) or not is_storable(value):
        raise AnswerError(item.key, f"expected a text, got {_shown(value)}")
    text = value.strip()
    if len(text) > item.max_length:
        raise AnswerError(item.key, f"at most {item.max_length} characters fit, got {len(text)}")
    return text


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def flaws(questionnaire: Questionnaire) -> Iterator[Flaw]:
    """Everything that is wrong with items which are well-formed, each for itself."""
    earlier: dict[str, Item] = {}
    measured = Counter(item.measures for item in questionnaire.items)
    for index, item in enumerate(questionnaire.items):
        for found in (
            *_flaws_of_key(item, earlier),
            *_flaws_of_parts(item),
            *_flaws_of_condition(item, earlier),
            *_flaws_of_scope(item, questionnaire.purpose),
            *_flaws_of_measure(item, measured),
        ):
            yield found._replace(at=("items", index, *found.at), item=item.key)
        earlier[item.key] = item
    if questionnaire.purpose == "after_match" and "verdict" not in measured:
        yield Flaw(("items",), N_("a questionnaire after a match needs an item that measures the verdict"))


def _flaws_of_key(item: Item, earlier: Mapping[str, Item]) -> Iterator[Flaw]:
    if item.key in earlier:
        yield Flaw(("key",), N_("the key is used twice"))
    if item.repeats and item.repeats not in earlier:
        yield Flaw(("repeats",), N_("repeats %(other)s, which does not stand before it"), {"other": item.repeats})


def _flaws_of_scope(item: Item, purpose: Purpose) -> Iterator[Flaw]:
    if (item.scope == "person") != (purpose == "profile"):
        values = {"scope": item.scope, "purpose": purpose}
        yield Flaw(("scope",), N_("scope %(scope)s does not fit a questionnaire for %(purpose)s"), values)
    if isinstance(item, MoveItem) and item.scope != "seat":
        yield Flaw(("scope",), N_("a move belongs to a seat, so the scope must be seat"))


def _flaws_of_parts(item: Item) -> Iterator[Flaw]:
    for name in ("options", "left", "right"):
        keys = [option.key for option in getattr(item, name, ())]
        for index, key in enumerate(keys):
            if key in keys[:index]:
                yield Flaw((name, index, "key"), N_("an option's key is used twice"))
    if isinstance(item, ScaleItem) and not item.low < item.high:
        yield Flaw(("high",), N_("the scale goes from %(low)s to %(high)s"), {"low": item.low, "high": item.high})


def _flaws_of_condition(item: Item, earlier: Mapping[str, Item]) -> Iterator[Flaw]:
    if item.show_if is None:
        return
    asked = earlier.get(item.show_if.item)
    if not isinstance(asked, ChoiceItem):
        needed = N_("its condition needs a choice item before it, not %(other)s")
        yield Flaw(("show_if",), needed, {"other": item.show_if.item})
        return
    unknown = set(item.show_if.one_of) - set(asked.keys())
    if unknown:
        values = {"other": asked.key, "options": ", ".join(sorted(unknown))}
        yield Flaw(("show_if",), N_("%(other)s has no option %(options)s"), values)
    if asked.scope == "seat" and item.scope != "seat":
        yield Flaw(("show_if",), N_("an item about the match cannot depend on one about a seat"))


NEEDED: Final[Mapping[Measure, str]] = {
    "verdict": N_("what measures the verdict must be one option each of %(keys)s, per seat"),
    "challenge": N_("what measures the challenge must be one option each of %(keys)s, per seat"),
    "sureness": N_("what measures sureness must be a scale from 0 to 100, per seat"),
    "enjoyment": N_("what measures enjoyment must be %(steps)s options from worst to best, per match"),
    "aim": N_("what measures the aim must be an open answer, per seat"),
}


def _flaws_of_measure(item: Item, measured: Mapping[Measure | None, int]) -> Iterator[Flaw]:
    if item.measures is None:
        return
    fits: dict[Measure, tuple[bool, dict[str, object]]] = {
        "verdict": (_offers(item, VERDICTS), {"keys": ", ".join(VERDICTS)}),
        "challenge": (_offers(item, CHALLENGES), {"keys": ", ".join(CHALLENGES)}),
        "sureness": (
            isinstance(item, ScaleItem) and (item.low, item.high) == (0, 100) and item.scope == "seat",
            {},
        ),
        "enjoyment": (
            isinstance(item, ChoiceItem) and len(item.options) == ENJOYMENT_STEPS and item.scope == "match",
            {"steps": ENJOYMENT_STEPS},
        ),
        "aim": (isinstance(item, OpenItem | HalfOpenItem) and item.scope == "seat", {}),
    }
    holds, values = fits[item.measures]
    if not holds:
        yield Flaw(("measures",), NEEDED[item.measures], values)
    if measured[item.measures] > 1:
        yield Flaw(("measures",), N_("two items measure the same thing"))


def _offers(item: Item, keys: tuple[str, ...]) -> bool:
    return isinstance(item, ChoiceItem) and not item.several and item.scope == "seat" and set(item.keys()) == set(keys)
