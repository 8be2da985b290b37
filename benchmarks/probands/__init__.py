"""Simulated probands over real HTTP and websockets, for the load test (benchmarks/load.py) and the soak (soak.py)."""
