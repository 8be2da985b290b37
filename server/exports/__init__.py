"""Exports: every table that research needs, pseudonymised, streamed, with a codebook and a manifest."""
