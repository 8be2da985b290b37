"""Simulated studies in the real tables: for demos, dashboards, load tests and rounds without people."""
