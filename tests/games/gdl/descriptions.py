"""Small descriptions that show one difficulty each."""

TURNS = """
(role left) (role right)
(init (control left)) (init (pile 7))
(<= (legal ?r (take 1)) (true (control ?r)))
(<= (legal ?r (take 2)) (true (control ?r)) (not (true (pile 1))))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (control left)) (true (control right)))
(<= (next (control right)) (true (control left)))
(<= (next (pile ?less)) (does ?r (take ?n)) (true (pile ?more)) (minus ?more ?n ?less))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7)
(<= (minus ?a 1 ?b) (succ ?b ?a))
(<= (minus ?a 2 ?c) (succ ?b ?a) (succ ?c ?b))
(<= terminal (true (pile 0)))
(<= (goal ?r 100) (true (pile 0)) (role ?r) (not (true (control ?r))))
(<= (goal ?r 0) (true (pile 0)) (true (control ?r)))
"""
"""Two seats by turns; whoever takes the last one wins."""

AT_ONCE = """
(role a) (role b) (role c)
(init (round 1))
(choice red) (choice green) (choice blue)
(<= (legal ?r (show ?c)) (role ?r) (choice ?c) (true (round 1)))
(<= (legal ?r rest) (role ?r) (not (true (round 1))))
(<= (next (shown ?r ?c)) (does ?r (show ?c)))
(<= (next (round 2)) (true (round 1)))
(<= terminal (true (round 2)))
(<= (meets ?r) (true (shown ?r ?c)) (true (shown ?s ?c)) (distinct ?r ?s))
(<= (goal ?r 100) (role ?r) (not (meets ?r)))
(<= (goal ?r 10) (meets ?r))
"""
"""Three seats at once; whoever shows what nobody else shows wins."""

NEWS = """
(role walker)
(init (at 1)) (init (open 1 2)) (init (open 2 3)) (init (open 3 1)) (init (open 4 5)) (init (steps 4))
(<= (link ?a ?b) (true (open ?a ?b)))
(<= (reach ?a ?b) (link ?a ?b))
(<= (reach ?a ?c) (reach ?a ?b) (link ?b ?c))
(<= (legal walker (go ?b)) (true (at ?a)) (reach ?a ?b) (distinct ?a ?b))
(<= (legal walker (close ?a ?b)) (link ?a ?b))
(<= (legal walker wait) (true (at ?a)))
(<= (next (at ?b)) (does walker (go ?b)))
(<= (next (at ?a)) (true (at ?a)) (not (going)))
(<= (going) (does walker (go ?b)))
(<= (next (open ?a ?b)) (true (open ?a ?b)) (not (does walker (close ?a ?b))))
(<= (next (open 3 4)) (does walker wait))
(<= (next (steps ?n)) (true (steps ?m)) (succ ?n ?m))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(<= terminal (true (steps 0)))
(<= terminal (true (at 5)))
(<= (goal walker 100) (true (at 5)))
(<= (goal walker 0) (not (true (at 5))))
"""
"""Relations that need themselves, and in a circle."""

DICE = """
(role solo)
(init (left 3)) (init (kind fair))
(<= (random coin 1 tails) (true (kind fair)))
(<= (random coin 3 heads) (true (kind fair)))
(<= (random coin 1 heads) (true (kind bent)))
(<= (legal solo (throw coin)) (not (true (left 0))))
(<= (next (left ?m)) (does solo (throw ?x)) (true (left ?n)) (succ ?m ?n))
(<= (next (saw tails)) (does solo (throw tails)))
(<= (next (saw tails)) (true (saw tails)))
(<= (next (kind bent)) (does solo (throw tails)))
(<= (next (kind ?k)) (true (kind ?k)) (does solo (throw heads)))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= terminal (true (left 0)))
(<= (goal solo 100) (true (saw tails)))
(<= (goal solo 0) (not (true (saw tails))))
"""
"""Chance by weights that depend on the state: tails comes with one in four, and then never again."""

BLIND_ALLEY = """
(role one) (role two)
(init (place 0))
(<= (legal one on) (true (place 0)))
(<= (legal two on) (role two))
(<= (next (place 1)) (true (place 0)))
(<= terminal (true (place 2)))
(goal one 100) (goal two 0)
"""
"""After a move the first role has none, and the game is not over."""

ENDLESS = """
(role one)
(init (up))
(<= (legal one flip) (role one))
(<= (next (up)) (not (true (up))))
(<= terminal (never))
(<= (never) (true (up)) (not (true (up))))
(goal one 50)
"""

WORDS = {"turns": TURNS, "at once": AT_ONCE, "news": NEWS, "dice": DICE, "blind alley": BLIND_ALLEY}

EXPONENTIAL = (
    "(role one) (init (at 0))\n"
    + " ".join(f"(bit {number})" for number in range(8))
    + "\n(<= (legal one (code "
    + " ".join(f"?b{place}" for place in range(9))
    + ")) "
    + " ".join(f"(bit ?b{place})" for place in range(9))
    + " (true (at 0)))\n(<= terminal (true (at 1)))\n(<= (next (at 1)) (true (at 0)))\n(goal one 100)\n"
)
"""More than a hundred million moves."""
