"""Descriptions that tests bring along: for one seat, for four, and some that want too much."""

from __future__ import annotations

from typing import Final

ONE_SEAT: Final = """; Title: Lights
(role robot)
(lamp p) (lamp q)
(<= (init (off ?lamp)) (lamp ?lamp))
(init (step 1))
(<= (legal robot (press ?lamp)) (lamp ?lamp))
(<= (next (on ?lamp)) (does robot (press ?lamp)) (true (off ?lamp)))
(<= (next (off ?lamp)) (does robot (press ?lamp)) (true (on ?lamp)))
(<= (next (on ?lamp)) (true (on ?lamp)) (not (does robot (press ?lamp))))
(<= (next (off ?lamp)) (true (off ?lamp)) (not (does robot (press ?lamp))))
(follows 1 2) (follows 2 3) (follows 3 4)
(<= (next (step ?later)) (true (step ?now)) (follows ?now ?later))
(<= lit (true (on p)) (true (on q)))
(<= terminal lit)
(<= terminal (true (step 4)))
(<= (goal robot 100) lit)
(<= (goal robot 0) (not lit))
"""
"""Two lamps are to be lit within three presses."""

FOUR_SEATS: Final = """; Title: Corners
(role red) (role green) (role blue) (role plum)
(index 1) (index 2) (index 3)
(after red green) (after green blue) (after blue plum) (after plum red)
(<= (base (cell ?column ?row ?player)) (index ?column) (index ?row) (role ?player))
(init (cell 1 1 red)) (init (cell 3 1 green)) (init (cell 3 3 blue)) (init (cell 1 3 plum))
(init (control red))
(<= (taken ?column ?row) (true (cell ?column ?row ?player)))
(<= (legal ?player (put ?column ?row))
    (true (control ?player)) (index ?column) (index ?row) (not (taken ?column ?row)))
(<= (legal ?player noop) (role ?player) (not (true (control ?player))))
(<= (next (cell ?column ?row ?player)) (does ?player (put ?column ?row)))
(<= (next (cell ?column ?row ?player)) (true (cell ?column ?row ?player)))
(<= (next (control ?later)) (true (control ?player)) (after ?player ?later))
(<= open (index ?column) (index ?row) (not (taken ?column ?row)))
(<= terminal (not open))
(<= (middle ?player) (true (cell 2 2 ?player)))
(<= (goal ?player 100) (middle ?player))
(<= (goal ?player 0) (role ?player) (not (middle ?player)))
"""
"""Everybody puts stones on nine squares; the one in the middle counts."""

ENDLESS: Final = """(role a) (n zero)
(<= (n (s ?x)) (n ?x))
(<= (legal a ?x) (n ?x))
(init here) (next here) (<= terminal (not (true here))) (goal a 100)
"""
_VALUES: Final = " ".join(f"(n {number})" for number in range(60))
_NAMES: Final = [f"?v{number}" for number in range(8)]
EXPONENTIAL: Final = f"""(role a) {_VALUES}
(<= (legal a (go {" ".join(_NAMES)})) (true here) {" ".join(f"(n {name})" for name in _NAMES)})
(init here) (<= (next here) (true here)) (<= terminal (not (true here))) (goal a 100)
"""
"""More moves than anybody could count."""
