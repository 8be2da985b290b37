% PALS
% PALS asks its elements in this order; each decides among what the earlier ones left tied.
% 1. PALS moves the least advanced movable piece, so that the pieces stay together.
% What is then still tied goes to the lowest piece id.
% After a six it rolls again while the piece that it would move with six stands below the last field minus twelve.

move(Owner, Best) :-
    movablePieces(Owner, Kept0),
    keepBest(pals, Kept0, Kept1),
    Kept1 = [Best|_].

pals([Field, _, _], Field).
