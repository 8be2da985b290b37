"""What stands between the engine and a script: fetches questions and hands answers out, by Trealla's own means.

What a question says is the business of a game's vocabulary, whose part is plain Prolog.
"""

from typing import Final

SERVING: Final = r"""
% Fetches a question from outside, answers it, hands the answer out: once per call, for ever.
step :- '$host_call'("?", Chars), catch(reply(Chars, Answer), Error, Answer = threw(Error)), tell(Answer).

reply(Chars, Answer) :- read_term_from_chars(Chars, Question, []), ask(Question, Answer), !.
reply(_, unknown).

tell(Answer) :- write_term_to_chars(Answer, [quoted(true), max_depth(20)], Chars), '$host_call'(Chars, _), !.

seed_random(Seed) :- set_seed(Seed).
"""
