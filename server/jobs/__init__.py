"""Background work: a queue in Postgres, worked off by `grintu worker`."""
