"""References name rules by content: whoever has one knows what was played, now and later."""

import json

import pytest

from games import registry
from games.book import BookError, read_book, replay
from games.jostle import STANDARD, write_layout
from games.protocol import GameError
from games.references import HASH_DIGITS, LONGEST_SOURCE, MissingSourceError, by_content, source_hash
from tests.games import diggers

BOARD = {"name": "mine", "fields": 12, "goals": [1, 3], "switches": [[2, 7]], "minus_three": [5]}
UNKNOWN = f"jostle:{'0' * HASH_DIGITS}"

# What the sources of the library are. A change here changes what matches, ratings and books of the past mean: give the
# new rules a new name instead.
LIBRARY = {
    "jostle:standard": "3cf818aa48c621dc70e07c6d7e9cad6c",
    "jostle:sixth-goal": "0f9a02764fc7c893fdd1e028e3be62cd",
    "tic-tac-toe:standard": "e3b0c44298fc1c149afbf4c8996fb924",
    "ten:standard": "e3b0c44298fc1c149afbf4c8996fb924",
    "tricks:standard": "e3b0c44298fc1c149afbf4c8996fb924",
    "tourality:garden": "160e8ae352d17a037c5d49e65e8adff4",
    "tourality:standard": "8368f45210f188c0db843b9159a54a71",
    "tourality:challenge": "9f0115aa5b9c49c95fae91c162b803e8",
    "evolved:first": "5d15b424057fc1f285905b6dce4b5c2c",
    "evolved:second": "466cf0b5b50070383e93e9e419139d1d",
    "evolved:third": "c4ae8e7b2caf195ed9d2b6ca65ec6e6f",
    "evolved:fourth": "a3848af986c9b7a41582b3ae70c17af6",
    "gdl:tic-tac-toe": "e557fe8c56a6ff5d4b42199ee6da7f81",
    "gdl:connect-four": "8a4ad65039051068f7db0ca355ab855e",
    "gdl:breakthrough": "63723521b6659026a2c64f5052a93b8a",
    "gdl:breakthrough-small": "90f575829d614c9da5911912bc44921e",
    "gdl:three-rows": "8d3efbd6f21d8c58dc8d166b48ef48e4",
    "gdl:dice-race": "961e213b381419133ac2dfb7ee1e5ffe",
    "gdl:ten": "66a979d67bc5c8ff3a933f279fd7427c",
    "gdl:bids": "7a541595287d5d442bfdf3a6a15ec4b1",
    "gdl:one-card": "f19648dd166a98792674cc865ff58e2a",
    "gdl:nine-boards": "697b7bc0decff705001247e37b02353b",
    "gdl:checkers": "e162992ca26a88306875c835021e60e9",
    "gdl:skirmish": "1f1fcaac1144860fff07bee129a613a5",
    "gdl:jostle": "b8a331709ac9f285c8bf161830f1cd9f",
}


@pytest.fixture
def more_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.KINDS, diggers.KEY, diggers.KIND)


def board(**changes: object) -> str:
    return json.dumps(BOARD | changes)


def test_nobody_changed_the_library() -> None:
    assert {reference: source_hash(registry.game(reference).source) for reference in registry.shelf()} == LIBRARY


@pytest.mark.parametrize("reference", registry.shelf())
def test_every_game_of_the_library_knows_its_reference(reference: str) -> None:
    kind, _, name = reference.partition(":")
    assert registry.game(reference).reference == reference
    assert registry.game(reference).kind == kind
    assert registry.KINDS[kind].library[name] == registry.game(reference).source


@pytest.mark.parametrize("kind", registry.KINDS)
def test_a_kind_alone_is_the_first_game_of_its_library(kind: str) -> None:
    first = next(iter(registry.KINDS[kind].library))
    assert registry.game(kind) is registry.game(f"{kind}:{first}")


@pytest.mark.parametrize(
    "change", [{"name": "yours"}, {"fields": 13}, {"goals": [1, 2]}, {"switches": []}, {"minus_three": [6]}]
)
def test_the_name_changes_with_the_source(change: dict[str, object]) -> None:
    mine, other = registry.open_source("jostle", board()), registry.open_source("jostle", board(**change))
    assert mine.reference != other.reference
    assert mine.reference == by_content("jostle", mine.source)


def test_the_name_does_not_change_with_how_the_source_is_written() -> None:
    pretty = json.dumps(dict(reversed(BOARD.items())), indent=4)
    assert registry.open_source("jostle", pretty).reference == registry.open_source("jostle", board()).reference


def test_a_source_equal_to_one_of_the_library_gets_its_name() -> None:
    spaced = json.dumps(json.loads(write_layout(STANDARD)), indent=2)
    opened = registry.open_source("jostle", spaced)
    assert opened.reference == "jostle:standard"
    assert opened is registry.game("jostle:standard")


def test_another_board_cannot_take_the_name_of_one_of_the_library() -> None:
    assert registry.open_source("jostle", board(name="standard")).reference != "jostle:standard"


def test_what_was_learnt_is_known() -> None:
    source = board(name="learnt")
    reference = registry.KINDS["jostle"].open(source).reference
    with pytest.raises(MissingSourceError) as error:
        registry.game(reference)
    assert error.value.reference == reference
    assert not registry.is_known(reference)
    learnt = registry.learn(reference, source)
    assert registry.game(reference) is learnt
    assert registry.is_known(reference)
    assert learnt.reference == reference


