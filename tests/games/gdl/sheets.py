"""Small descriptions for tests."""

COUNTING = """
; Title: Counting
; Title (de): Zählen
(role white) (role black)
(init (count 0)) (init (control white))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?p (say ?n)) (true (control ?p)) (true (count ?c)) (succ ?c ?n))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (count ?n)) (does ?p (say ?n)))
(<= (next (control white)) (true (control black)))
(<= (next (control black)) (true (control white)))
(<= terminal (true (count 3)))
(<= (goal white 100) (true (count 3)))
(<= (goal white 0) (not (true (count 3))))
(goal black 50)
"""
"""Both count to three, in turn; white says the last number."""

TWO_RULES = """
(role one)
(init ready)
(random small 10 yes) (random small 90 no)
(random large 75 yes) (random large 25 no)
(<= (legal one (try small large)) (true ready))
(<= (legal one (wait here)) (true ready))
(<= (next (got ?a ?b)) (does one (try ?a ?b)))
(<= (next waited) (does one (wait here)))
(<= terminal (not (true ready)))
(<= won (true (got yes ?b)))
(<= won (true (got ?a yes)))
(<= (goal one 100) won)
(<= (goal one 0) (not won))
"""
"""Two independent rules, one of which holds in one of ten cases and the other in three of four."""


NO_EVENT_LEFT = """(role one)
(init (left 2)) (less 1 2) (less 0 1)
(<= (random lot 1 ball) (true (left 2)))
  (<= (random lot 0 ball) (not (true (left 2))))
(<= (legal one (draw lot)) (not (true (left 0))))
(<= (legal one (wait here)) (not (true (left 0))))
(<= (next (left ?n)) (true (left ?m)) (less ?n ?m))
(<= terminal (true (left 0)))
(goal one 100)
"""
"""In the second turn nothing can be drawn any more."""


def solitaire(more: str) -> str:
    """A playable game of one role, with more rules."""
    return f"(role one) (init on) (legal one (go on)) (<= terminal (not (true on))) (goal one 100)\n{more}"
