"""What people read of a described game: facts as terms, and the texts of a game in both languages.

A game of the library has its texts beside it. Any other description can say what it is called in its comments
(`; Title: …`, `; Title (de): …`, and in the same way Summary, Goal and Rules, once per paragraph), or in the JSON
beside it (`look`), which goes first; for what neither says there are words that are true of every game.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final

from games.gdl.look import LONGEST_TEXT, LONGEST_TITLE, Look, Words
from games.gdl.terms import Term
from games.protocol import Section, Texts
from games.texts import LANGUAGES

LIBRARY: Final = "library"
NOTHING_SAID: Final = Look()
MOST_PARAGRAPHS: Final = 40
_SAID: Final = re.compile(
    r"[;\s]*(?P<what>title|summary|goal|rules)\s*(?:\((?P<language>\w\w)\))?\s*:\s*(?P<text>.*\S)", re.IGNORECASE
)
_UNKNOWN_CHARACTERS: Final = re.compile(r"\W", re.ASCII)

_DEFAULTS: Final = {
    "en": {
        "title": "A described game",
        "summary": "seats: {seats}",
        "goal": "Get as many points as you can; the rules say what gives points.",
        "heading": "Rules",
        "rules": "Whoever can choose makes one of the moves that are offered. The game tells when it is over.",
    },
    "de": {
        "title": "Ein beschriebenes Spiel",
        "summary": "Plätze: {seats}",
        "goal": "Holen Sie so viele Punkte wie möglich; die Regeln sagen, wofür es Punkte gibt.",
        "heading": "Regeln",
        "rules": "Wer wählen kann, macht einen der angebotenen Züge. Das Spiel sagt, wann es zu Ende ist.",
    },
}


def fact(term: Term) -> str:
    """A term in the words of Prolog: `cell(1,1,x)`."""
    if isinstance(term, tuple):
        name, *parts = term
        told = [fact(part) if isinstance(part, tuple) else _word(part) for part in parts]
        return f"{_word(name, first=True)}({','.join(told)})"
    return _word(term, first=True)


def _word(term: Term, *, first: bool = False) -> str:
    word = _UNKNOWN_CHARACTERS.sub("_", str(term))
    return word if not first or word[:1].isalpha() else f"x{word}"


def said(comments: Sequence[str], seats: Sequence[str], language: str, look: Look = NOTHING_SAID) -> Texts:
    """The texts that a description's comments and the JSON beside it tell, completed by default words."""
    language = language if language in LANGUAGES else LANGUAGES[0]
    default = _DEFAULTS[language]
    told, names = dict[str, list[str]](), dict[str, str]()
    sections: tuple[Section, ...] = ()
    for wanted in (LANGUAGES[0], language):
        found = _in_comments(comments, wanted)
        beside = look.words.get(wanted, Words())
        told |= found | {what: [text] for what, text in beside.texts.items()}
        names |= beside.seats
        sections = beside.rules or (() if "rules" in found else sections)
    told = {what: told.get(what, [default[what]]) for what in ("title", "summary", "goal", "rules")}
    named = tuple([names.get(seat, seat) for seat in seats])
    return Texts(
        title=" ".join(told["title"])[:LONGEST_TITLE].strip(),
        summary=" ".join(told["summary"]).replace("{seats}", ", ".join(named))[:LONGEST_TEXT].strip(),
        seats=named,
        goal=" ".join(told["goal"])[:LONGEST_TEXT].strip(),
        rules=sections or (Section(default["heading"], tuple(told["rules"][:MOST_PARAGRAPHS])),),
    )


def _in_comments(comments: Sequence[str], language: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for comment in comments:
        match = _SAID.match(comment)
        if match is not None and (match["language"] or LANGUAGES[0]).lower() == language:
            found.setdefault(match["what"].lower(), []).append(_printable(match["text"]))
    return found


@cache
def of_library(name: str, language: str) -> Texts:
    """The texts beside a game of the library."""
    language = language if language in LANGUAGES else LANGUAGES[0]
    file = resources.files(__package__).joinpath(LIBRARY, f"{name}.{language}.json")
    data = json.loads(file.read_text(encoding="utf-8"))
    rules = tuple([Section(heading, tuple(texts)) for heading, texts in data["rules"]])
    return Texts(data["title"], data["summary"], tuple(data["seats"]), data["goal"], rules)


def _printable(words: str) -> str:
    return "".join([sign for sign in words if sign.isprintable()]).strip()[:LONGEST_TEXT] or "…"
