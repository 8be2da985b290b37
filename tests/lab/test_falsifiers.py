"""Each falsifier sign: raised where it should be, silent just below its threshold."""

from datetime import UTC, datetime, timedelta

from lab.falsifiers import (
    SIGNS,
    GivenAnswer,
    ProfileChange,
    always_same,
    before_moving,
    contradiction,
    profile_changes,
    right_too_often,
    second_account,
    too_fast,
)

START = datetime(2026, 1, 1, tzinfo=UTC)


def changes(*values: str | None) -> list[ProfileChange]:
    return [ProfileChange("age", value, START + timedelta(days=day)) for day, value in enumerate(values)]


def answer(
    match: str = "m1", item: str = "verdict", seat: int | None = 1, value: str = "human", ms: int | None = 9000
) -> GivenAnswer:
    return GivenAnswer(match, item, seat, value, ms, words=10)


def test_two_changes_are_human_and_three_are_marked() -> None:
    assert profile_changes(changes("20", "30", "40")) is None
    sign = profile_changes(changes("20", "30", "40", "50"))
    assert sign is not None
    assert sign.evidence == "changed: age (3 times)"


def test_clearing_a_value_and_giving_it_again_is_no_change() -> None:
    assert profile_changes(changes("20", None, "20", None, "20", None, "20")) is None


def test_a_value_changed_through_clearing_counts() -> None:
    assert profile_changes(changes("20", None, "30", None, "20", None, "30")) is not None


def test_changes_count_per_attribute_and_by_time_not_by_order_given() -> None:
    spread = [ProfileChange(name, value, at) for name in "ab" for value, at in (("1", START), ("2", START))]
    assert profile_changes(spread) is None
    assert profile_changes(list(reversed(changes("20", "30", "40", "50")))) is not None


def test_answers_faster_than_reading() -> None:
    fast, slow = answer(ms=300), answer(ms=5000)
    assert too_fast([fast] * 4) is not None
    assert too_fast([fast] * 3) is None, "three quick clicks happen to everybody"
    assert too_fast([fast] * 4 + [slow] * 5) is None, "most answers took their time"
    assert too_fast([answer(ms=None)] * 20) is None, "an untimed answer says nothing"


def test_always_the_same_option_over_matches() -> None:
    same = [answer(f"m{number}", value="artificial") for number in range(5)]
    assert always_same(same) is not None
    assert always_same(same[:4]) is None
    assert always_same([*same, answer("m9", value="human")]) is None


def test_contradicting_answers_on_a_repeated_item() -> None:
    repeated = {"verdict_again": "verdict"}
    assert contradiction([answer(), answer(item="verdict_again", value="artificial")], repeated) is not None
    assert contradiction([answer(), answer(item="verdict_again")], repeated) is None
    other_seat = answer(item="verdict_again", seat=2, value="artificial")
    assert contradiction([answer(), other_seat], repeated) is None


def test_judging_a_seat_that_has_not_moved() -> None:
    assert before_moving([answer()], {("m1", 2): 4}) is not None
    assert before_moving([answer()], {("m1", 1): 1}) is None
    assert before_moving([answer(value="cannot_tell")], {}) is None, "not being able to tell is the honest answer"


def test_every_sign_can_be_raised() -> None:
    raised = [
        profile_changes(changes("1", "2", "3", "4")),
        too_fast([answer(ms=1)] * 4),
        always_same([answer(f"m{n}") for n in range(5)]),
        contradiction([answer(), answer(item="again", value="x")], {"again": "verdict"}),
        before_moving([answer()], {}),
        right_too_often(60, 60),
        second_account([("jade-otter-0042", "browser")]),
    ]
    assert [sign.name for sign in raised if sign] == list(SIGNS)
