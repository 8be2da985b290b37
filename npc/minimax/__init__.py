"""Looking ahead at every answer: `minimax:nodes=5000` plays every game whose positions are open to all."""
