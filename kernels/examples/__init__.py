"""Kernels to learn from, to test with and to measure."""
