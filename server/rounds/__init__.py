"""Refinement rounds: the state machine of lab.refinement made durable, taken step by step by background jobs."""
