"""Phase three's operators: what can be lost, and who gets the free slots."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from lab.refinement.operators import Member
from lab.refinement.pool import Elements
from lab.refinement.settings import DECIDED
from lab.refinement.stripping import Survivor, ordered, removable, strip
from tests.lab.refinement.test_operators import playable, seeds
from tests.lab.start import POOL


@given(playable())
def test_everything_can_be_lost_but_the_last_basic(elements: Elements) -> None:
    lost = removable(elements, POOL)
    basics = POOL.basics_of(elements)
    assert set(elements) - set(lost) == (set(basics) if len(basics) == 1 else set())


@given(st.lists(playable(), min_size=1, max_size=8, unique=True), st.integers(0, 6), seeds)
def test_free_slots_become_clones_that_lose_different_elements(lists: list[Elements], free: int, rng: Random) -> None:
    members = [Member(elements, 3.0) for elements in lists]
    slots = len(members) + free
    stripped = strip(members, slots, 7, POOL, rng, DECIDED)
    clones = [(parent, member.elements) for member in stripped for parent in member.parents]
    assert len(set(clones)) == len(clones) <= slots
    for parent, left in clones:
        assert set(left) < set(parent)
        assert POOL.is_playable(left)
    able = {elements for elements in lists if removable(elements, POOL)}
    assert {parent for parent, _ in clones} == able
    room = sum(len(removable(elements, POOL)) for elements in able)
    assert len(clones) == min(room, len(able) + free)


def test_two_members_that_become_one_list_share_it_as_predecessors() -> None:
    members = [Member(("Observing", "PALS"), 3.0), Member(("Lingering", "PALS"), 3.0)]
    (only,) = strip(members, 2, 1, POOL, Random(1), DECIDED)
    assert only.elements == ("PALS",)
    assert only.parents == (("Observing", "PALS"), ("Lingering", "PALS"))


def test_p_final_is_ordered_by_size_then_by_believability() -> None:
    survivors = [
        Survivor(("Observing", "PALS"), 0.6, ""),
        Survivor(("Lingering", "PALS"), 0.8, ""),
        Survivor(("PALS",), 0.1, ""),
    ]
    names = [one.elements for one in ordered({one.elements: one for one in survivors})]
    assert names == [("PALS",), ("Lingering", "PALS"), ("Observing", "PALS")]
