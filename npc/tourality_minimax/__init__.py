"""Looking ahead in Tourality: minimax with alpha-beta, in plain Python and as a kernel that plays the same moves."""
