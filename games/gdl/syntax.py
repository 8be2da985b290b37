"""Reads prefix notation (KIF) into nodes that know where they stand. Nothing here knows what the words mean.

Reading goes over the text once, without recursion, and how deep parentheses may be nested is bounded; so whoever walks
over nodes afterwards may use recursion.
"""

import re
from collections.abc import Iterator
from sys import intern
from typing import Final, NamedTuple

from games.gdl.findings import DescriptionError, Finding, Level
from games.gdl.terms import Place, Term, Variable, is_ground
from games.references import LONGEST_SOURCE

DEEPEST: Final = 100
"""Parentheses within each other at most."""
LONGEST_WORD: Final = 200
RESERVED_WORDS: Final = frozenset(
    {"role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input", "sees", "random"}
    | {"<=", "and", "or", "not", "distinct"}
)
"""These are the same in any spelling, even where capital letters make a difference."""
_TOKEN: Final = re.compile(
    r"""
    (?P<blank>\s+)
    | (?P<comment>;[^\n\r]*)
    | (?P<open>\() | (?P<close>\))
    | (?P<quoted>"[^"\n\r]*"|\|[^|\n\r]*\|)
    | (?P<word>[^\s();]+)
    """,
    re.VERBOSE,
)
_LONG_COMMENT: Final = re.compile(r"(?P<comment>\#\|.*?\|\#)", re.DOTALL)


class Node(NamedTuple):
    """A word, or a list of nodes, and where it begins."""

    place: Place
    word: str
    """Empty for a list."""
    parts: tuple["Node", ...] = ()

    @property
    def is_list(self) -> bool:
        return not self.word

    @property
    def first(self) -> str:
        """The word that a list begins with, or the word itself; empty if a list begins with a list or is empty."""
        return self.word or (self.parts[0].word if self.parts else "")


class Spelling(NamedTuple):
    """A word that was written with other capital letters before."""

    place: Place
    written: str
    before: str


class Sheet(NamedTuple):
    """A whole file: what stands in it one after another, its comments, and words that are written in two ways."""

    nodes: tuple[Node, ...]
    comments: tuple[str, ...]
    spellings: tuple[Spelling, ...]


def parse(source: str, *, exact: bool = False) -> Sheet:
    """Raises DescriptionError where parentheses do not match or a limit is exceeded.

    With `exact`, words that differ in capital letters are different words, as some other reasoners read them.
    """
    if len(source) > LONGEST_SOURCE:
        raise _refusal(
            Place(1, 1),
            "size",
            f"{len(source)} characters; {LONGEST_SOURCE} are allowed",
            "leave out what follows from other rules",
        )
    try:
        source.encode()
    except UnicodeEncodeError:
        raise _refusal(Place(1, 1), "words", "half a character, which no text can hold", "write it in UTF-8") from None
    comments: list[str] = []
    open_lists: list[tuple[Place, list[Node]]] = []
    top: list[Node] = []
    first_spelling: dict[str, str] = {}
    others: dict[str, Spelling] = {}
    for kind, word, place in _tokens(source):
        current = open_lists[-1][1] if open_lists else top
        if kind == "comment":
            comments.append(word)
        elif kind == "open":
            if len(open_lists) == DEEPEST:
                raise _refusal(
                    place, "depth", f"more than {DEEPEST} parentheses are nested here", "count the ) before it"
                )
            open_lists.append((place, []))
        elif kind == "close":
            if not open_lists:
                raise _refusal(place, "parentheses", "nothing is open that this ) could close", "remove it")
            began, parts = open_lists.pop()
            (open_lists[-1][1] if open_lists else top).append(Node(began, "", tuple(parts)))
        else:
            name = _checked(word, place, exact=exact)
            current.append(Node(place, name))
            if first_spelling.setdefault(name, word) != word:
                others.setdefault(name, Spelling(place, word, first_spelling[name]))
    if open_lists:
        raise _refusal(open_lists[0][0], "parentheses", "this ( is never closed", "count the ) of this rule")
    return Sheet(tuple(top), tuple(comments), tuple(others.values()))


def term_of(node: Node) -> Term | None:
    """The term that a node writes; None if it begins with a list or a variable, or is empty.

    Small and capital letters are the same, and a name alone in parentheses is the name.
    """
    if node.word:
        return Variable(node.word[1:]) if is_variable(node) else intern(node.word)
    if not node.first or is_variable(node.parts[0]):
        return None
    parts = [term_of(part) for part in node.parts]
    whole = tuple([part for part in parts if part is not None])
    if len(whole) < len(parts):
        return None
    return whole if len(whole) > 1 else whole[0]


def read_term(written: str, *, exact: bool = False) -> Term:
    """The one ground term that a text writes. Raises DescriptionError."""
    nodes = parse(written, exact=exact).nodes
    term = term_of(nodes[0]) if len(nodes) == 1 else None
    if term is None or not is_ground(term):
        raise _refusal(
            Place(1, 1), "terms", f"one term without variables is expected, not {written[:80]!r}", "such as (mark 1 2)"
        )
    return term


def is_variable(node: Node) -> bool:
    return node.word.startswith("?")


def _tokens(source: str) -> Iterator[tuple[str, str, Place]]:
    line, line_start, at = 1, 0, 0
    last_end = source.rfind("|#")  # from there on looking for an end, at every sign again, would take for ever
    if source.startswith("\ufeff"):
        at = line_start = 1
    while at < len(source):
        found = (_LONG_COMMENT.match(source, at) if at + 2 <= last_end else None) or _TOKEN.match(source, at)
        if found is None or found.lastgroup is None:
            raise AssertionError("every character begins a token")
        kind, word = found.lastgroup, found[0]
        if kind != "blank":
            yield "word" if kind == "quoted" else kind, word, Place(line, at - line_start + 1)
        if "\n" in word:
            line += word.count("\n")
            line_start = at + word.rindex("\n") + 1
        at = found.end()


def _checked(word: str, place: Place, *, exact: bool) -> str:
    if len(word) > LONGEST_WORD:
        raise _refusal(
            place, "size", f"a word of {len(word)} characters; {LONGEST_WORD} are allowed", "is a blank missing?"
        )
    if not word.isprintable() or "{" in word or "}" in word or word.startswith("["):
        raise _refusal(place, "words", f"{word!r} cannot be a name", "use letters, digits and signs other than braces")
    small = word.lower()
    return word if exact and small not in RESERVED_WORDS else small


def _refusal(place: Place, rule: str, message: str, hint: str) -> DescriptionError:
    return DescriptionError((Finding(place, Level.ERROR, rule, message, hint),))
