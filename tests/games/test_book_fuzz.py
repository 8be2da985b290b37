"""Whatever text comes in, out comes a book or a clean error: 100,000 mutated and random texts, and a kept corpus.

The mutations are seeded, so that a failure can be repeated; a text that ever caused one belongs into corpus/.
"""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.book import BookError, read_book, record, replay, write_book
from games.jostle import JOSTLE
from games.registry import game, shelf
from tests.games.playthrough import play_out

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.txt"))
MUTATIONS = 30_000
FIRST_LINES = 14
ALPHABET = [
    *'012345678rgb-{}[]"\\ \n\r\t=+.9',
    *(
        "---",
        "\n---\n",
        "die=",
        "ms=",
        '[Game "',
        '[Rules "',
        '[Layout "sixth-goal"]\n',
        "0r4",
        "\x00",
        "\u2028",
        "ü",
        "\ud800",
        "٣",
    ),
]


def check(text: str) -> bool:
    """Reads and replays; True if the text is a playable book. Anything but a BookError escapes and fails the test."""
    try:
        book = read_book(text)
        assert read_book(write_book(book)) == book
        replay(book)
    except BookError as error:
        assert 1 <= error.line <= text.count("\n") + 1
        assert re.fullmatch(r"line \d+: .+: .+", str(error))
        assert str(error).isprintable()
        return False
    return True


def seeds() -> list[str]:
    """Books to start from: beginnings of real games with and without headers, of every game, and the corpus."""
    found = [path.read_bytes().decode("utf-8", "surrogateescape") for path in CORPUS]
    for number, rules in enumerate([*map(game, shelf()), *[JOSTLE] * 8]):
        moves = [move for _, move in play_out(rules, f"fuzz {number}")]
        name, _, layout = rules.reference.partition(":")
        headers = [("Rules", rules.reference)] if number % 2 else [("Game", name), ("Layout", layout)]
        found.append(write_book(record(rules, moves, headers)))
        found.append(re.sub(r" \{.*\}|\[.*\]\n|^\n", "", found[-1]))
    return ["\n".join(text.split("\n")[:FIRST_LINES]) for text in found]


def mutate(rng: random.Random, text: str, others: list[str]) -> str:
    """A few small accidents: characters lost, doubled, changed or moved, lines swapped, or books mixed."""
    for _ in range(rng.randint(1, 3)):
        start = rng.randrange(len(text) + 1)
        end = min(len(text), start + rng.choice((0, 1, 1, 2, 5, 20)))
        match rng.randrange(5):
            case 0:
                text = text[:start] + text[end:]
            case 1:
                text = text[:start] + rng.choice(ALPHABET) + text[end:]
            case 2:
                text = text[:end] + text[start:end] + text[end:]
            case 3:
                rows = text.split("\n")
                i, j = rng.randrange(len(rows)), rng.randrange(len(rows))
                rows[i], rows[j] = rows[j], rows[i]
                text = "\n".join(rows)
            case _:
                other = rng.choice(others)
                text = text[:start] + other[rng.randrange(len(other) + 1) :]
    return text


def test_thousands_of_mutated_and_random_texts_give_books_or_clean_errors() -> None:
    rng = random.Random("fuzz")
    texts = seeds()
    playable = 0
    for number in range(MUTATIONS):
        if number % 10 == 0:
            text = "".join(rng.choices(ALPHABET, k=rng.randrange(40)))
        else:
            text = mutate(rng, rng.choice(texts), texts)
        playable += check(text)
    # If hardly any, or nearly all, survived, the mutations would test one branch only.
    assert MUTATIONS // 50 < playable < MUTATIONS // 2


@given(st.text() | st.lists(st.sampled_from(ALPHABET)).map("".join))
@settings(max_examples=2000, deadline=None)
def test_any_text_gives_a_book_or_a_clean_error(text: str) -> None:
    check(text)


moves = st.builds("{}{}{}".format, st.integers(0, 9), st.sampled_from("rgb"), st.integers(0, 32))
comments = st.builds(" {{die={} ms={}}}".format, st.integers(1, 6), st.integers(0, 9999))
rows_of_moves = st.lists(st.just("---") | moves | st.builds("{}{}".format, moves, comments))


@given(rows_of_moves)
@settings(max_examples=1000, deadline=None)
def test_any_lines_that_look_like_moves_give_a_book_or_a_clean_error(rows: list[str]) -> None:
    check("\n".join(rows))


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_the_corpus_gives_books_or_clean_errors(path: Path) -> None:
    playable = check(path.read_bytes().decode("utf-8", "surrogateescape"))
    assert playable == path.stem.startswith("good")


def test_the_corpus_is_there() -> None:
    assert {path.stem.split("-")[0] for path in CORPUS} == {"good", "bad"}
