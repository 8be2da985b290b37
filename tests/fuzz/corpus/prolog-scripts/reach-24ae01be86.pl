% Memory
move(_, X) :- length(X, N), N > 100000000.
