% Host
move(O, X) :- '$host_call'("?", Y), assertz(seen(Y)), X = Y.
