"""How people see a described game: a small JSON beside the description with names, texts in both languages and looks.

It travels inside the source, as comments behind the last rule (every line begins with `;@`): so the reference names
what people saw as exactly as what they played, whoever gets the source gets both, and other reasoners read the file as
before. Everything in it may be left out.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, NamedTuple

from games.gdl.findings import DescriptionError, Finding, Level
from games.gdl.terms import Place
from games.protocol import Section
from games.texts import LANGUAGES

MARK: Final = ";@"
LONGEST: Final = 40_000
"""Characters of the JSON."""
LONGEST_TITLE: Final = 60
LONGEST_TEXT: Final = 600
LONGEST_NAME: Final = 40
LONGEST_SIGN: Final = 12
MOST_ENTRIES: Final = 60
MOST_FINDINGS: Final = 20

AXES: Final = ("column", "row")
TEXTS: Final = {"title": LONGEST_TITLE, "summary": LONGEST_TEXT, "goal": LONGEST_TEXT}


class Words(NamedTuple):
    """What is said in one language."""

    texts: Mapping[str, str] = {}
    """Title, summary and goal."""
    seats: Mapping[str, str] = {}
    """What roles are called."""
    pieces: Mapping[str, str] = {}
    """What pieces are called."""
    rules: tuple[Section, ...] = ()


class Piece(NamedTuple):
    """How a sign of the description is drawn, and whose it is; None: as if nothing had been said."""

    sign: str | None = None
    role: str | None = None
    """Empty: nobody's."""


class BoardLook(NamedTuple):
    """Where the board is in the facts, and how it lies."""

    relation: str | None = None
    """None: it is recognised. Empty: there is none, and facts are shown."""
    first: str = "column"
    """What the first argument counts."""
    upside_down: bool = False
    """Whether the first row is at the top."""
    chequered: bool = True
    empty: tuple[str, ...] = ()
    """Signs that mean an empty cell, besides the usual ones."""


class Look(NamedTuple):
    words: Mapping[str, Words] = {}
    """By language."""
    board: BoardLook = BoardLook()
    pieces: Mapping[str, Piece] = {}
    """By the sign that the description writes."""


# ------------------------------------------------------------------------------------------- inside of a source


def joined(description: str, look: str) -> str:
    """The source of a description and the JSON beside it; without one, the description as it is."""
    if not look.strip():
        return description
    lines = [f"{MARK} {line}".rstrip() for line in look.strip().splitlines()]
    return "\n".join([description.rstrip(), "", *lines, ""])


def parted(source: str) -> tuple[str, str]:
    """The description of a source, and the JSON beside it; empty if there is none."""
    lines = source.rstrip().splitlines()
    first = len(lines)
    while first > 0 and lines[first - 1].startswith(MARK):
        first -= 1
    if first == len(lines):
        return source, ""
    look = [line.removeprefix(MARK).removeprefix(" ") for line in lines[first:]]
    return "\n".join([*lines[:first]]).rstrip() + "\n", "\n".join(look) + "\n"


def first_line(source: str) -> int:
    """The line of a source at which the JSON beside its description begins."""
    description, look = parted(source)
    return len(source.rstrip().splitlines()) - len(look.splitlines()) + 1 if look else len(description.splitlines()) + 1


# ------------------------------------------------------------------------------------------------------ reading


def read(text: str, roles: Collection[str] | None, line: int = 1) -> Look:
    """The look that a JSON tells. Raises DescriptionError with everything that does not fit.

    `roles` are None if nobody knows them; `line` is where the JSON begins, for the places of findings.
    """
    if not text.strip():
        return Look()
    reader = _Reader(roles, line)
    value = reader.value_of(text)
    look = reader.look(value) if not reader.findings else Look()
    if reader.findings:
        raise DescriptionError(tuple(reader.findings[:MOST_FINDINGS]))
    return look


