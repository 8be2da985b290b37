"""Messages of managers: what is written is read again, whatever people do to its form; everything else is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.gdl.controller import messages
from games.gdl.controller.messages import (
    Abort,
    Info,
    Introduction,
    Joint,
    Message,
    Perceived,
    Play,
    Start,
    Stop,
    read_introduction,
    read_message,
    read_move,
    write_introduction,
    write_message,
)
from games.gdl.game import KIND
from games.gdl.game import opened as open_description
from games.gdl.terms import Term
from games.protocol import GameError, NotationError

words = st.text("abcxyz0123456789_+*<>=.-", min_size=1, max_size=8)
terms: st.SearchStrategy[Term] = st.recursive(
    words,
    lambda inner: st.lists(inner, min_size=1, max_size=3).flatmap(lambda parts: words.map(lambda f: (f, *parts))),
    max_leaves=6,
)
rows = st.lists(terms, max_size=4).map(tuple)
clocks = st.integers(0, messages.LONGEST_CLOCK)
numbers = st.integers(1, 10**6)
told = (
    st.tuples(st.none() | st.builds(Joint, rows), st.none())
    | st.tuples(st.none(), st.just(0) | numbers)
    | st.tuples(st.builds(Perceived, terms, rows), numbers)
)
plays = st.builds(lambda match, pair: Play(match, *pair), words, told)
stops = st.builds(lambda match, pair: Stop(match, *pair), words, told)
descriptions = st.sampled_from(["", "(role red)", "(role red) (<= terminal (not (true (cell 1 1 b))))", "(terminal)"])
starts = st.builds(Start, words, words, descriptions, clocks, clocks)
any_message = st.one_of(st.just(Info()), starts, plays, stops, st.builds(Abort, words))


@given(any_message)
def test_what_is_written_is_read_again(message: Message) -> None:
    assert read_message(write_message(message)) == message


@given(any_message, st.sampled_from(["upper", "spread", "packed"]))
def test_capital_letters_and_white_space_make_no_difference(message: Message, how: str) -> None:
    written = write_message(message)
    changed = {
        "upper": written.upper(),
        "spread": "\r\n\t" + written.replace("(", " (\n").replace(")", "\t) ") + "\r\n",
        "packed": written.replace("( ", "(").replace(" )", ")"),
    }[how]
    assert read_message(changed) == message


@given(st.text() | st.text("()abc ?;\"|'").map(lambda text: f"(play m {text})"))
def test_anything_else_is_refused_with_a_sentence(written: str) -> None:
    try:
        read_message(written)
        read_move(written)
    except NotationError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("INFO", Info()),
        ("(info)", Info()),
        ("(PLAY m NIL)", Play("m", None)),
        ("(play m ())", Play("m", Joint(()))),
        ("(PLAY m 0 NIL NIL)", Play("m", None, 0)),
        ("(PLAY m 3 (Bid 2) ((Card 1) other))", Play("m", Perceived(("bid", "2"), (("card", "1"), "other")), 3)),
        ("(STOP m 4 fold NIL)", Stop("m", Perceived("fold", ()), 4)),
        ("(START m red ((role red) (<= terminal (true x))) 30 5 more)",
         Start("m", "red", "(role red) (<= terminal (true x))", 30, 5)),
    ],
)  # fmt: skip
def test_forms_that_managers_use(written: str, message: Message) -> None:
    assert read_message(written) == message


@pytest.mark.parametrize(
    "written",
    [
        "",
        "(preview x)",
        "(play m)",
        "(play m 1 a)",
        "(play m a)",
        "(play m (?x))",
        "(abort)",
        "(start m red rules 1 1)",
        "(start m red () -1 1)",
        "(start m red () 1 99999999)",
        "(play m ((a)",
        "(" * 5_000,
    ],
)
def test_messages_that_are_none(written: str) -> None:
    with pytest.raises(NotationError):
        read_message(written)


@given(terms)
def test_a_move_is_read_and_what_is_said_besides_is_not(move: Term) -> None:
    written = write_message(Play("m", Joint((move,)))).removeprefix("( PLAY m ( ").removesuffix(" ) )")
    assert read_move(f' {written} (explanation "it wins") ') == move


@pytest.mark.parametrize(
    ("reply", "introduction"),
    [
        (write_introduction("Deep", "available"), Introduction("deep", "available")),
        ("available", Introduction("", "available")),
        ("READY", Introduction("", "ready")),
        ("((name alpha)(status busy)(species robot))", Introduction("alpha", "busy")),
        ("", Introduction()),
        ("((((", Introduction()),
    ],
)
def test_introductions(reply: str, introduction: Introduction) -> None:
    assert read_introduction(reply) == introduction


@pytest.mark.parametrize("name", KIND.library)
def test_a_description_means_the_same_when_it_arrives(name: str) -> None:
    source = KIND.library[name]
    arrived = read_message(write_message(Start("m", "r", messages.description_text(source), 1, 1)))
    assert isinstance(arrived, Start)
    ours, theirs = open_description(source), open_description(arrived.description)
    assert theirs.seats == ours.seats
    assert theirs.start().state == ours.start().state
    assert set(theirs.sheet.rules) and [rule[:2] for rule in theirs.sheet.rules] == [
        rule[:2] for rule in ours.sheet.rules
    ]


def test_errors_are_errors_of_games() -> None:
    """So that whoever handles bad input handles these as well."""
    with pytest.raises(GameError, match="one of"):
        read_message("(hello)")