@pytest.mark.parametrize(
    "source", [board(fields=13), write_layout(STANDARD), "", "{}", "[" * 100_000, " " * (LONGEST_SOURCE + 1)]
)
def test_another_source_is_not_learnt(source: str) -> None:
    reference = registry.KINDS["jostle"].open(board(name="missing")).reference
    with pytest.raises(GameError):
        registry.learn(reference, source)
    assert not registry.is_known(reference)


def test_a_source_that_comes_into_the_library_later_keeps_its_name_by_content() -> None:
    """Matches that were played on it before carry that name."""
    before = by_content("jostle", write_layout(STANDARD))
    assert registry.game(before) is registry.game("jostle:standard")
    assert registry.learn(before, write_layout(STANDARD)) is registry.game("jostle:standard")


@pytest.mark.parametrize(
    "reference",
    [
        *("", ":", "chess", "chess:standard", f"chess:{'0' * HASH_DIGITS}", "Jostle", "jostle:", "jostle:moon"),
        *("jostle:standard:1", f"jostle:{'0' * (HASH_DIGITS - 1)}", f"jostle:{'A' * HASH_DIGITS}"),
        "jostle:\x00" * 9999,
    ],
)
def test_what_names_no_game_is_refused_and_nothing_is_missing(reference: str) -> None:
    with pytest.raises(GameError, match="there is no game") as error:
        registry.game(reference)
    assert not isinstance(error.value, MissingSourceError)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 500


def test_a_kind_without_a_library_is_no_game_by_itself(more_kinds: None) -> None:
    with pytest.raises(GameError, match="there is no game 'diggers'"):
        registry.game(diggers.KEY)


def test_sources_of_unknown_kinds_are_refused() -> None:
    with pytest.raises(GameError, match="there is no game 'chess'"):
        registry.open_source("chess", "")


@pytest.mark.parametrize("kind", ["tic-tac-toe", "ten", "tricks"])
def test_games_with_one_set_of_rules_have_an_empty_source(kind: str) -> None:
    assert registry.open_source(kind, "") is registry.game(f"{kind}:standard")
    with pytest.raises(GameError, match="empty source"):
        registry.open_source(kind, "something")


def test_the_longest_unused_source_is_forgotten_and_can_be_learnt_again(more_kinds: None) -> None:
    words = ["used", *(f"word{'x' * number}" for number in range(registry.MOST_LEARNT))]
    references = [by_content(diggers.KEY, word) for word in words]
    for word, reference in zip(words[:-1], references[:-1], strict=True):
        registry.learn(reference, word)
    assert registry.game(references[0]).source == "used", "which is thereby used again"
    registry.learn(references[-1], words[-1])
    assert registry.is_known(references[0])
    assert registry.is_known(references[-1])
    assert not registry.is_known(references[1])
    registry.learn(references[1], words[1])
    assert registry.is_known(references[1])


def test_a_book_whose_source_is_missing_says_which_one() -> None:
    with pytest.raises(BookError, match=r"line 1: .*not known here") as error:
        read_book(f'[Rules "{UNKNOWN}"]\n\n0r4\n')
    assert isinstance(error.value.__cause__, MissingSourceError)
    assert error.value.__cause__.reference == UNKNOWN


def test_a_book_on_a_board_of_ones_own_replays_once_the_board_is_learnt() -> None:
    rules = registry.open_source("jostle", board(name="of a book"))
    done = replay(read_book(f'[Rules "{rules.reference}"]\n\n0r4\n'))
    assert done.game == rules
    assert done.position.text() == "4,-1,-1/-1,-1,-1/-1,-1,-1 g"


def test_books_of_games_from_elsewhere_name_their_moves_as_they_are(more_kinds: None) -> None:
    rules = registry.open_source(diggers.KEY, "book")
    world = "(world 1 2 3, (field 73786976294838206463))"
    text = f'[Rules "{rules.reference}"]\n\n{world}\n(dig (at 1, 2)) {{ms=12}}\n(wait)\n'
    done = replay(read_book(text))
    assert [str(move) for move in done.moves] == [world, "(dig (at 1, 2))", "(wait)"]
    assert done.position.acting == (2,)


@pytest.mark.parametrize(
    ("headers", "reference"),
    [
        ("", "jostle:standard"),
        ('[Game "jostle"]', "jostle:standard"),
        ('[Layout "standard"]', "jostle:standard"),
        ('[Layout "sixth-goal"]', "jostle:sixth-goal"),
        ('[Game "jostle"]\n[Layout "sixth-goal"]', "jostle:sixth-goal"),
        ('[Layout "sixth-goal"]\n[Game "jostle"]', "jostle:sixth-goal"),
        ('[Game "tic-tac-toe"]', "tic-tac-toe:standard"),
        ('[Game "tic-tac-toe"]\n[Layout "standard"]', "tic-tac-toe:standard"),
        ('[Game "ten"]', "ten:standard"),
        ('[Rules "tricks:standard"]', "tricks:standard"),
        ('[Rules "jostle:sixth-goal"]', "jostle:sixth-goal"),
        ('[Rules "ten"]', "ten:standard"),
        ('[Rules "ten:standard"]\n[Game "a name that people like"]', "ten:standard"),
    ],
)
def test_old_and_new_headers_name_the_rules(headers: str, reference: str) -> None:
    assert replay(read_book(headers)).game.reference == reference