class _Reader:
    """Takes a JSON apart; what does not fit is told with its path, and the reading goes on."""

    def __init__(self, roles: Collection[str] | None, line: int) -> None:
        self.findings: list[Finding] = []
        self._roles = roles
        self._line = line

    def value_of(self, text: str) -> Any:
        if len(text) > LONGEST:
            self._refuse("", f"at most {LONGEST} characters are read, not {len(text)}", hint="shorten the texts")
            return None
        try:
            return json.loads(text)
        except json.JSONDecodeError as error:
            self._refuse(
                "",
                f"this is no JSON: {error.msg}",
                Place(self._line + error.lineno - 1, error.colno),
                hint="are a comma, a quotation mark or a bracket missing?",
            )
        except RecursionError:
            self._refuse("", "brackets are nested too deeply", hint="nothing here needs more than five")
        return None

    def look(self, value: Any) -> Look:
        known = self._object("", value, (*LANGUAGES, "board", "pieces"))
        words: dict[str, Words] = {one: self._words(one, known[one]) for one in LANGUAGES if one in known}
        return Look(words, self._board(known.get("board", {})), self._pieces(known.get("pieces", {})))

    def _words(self, path: str, value: Any) -> Words:
        known = self._object(path, value, (*TEXTS, "seats", "pieces", "rules"))
        texts = {name: self._text(f"{path}.{name}", known[name], TEXTS[name]) for name in TEXTS if name in known}
        seats = self._names(f"{path}.seats", known.get("seats", {}))
        for role in seats:
            self._check_role(f"{path}.seats", role)
        return Words(
            texts,
            seats,
            self._names(f"{path}.pieces", known.get("pieces", {})),
            tuple(self._sections(f"{path}.rules", known.get("rules", []))),
        )

    def _sections(self, path: str, value: Any) -> Iterator[Section]:
        for number, one in enumerate(self._list(path, value)):
            here = f"{path}[{number}]"
            if not isinstance(one, list) or len(one) != 2 or not isinstance(one[1], list):
                self._refuse(
                    here, f"a heading and its paragraphs are expected, not {_cut(one)}", hint='["The end", ["…"]]'
                )
                continue
            texts = [self._text(f"{here}[1][{at}]", text) for at, text in enumerate(self._list(f"{here}[1]", one[1]))]
            yield Section(self._text(f"{here}[0]", one[0], LONGEST_TITLE), tuple(texts))

    def _board(self, value: Any) -> BoardLook:
        known = self._object("board", value, BoardLook._fields)
        relation = known.get("relation")
        if relation is not None and not isinstance(relation, str):
            self._refuse(
                "board.relation",
                f"the name of a relation is expected, not {_cut(relation)}",
                hint='"cell", or "" for no board',
            )
            relation = None
        first = known.get("first", AXES[0])
        if first not in AXES:
            self._refuse(
                "board.first",
                f'"column" or "row" is expected, not {_cut(first)}',
                hint="which of a cell's numbers comes first",
            )
            first = AXES[0]
        empty = [
            self._text(f"board.empty[{at}]", one, LONGEST_NAME)
            for at, one in enumerate(self._list("board.empty", known.get("empty", [])))
        ]
        return BoardLook(
            None if relation is None else relation.lower(),
            first,
            self._flag("board.upside_down", known.get("upside_down", False)),
            self._flag("board.chequered", known.get("chequered", True)),
            tuple([one.lower() for one in empty]),
        )

    def _pieces(self, value: Any) -> dict[str, Piece]:
        found = {}
        for name, one in self._entries("pieces", value).items():
            path = f"pieces.{name}"
            known = self._object(path, one, ("sign", "seat"))
            sign = self._text(f"{path}.sign", known["sign"], LONGEST_SIGN) if "sign" in known else None
            role = known["seat"] or "" if "seat" in known else None
            if role and not self._check_role(f"{path}.seat", role, "; null: nobody's"):
                role = None
            found[name.lower()] = Piece(sign, role)
        return found

    # ------------------------------------------------------------------------------------------------- parts

    def _check_role(self, path: str, role: Any, more: str = "") -> bool:
        if self._roles is None or role in self._roles:
            return True
        self._refuse(path, f"{_cut(role)} is no role", hint=f"roles: {', '.join(self._roles)}{more}")
        return False

    def _object(self, path: str, value: Any, keys: Collection[str]) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._refuse(path, f"an object {{…}} is expected, not {_cut(value)}", hint='{"name": …}')
            return {}
        for key in value:
            if key not in keys:
                self._refuse(path, f"{_cut(key)} is not known here", hint=f"known: {', '.join(keys)}")
        return {key: value[key] for key in keys if key in value}

    def _entries(self, path: str, value: Any) -> dict[str, Any]:
        """An object whose keys are names of the description."""
        if not isinstance(value, dict):
            self._refuse(path, f"an object {{…}} is expected, not {_cut(value)}", hint='{"name": …}')
            return {}
        if len(value) > MOST_ENTRIES:
            self._refuse(path, f"at most {MOST_ENTRIES} entries are read, not {len(value)}", hint="leave some out")
        return dict(list(value.items())[:MOST_ENTRIES])

    def _names(self, path: str, value: Any) -> dict[str, str]:
        entries = self._entries(path, value)
        return {key.lower(): self._text(f"{path}.{key}", name, LONGEST_NAME) for key, name in entries.items()}

    def _list(self, path: str, value: Any) -> list[Any]:
        if not isinstance(value, list):
            self._refuse(path, f"a list […] is expected, not {_cut(value)}", hint='["…", "…"]')
            return []
        if len(value) > MOST_ENTRIES:
            self._refuse(path, f"at most {MOST_ENTRIES} entries are read, not {len(value)}", hint="leave some out")
        return value[:MOST_ENTRIES]

    def _text(self, path: str, value: Any, longest: int = LONGEST_TEXT) -> str:
        if not isinstance(value, str) or not value.strip():
            self._refuse(path, f"a text is expected, not {_cut(value)}", hint='"…"')
            return "…"
        if len(value) > longest:
            self._refuse(path, f"at most {longest} characters are shown, not {len(value)}", hint="shorten it")
        elif not value.isprintable():
            self._refuse(path, "it holds characters that cannot be shown, such as line breaks", hint="use spaces")
        return value.strip()[:longest]

    def _flag(self, path: str, value: Any) -> bool:
        if not isinstance(value, bool):
            self._refuse(path, f"true or false is expected, not {_cut(value)}", hint="without quotation marks")
        return value is True

    def _refuse(self, path: str, message: str, place: Place | None = None, *, hint: str) -> None:
        where = f"{path}: " if path else ""
        self.findings.append(Finding(place or Place(self._line, 1), Level.ERROR, "look", where + message, hint))


def _cut(value: Any) -> str:
    words = json.dumps(value, ensure_ascii=False)
    return words if len(words) <= LONGEST_NAME else f"{words[: LONGEST_NAME - 1]}…"
