"""Reading CSV text: bad rows are named, nothing is guessed."""

from __future__ import annotations

import pytest

from lab.judgements import Challenge, Judgement, Verdict
from lab.reading import BadRowsError, read_judgements, read_responses

HEADER = "time,match,person,seat_truth,verdict,sureness,enjoyment,challenge\n"


def bad(text: str) -> list[str]:
    with pytest.raises(BadRowsError) as caught:
        read_judgements(text)
    return [str(row) for row in caught.value.rows]


def test_responses_are_read_as_they_stand() -> None:
    assert read_responses("person,item,response\nann,s 1,1\nann,s 1,0\n") == [("ann", "s 1", 1), ("ann", "s 1", 0)]


def test_columns_may_come_in_any_order_among_others_with_a_mark_and_windows_lines() -> None:
    text = '\ufeffnote,response,item,person\r\n"a, b",1,x,ann\r\n\r\n'
    assert read_responses(text) == [("ann", "x", 1)]


def test_judgements_are_read_with_unanswered_questions_left_open() -> None:
    text = HEADER + "2026-05-01T12:00:00Z,m1,ann,Observing PALS,artificial,80,4,somewhat challenging\n"
    text += "2026-05-01T14:00:01+02:00,m1,ann,human,cannot_tell,,,\n"
    assert read_judgements(text) == [
        Judgement(1777636800, "m1", "ann", "Observing PALS", Verdict.ARTIFICIAL, 80, 4, Challenge.SOMEWHAT),
        Judgement(1777636801, "m1", "ann", "human", Verdict.CANNOT_TELL),
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("1,m,ann,S,robot,1,1,not", "verdict must be one of human, artificial, cannot tell, not 'robot'"),
        ("1,m,,S,human,1,1,not", "person is empty"),
        ("1,m,ann,S,human,101,1,not", "sureness must be a whole number from 0 to 100 or empty, not '101'"),
        ("1,m,ann,S,human,0.5,1,not", "sureness must be a whole number from 0 to 100 or empty, not '0.5'"),
        ("1,m,ann,S,human,1,0,not", "enjoyment must be a whole number from 1 to 5 or empty, not '0'"),
        ("1,m,ann,S,human,1,1,easy", "challenge must be one of"),
        ("1,m,ann,Human,human,1,1,not", "seat_truth 'Human': a human seat is written \"human\""),
        ("noon,m,ann,S,human,1,1,not", "time must be a number or a date"),
        ("nan,m,ann,S,human,1,1,not", "time must be a number or a date"),
        ("2026-05-01T12:00:00Z,m,ann,S,human,1,1,not", "is a time with zone, but the first one was a number"),
        ("1,m,ann,S,human,1,1", "8 fields expected as in the header, 7 found"),
        ('1,m,ann,S,human,1,1,"not', "not readable as CSV"),
    ],
)
def test_a_bad_row_is_named_with_line_and_reason(row: str, reason: str) -> None:
    good = "0,m,ann,S,human,1,1,not\n"
    (message,) = bad(HEADER + good + row + "\n")
    assert message.startswith("line 3: ")
    assert reason in message


def test_all_bad_rows_are_named_at_once_with_the_line_they_start_at() -> None:
    text = 'person,item,response\nann,"two\nlines",1\nann,x,yes\n,x,1\n'
    with pytest.raises(BadRowsError) as caught:
        read_responses(text)
    assert [str(row) for row in caught.value.rows] == [
        "line 4: response must be 0 or 1, not 'yes'",
        "line 5: person is empty",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the header lacks person, item, response"),
        ("person;item;response\n", "the header lacks person, item, response"),
        ("person,item,response,item\n", "columns twice in the header: item"),
        ("person,item,response\n", "there is no row below the header"),
    ],
)
def test_a_file_without_usable_rows_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadRowsError, match=reason):
        read_responses(text)
