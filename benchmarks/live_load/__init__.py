"""Parts of the load benchmark of live play (benchmarks/live.py)."""
