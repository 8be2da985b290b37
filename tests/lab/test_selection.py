"""Which opponent next: balanced first, then the misjudged, then the group's; phase one's needs before all."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.judgements import HUMAN, Judgement
from lab.selection import Meetings, Opponent, Reason, Roster, SelectionSettings, balanced_order, for_table, opponents
from tests.lab.simulated import judgement

FIVE = ("A", "B", "C", "D", "E")


def study(**changes: object) -> Roster:
    return Roster(**{"population": FIVE, "ordinals": {"ann": 0}, **changes})  # type: ignore[arg-type]  # keyword sugar


def reasons(listed: list[Opponent]) -> dict[str, Reason]:
    return {one.strategy: one.reason for one in listed}


@given(st.integers(1, 24), st.integers(0, 5))
def test_every_strategy_stands_at_every_place_equally_often(size: int, seed: int) -> None:
    population = [f"s{n}" for n in range(size)]
    orders = [balanced_order(population, ordinal, seed) for ordinal in range(size)]
    assert all(sorted(order) == sorted(population) for order in orders)
    for place in range(size):
        assert len({order[place] for order in orders}) == size


@given(st.integers(2, 24))
def test_every_strategy_follows_every_other_equally_often(size: int) -> None:
    population = [f"s{n}" for n in range(size)]
    persons = size if size % 2 == 0 else 2 * size
    follows = Counter(pair for ordinal in range(persons) for pair in pairwise(balanced_order(population, ordinal)))
    assert len(follows) == size * (size - 1)
    assert set(follows.values()) == {persons // size}


@pytest.mark.parametrize("size", [7, 20, 33])
def test_100_persons_meet_all_strategies_nearly_equally_often_at_every_stage(size: int) -> None:
    """Whatever number of matches everybody has played alone, the counts per strategy and per place are balanced."""
    population = tuple(f"s{n}" for n in range(size))
    persons = {f"p{n}": n for n in range(100)}
    everything = Roster(population=population, ordinals=persons)
    met: dict[str, list[Judgement]] = {person: [] for person in persons}
    counts: Counter[str] = Counter()
    for match in range(size):
        at_this_place: Counter[str] = Counter()
        for person in persons:
            first = opponents(person, Meetings(met[person]), everything)[0]
            assert first.reason is Reason.NOT_MET
            met[person].append(judgement(match, person, first.strategy, True))
            at_this_place[first.strategy] += 1
        counts += at_this_place
        assert max(at_this_place.values()) - min(at_this_place[name] for name in population) <= 1
        assert max(counts.values()) - min(counts[name] for name in population) <= match + 1
    assert set(counts.values()) == {100}


def test_tables_of_two_keep_the_counts_nearly_equal() -> None:
    """100 persons play 15 matches in changing pairs; each table takes one strategy for both."""
    population = tuple(f"s{n}" for n in range(20))
    persons = [f"p{n}" for n in range(100)]
    everything = Roster(population=population, ordinals={person: n for n, person in enumerate(persons)})
    met: dict[str, list[Judgement]] = {person: [] for person in persons}
    counts: Counter[str] = Counter()
    for match in range(15):
        for table in range(50):
            pair = (persons[2 * table], persons[(2 * table + 1 + 2 * match) % 100])
            lists = [opponents(person, Meetings(met[person]), everything) for person in pair]
            (strategy,) = for_table(lists, 1, counts, seed=f"{match}:{table}")
            for person in pair:
                met[person].append(judgement(match, person, strategy, True))
                counts[strategy] += 1
    assert max(counts.values()) <= 1.15 * min(counts[name] for name in population)
    twice = sum(number > 1 for person in persons for number in Counter(one.seat_truth for one in met[person]).values())
    assert twice == 0


def test_when_all_are_met_the_misjudged_come_first_the_longest_ago_before_others() -> None:
    log = [judgement(n, "ann", name, name not in "BD") for n, name in enumerate("DABCE")]
    listed = opponents("ann", Meetings(log), study(), group_misjudged=("C", "B", "X"))
    assert [(one.strategy, one.reason) for one in listed[:3]] == [
        ("D", Reason.MISJUDGED),
        ("B", Reason.MISJUDGED),
        ("C", Reason.GROUP_MISJUDGED),
    ]
    assert sorted(one.strategy for one in listed) == list(FIVE)


def test_a_misjudged_strategy_leaves_the_list_once_it_is_detected() -> None:
    log = [judgement(n, "ann", name, name != "B") for n, name in enumerate("ABCDE")]
    assert reasons(opponents("ann", Meetings(log), study()))["B"] is Reason.MISJUDGED
    log.append(judgement(9, "ann", "B", True))
    assert reasons(opponents("ann", Meetings(log), study()))["B"] is Reason.AGAIN


def test_nothing_misjudged_is_listed_before_everything_is_met() -> None:
    log = [judgement(0, "ann", "A", False)]
    assert set(reasons(opponents("ann", Meetings(log), study(), group_misjudged=("A",))).values()) == {Reason.NOT_MET}


def test_what_was_met_but_not_judged_comes_after_what_was_not_met_and_before_the_misjudged() -> None:
    judged = [judgement(n, "ann", name, False) for n, name in enumerate("AB")]
    listed = opponents("ann", Meetings(judged, unjudged=("C", "A")), study())
    assert [one.reason for one in listed] == [Reason.NOT_MET, Reason.NOT_MET, Reason.NOT_JUDGED]
    listed = opponents("ann", Meetings(judged, unjudged=("C", "D", "E")), study())
    assert [one.reason for one in listed] == [Reason.NOT_JUDGED] * 3 + [Reason.MISJUDGED] * 2


def test_nobody_meets_the_same_strategy_twice_running_if_there_is_another() -> None:
    needy = study(lacking=("D",))
    assert opponents("ann", Meetings(), needy)[0].strategy == "D"
    assert opponents("ann", Meetings(last=("D",)), needy)[-1].strategy == "D"
    assert [one.strategy for one in opponents("ann", Meetings(last=("D",)), study(population=("D",)))] == ["D"]


def test_the_group_gives_a_selection_only() -> None:
    log = [judgement(n, "ann", name, True) for n, name in enumerate("ABCDE")]
    few = study(settings=SelectionSettings(from_group=2))
    listed = reasons(opponents("ann", Meetings(log), few, group_misjudged=FIVE))
    assert list(listed.values()).count(Reason.GROUP_MISJUDGED) == 2


def test_phase_one_puts_what_no_expert_judged_in_front_of_everybodys_list_the_least_judged_first() -> None:
    needy = study(lacking=("B", "D", "gone"), counts={"B": 4, "D": 2}, ordinals={f"p{n}": n for n in range(9)})
    for person in needy.ordinals:
        log = [judgement(n, person, name, True) for n, name in enumerate("ABD")]
        listed = opponents(person, Meetings(log), needy)
        assert [one.strategy for one in listed[:2]] == ["D", "B"]
        assert {one.reason for one in listed[:2]} == {Reason.LACKS_EXPERT}
        assert "gone" not in reasons(listed)


@given(st.lists(st.tuples(st.sampled_from([*FIVE, "old", HUMAN]), st.booleans()), max_size=25))
def test_a_list_is_never_empty_and_names_nothing_twice_or_outside_the_population(met: list[tuple[str, bool]]) -> None:
    log = [judgement(n, "ann", truth, artificial) for n, (truth, artificial) in enumerate(met)]
    names = [one.strategy for one in opponents("ann", Meetings(log), study(), group_misjudged=("A", "old"))]
    assert names
    assert len(names) == len(set(names))
    assert set(names) <= set(FIVE)


def test_an_empty_population_has_no_opponents() -> None:
    assert opponents("ann", Meetings(), study(population=())) == []
    assert for_table([[]], 1, {}, "x") == []


def test_a_table_takes_what_stands_highest_on_all_lists_and_different_ones_for_its_seats() -> None:
    first = [Opponent(name, Reason.NOT_MET) for name in "ABC"]
    second = [Opponent(name, Reason.NOT_MET) for name in "BCA"]
    assert for_table([first, second], 1, {}, "x") == ["B"]
    assert sorted(for_table([first], 2, {}, "x")) == ["A", "B"]
    assert for_table([first[:1]], 2, {}, "x") == ["A", "A"]
