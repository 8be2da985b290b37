"""What a search has learnt: a tree of moments in which seats chose, and how their moves did.

Moves are numbers that the search has given them. A place in the tree is what the searching seat saw on the way to it,
so places that look the same to it are one.
"""


class Record:
    """How something did: how often, and the sum of the results."""

    __slots__ = ("total", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.total = 0.0


class Node:
    """A moment in which one seat or several at once choose."""

    __slots__ = ("children", "later", "moves", "visits")

    def __init__(self, seats: int) -> None:
        self.visits = 0
        self.moves: tuple[dict[int, Record], ...] = tuple([{} for _ in range(seats)])
        """Of each seat: how each of its moves did here."""
        self.later: tuple[dict[int, Record], ...] = tuple([{} for _ in range(seats)])
        """Of each seat: how each of its moves did here or anywhere later in the game."""
        self.children: dict[tuple[str, ...], Node] = {}
        """Where the moves that were played and what chance did then lead to, as far as the searching seat saw it."""
