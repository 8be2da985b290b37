"""What the language demands: errors where a description means nothing, warnings where it can be played all the same."""

import pytest

from games.gdl.checks import checked
from games.gdl.findings import DescriptionError, Level
from games.gdl.game import KIND, opened
from games.gdl.playouts import played
from tests.games.gdl.sheets import COUNTING, NO_EVENT_LEFT, TWO_RULES, solitaire


@pytest.mark.parametrize("source", [*KIND.library.values(), COUNTING, TWO_RULES], ids=lambda source: source[:30])
def test_good_descriptions_have_no_findings(source: str) -> None:
    assert checked(source).findings == ()


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ("(<= (p ?x) (q ?y)) (q a)", "safety"),
        ("(p ?x)", "safety"),
        ("(<= p (q ?x) (distinct ?x ?y)) (q a)", "safety"),
        ("(<= (true a) on)", "reserved relations"),
        ("(does one (go on))", "reserved relations"),
        ("(<= (role ?x) (true (is ?x)))", "reserved relations"),
        ("(<= (init b) (true a))", "reserved relations"),
        ("(<= (legal one (go off)) going) (<= going (does one (go on)))", "reserved relations"),
        ("(<= (goal one 50) (does one (go on)))", "reserved relations"),
        ("(init a b)", "arity"),
        ("(goal one)", "arity"),
        ("(random die 1 six) (<= (next lucky) (does one (roll die)))", "chance"),
        ("(random die half six)", "chance"),
        ("(<= (random ?x 1 six) (name ?x)) (name die)", "chance"),
        ("(random die 1 six) (<= p (random die 1 six))", "chance"),
        ("(<= (random die 1 six) (does one (go on)))", "reserved relations"),
        ("(random die 1 six) (role random)", "chance"),
        ("(random die 1 six) (sees one luck)", "chance"),
    ],
)
def test_what_nobody_can_play_is_an_error(more: str, rule: str) -> None:
    with pytest.raises(DescriptionError) as refusal:
        checked(solitaire(more))
    errors = [finding for finding in refusal.value.findings if finding.level is Level.ERROR]
    assert rule in {error.rule for error in errors}
    assert {error.place.line for error in errors} == {2}
    assert all(finding.hint for finding in refusal.value.findings)


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        ("(<= (p ?x) (q ?x) (not (p ?x))) (q a)", "stratification"),
        ("(<= (q ?x) (q (s ?x)))", "recursion"),
        ("(p a) (p a b)", "arity"),
        ("(<= p unheard)", "unknown relations"),
        ("(<= p (next on))", "reserved relations"),
        ("(<= (goal one 101) off) off", "goals"),
    ],
)
def test_what_can_be_played_all_the_same_is_a_warning(more: str, rule: str) -> None:
    found = checked(solitaire(more)).findings
    assert rule in {finding.rule for finding in found}
    assert all(finding.hint for finding in found)


def test_a_description_without_players_or_moves_is_refused() -> None:
    with pytest.raises(DescriptionError, match=r"no \(role …\).*no \(legal …\)"):
        checked("(init a) terminal (goal x 0)")


ONE = "(role one)\n(init on)\n(goal one 0)\n"


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (
            f"{ONE}(<= (legal one (go on)) (true on))\n(<= (next off) (true on))\n(<= terminal never)",
            {"playability": 4, "winnability": 3},
        ),
        (
            f"{ONE}(legal one (go on))\n(<= (next on) (true on))\n (<= terminal (not (true on)))",
            {"termination": 6, "winnability": 3},
        ),
        (
            f"{ONE}(legal one (go on)) (goal one 7)\n(<= (next off) (true on))\n(<= terminal (true off))",
            {"goals": 3, "winnability": 3},
        ),
    ],
    ids=["dead end", "endless", "goals"],
)
def test_random_games_find_what_is_wrong_at_the_rule_that_it_is_about(source: str, found: dict[str, int]) -> None:
    game = opened(source)
    findings = list(played(game, 2).findings(game))
    assert {finding.rule: finding.place.line for finding in findings} == found
    assert all(finding.hint for finding in findings)


@pytest.mark.parametrize("source", [NO_EVENT_LEFT, NO_EVENT_LEFT.replace("(<= (legal one (wait here))", "(<= (waits)")])
def test_random_games_report_the_state_in_which_no_event_of_a_move_can_happen(source: str) -> None:
    game = opened(source)
    (finding,) = [each for each in played(game).findings(game) if each.rule == "chance"]
    assert finding.place.line == 3
    assert finding.message == (
        "all weights of lot are 0, so (draw lot) cannot be played although it is legal, in (left 1)"
    )
    assert "above 0" in finding.hint


def test_random_games_of_a_good_description_tell_nothing_against_it() -> None:
    game = opened(TWO_RULES)
    assert list(played(game).findings(game)) == []
