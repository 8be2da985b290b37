"""Monte Carlo tree search with a personality: `mcts:simulations=300 rave=100` plays every game of the protocol."""

from npc.mcts.chance import Generator
from npc.mcts.parameters import Parameters
from npc.mcts.search import Tried, can_search, search
from npc.mcts.searches import searches

__all__ = ["Generator", "Parameters", "Tried", "can_search", "search", "searches"]
