"""Reading descriptions: one meaning however it is written, and findings that say where and why."""

import pytest

from games.gdl.findings import DescriptionError, Level
from games.gdl.reader import read
from games.gdl.syntax import DEEPEST
from games.gdl.terms import rule_text


def rules(source: str) -> list[str]:
    return [rule_text(rule) for rule in read(source).rules]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("(terminal)", ["terminal"]),
        ("terminal", ["terminal"]),
        ("(ROLE Red)", ["(role red)"]),
        ("(p\ta\r\n  b\u00a0c)", ["(p a b c)"]),
        ("\ufeff(p a) ; ü (q\n(q b)", ["(p a)", "(q b)"]),
        ("#| (p a) \n |# (q a)", ["(q a)"]),
        ('(says "Hello, World")', ['(says "hello, world")']),
        ("(<= (p a))", ["(p a)"]),
        ("(<= (p ?x) (and (q ?x) (r ?x)))", ["(<= (p ?x) (q ?x) (r ?x))"]),
        ("(<= (p ?x) (or (q ?x) (r ?x)))", ["(<= (p ?x) (q ?x))", "(<= (p ?x) (r ?x))"]),
        ("(<= a (or))", []),
        ("(<= a (and))", ["a"]),
        ("(<= a (not (not b)))", ["(<= a b)"]),
        ("(<= a (not (or b c)))", ["(<= a (not b) (not c))"]),
        ("(<= a (not (and b c)))", ["(<= a (not b))", "(<= a (not c))"]),
        ("(<= (p ?x ?y) (q ?x) (r ?y) (not (distinct ?x ?y)))", ["(<= (p ?y ?y) (q ?y) (r ?y))"]),
        ("(<= (p ?x) (q ?x) (not (distinct (f ?x) (f a))))", ["(<= (p a) (q a))"]),
        ("(<= (p ?x) (q ?x) (not (distinct a b)))", []),
        ("(<= (legal ?p go) open)", ["(<= (legal ?p go) (role ?p) open)"]),
        (
            "(<= (p ?x) (q ?x) (not (r ?x ?any)))",
            ["(<= (helper 1 ?x) (r ?x ?any))", "(<= (p ?x) (q ?x) (not (helper 1 ?x)))"],
        ),
        (
            "(<= (p ?x) (q ?x) (not (and (r ?x ?y) (s ?y))))",
            ["(<= (helper 1 ?x) (r ?x ?y) (s ?y))", "(<= (p ?x) (q ?x) (not (helper 1 ?x)))"],
        ),
    ],
)
def test_what_is_meant_is_read(written: str, meant: list[str]) -> None:
    assert rules(written) == meant


@pytest.mark.parametrize(
    ("written", "rule", "line", "column"),
    [
        ("(p a)\n  (q b", "parentheses", 2, 3),
        ("(p a)\n)", "parentheses", 2, 1),
        ("(p ())", "terms", 1, 1),
        ("((p) a)", "terms", 1, 1),
        ("(?x a)", "terms", 1, 1),
        ("(<=)", "implications", 1, 1),
        ("(<= (p ?x) ?x)", "statements", 1, 12),
        ("(<= (not p) q)", "heads", 1, 5),
        ("(<= (distinct a b) q)", "heads", 1, 5),
        ("(<= p (not a b))", "not", 1, 7),
        ("(<= p (distinct a))", "distinct", 1, 7),
        ("(<= p\n (<= q r))", "implications", 2, 2),
        ("(p {})", "words", 1, 4),
        ("(p a\x00)", "words", 1, 4),
        (f"(p {'a' * 201})", "size", 1, 4),
        ("(p a)\n" + "(" * 1_000_000, "depth", 2, DEEPEST + 1),
        (f"(<= p {'(or a b)' * 12})", "size", 1, 1),
    ],
)
def test_what_means_nothing_is_refused_with_its_place(written: str, rule: str, line: int, column: int) -> None:
    with pytest.raises(DescriptionError) as refusal:
        read(written)
    (error,) = [finding for finding in refusal.value.findings if finding.level is Level.ERROR]
    assert (error.rule, error.place) == (rule, (line, column))
    assert error.hint
    assert str(refusal.value).startswith(f"line {line}, column {column}: error: {rule}: ")


def test_every_error_is_told_at_once() -> None:
    with pytest.raises(DescriptionError) as refusal:
        read("(<= p ?x)\n(<= q (not))\n(r ())")
    assert [finding.place.line for finding in refusal.value.findings] == [1, 2, 3]


@pytest.mark.parametrize(
    ("written", "rule"),
    [
        ("(terminal)", "parentheses"),
        ("(<= p)", "implications"),
        ("(<= (p ?x) (q ?x) (not (distinct ?x a)))", "distinct"),
        ("(<= (legal ?p go) open)", "safety"),
        ("(<= (p ?x) (q ?x) (not (r ?y)))", "safety"),
        ("(p Knight) (q knight)", "capital letters"),
    ],
)
def test_what_the_language_forbids_but_has_a_meaning_is_a_warning(written: str, rule: str) -> None:
    (finding,) = read(written).findings
    assert (finding.level, finding.rule) == (Level.WARNING, rule)
    assert finding.hint
